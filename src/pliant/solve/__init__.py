"""Solvers: argmin over x of one step's objective."""

from .newton import Adaptive, Armijo, Exact, Newton, Projected
from .report import Report

__all__ = ["Adaptive", "Armijo", "Exact", "Newton", "Projected", "Report"]
