"""Solution of a solve: reports and the operator used."""

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
        """That of the worst scene."""
        return worst(self.reports)


class Solver(Protocol):
    """Minimises objectives. ``check`` is called when a simulation is built, ``solve`` in every step."""

    def check(self, objective: Objective) -> None:
        """Raise InputError, with an alternative, where the solver does not support this objective."""

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise from and into x; on failure x holds the best point found."""
