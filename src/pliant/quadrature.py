"""How cells of a Lattice are integrated, Lattice(…, quadrature=…), and how their volume is averaged, Lattice(…, volume=…)."""

from .calls import published
from .elements.quadrature import Averaged, Centre, Corners, Gauss, Moments

__all__ = ["Averaged", "Centre", "Corners", "Gauss", "Moments"]

published(__name__)
