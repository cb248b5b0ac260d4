"""Factor updates of quasi-Newton after cuts: QuasiNewton(after_cut=refactor.Background())."""

from pliant.arguments.argument_errors import published
from pliant.solve.quasi_newton.factor_after_cut import Background, Bordered, Kept, Updated

__all__ = ["Background", "Bordered", "Kept", "Updated"]

published(__name__)
