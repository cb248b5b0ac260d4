"""Schemes that carry a signed distance along with a deformed body."""

from pliant.arguments.argument_errors import published
from pliant.geometry.lattice.distance_advection import DirectForward, SemiLagrange, Shepard

__all__ = ["DirectForward", "SemiLagrange", "Shepard"]

published(__name__)
