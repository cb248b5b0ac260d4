"""Quasi-Newton with one matrix for the whole run, sharpened by L-BFGS (Alg 3 and 4).

The Hessian is replaced by A = c/h² M + L, a scalar matrix for each coordinate alike, factored once. Each iteration costs
one pass over the elements and one solve with three right-hand sides; a line search keeps the objective from rising.
All its scalars stay on the device, so that a GPU runs a whole solve as one captured graph.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ..errors import InputError
from ..linear.prefactored import Prefactored
from . import lbfgs_kernels as columns
from .budget import Budget, Pace, check_iterations
from .lbfgs_kernels import lbfgs_kernels
from .line_search import NOISE, Armijo
from .objective import Objective
from .report import TOLERANCE, Clock, Report, worst


@dataclass(frozen=True)
class QuasiNewton:
    """L-BFGS over the last ``window`` steps, started from the prefactored matrix.

    ``iterations`` is a budget (10 unless told), kept whatever it reached: the report says how far, and calls it converged
    where that is as far as Newton() would go. It may be a
    ``Budget(seconds=…)`` of time. With a ``tolerance`` on the scaled residual and no budget it converges or fails, 500
    iterations at most. ``window=0`` is the plain quasi-Newton method, the same as projective dynamics for laws that have
    projections. The scenes of a batch are solved together, each with its own line search and history.
    """

    iterations: int | Budget | None = None
    window: int = 5
    tolerance: float | None = None
    line_search: Armijo = field(default_factory=lambda: Armijo(least=1e-5))

    BUDGET = 10
    MOST = 500

    def __post_init__(self):
        check_iterations(type(self).__name__, self.iterations, self.tolerance)
        if isinstance(self.window, bool) or not isinstance(self.window, int) or self.window < 0:
            raise InputError(f"QuasiNewton(window={self.window!r}): expected a whole number of at least 0")

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Minimise ``objective`` from and into ``x``."""
        return worst(self.solve_groups(objective, x))

    def solve_groups(self, objective: Objective, x: wp.array) -> list[Report]:
        """The same, with a report for each group of nodes that the objective keeps apart."""
        begin = time.perf_counter()
        matrix = prefactored(objective)
        setup = time.perf_counter() - begin
        # a budget of time counts from the start of the step, but for a factorisation, which is rare
        start = max(objective.begun, begin - 1.0) + setup
        descent = objective.keep(f"lbfgs {self.window}", lambda: Descent(objective, self.window))
        seconds = {"matrix": setup} | descent.run(self, matrix, x, start)
        precision = objective.device.precision
        return [self._report(row, *sizes, precision, seconds) for row, sizes in zip(*descent.read())]

    def _report(self, state: np.ndarray, size: float, scale: float, precision: str, seconds: dict[str, float]) -> Report:
        why, k = int(state[columns.WHY]), int(state[columns.ITERATIONS])
        if why == columns.NOT_FINITE:
            return Report(
                False, "the energy is not finite at the start; try a smaller dt or an inversion-safe material"
            )
        residual, goal = size / scale if scale > 0 else 0.0, self.tolerance or TOLERANCE[precision]
        converged = residual <= goal
        ok = converged or self.tolerance is None or self.iterations is not None
        said = f"{k} iterations used, scaled residual {residual:.1e}"
        if not ok:
            said = (
                f"no convergence in {k} iterations (scaled residual {residual:.1e}, tolerance {goal:.0e}); "
                "try a smaller dt or Newton()"
            )
        elif why == columns.NO_DECREASE:
            said += "; the line search found no further decrease"
        return Report(ok, said, k, residual, goal, k, converged, seconds, 1 + int(state[columns.TRIALS]))


def prefactored(objective: Objective) -> Prefactored:
    """The factor of the objective's constant matrix, made anew only where the matrix has changed."""

    def make() -> Prefactored:
        matrix = objective.laplacian(cut=False)
        return Prefactored(objective.device, matrix, objective.moves, objective.stamp, objective.positions)

    kept = objective.keep("prefactored", make)
    if kept.stamp != objective.stamp:
        kept.refactor(objective.laplacian(cut=False), objective.moves, objective.stamp)
    kept.lean(objective.tethers)
    return kept


