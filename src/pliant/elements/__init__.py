"""Elements: nodes, gradients and weights, whatever the shape."""

from .base import Elements
from .membrane import Membrane
from .springs import Springs
from .tets import Tets

__all__ = ["Elements", "Membrane", "Springs", "Tets"]
