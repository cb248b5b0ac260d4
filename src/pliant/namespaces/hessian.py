"""What Newton does where an energy is not convex: Newton(hessian=…)."""

from pliant.arguments.argument_errors import published
from pliant.solve.newton.hessian_choice import Adaptive, Exact, Projected

__all__ = ["Adaptive", "Exact", "Projected"]

published(__name__)
