"""Solvers: argmin over x of one step's objective."""

from .newton import Armijo, Newton
from .report import Report

__all__ = ["Armijo", "Newton", "Report"]
