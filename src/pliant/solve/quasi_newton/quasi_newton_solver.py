"""Quasi-Newton: one constant matrix and L-BFGS (Alg 3, 4).

The Hessian is replaced by A = c/h² M + L, a scalar matrix for each coordinate alike, factored once, with the tangent of contact
where the iteration stands on top of it, and rigid bodies as they are. Each iteration costs one pass over the elements and one
solve with three right-hand sides, some more where bodies touch; a line search keeps the objective from rising.
All its scalars stay on the device, so that a GPU runs a whole solve as one captured graph.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...cut.change import Change
from ...linear.cholesky.cpu.numeric_factor import NotPositiveDefinite
from ...linear.factor.cut_factor import Glued
from ...linear.factor.direct import Direct
from ...linear.factor.scalar_factor import Prefactored
from ...linear.preconditioner.sparse_inverse import SparseInverse
from ...runtime.kernel_structs import filled
from ..objective.advice import advice
from ..objective.refusals import refuse_forces, refuse_joints, refuse_rigid, refuse_walls
from ..objective.report import TOLERANCE, Clock, Report, linear_error
from ..objective.residual import Residual
from ..objective.solution import Solution
from ..objective.step_objective import Objective
from ..search.budget import Budget, Pace, check_iterations
from ..search.line_search import NOISE, Armijo
from ..search.stopping import Patience
from . import lbfgs_kernels as columns
from .constant_factor import ConstantFactor, constant_factor
from .contact_solve import ContactSolve
from .factor_after_cut import EXPECTED, WAYS, AfterCut, Updated
from .lbfgs_kernels import history_struct, lbfgs_kernels

# factor from the last step to the first guess of the next: at most two, except where contact set in and shortened a step
# short, since its stiffness is in the matrix next time
GROWTH, GROWTH_AFTER_CONTACT = 2.0, 1e12
STOPPED = (columns.NO_DECREASE, columns.NO_SLOPE)  # before convergence, for lack of descent


@dataclass(frozen=True)
class QuasiNewton:
    """L-BFGS over the last ``window`` steps, started from the prefactored matrix.

    ``iterations`` is a budget (10 by default), kept at any residual: the report gives it, calls it ok where the
    error left is below 1 % of the motion, and converged where that is as far as Newton() would go. It may be a
    ``Budget(seconds=…)`` of time. With a ``tolerance`` on the scaled residual and no budget, and in a static step unless told
    otherwise, it converges or fails, 500 iterations at most. ``window=0`` is the plain quasi-Newton method, the same as
    projective dynamics for laws that have projections. ``after_cut`` chooses the update of the factor when a body is cut or
    tears, ``linear`` the solve with it: by its substitutions, or by products with its SparseInverse(). The scenes of a batch
    are solved together, each with its own line search and history.
    """

    iterations: int | Budget | None = None
    window: int = 5
    tolerance: float | None = None
    line_search: Armijo = field(default_factory=lambda: Armijo(least=1e-20))
    after_cut: AfterCut = field(default_factory=Updated)
    linear: Direct | SparseInverse = field(default_factory=Direct)

    BUDGET = 10
    MOST = 500
    STUCK = 0.1  # scaled residual above which a solve without progress has failed, on any budget

    def __post_init__(self):
        check_iterations(type(self).__name__, self.iterations, self.tolerance)
        checks.whole("QuasiNewton(window=…)", self.window, 0)
        checks.instance("QuasiNewton(line_search=…)", self.line_search, Armijo, "Armijo()")
        checks.instance("QuasiNewton(after_cut=…)", self.after_cut, WAYS, EXPECTED)
        checks.instance("QuasiNewton(linear=…)", self.linear, (Direct, SparseInverse), "Direct() or SparseInverse()")

    def check(self, objective: Objective) -> None:
        """Refuse incompressible volumes; all else can be solved, slowly where it is not in the matrix."""
        refuse_rigid(objective, "QuasiNewton()")
        refuse_walls(objective, "QuasiNewton()")
        refuse_joints(objective, "QuasiNewton()", "Newton()", rigid=True)
        refuse_forces(objective, "QuasiNewton()")

    @property
    def keeps_rows(self) -> tuple[Change, ...]:
        """Changes of a mesh that it supports in the same arrays."""
        return (Change.TEAR,) if self.after_cut.keeps_rows else ()

    def memory(self, objective: Objective) -> ConstantFactor:
        """The owner of the state left by a cut."""
        factor = constant_factor(objective)
        factor.policy, factor.inverse = self.after_cut, isinstance(self.linear, SparseInverse)
        return factor

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise ``objective`` from and into ``x``; a report for each separate group of nodes."""
        if self.iterations is None and self.tolerance is None and not objective.moving:
            return replace(self, tolerance=TOLERANCE[objective.device.precision]).solve(objective, x)
        begin = time.perf_counter()
        try:
            matrix = self.memory(objective).approximate()
        except NotPositiveDefinite as failure:
            return Solution((Report(False, str(failure), residual=1.0, converged=False),) * objective.groups)
        setup = time.perf_counter() - begin
        # a budget of time counts from the start of the step, but for a factorisation, which is rare
        start = max(objective.begun, begin - 1.0) + setup
        descent = objective.state(Descent, self.window)
        seconds = {"matrix": setup} | descent.run(self, matrix, x, start)
        reports = (self._report(state, residual, objective, seconds) for state, residual in descent.read())
        return Solution(tuple(reports), matrix)

    def _report(self, state: list[float], residual: Residual, objective: Objective, seconds: dict[str, float]) -> Report:
        precision = objective.device.precision
        other = ("Newton()",) if objective.groups == 1 else ()  # which takes no Batch
        why, k = int(state[columns.WHY]), int(state[columns.ITERATIONS])
        if why == columns.NOT_FINITE or not math.isfinite(residual.value):
            what = "the energy is not finite at the start" if why == columns.NOT_FINITE else "a force is not finite"
            return Report(False, f"{what}; {advice(objective)}", k, residual.value, converged=False)
        goal = self.tolerance or TOLERANCE[precision]
        patience, converged = Patience(precision, goal), residual.value <= goal
        kept = converged or self.tolerance is None or self.iterations is not None
        sentence = f"{k} iterations used, scaled residual {residual.value:.1e}{residual.of}"
        if not kept and why in STOPPED and patience.is_rounding(residual):
            kept, converged, sentence = True, patience.converged(residual), patience.why(residual)
        elif not kept:
            sentence = (
                f"no convergence in {k} iterations (scaled residual {residual.value:.1e}{residual.of}, "
                f"tolerance {goal:.0e}); {advice(objective, *other)}"
            )
        elif k == 0 and why in STOPPED and residual.unexplained > self.STUCK:
            kept = False
            sentence = (
                f"no step along the first direction lowers the energy, at scaled residual {residual.value:.1e}{residual.of}; "
                f"{advice(objective, *other)}"
            )
        elif why == columns.NO_DECREASE:
            sentence += "; the line search found no further decrease"
        evaluations = 1 + int(state[columns.TRIALS])
        error = 0.0 if converged else _error(state)
        known = (k, residual.value, goal, k, converged, seconds, evaluations, residual.body)
        return Report(kept, sentence, *known, error=error, rounded=patience.converged(residual))


