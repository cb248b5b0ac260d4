"""Newton's method with line search (Alg 1, 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import warp as wp

from ...energy.capabilities import Nonconservative
from ...errors import InputError
from ...linear.factor.direct import Direct
from ...linear.krylov.gmres import GMRES
from ...linear.krylov.pcg import PCG
from ...linear.matrix.operator import Lazy
from ..objective.advice import advice
from ..objective.capabilities import constraint_of
from ..objective.refusals import refuse_forces, refuse_rigid
from ..objective.report import Report
from ..objective.residual import Residual
from ..objective.residual_kernels import ROUNDING
from ..objective.solution import Solution
from ..objective.step_objective import Objective
from ..search.budget import check_iterations
from ..search.line_search import Armijo, Expansion, Point, Seen, WholeStep, safeguarded
from ..search.smoothing import DEAR, Smoothing
from ..search.solver_loop import End, Iterate, Loop
from ..search.stopping import SOLVED, Arrival, Distance, Stagnation
from ..search.truncation import Truncation
from .constrained_newton import check_constrained, constrained
from .direction import Direction
from .factor_memory import KeepsFactors
from .hessian_choice import Adaptive, Exact, NewtonSystem, Projected
from .lagged_friction import clear_lagged, update_lagged


@dataclass(frozen=True)
class Newton(KeepsFactors):
    """Newton's method to convergence, or on a budget.

    ``tolerance`` bounds the scaled residual |Σ forces| / Σ|forces| (None: 1e-7 in f64, 1e-4 in f32), or is a Distance() to the
    solution at which a step may end. ``iterations`` None means converge or fail, 200 at most; a number is a budget: the step is
    kept and the report says what was reached. ``hessian`` Projected() clamps each element's eigenvalues at zero, so that every
    direction descends; Exact() is the true Hessian, indefinite where the energy is not convex; Adaptive() is exact wherever that
    is positive definite, and else has the least projection that makes it so. ``line_search`` None, or WholeStep(),
    takes every step whole, unless it inverts elements under a law with a barrier, without a test of the energy.
    An iteration that cycles solves its linear systems tightly, and then takes half, a quarter and an eighth of its
    steps.
    """

    tolerance: float | Distance | None = None
    iterations: int | None = None
    hessian: Adaptive | Projected | Exact = field(default_factory=Adaptive)
    linear: PCG | Direct | GMRES = field(default_factory=PCG)
    line_search: Armijo | WholeStep | None = field(default_factory=Armijo)

    MOST = 200
    PATIENCE = 3  # full steps without progress that indicate rounding

    def __post_init__(self):
        bound = None if isinstance(self.tolerance, Distance) else self.tolerance
        check_iterations("Newton", self.iterations, bound, timed=False)
        if not isinstance(self.hessian, Adaptive | Projected | Exact):
            raise InputError(f"Newton(hessian={self.hessian!r}): expected Adaptive(), Projected() or Exact()")
        if not hasattr(self.linear, "solve") or not hasattr(self.linear, "assembled"):
            raise InputError(f"Newton(linear={self.linear!r}): expected PCG(), Direct() or GMRES()")
        if isinstance(self.line_search, WholeStep):  # the same as None, which scene files have no word for
            object.__setattr__(self, "line_search", None)
        if self.line_search is not None and not isinstance(self.line_search, Armijo):
            raise InputError(f"Newton(line_search={self.line_search!r}): expected Armijo() or None")

    def check(self, objective: Objective) -> None:
        """Refuse objectives that Newton's method cannot minimise: several scenes at once, and volumes that cannot change."""
        if objective.groups > 1:
            raise InputError(
                "Newton() solves one scene at a time; expected QuasiNewton() for a Batch, with a budget of 10 iterations in "
                "motion and to its tolerance in statics"
            )
        refuse_rigid(objective, "Newton()")
        if self.line_search is not None:
            refuse_forces(objective, f"Newton(line_search={type(self.line_search).__name__}())")
        for energy in objective.having(Nonconservative):
            if not energy.symmetric and not isinstance(self.linear, GMRES):
                raise InputError(
                    f"Newton(linear={type(self.linear).__name__}()) solves symmetric systems, and the tangent of "
                    f"{energy.material.name} with rotations.Exact() is not; expected linear.GMRES(), or rotations.Hybrid()"
                )
        if constraint_of(objective) is not None:
            check_constrained(self.linear)
            if isinstance(self.tolerance, Distance):
                raise InputError(
                    f"Newton(tolerance={self.tolerance!r}): contact.Complementarity() is judged by residuals; expected a "
                    "scaled residual, such as 1e-7"
                )

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise ``objective`` from and into ``x``; on failure x holds the best point found."""
        if constraint_of(objective) is None:
            try:
                report = self._minimise(objective, x)
            finally:
                clear_lagged(objective)
        else:
            report = constrained(self, objective, x, project=not isinstance(self.hessian, Exact))
        system = NewtonSystem(self.hessian, self.linear)
        return Solution((report,), Lazy(lambda: system.operator(objective, x), objective.assemblies))

    def _minimise(self, objective: Objective, x: wp.array) -> Report:
        return _NewtonLoop(self, objective, x).run()


@dataclass(frozen=True, kw_only=True)
class NewtonState(Iterate):
    """State of Newton's method: the last accepted ``point``; whether the gradient was found ``ahead`` of the exact matrix
    there, whether the last step was ``refused``, whether the energy ``falls`` as slopes say, which rounding does not do, and
    whether it has ``arrived`` within the asked distance of the solution."""

    point: Point
    ahead: bool = False
    refused: bool = False
    falls: bool = False
    arrived: bool = False


class _NewtonLoop(Loop[NewtonState]):
    """One solve: a direction, a line search, and a stopping rule."""

    def __init__(self, newton: Newton, objective: Objective, x: wp.array):
        super().__init__(newton, objective, x, "gradient", "matrix", "linear", "line search")
        self.direction = Direction(newton, objective, x, self.tolerance, self.clock)
        self.work, self.d = self.direction.work, self.direction.work.d
        self.stagnation = Stagnation(self.patience, objective)
        self.truncated = False  # whether walls have shortened the last direction node by node
        self.arrival = Arrival(newton.tolerance, objective, x) if isinstance(newton.tolerance, Distance) else None

    def start(self) -> NewtonState:
        with self.clock("gradient"):
            self.objective.refresh()
            found = self.objective.value_and_residual(self.x, self.work.g, self.direction.exact)
        point = Point(0.0, *found)
        end = self._not_finite(point.residual, point)
        return NewtonState(point.residual, math.inf, point=point, ahead=self.direction.exact, end=end)

    def terminate(self, state: NewtonState) -> End | None:
        if state.residual.value <= self.tolerance:
            return End(True, "converged")
        if state.arrived:
            left = self.error(state)
            return End(True, f"converged to within {left:.1g} m, at residual {state.residual.value:.1e}", error=left)
        return self.rounded(state) if self.stagnation.ends(state.residual, state.point, state.falls) else None

    def step(self, state: NewtonState) -> NewtonState:
        work, last = self.work, state.count + 1 >= self.budget
        slope, seen, spent, ahead, free = self.direction.find(state, state.ahead, last, self.stagnation.caution)
        spent += state.spent
        if not math.isfinite(slope):
            return replace(state, spent=spent, end=End(False, "the linear solve gave values that are not finite"))
        with self.clock("line search"):
            accepted = self._search(slope, seen, state, free)
        if accepted is None:
            return self._refused(replace(state, spent=spent, refused=True), last)
        update_lagged(self.objective, self.x, work.trial)
        self.objective.vectors.copy(work.trial, self.x)
        ahead = seen is not None and ahead and accepted is seen.point
        falls = self.direction.barrier and self.stagnation.is_honest(state.point, accepted, slope)
        residual = self._residual(accepted)
        if accepted.residual is None and self.direction.barrier:
            # the tangent overestimated the decrease: a majoriser does not
            self.direction.project(residual.value)
        end = self._not_finite(residual, accepted)
        known = (residual, state.residual.value, accepted.alpha, state.count + (end is None), spent, end)
        arrived = self._arrives(accepted, residual, state.residual)
        return NewtonState(*known, point=accepted, ahead=ahead, falls=falls, arrived=arrived)

    def _arrives(self, accepted: Point, residual: Residual, before: Residual) -> bool:
        """Whether the accepted step shows that x is near enough to the solution."""
        if self.arrival is None:
            return False
        if accepted.alpha < 1.0 or self.truncated or self.direction.last.left > SOLVED:
            self.arrival.forget()
            return False
        return self.arrival.looks(self.x, self.d, residual.value / before.value, self.patience.is_rounding(residual))

    def rounded(self, state: NewtonState) -> End:
        """With a Distance(), rounding counts as converged only after a step that is short enough."""
        end = super().rounded(state)
        return end if self.arrival is None else replace(end, converged=self.arrival.near, error=self.error(state))

    def error(self, state: NewtonState) -> float:
        """Steps shrink as residuals do; a step that was refused is still to come."""
        return self.objective.vectors.longest(self.d) if state.refused else super().error(state)

    def others(self) -> tuple[str, ...]:
        """Another linear solver to try, if this one failed on its systems and the other supports them."""
        symmetric = all(energy.symmetric for energy in self.objective.having(Nonconservative))
        better = self.direction.unsolved and symmetric and not isinstance(self.settings.linear, Direct)
        return ("Newton(linear=Direct())",) if better else ()

    def _search(self, slope: float, seen: Seen | None, state: NewtonState, free: bool) -> Point | None:
        objective, x, work, rule = self.objective, self.x, self.work, self.settings.line_search
        room, look = (work.trial, work.trial_g), objective.value_and_residual
        search = safeguarded(rule, self.stagnation.caution).search
        self.truncated = False
        if self.direction.barrier and not free:
            slope, free = self._truncated(slope)
        smooth = {}
        if self._folds(state):
            smooth["smooth"] = objective.state(Smoothing).look
            self.direction.forget_matrix()
        accepted = search(objective, x, work.d, slope, state.point, *room, look, seen, free, **smooth)
        if self.direction.indefinite and rule and accepted and accepted.alpha == 1.0:
            return objective.state(Expansion).search(x, work.d, slope, accepted, *room)
        return accepted

    def _folds(self, state: NewtonState) -> bool:
        """Whether something buckles, indicated by indefinite Hessians and too long steps, and sweeps cost
        less than a linear solve does."""
        linear, searches = self.settings.linear, isinstance(self.settings.line_search, Armijo)
        alone = not self.direction.barrier and self.objective.turning is None and linear.assembled and searches
        dear = isinstance(linear, Direct) or self.direction.last.spent > DEAR
        return alone and dear and (self.direction.indefinite or 0.0 < state.alpha < 1.0)

    def _truncated(self, slope: float) -> tuple[float, bool]:
        """Truncate d node by node where that decreases more than a shorter d; its slope, and whether no wall is in
        its way."""
        objective, work = self.objective, self.work
        limit = objective.state(Truncation).truncate(self.x, work.d, work.short)
        self.truncated = limit < 1.0
        if self.truncated:
            truncated = objective.vectors.dot(work.g, work.short)
            if not truncated < limit * slope:
                return slope, False
            objective.vectors.copy(work.short, work.d)
            slope = truncated
        return slope, True

    def _residual(self, accepted: Point) -> Residual:
        """The residual at x, where a point was accepted, with the gradient in ``work.g``."""
        if accepted.residual is None:
            with self.clock("gradient"):
                return self.objective.residual(self.x, self.work.g)
        self.objective.vectors.copy(self.work.trial_g, self.work.g)
        return accepted.residual

    def _refused(self, state: NewtonState, last: bool) -> NewtonState:
        """The state after a failed line search: more caution, or the end."""
        if _is_nothing(self.objective, self.d, self.x):
            return replace(state, end=self.rounded(state))
        if self.patience.is_rounding(state.residual) or self.stagnation.caution or last:
            return self.stuck(state)
        self.stagnation.caution = 1
        return replace(state, ahead=False, count=state.count + 1)  # the last values belong to another point

    def _not_finite(self, residual: Residual, point: Point) -> End | None:
        """The end of an iteration at x, where forces or energies are not finite."""
        if math.isfinite(residual.value) and math.isfinite(point.value):
            return None
        bad = [e.name for e in self.objective.energies if not np.isfinite(e.value(self.x))]
        why = f"{', '.join(bad) or 'a force'} is not finite: an element is inverted under a law with a barrier, or the state is "
        return End(False, f"{why}broken; {advice(self.objective)}")


def _is_nothing(objective: Objective, d: wp.array, x: wp.array) -> bool:
    """Whether a step is below the resolution of positions by forces, so that it cannot help."""
    dot, unit, residuals = objective.vectors.dot, np.finfo(objective.device.types.numpy).eps, objective.residuals
    reach = 3 * float(np.sum(residuals.spacing**2)) if residuals.relative else dot(x, x)
    return dot(d, d) <= (ROUNDING * unit) ** 2 * reach
