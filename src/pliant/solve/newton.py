"""Newton's method with line search: the reference by which other solvers are judged (Alg 1, 2 of the descent skeleton)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ..errors import InputError, positive
from ..linear.direct import Direct
from ..linear.pcg import PCG
from ..linear.system import System
from .objective import Objective
from .report import Report


@dataclass(frozen=True)
class Armijo:
    """Backtracking: accept x + αd once g falls by at least ``slope`` · α |∇g·d|; α shrinks by ``shrink`` down to ``least``."""

    shrink: float = 0.5
    slope: float = 0.03
    least: float = 1e-10

    def __post_init__(self):
        if not all(positive(v) for v in (self.shrink, self.slope, self.least)):
            raise InputError(f"{self}: expected three positive numbers")
        if not 0 < self.shrink < 1 or not 0 < self.slope < 0.5 or not 0 < self.least < 1:
            raise InputError(f"{self}: expected 0 < shrink < 1, 0 < slope < 0.5 and 0 < least < 1")


@dataclass(frozen=True)
class Projected:
    """Element Hessians with their negative eigenvalues set to zero."""


@dataclass(frozen=True)
class Exact:
    """The Hessian as it is; conjugate gradients stop at negative curvature and use what they have."""


@dataclass(frozen=True)
class Adaptive:
    """Projected while far, exact near the minimum: tried once full steps reduce the residual by less than ``slow``."""

    slow: float = 0.25

    def __post_init__(self):
        if not positive(self.slow):
            raise InputError(f"Adaptive(slow={self.slow!r}): expected a positive number")


@dataclass(frozen=True)
class Newton:
    """Newton's method to convergence, or on a budget.

    ``tolerance`` bounds the scaled residual |Σ forces| / Σ|forces| (None: 1e-7 in f64, 1e-4 in f32). ``iterations`` None
    means converge or fail, 200 at most; a number is a budget: the step is kept and the report says what was reached.
    ``hessian`` Projected() clamps each element's eigenvalues at zero, so that every direction descends; Exact() is the
    true Hessian, indefinite where the energy is not convex; Adaptive() is projected until that converges slowly, then
    exact wherever the exact one turns out positive definite.
    """

    tolerance: float | None = None
    iterations: int | None = None
    hessian: Adaptive | Projected | Exact = Adaptive()
    linear: PCG | Direct = field(default_factory=PCG)
    line_search: Armijo = field(default_factory=Armijo)

    MOST = 200
    PATIENCE = 3  # full steps without progress that show rounding to be the limit

    def __post_init__(self):
        if self.tolerance is not None and not (isinstance(self.tolerance, int | float) and 0 < self.tolerance < 1):
            raise InputError(f"Newton(tolerance={self.tolerance!r}): expected a number between 0 and 1")
        if self.iterations is not None and (not isinstance(self.iterations, int) or self.iterations < 1):
            raise InputError(f"Newton(iterations={self.iterations!r}): expected a whole number of at least 1")
        if not isinstance(self.hessian, Adaptive | Projected | Exact):
            raise InputError(f"Newton(hessian={self.hessian!r}): expected Adaptive(), Projected() or Exact()")
        if not isinstance(self.linear, PCG | Direct):
            raise InputError(f"Newton(linear={self.linear!r}): expected PCG() or Direct()")

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Minimise ``objective`` from and into ``x``; on failure x holds the best point found."""
        device, vectors = objective.device, objective.vectors
        tolerance = self.tolerance or (1e-7 if device.precision == "f64" else 1e-4)
        noise = 1e-9 if device.precision == "f64" else 1e-4  # of the energies, where they cannot tell steps apart
        budget = self.iterations or self.MOST
        g, d, trial, trial_g = (objective.work(f"newton {name}") for name in ("g", "d", "trial", "trial g"))
        seconds = {"gradient": 0.0, "matrix": 0.0, "linear": 0.0, "line search": 0.0}
        clock = time.perf_counter

        begin = clock()
        scale = objective.gradient_and_scale(x, g)
        size = vectors.norm(g)
        value, magnitude = objective.value_and_scale(x)
        seconds["gradient"] += clock() - begin
        linear_total, residual, previous, why = 0, size / scale if scale > 0 else 0.0, np.inf, ""
        if not np.isfinite(value) or not np.isfinite(size):
            return self._report(False, _not_finite(objective, x), 0, residual, tolerance, 0, seconds)

        converged, kept = self._floors(device.precision)
        resolved = f"as far as {device.precision} resolves: scaled residual {{:.1e}}, tolerance {tolerance:.0e}"
        alpha, wait, least, stalled = 0.0, 0, np.inf, 0
        for k in range(budget + 1):
            residual = size / scale if scale > 0 else 0.0
            if residual <= tolerance:
                why = "converged"
                return self._report(True, why, k, residual, tolerance, linear_total, seconds)
            # rounding lets the residual wander: full steps that no longer reduce it cannot be improved on
            stalled = 0 if residual < 0.9 * least or alpha < 1.0 else stalled + 1
            least = min(least, residual)
            if stalled >= self.PATIENCE and residual <= kept:
                why = resolved.format(residual)
                near = residual <= converged
                return self._report(True, why, k, residual, tolerance, linear_total, seconds, converged=near)
            if k == budget:
                break
            forcing = min(0.1, 0.5 * np.sqrt(residual), 0.9 * (size / previous) ** 2 if k else 0.1)
            forcing = max(forcing, 0.1 * tolerance / residual, 1e-12)
            try_exact = isinstance(self.hessian, Exact) or (
                isinstance(self.hessian, Adaptive)
                and alpha == 1.0
                and k >= wait
                and size > self.hessian.slow * previous
            )
            spent, negative = self._direction(objective, x, g, d, forcing, not try_exact, seconds)
            linear_total += spent
            if negative and isinstance(self.hessian, Adaptive):
                wait = k + 3  # not convex here: stay projected for a while
                spent, _ = self._direction(objective, x, g, d, forcing, True, seconds)
                linear_total += spent

            begin = clock()
            slope = -vectors.dot(g, d)
            if not np.isfinite(slope):
                why = "the linear solve gave values that are not finite"
                return self._report(False, why, k, residual, tolerance, linear_total, seconds)
            if slope >= 0:  # exact Hessian, not a descent direction: steepest descent instead
                vectors.copy(g, d)
                slope = -vectors.dot(g, d)
            vectors.mix(-1.0, d, 0.0, d, d)
            alpha = objective.step_limit(x, d)
            accepted = False
            while alpha >= self.line_search.least:
                vectors.move(x, alpha, d, trial)
                new, new_magnitude = objective.value_and_scale(trial)
                if new <= value + self.line_search.slope * alpha * slope:
                    accepted = True
                elif new <= value + noise * max(magnitude, new_magnitude):
                    # the energies no longer resolve so small a step: judge by the slope at its end, which does
                    # (approximate Wolfe condition of Hager & Zhang 2005)
                    objective.gradient(trial, trial_g)
                    accepted = vectors.dot(trial_g, d) <= (2 * self.line_search.slope - 1) * slope
                if accepted:
                    break
                alpha *= self.line_search.shrink
            seconds["line search"] += clock() - begin
            if not accepted:
                if residual <= kept:
                    why = resolved.format(residual)
                    near = residual <= converged
                    return self._report(True, why, k, residual, tolerance, linear_total, seconds, converged=near)
                why = (
                    f"the line search found no decrease after {k} iterations at scaled residual {residual:.1e}; "
                    "try a smaller dt, an inversion-safe material, or f64"
                )
                return self._report(False, why, k, residual, tolerance, linear_total, seconds)
            vectors.copy(trial, x)
            value, magnitude = new, new_magnitude
            begin = clock()
            previous = size
            scale = objective.gradient_and_scale(x, g)
            size = vectors.norm(g)
            seconds["gradient"] += clock() - begin
            if not np.isfinite(size):
                return self._report(False, _not_finite(objective, x), k + 1, residual, tolerance, linear_total, seconds)

        if self.iterations is not None:
            why = f"budget of {self.iterations} iterations used; scaled residual {residual:.1e}, tolerance {tolerance:.0e}"
            return self._report(True, why, budget, residual, tolerance, linear_total, seconds, converged=False)
        why = (
            f"no convergence in {budget} iterations (scaled residual {residual:.1e}, tolerance {tolerance:.0e}); "
            "try a smaller dt or Newton(linear=Direct())"
        )
        return self._report(False, why, budget, residual, tolerance, linear_total, seconds)

    @staticmethod
    def _floors(precision: str) -> tuple[float, float]:
        """Scaled residuals at which rounding may stop the solve: counted as converged, and kept though not so."""
        return (1e-6, 1e-5) if precision == "f64" else (1e-3, 2e-2)

    def _direction(self, objective, x, g, d, forcing, project, seconds) -> tuple[int, bool]:
        """Solve H d = g; returns the linear iterations and whether negative curvature was met."""
        begin = time.perf_counter()
        system = self._system(objective, x, project)
        middle = time.perf_counter()
        result = self.linear.solve(system, g, d, forcing)
        seconds["matrix"] += middle - begin
        seconds["linear"] += time.perf_counter() - middle
        return result.iterations, result.negative

    def _system(self, objective: Objective, x: wp.array, project: bool) -> System:
        pattern = objective.assemble(x, project, diagonal=not self.linear.assembled)
        if not self.linear.assembled:

            def apply(d: wp.array, out: wp.array) -> None:
                objective.tangent(x, d, out, project)
        else:
            from ..linear.kernels import linear_kernels

            kernel = linear_kernels(objective.device.precision).product

            def apply(d: wp.array, out: wp.array) -> None:
                objective.device.launch(
                    kernel,
                    objective.count,
                    pattern.device_rows,
                    pattern.device_columns,
                    objective.free,
                    pattern.values,
                    d,
                    out,
                    grain=1024,
                )

        return System(objective.device, objective.vectors, objective.free, pattern, apply, fixed=self.linear.assembled)

    @staticmethod
    def _report(ok, why, iterations, residual, tolerance, linear, seconds, converged=True) -> Report:
        return Report(ok, why, iterations, residual, tolerance, linear, converged and ok, seconds)


def _not_finite(objective: Objective, x: wp.array) -> str:
    """Say which energy is not finite."""
    bad = [e.name for e in objective.energies if not np.isfinite(e.value(x))]
    which = ", ".join(bad) or "a force"
    return (
        f"{which} is not finite: an element is inverted under a law with a barrier, or the state is broken; "
        "try a smaller dt or an inversion-safe material such as StableNeoHookean"
    )
