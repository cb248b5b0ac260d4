"""Newton direction: Hessian, forcing term, steepest descent as fallback."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import warp as wp

from ...linear.krylov.pcg import PCG
from ..objective.capabilities import has_barrier
from ..objective.report import Clock
from ..objective.step_objective import Objective
from ..search.line_search import Seen
from ..search.solver_loop import Iterate
from .forcing import Forcing
from .hessian_choice import Adaptive, NewtonSystem, Projected, Solved
from .iteration import SHORTENED, Iteration, Work
from .lookahead import Lookahead

if TYPE_CHECKING:
    from .newton_solver import Newton

# of the residual at which a share of the projection failed: it is tried again only below that. For barriers, whose
# exact tangents fail again and again on the way into contact: part of what brought a landing of 31,500 tets from 63 iterations
# to 20
RETRY = 0.5

# times the forcing term: above it a linear solve ended early
UNSOLVED = 1.01


class Step(NamedTuple):
    """A direction d in ``Work``: its slope g·d, values at its end, linear iterations spent; ``ahead``: that the gradient
    at its end goes ahead of a matrix; ``free``: that no wall is in its way."""

    slope: float
    seen: Seen | None
    spent: int
    ahead: bool = False
    free: bool = False


class Direction:
    """Directions of one solve; keeps the share of projection that succeeded, and the last matrix for a second use."""

    def __init__(self, newton: Newton, objective: Objective, x: wp.array, tolerance: float, clock: Clock):
        self.newton, self.objective, self.x, self.clock = newton, objective, x, clock
        self.tolerance, self.work = tolerance, objective.state(Work)
        counted = newton.iterations is not None and newton.tolerance is None
        self.forcing = Forcing(objective.device.precision, tolerance, counted)
        self.system = NewtonSystem(newton.hessian, newton.linear)
        self.exact = newton.linear.assembled and not isinstance(newton.hessian, Projected)
        self.barrier = has_barrier(objective)
        self.fused = self._fused()
        self.last = Solved(0, 0, None)
        self.unsolved = False  # whether a linear solve ended before its forcing term
        self.failed = math.inf  # the residual where less projection failed
        self.free = False  # whether −d meets no wall

    @property
    def indefinite(self) -> bool:
        """Whether the exact Hessian of the last direction was not positive definite."""
        return self.last.level > 0

    def project(self, residual: float) -> None:
        """Project fully next: an exact tangent overestimated the decrease at this residual."""
        self.last = self.last._replace(level=len(self.newton.hessian.SHARES) - 1)
        self.failed = residual

    def forget_matrix(self) -> None:
        """The buffer of the last matrix was overwritten."""
        self.last = self.last._replace(system=None)

    def find(self, state: Iterate, ahead: bool, last: bool, caution: int) -> Step:
        """A direction from x, where the gradient was found ``ahead`` of a matrix; ``last``: of the budget."""
        work, vectors = self.work, self.objective.vectors
        seen, spent, more = self._solve(state, ahead, last, caution)
        with self.clock("line search"):
            slope = -vectors.dot(work.g, work.d) if seen is None else seen.slope
            if not math.isfinite(slope):
                return Step(slope, seen, spent)
            if slope >= 0 and self.newton.line_search:  # indefinite: steepest descent instead
                vectors.copy(work.g, work.d)
                slope, seen, self.free = -vectors.dot(work.g, work.d), None, False
            if seen is None:
                slope = self._turned(slope, 0.5 ** max(caution - 1, 0))
        return Step(slope, seen, spent, more, self.free)

    def _solve(self, state: Iterate, ahead: bool, last: bool, caution: int) -> tuple[Seen | None, int, bool]:
        """Solve H d = g; returns values at the end of −d, linear iterations, and whether the gradient is ahead there."""
        residual, work, first = state.residual.value, self.work, state.count == 0
        forcing = self.forcing.term(state, caution)
        again = self.last.level == 0 and not caution and self.forcing.serves_again(state)
        kept, seen, more, spent, tried = self.last.system if again else None, None, False, 0, False
        held = self.barrier and self.indefinite and residual > RETRY * self.failed
        least = self.last.level if held else max(self.last.level - 1, 0)
        if self.fused is not None and not caution and least == 0:
            more = self.exact and not last and forcing * residual > self.tolerance  # iterations, most likely
            seen = self.fused.run(self.x, forcing, first, kept is not None, (ahead, more))
            spent, kept, tried = self.fused.turns, None, True
            self.last = Solved(spent, 0, self.fused.system, self.fused.left)
        if seen is None:
            given = (self.objective, self.x, work.g, work.d, forcing, self.clock)
            self.last = self.system.solve(*given, least, first, kept, tried, ahead=ahead)
            if self.barrier:
                lookahead = self.objective.state(Lookahead)
                self.last = lookahead.solve(self.system, self.x, work, self.last, forcing, self.clock)
                self.free = lookahead.free
            spent += self.last.spent
        self.unsolved |= self.last.left > UNSOLVED * forcing
        self.failed = residual if self.last.level > least else self.failed if held else math.inf
        return seen, spent, more

    def _turned(self, slope: float, part: float) -> float:
        """Make d a ``part`` of −d, shorter where forces reverse on the way; returns its slope."""
        objective, vectors, work = self.objective, self.objective.vectors, self.work
        vectors.mix(-part, work.d, 0.0, work.d, work.d)
        slope *= part
        self.free &= part == 1.0  # the arcs of rigid bodies differ for parts of d
        if objective.stopped(self.x, work.d, work.short):
            shorter = vectors.dot(work.g, work.short)
            if shorter <= SHORTENED * slope:
                vectors.copy(work.short, work.d)
                self.free = False
                return shorter
        return slope

    def _fused(self) -> Iteration | None:
        """An iteration as one call, where possible; launches of walls cannot be recorded."""
        linear, adaptive = self.newton.linear, isinstance(self.newton.hessian, Adaptive)
        alone = self.objective.device.is_cpu and not self.barrier
        if not alone or not adaptive or not isinstance(linear, PCG) or not linear.launches_alone:
            return None
        made = self.objective.state(Iteration, linear)
        made.clock.seconds = self.clock.seconds
        return made
