"""Questions that solvers ask of an objective's contact, each in one place."""

from __future__ import annotations

from ...energy.base import Energy
from .step_objective import Objective


def has_barrier(objective: Objective) -> bool:
    """Whether there is something that no step may pass through."""
    return objective.has_walls


def constraint_of(objective: Objective) -> Energy | None:
    """The contact whose forces a solver must find, if there is one."""
    return objective.constraint
