"""Parts of solvers: the line search, and how long a step may take."""

from .calls import published
from .solve.budget import Budget
from .solve.line_search import Armijo, WholeStep

__all__ = [
    "Armijo",
    "Budget",
    "WholeStep",
]

published(__name__)
