"""A solver of one linear system a step, and parts of the others: the line search, when to stop, how long a step may take."""

from .calls import published
from .solve.budget import Budget
from .solve.line_search import Armijo, WholeStep
from .solve.one_system import Linearised
from .solve.stopping import Distance

__all__ = ["Armijo", "Budget", "Distance", "Linearised", "WholeStep"]

published(__name__)
