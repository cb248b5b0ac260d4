"""Elements: nodes, shape-function gradients and weights of every shape."""

from .base import Elements
from .bounding_tets import BoundingTets
from .hexes import Hexes
from .lattice.lattice import Lattice
from .lattice.lattice_embedding import Tricubic, Trilinear
from .quadratic_tets import QuadraticTets
from .rigid import Rigid
from .sheets.membrane import Membrane
from .sheets.planar import PlaneStrain, PlaneStress, Triangles
from .sheets.squares import Squares
from .springs import Springs
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
