"""What a solver returns: a report for each scene, and the operator that it solved with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import warp as wp

from ...linear.matrix.operator import Operator
from .report import Report, worst
from .step_objective import Objective


@dataclass(frozen=True, eq=False)
class Solution:
    """``reports`` of the scenes solved together, and A⁻¹ of the solver's matrix at the answer, good until its next solve.

    ``operator`` is None where a solver has no matrix over the nodes alone.
    """

    reports: tuple[Report, ...]
    operator: Operator | None = None

    @property
    def report(self) -> Report:
        """That of the scene that fared worst."""
        return worst(self.reports)


class Solver(Protocol):
    """Minimises objectives. ``check`` is asked when a simulation is made, ``solve`` in every step."""

    def check(self, objective: Objective) -> None:
        """Raise InputError, with what to use instead, where this objective is not for this solver."""

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise from and into x; on failure x holds the best point found."""
