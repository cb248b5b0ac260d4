"""Where the frame of an element comes from when it has collapsed or is inside out: Dapd(rotation=…)."""

from .calls import published
from .material.rotations import QR, Identity, Polar, Project, Reflect, Smooth

__all__ = ["QR", "Identity", "Polar", "Project", "Reflect", "Smooth"]

published(__name__)
