"""Elements: nodes, gradients and weights, whatever the shape."""

from .base import Elements
from .embedding import Tricubic, Trilinear
from .lattice import Lattice
from .membrane import Membrane
from .springs import Springs
from .tets import Tets

__all__ = ["Elements", "Lattice", "Membrane", "Springs", "Tets", "Tricubic", "Trilinear"]
