"""What Newton does where an energy is not convex: Newton(hessian=…)."""

from .calls import published
from .solve.hessian import Adaptive, Exact, Projected

__all__ = ["Adaptive", "Exact", "Projected"]

published(__name__)
