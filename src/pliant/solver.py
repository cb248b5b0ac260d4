"""Parts of solvers: the line search, and how long a step may take."""

from .calls import published
from .solve.budget import Budget
from .solve.line_search import Armijo

__all__ = [
    "Armijo",
    "Budget",
]

published(__name__)
