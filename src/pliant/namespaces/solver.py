"""A solver of one linear system a step, and parts of the others: the line search, when to stop, how long a step may take."""

from pliant.arguments.argument_errors import published
from pliant.solve.newton.linearly_implicit import Linearised
from pliant.solve.search.budget import Budget
from pliant.solve.search.line_search import Armijo, WholeStep
from pliant.solve.search.stopping import Distance

__all__ = ["Armijo", "Budget", "Distance", "Linearised", "WholeStep"]

published(__name__)
