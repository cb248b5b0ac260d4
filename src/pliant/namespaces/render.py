"""Other ways to draw: picture(…, look=…), and charts."""

from pliant.arguments.argument_errors import published
from pliant.output.plot import Chart
from pliant.output.render_looks import RayCast, Slice

__all__ = ["Chart", "RayCast", "Slice"]

published(__name__)
