"""Other ways to draw: picture(…, look=…)."""

from pliant.arguments.argument_errors import published
from pliant.output.render_looks import RayCast, Slice

__all__ = ["RayCast", "Slice"]

published(__name__)
