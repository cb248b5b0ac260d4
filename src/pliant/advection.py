"""Schemes that carry a signed distance along with a deformed body."""

from .calls import published
from .geometry.advection import DirectForward, SemiLagrange, Shepard

__all__ = ["DirectForward", "SemiLagrange", "Shepard"]

published(__name__)
