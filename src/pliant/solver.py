"""A solver of one linear system a step, and parts of the others: the line search, and how long a step may take."""

from .calls import published
from .solve.budget import Budget
from .solve.line_search import Armijo, WholeStep
from .solve.one_system import Linearised

__all__ = [
    "Armijo",
    "Budget",
    "Linearised",
    "WholeStep",
]

published(__name__)