def _error(state: list[float]) -> float:
    """Estimate the error [m] from the last step and the shrinking of earlier ones, in the energy norm √(s·t).

    The longest of the last three is compared with that of the first three in memory.
    """
    count, length, alpha = int(state[columns.ITERATIONS]), state[columns.LENGTH], state[columns.ALPHA]
    if count == 0 or not alpha > 0:  # the last direction was rejected, or made hardly any progress
        return length if count or length > 0 else math.inf
    known = min(count, columns.REMEMBERED)
    squares = [state[columns.RECENT + i % columns.REMEMBERED] for i in range(count - known, count)]
    few = max(1, min(3, known // 2))
    late, early, last = max(squares[-few:]), max(squares[:few]), squares[-1]
    step = alpha * length * (math.sqrt(late / last) if last > 0 else 1.0)
    rate = (late / early) ** (0.5 / max(known - few, 1)) if early > 0 and known > few else 1.0
    return linear_error(step, rate)


class Descent:
    """The vectors and scalars of the iteration, kept from step to step."""

    def __init__(self, objective: Objective, window: int):
        device, n, groups = objective.device, objective.count, objective.groups
        self.objective, self.device, self.window = objective, device, window
        self.kernels = lbfgs_kernels(device.precision)
        self.q, self.d, self.g, self.trial_g = (objective.vectors.new() for _ in range(4))
        self.trial = objective.vectors.positions()
        self.steps, self.changes = (device.zeros((max(window, 1), n), device.types.vec3) for _ in range(2))
        inverse, zeta = (device.zeros((groups, max(window, 1)), wp.float64) for _ in range(2))
        self.state = device.zeros((groups, columns.WIDTH), wp.float64)
        self.history = filled(
            history_struct(device.precision), steps=self.steps, changes=self.changes, inverse=inverse, zeta=zeta, state=self.state
        )  # fmt: skip
        self.sums, self.limits = (device.zeros((groups, 2), wp.float64) for _ in range(2))
        self.sizes, self.contact = objective.new_sizes(), ContactSolve(objective)
        soft = np.ones(1 if objective.turning is None else n)
        if objective.turning is not None:
            soft[objective.turning.first[:, None] + np.arange(4)] = 0.0
        self.soft = device.array(soft, device.types.real)  # nodes in the pairs of the history
        self._read_state, self._read_sizes = device.reader(self.state), device.reader(self.sizes)
        self.running, self.searching, self.budget = (device.zeros(1, wp.int32) for _ in range(3))
        self.allowed = 0  # iterations, by the budget
        self.graph: dict = {}
        self.paces: dict[Budget, Pace] = {}
        self.rounds: dict[int, dict] = {}  # programs of single iterations, by the number of pairs that they use

    def run(self, method: QuasiNewton, matrix: Prefactored | Glued, x: wp.array, begin: float) -> dict[str, float]:
        """Iterate from and into x; returns the seconds of each part (on a GPU, of the whole)."""
        self.method, self.matrix, self.x, self.turn = method, matrix, x, 0
        self.contact.rigid.take()
        self.clock = Clock("elements", "linear", "vectors")
        here, budget = time.perf_counter(), method.iterations
        if not isinstance(budget, Budget):
            self.pace = None
            self._allow(budget or (method.BUDGET if method.tolerance is None else method.MOST))
        else:
            self.pace = self.paces.setdefault(budget, Pace(budget))
            self._allow(self.pace.begin(begin, self.device.is_cpu))
        baked, self.watched = self.objective.recordable, self.pace is not None and self.device.is_cpu
        self.key = None if baked is None else (method, id(x), baked, self.objective.stamp, matrix, matrix.version)
        self.device.replayed(self._solve, None if self.watched else self.key, self.graph, self.clock)
        self.device.synchronize()
        if self.pace is not None:
            self.pace.end(int(self._read_state()[:, columns.TURN].max()))
        return self.clock.seconds if self.device.is_cpu else {"solve": time.perf_counter() - here}

    def _allow(self, iterations: int) -> None:
        if self.allowed != iterations:
            self.budget.fill_(iterations)
            self.allowed = iterations

    def read(self) -> list[tuple[list[float], Residual]]:
        """State and residual of each group, after a run."""
        residuals = [self.objective.residuals.read(row) for row in self._read_sizes()]
        return list(zip(self._read_state().tolist(), residuals))

    def _solve(self) -> None:
        objective, method, groups = self.objective, self.method, self.objective.groups
        self.device.clear(self.steps)
        self.device.clear(self.changes)
        self.device.clear(self.running)
        with self.clock("elements"):
            objective.evaluate_with_gradient(self.x, self.sums, self.g)
            self._check()
        self.device.launch(
            self.kernels.begin, groups, method.tolerance or 0.0, self.budget, self.sums, self.sizes, self.history,
            self.running,
        )  # fmt: skip
        self.device.loop(self.running, self._iterate, unlike=self.window)
        with self.clock("elements"):
            objective.sizes(self.x, self.trial_g, self.sizes)
        objective.vectors.sums.longest(self.state, self.d, columns.LENGTH)

    def _check(self) -> None:
        """Sizes of the forces at x, where a tolerance asks for them."""
        if self.method.tolerance is not None:
            self.objective.sizes(self.x, self.trial_g, self.sizes)

    def _iterate(self) -> None:
        """One iteration; under a budget of time on the CPU, it reads the clock after it."""
        if not self.watched:
            self._round()
            self.turn += 1
            return
        pairs = min(self.turn, self.window)
        self.device.replayed(self._round, self.key, self.rounds.setdefault(pairs, {}), self.clock)
        self.turn += 1
        if self.pace.over(self.turn):
            self.device.clear(self.running)

    def _round(self) -> None:
        """A direction, a line search along it, and the update of the history."""
        objective = self.objective
        self.device.clear(self.running)
        self._direction()
        self.device.loop(self.searching, self._try)
        with self.clock("vectors"):
            if objective.turning is not None:
                sums, ends = objective.vectors.sums, (self.soft, self.d, self.g, self.trial_g)
                sums.use(self.kernels.note_curvature, sums.parts(self.kernels.bend, *ends), self.history)
            self.device.launch(
                self.kernels.push, objective.count, objective.of, self.window, self.soft, self.d, self.trial,
                self.trial_g, self.history, self.x, self.g,
            )  # fmt: skip
        with self.clock("elements"):
            self._check()
        self.device.launch(
            self.kernels.tally, objective.groups, self.method.tolerance or 0.0, self.budget, self.sizes, self.history,
            self.running,
        )  # fmt: skip

    def _direction(self) -> None:
        """d = −B ∇g with B the L-BFGS inverse started from the matrix (Alg 4; ρ = s·t is not inverted there)."""
        kernels, sums = self.kernels, self.objective.vectors.sums
        pairs = min(self.turn, self.window) if self.device.is_cpu else self.window
        with self.clock("vectors"):
            for i in range(pairs + 1):
                parts = sums.parts(kernels.back, self.history, self.g, self.q, scalars=(i, pairs))
                if i < pairs:
                    sums.use(kernels.choose_zeta, i, parts, self.history)
        with self.clock("linear"):
            self.contact.solve(self.matrix, self.x, self.q, self.d)
        with self.clock("vectors"):
            for i in range(pairs, -1, -1):
                parts = sums.parts(kernels.forth, self.history, self.g, self.d, scalars=(i, pairs))
                if i > 0:
                    sums.use(kernels.choose_eta, i - 1, parts, self.history)
        with self.clock("elements"):
            self.objective.safe(self.x, self.d, self.limits)
        self.device.clear(self.searching)
        growth = GROWTH_AFTER_CONTACT if self.contact.energies else GROWTH
        sums.use(kernels.judge, growth, parts, self.limits, self.history, self.searching)

    def _try(self) -> None:
        """One trial of the line search: energies and gradient at x + αd in one pass."""
        objective, rule = self.objective, self.method.line_search
        self.device.clear(self.searching)
        with self.clock("elements"):
            self.device.launch(self.kernels.attempt, objective.count, objective.of, self.history, self.x, self.d, self.trial)
            if objective.turning is not None:
                objective.turning.launch(self.x, self.d, self.trial, limits=self.state, column=columns.ALPHA)
            objective.evaluate_with_gradient(self.trial, self.sums, self.trial_g)
        parts = objective.vectors.dots(self.trial_g, self.d)
        # never for laws with log J, which are not parabolas
        clear = columns.CLEAR if self.contact.energies else math.inf
        noise = (NOISE[self.device.precision], clear, objective.residuals.resolution)
        limits = (rule.shrink, rule.slope, rule.least, *noise)
        objective.vectors.sums.use(self.kernels.decide, *limits, self.sums, parts, self.history, self.searching)
