"""Where the frame of an element comes from when it has collapsed or is inside out: Dapd(rotation=…)."""

from pliant.arguments.argument_errors import published
from pliant.material.laws.degenerate_rotations import QR, Identity, Polar, Project, Reflect, Smooth

__all__ = ["QR", "Identity", "Polar", "Project", "Reflect", "Smooth"]

published(__name__)
