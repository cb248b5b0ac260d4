"""How positions between the nodes of a Lattice follow them."""

from pliant.arguments.argument_errors import published
from pliant.elements.lattice.lattice_embedding import Tricubic, Trilinear

__all__ = ["Tricubic", "Trilinear"]

published(__name__)
