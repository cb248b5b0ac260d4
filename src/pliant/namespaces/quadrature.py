"""How cells of a Lattice are integrated, Lattice(…, quadrature=…), and how their volume is averaged, Lattice(…, volume=…)."""

from pliant.arguments.argument_errors import published
from pliant.elements.quadrature import Averaged, Centre, Corners, Gauss, Moments

__all__ = ["Averaged", "Centre", "Corners", "Gauss", "Moments"]

published(__name__)