class Descent:
    """The vectors and scalars of the iteration, kept from step to step."""

    def __init__(self, objective: Objective, window: int):
        device, n, groups = objective.device, objective.count, objective.groups
        self.objective, self.device, self.window = objective, device, window
        self.kernels = lbfgs_kernels(device.precision)
        self.q, self.d, self.trial = (objective.work(f"lbfgs {name}") for name in ("q", "d", "trial"))
        self.g, self.trial_g = (objective.work(f"lbfgs {name}") for name in ("g", "trial g"))
        self.steps, self.changes = (device.zeros((max(window, 1), n), device.types.vec3) for _ in range(2))
        self.inverse, self.zeta = (device.zeros((groups, max(window, 1)), wp.float64) for _ in range(2))
        self.state = device.zeros((groups, columns.WIDTH), wp.float64)
        self.sums, self.sizes, self.limits = (device.zeros((groups, 2), wp.float64) for _ in range(3))
        self.running, self.searching, self.budget = (device.zeros(1, wp.int32) for _ in range(3))
        self.graph: dict = {}

    def run(self, method: QuasiNewton, matrix: Prefactored, x: wp.array, begin: float) -> dict[str, float]:
        """Iterate from and into x; returns the seconds that the parts took (on a GPU, the whole)."""
        self.method, self.matrix, self.x, self.turn = method, matrix, x, 0
        self.clock = Clock("elements", "linear", "vectors")
        here, budget = time.perf_counter(), method.iterations
        if not isinstance(budget, Budget):
            self.pace = None
            self.budget.fill_(budget or (method.BUDGET if method.tolerance is None else method.MOST))
        else:
            self.pace = self.objective.keep(f"pace {budget}", lambda: Pace(budget))
            self.budget.fill_(self.pace.begin(begin, self.device.is_cpu))
        key = (method, id(x), self.objective.baked, self.objective.stamp, matrix.version)
        self.device.replayed(self._solve, key, self.graph)
        self.device.synchronize()
        if self.pace is not None:
            self.pace.end(int(self.state.numpy()[:, columns.TURN].max()))
        return self.clock.seconds if self.device.is_cpu else {"solve": time.perf_counter() - here}

    def read(self) -> tuple[np.ndarray, list[list[float]]]:
        """(groups, …) state and sizes of the forces, after a run."""
        return self.state.numpy().copy(), self.sizes.numpy().tolist()

    def _solve(self) -> None:
        objective, method, groups = self.objective, self.method, self.objective.groups
        self.steps.zero_()
        self.changes.zero_()
        self.running.zero_()
        with self.clock("elements"):
            objective.measure_and_gradient(self.x, self.sums, self.g)
            self._check()
        self.device.launch(
            self.kernels.begin, groups, method.tolerance or 0.0, self.budget, self.sums, self.sizes, self.inverse,
            self.state, self.running,
        )  # fmt: skip
        self.device.loop(self.running, self._iterate)
        with self.clock("elements"):
            objective.sizes(self.x, self.trial_g, self.sizes)

    def _check(self) -> None:
        """Sizes of the forces at x, where a tolerance asks for them."""
        if self.method.tolerance is not None:
            self.objective.sizes(self.x, self.trial_g, self.sizes)

    def _iterate(self) -> None:
        """A direction, a line search along it, and what is to be remembered of both."""
        objective = self.objective
        self.running.zero_()
        self._direction()
        self.device.loop(self.searching, self._try)
        with self.clock("vectors"):
            self.device.launch(
                self.kernels.push, objective.count, objective.of, self.window, self.state, self.d, self.trial, self.trial_g,
                self.x, self.g, self.steps, self.changes,
            )  # fmt: skip
        with self.clock("elements"):
            self._check()
        self.device.launch(
            self.kernels.tally, objective.groups, self.method.tolerance or 0.0, self.budget, self.sizes, self.inverse, self.state,
            self.running,
        )  # fmt: skip
        self.turn += 1
        if self.pace is not None and self.device.is_cpu and self.pace.over(self.turn):
            self.running.zero_()

    def _direction(self) -> None:
        """d = −B ∇g with B the L-BFGS inverse started from the matrix (Alg 4; ρ = s·t is not inverted there)."""
        kernels, sums = self.kernels, self.objective.vectors.sums
        pairs = min(self.turn, self.window) if self.device.is_cpu else self.window
        held = (self.steps, self.changes, self.zeta, self.state, self.g)
        with self.clock("vectors"):
            for i in range(pairs + 1):
                parts = sums.parts(kernels.back, *held, self.q, scalars=(i, pairs))
                if i < pairs:
                    sums.use(kernels.choose_zeta, i, parts, self.inverse, self.state, self.zeta)
        with self.clock("linear"):
            self.matrix.solve(self.q, self.d)
            self.objective.mask(self.d)
        with self.clock("vectors"):
            for i in range(pairs, -1, -1):
                parts = sums.parts(kernels.forth, *held, self.d, scalars=(i, pairs))
                if i > 0:
                    sums.use(kernels.choose_eta, i - 1, parts, self.inverse, self.state, self.zeta)
        with self.clock("elements"):
            self.objective.safe(self.x, self.d, self.limits)
        self.searching.zero_()
        sums.use(kernels.judge, parts, self.limits, self.inverse, self.state, self.searching)

    def _try(self) -> None:
        """One trial of the line search: energies and gradient at x + αd in one pass."""
        objective, rule = self.objective, self.method.line_search
        self.searching.zero_()
        with self.clock("elements"):
            self.device.launch(
                self.kernels.attempt, objective.count, objective.of, self.state, self.x, self.d, self.trial
            )
            objective.measure_and_gradient(self.trial, self.sums, self.trial_g)
        parts = objective.vectors.dots(self.trial_g, self.d)
        noise = NOISE[self.device.precision]
        objective.vectors.sums.use(
            self.kernels.decide, rule.shrink, rule.slope, rule.least, noise, self.sums, parts, self.inverse, self.state,
            self.searching,
        )  # fmt: skip
