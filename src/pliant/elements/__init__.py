"""Elements: nodes, gradients and weights, whatever the shape."""

from .base import Elements
from .bounding import BoundingTets
from .embedding import Tricubic, Trilinear
from .hexes import Hexes
from .lattice import Lattice
from .membrane import Membrane
from .planar import PlaneStrain, PlaneStress, Triangles
from .quadratic_tets import QuadraticTets
from .rigid import Rigid
from .springs import Springs
from .squares import Squares
from .tets import Tets

__all__ = [
    "BoundingTets",
    "Elements",
    "Hexes",
    "Lattice",
    "Membrane",
    "PlaneStrain",
    "PlaneStress",
    "QuadraticTets",
    "Rigid",
    "Springs",
    "Squares",
    "Tets",
    "Triangles",
    "Tricubic",
    "Trilinear",
]
