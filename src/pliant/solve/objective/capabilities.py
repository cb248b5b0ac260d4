"""Queries of solvers to an objective's contact."""

from __future__ import annotations

from ...energy.base import Energy
from .step_objective import Objective


def has_barrier(objective: Objective) -> bool:
    """Whether there is a barrier that no step may cross."""
    return objective.has_walls


def constraint_of(objective: Objective) -> Energy | None:
    """The contact whose forces are unknowns of a solver, if there is one."""
    return objective.constraint
