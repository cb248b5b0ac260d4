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
from .line_search import Armijo, Point
from .objective import Objective
from .report import TOLERANCE, Report


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
    NOTHING = 1e-6  # of a step

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
        vectors, precision = objective.vectors, objective.device.precision
        tolerance = self.tolerance or TOLERANCE[precision]
        budget = self.iterations or self.MOST
        g, d, trial, trial_g = (objective.work(f"newton {name}") for name in ("g", "d", "trial", "trial g"))
        seconds = {"gradient": 0.0, "matrix": 0.0, "linear": 0.0, "line search": 0.0}
        spent = k = 0
        residual = 0.0

        def said(ok: bool, why: str, converged: bool = True) -> Report:
            return Report(ok, why, k, residual, tolerance, spent, converged and ok, seconds)

        def rounded() -> Report:
            """As good as the precision allows; whether that counts as converged depends on how good it is."""
            why = f"as far as {precision} resolves: scaled residual {residual:.1e}, tolerance {tolerance:.0e}"
            return said(True, why, residual <= converged_floor)

        size, scale = self._forces(objective, x, g, seconds)
        here = Point(0.0, *objective.value_and_scale(x))
        if not np.isfinite(here.value) or not np.isfinite(size):
            return said(False, _not_finite(objective, x))
        converged_floor, kept_floor = self._floors(precision)
        previous, wait, least, stalled = np.inf, 0, np.inf, 0
        for k in range(budget + 1):
            residual = size / scale if scale > 0 else 0.0
            if residual <= tolerance:
                return said(True, "converged")
            # rounding lets the residual wander: full steps that no longer reduce it cannot be improved on, nor can
            # steps that are cut down to nothing because the energies of a turned body do not resolve them
            stalled = 0 if residual < 0.9 * least or self.NOTHING < here.alpha < 1.0 else stalled + 1
            least = min(least, residual)
            if stalled >= self.PATIENCE and residual <= kept_floor:
                return rounded()
            if k == budget:
                break

            forcing = min(0.1, 0.5 * np.sqrt(residual), 0.9 * (size / previous) ** 2 if k else 0.1)
            forcing = max(forcing, 0.1 * tolerance / residual, 1e-12)
            exact = isinstance(self.hessian, Exact)
            if isinstance(self.hessian, Adaptive) and here.alpha == 1.0 and k >= wait:
                exact = size > self.hessian.slow * previous
            turns, negative = self._direction(objective, x, g, d, forcing, not exact, seconds)
            if negative and isinstance(self.hessian, Adaptive):
                wait = k + 3  # not convex here: stay projected for a while
                more, _ = self._direction(objective, x, g, d, forcing, True, seconds)
                turns += more
            spent += turns

            begin = time.perf_counter()
            slope = -vectors.dot(g, d)
            if not np.isfinite(slope):
                return said(False, "the linear solve gave values that are not finite")
            if slope >= 0:  # exact Hessian, not a descent direction: steepest descent instead
                vectors.copy(g, d)
                slope = -vectors.dot(g, d)
            vectors.mix(-1.0, d, 0.0, d, d)
            found = self.line_search.search(objective, x, d, slope, here, trial, trial_g)
            seconds["line search"] += time.perf_counter() - begin
            if found is None and residual <= kept_floor:
                return rounded()
            if found is None:
                return said(
                    False,
                    f"the line search found no decrease after {k} iterations at scaled residual {residual:.1e}; "
                    "try a smaller dt, an inversion-safe material, or f64",
                )
            vectors.copy(trial, x)
            here, previous = found, size
            size, scale = self._forces(objective, x, g, seconds)
            if not np.isfinite(size):
                return said(False, _not_finite(objective, x))

        reached = f"scaled residual {residual:.1e}, tolerance {tolerance:.0e}"
        if self.iterations is not None:
            return said(True, f"budget of {budget} iterations used; {reached}", converged=False)
        why = f"no convergence in {budget} iterations ({reached}); try a smaller dt or Newton(linear=Direct())"
        return said(False, why)

    @staticmethod
    def _forces(objective: Objective, x: wp.array, g: wp.array, seconds: dict[str, float]) -> tuple[float, float]:
        """Size of the sum of all forces at x, which goes into g, and sum of their sizes."""
        begin = time.perf_counter()
        size, scale = objective.gradient_and_scale(x, g)
        seconds["gradient"] += time.perf_counter() - begin
        return size, scale

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

        return System(
            objective.device,
            objective.vectors,
            objective.free,
            pattern,
            apply,
            fixed=self.linear.assembled,
            positions=objective.positions,
            insist=project or isinstance(self.hessian, Exact),  # Adaptive() turns to the projected one instead
        )


def _not_finite(objective: Objective, x: wp.array) -> str:
    """Say which energy is not finite."""
    bad = [e.name for e in objective.energies if not np.isfinite(e.value(x))]
    which = ", ".join(bad) or "a force"
    return (
        f"{which} is not finite: an element is inverted under a law with a barrier, or the state is broken; "
        "try a smaller dt or an inversion-safe material such as StableNeoHookean"
    )
