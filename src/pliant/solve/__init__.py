"""Solvers: argmin over x of one step's objective."""

from .budget import Budget
from .hessian import Adaptive, Exact, Projected
from .line_search import Armijo
from .mixed import Mixed
from .newton import Newton
from .projective import ProjectiveDynamics
from .quasi_newton import QuasiNewton
from .report import Report

__all__ = [
    "Adaptive",
    "Armijo",
    "Budget",
    "Exact",
    "Mixed",
    "Newton",
    "Projected",
    "ProjectiveDynamics",
    "QuasiNewton",
    "Report",
]
