"""Studies: many simulations of one kind, here or on a cluster."""

from ..arguments.argument_errors import published
from .designs import LatinHypercube, Random, Sobol
from .members import Runs
from .page import page

__all__ = ["LatinHypercube", "Random", "Runs", "Sobol", "page"]

published(__name__)
