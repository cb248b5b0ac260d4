"""Solvers: Newton, mixed, quasi-Newton and projective dynamics."""

from .mixed.mixed_solver import Mixed
from .newton.hessian_choice import Adaptive, Exact, Projected
from .newton.newton_solver import Newton
from .objective.report import Report
from .quasi_newton.projective_dynamics import ProjectiveDynamics
from .quasi_newton.quasi_newton_solver import QuasiNewton
from .search.budget import Budget
from .search.line_search import Armijo

__all__ = ["Adaptive", "Armijo", "Budget", "Exact", "Mixed", "Newton", "Projected", "ProjectiveDynamics", "QuasiNewton", "Report"]
