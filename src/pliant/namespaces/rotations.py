"""Rotations in laws: Corotated(tangent=…), Dapd(tangent=…, rotation=…)."""

from pliant.arguments.argument_errors import published
from pliant.material.laws.degenerate_rotations import QR, Identity, Polar, Project, Reflect, Smooth
from pliant.material.laws.rotation_tangents import Exact, Hybrid, Truncated, Warped

__all__ = ["QR", "Exact", "Hybrid", "Identity", "Polar", "Project", "Reflect", "Smooth", "Truncated", "Warped"]

published(__name__)
