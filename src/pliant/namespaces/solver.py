"""Parts of solvers: Hessians, line search, stopping, budgets, one-system steps."""

from pliant.arguments.argument_errors import published
from pliant.solve.newton.hessian_choice import Adaptive, Exact, Projected
from pliant.solve.newton.linearly_implicit import LinearlyImplicit
from pliant.solve.search.budget import Budget
from pliant.solve.search.line_search import Armijo, WholeStep
from pliant.solve.search.stopping import Distance

__all__ = ["Adaptive", "Armijo", "Budget", "Distance", "Exact", "LinearlyImplicit", "Projected", "WholeStep"]

published(__name__)
