"""What quasi-Newton does with its factor when a body is cut or tears: QuasiNewton(after_cut=after_cut.Background())."""

from pliant.arguments.argument_errors import published
from pliant.solve.quasi_newton.factor_after_cut import Background, Bordered, Kept, Updated

__all__ = ["Background", "Bordered", "Kept", "Updated"]

published(__name__)
