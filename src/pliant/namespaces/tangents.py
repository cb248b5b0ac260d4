"""What is taken for the stiffness of a law with rotations: Corotated(tangent=…), Dapd(tangent=…)."""

from pliant.arguments.argument_errors import published
from pliant.material.laws.rotation_tangents import Exact, Hybrid, Truncated, Warped

__all__ = ["Exact", "Hybrid", "Truncated", "Warped"]

published(__name__)
