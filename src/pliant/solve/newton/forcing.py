"""Forcing terms of inexact Newton (Eisenstat & Walker 1996, choice 2)."""

from __future__ import annotations

import math

from ..search.solver_loop import Iterate

# η at most, and η/√residual at most; the second pair where iterations are counted. An iteration costs as much as some thirty
# of conjugate gradients, so that a good first solve is worth it: a step of a beam of 1,600 tets takes 3 iterations at 1 %, and
# 4 at 10 %
FORCING, COUNTED = (0.01, 0.1), (0.04, 0.5)
GAMMA = 0.9  # of the squared fall of the residual, as in Eisenstat & Walker
SHARE = 0.3  # of the tolerance: least residual of a linear solve, as more is wasted on the last iteration
LEAST = 1e-12
AT_ROUNDING = 1e-3  # where forces are at rounding, and steps still shrink
TIGHT = {"f64": 1e-9, "f32": 1e-5}  # after a failure with less: the error of loose solves of stiff bodies is below their rounding


class Forcing:
    """Forcing terms of one solve to ``tolerance``; ``counted``: on a budget of iterations alone."""

    def __init__(self, precision: str, tolerance: float, counted: bool):
        self.tight, self.tolerance = TIGHT[precision], tolerance
        self.most, self.root = COUNTED if counted else FORCING

    def term(self, state: Iterate, caution: int) -> float:
        """The relative residual to which the next linear system is solved."""
        residual = state.residual.value
        forcing = min(self.most, self.root * math.sqrt(residual), GAMMA * self.fall(state) ** 2)
        forcing = max(forcing, SHARE * self.tolerance / residual, LEAST)
        if state.residual.resolved <= self.tolerance:
            forcing = min(forcing, AT_ROUNDING)
        return min(forcing, self.tight) if caution else forcing

    def serves_again(self, state: Iterate) -> bool:
        """Whether the last iteration's matrix is good enough for a final iteration.

        The error of Newton's method is of order r², with the last iteration's matrix of order 2 r r₋.
        """
        return state.alpha == 1.0 and 2 * self.fall(state) * state.residual.value <= SHARE * self.tolerance

    def fall(self, state: Iterate) -> float:
        """The fraction of the residual left by the last step."""
        return state.residual.value / state.before if state.count else math.inf
