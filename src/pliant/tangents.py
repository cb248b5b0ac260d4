"""What is taken for the stiffness of a law with rotations: Corotated(tangent=…), Dapd(tangent=…)."""

from .calls import published
from .material.tangents import Exact, Hybrid, Truncated, Warped

__all__ = ["Exact", "Hybrid", "Truncated", "Warped"]

published(__name__)
