"""How positions between the nodes of a Lattice follow them."""

from .calls import published
from .elements.embedding import Tricubic, Trilinear

__all__ = ["Tricubic", "Trilinear"]

published(__name__)
