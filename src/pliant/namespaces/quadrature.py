"""Quadrature of Lattice cells and averages of their volume."""

from pliant.arguments.argument_errors import published
from pliant.elements.quadrature import Averaged, Centre, Corners, Gauss, Moments

__all__ = ["Averaged", "Centre", "Corners", "Gauss", "Moments"]

published(__name__)
