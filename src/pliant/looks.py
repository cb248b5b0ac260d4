"""Other ways to draw: picture(…, look=…)."""

from .calls import published
from .output.looks import RayCast, Slice

__all__ = ["RayCast", "Slice"]

published(__name__)
