"""Newton's method on positions and pressures together, for bodies of any incompressibility (Patterson et al. 2012, §2.2, §4).

A cell's pressure p is an unknown of its own: Ê(x, p) = Σ ∫ψ₀ + W [α p M̄ − α² p²/(2κ)] + all other energies, stationary where
f = −∂Ê/∂x = 0 and q = −∂Ê/∂p = 0 (Eq 7, 11). There αp = κM̄, so x is the minimum of the energy that Newton() minimises, but
no term grows with κ. Each step solves K δu = g, K = ∂²Ê/∂u² (Eq 12), or K₁ δu = g with K₁ at the cells' centres (Eq 13).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import warp as wp

from ..errors import InputError, positive
from ..linear.saddle import Pair
from ..linear.sqmr import SQMR
from .line_search import Armijo, Point
from .mixed_system import Merit, MixedSystem
from .objective import Objective
from .report import TOLERANCE, Clock, Report

DEFINITENESS = ("adaptive", "none", "paper", "psd")
WEIGHTS = ("filled", "half", "whole")


@dataclass(frozen=True)
class Mixed:
    """Positions and cell pressures by Newton's method; for lattice bodies with ``volume=Averaged()``.

    ``tolerance`` bounds the scaled residuals of forces and volumes (None: 1e-7 in f64, 1e-4 in f32). ``iterations`` None
    means converge or fail, 200 at most; a number is a budget. ``order`` 2 takes the tangent at the body's own points (K₂), 1
    at the centre of each cell (K₁, the paper's defect correction: cheaper products, more steps), where ``weights`` says which
    terms count a cut cell's material only: "filled" all, "half" all but the stabilisation, "whole" none. ``definiteness``
    "none" is the tangent as it is, "psd" a positive semi-definite one, "paper" that of the paper's §5, "adaptive" the plain
    one near the solution and wherever its step leads downhill. ``alpha`` [Pa/m] scales the pressures, p being in metres;
    None is μ/h. It never changes the solution, nor the iterations where there is a preconditioner. ``line_search`` None
    takes full steps, as the paper does.
    """

    tolerance: float | None = None
    iterations: int | None = None
    order: int = 2
    weights: str = "filled"
    definiteness: str = "adaptive"
    linear: SQMR = field(default_factory=SQMR)
    alpha: float | None = None
    line_search: Armijo | None = field(default_factory=Armijo)

    MOST = 200
    PATIENCE = 4  # steps without progress that show rounding to be the limit

    def __post_init__(self):
        if self.tolerance is not None and not (isinstance(self.tolerance, int | float) and 0 < self.tolerance < 1):
            raise InputError(f"Mixed(tolerance={self.tolerance!r}): expected a number between 0 and 1")
        whole = isinstance(self.iterations, int) and not isinstance(self.iterations, bool)
        if self.iterations is not None and not (whole and self.iterations >= 1):
            raise InputError(f"Mixed(iterations={self.iterations!r}): expected a whole number of at least 1")
        if self.order not in (1, 2) or isinstance(self.order, bool):
            raise InputError(f"Mixed(order={self.order!r}): expected 1 (centres of cells) or 2 (the body's own points)")
        for name, known in (("weights", WEIGHTS), ("definiteness", DEFINITENESS)):
            if getattr(self, name) not in known:
                raise InputError(
                    f"Mixed({name}={getattr(self, name)!r}): expected one of {', '.join(map(repr, known))}"
                )
        if not isinstance(self.linear, SQMR):
            raise InputError(f"Mixed(linear={self.linear!r}): expected SQMR()")
        if self.alpha is not None and not positive(self.alpha):
            raise InputError(f"Mixed(alpha={self.alpha!r}): expected a positive number of Pa/m, or None")
        if self.line_search is not None and not isinstance(self.line_search, Armijo):
            raise InputError(f"Mixed(line_search={self.line_search!r}): expected Armijo() or None")

    def system(self, objective: Objective) -> MixedSystem:
        """The pressures and operators kept with an objective."""
        fix = "psd" if self.definiteness == "adaptive" else self.definiteness
        options = (self.order, self.weights, fix, self.alpha, self.linear.preconditioner)
        return objective.keep(f"mixed {options}", lambda: MixedSystem(objective, *options))

    def solve(self, objective: Objective, x: wp.array) -> Report:
        """Find the stationary point from and into ``x``; on failure x holds the best point found."""
        solve = _Solve(self, objective, x)
        report = solve.run()
        if report.ok:
            solve.system.settle(x)
        return report


class _Solve:
    """One solve, with what its steps share."""

    WAIT, NEAR = 3, 0.1  # steps; scaled residual

    def __init__(self, method: Mixed, objective: Objective, x: wp.array):
        self.method, self.objective, self.x = method, objective, x
        self.clock = Clock("setup", "gradient", "linear", "line search")
        self.precision = objective.device.precision
        self.tolerance = method.tolerance or TOLERANCE[self.precision]
        self.spent = self.k = self.wait = 0
        self.taken = 0.0  # fraction of the last step
        self.residual = 0.0
        with self.clock("setup"):
            self.system = method.system(objective)
            self.system.refresh()
        self.merit = self.system.work.setdefault("merit", None) or Merit(self.system)
        self.system.work["merit"] = self.merit
        self.g, self.d = (self._pair(name) for name in ("g", "d"))
        self.trial, self.slope = (objective.work(f"mixed {name}") for name in ("trial", "slope"))

    def _pair(self, name: str) -> Pair:
        work = self.system.work
        if name not in work:
            work[name] = self.system.pairs.new()
        return work[name]

    def said(self, ok: bool, why: str, converged: bool = True) -> Report:
        return Report(ok, why, self.k, self.residual, self.tolerance, self.spent, converged and ok, self.clock.seconds)

    def run(self) -> Report:
        method, system = self.method, self.system
        with self.clock("setup"):
            system.follow(self.x)
        with self.clock("gradient"):
            system.start(self.x, self.g)
        floor = 1e-6 if self.precision == "f64" else 1e-3
        least, stalled, previous = np.inf, 0, np.inf
        budget = method.iterations or method.MOST
        for self.k in range(budget + 1):
            with self.clock("gradient"):
                force, volume, size = system.forces(self.x, self.g)
            self.residual = max(force, volume)
            if not np.isfinite(self.residual):
                return self.said(False, "a force is not finite; try a smaller step or an inversion-safe material")
            if self.residual <= self.tolerance:
                return self.said(True, "converged")
            stalled = 0 if self.residual < 0.9 * least else stalled + 1
            least = min(least, self.residual)
            if stalled >= method.PATIENCE and self.residual <= floor:
                return self._rounded()
            if self.k == budget:
                break
            forcing = self._forcing(size, previous)
            previous = size
            if not self._step(forcing):
                if self.residual <= floor:
                    return self._rounded()
                return self.said(
                    False,
                    f"the line search found no decrease after {self.k} iterations at scaled residual {self.residual:.1e}; "
                    "try a smaller step, Mixed(definiteness='psd'), or f64",
                )
        reached = f"scaled residual {self.residual:.1e}, tolerance {self.tolerance:.0e}"
        if method.iterations is not None:
            return self.said(True, f"budget of {budget} iterations used; {reached}", converged=False)
        return self.said(
            False, f"no convergence in {budget} iterations ({reached}); try a smaller step or Mixed(order=2)"
        )

    def _rounded(self) -> Report:
        why = (
            f"as far as {self.precision} resolves: scaled residual {self.residual:.1e}, tolerance {self.tolerance:.0e}"
        )
        return self.said(True, why)

    def _forcing(self, size: float, previous: float) -> float:
        """How exactly the linear system is solved: more so as Newton's method closes in; K₁ never gets that far."""
        if self.method.order == 1:
            return 0.02
        closing = 0.9 * (size / previous) ** 2 if self.k else 0.1
        return max(min(0.1, 0.5 * np.sqrt(self.residual), closing), 0.1 * self.tolerance / self.residual, 1e-10)

    def _step(self, forcing: float) -> bool:
        """Go along the solution of K d = g, with the first tangent whose step leads downhill; False where none does."""
        for fix in self._fixes():
            with self.clock("linear"):
                saddle = self.system.saddle(self.x, fix)
                self.spent += self.method.linear.solve(saddle, self.g, self.d, forcing).iterations
            if self._go():
                return True
            self.wait = self.k + self.WAIT
        if self.method.line_search is None or self.system.factor is None:
            return False
        with self.clock("line search"):
            return self._descend()

    def _fixes(self) -> tuple[str, ...]:
        """Tangents to try: the plain one after full steps only, and not soon after it has led uphill."""
        if self.method.definiteness != "adaptive":
            return (self.method.definiteness,)
        return ("none", "psd") if self.k >= self.wait and self.taken == 1.0 and self.residual < self.NEAR else ("psd",)

    def _go(self) -> bool:
        """Move by −d, as far as the merit falls enough."""
        vectors, d = self.objective.vectors, self.d
        if not np.isfinite(vectors.dot(d.x, d.x)):
            return False
        with self.clock("line search"):
            self.taken = 1.0
            if self.method.line_search is None:
                vectors.move(self.x, -1.0, d.x, self.trial)
            else:
                self.merit.begin(d.p)
                self.merit.gradient(self.x, self.slope)
                if not self._search():
                    return False
            vectors.copy(self.trial, self.x)
            self.system.advance(self.taken, d.p)
        return True

    def _search(self) -> bool:
        """Look along −d.x for a point where the merit, whose gradient is in ``slope``, has fallen enough."""
        vectors, d = self.objective.vectors, self.d
        slope = -vectors.dot(self.slope, d.x)
        if not slope < 0:
            return False
        vectors.mix(-1.0, d.x, 0.0, d.x, d.x)
        here = Point(0.0, *self.merit.value_and_scale(self.x))
        found = self.method.line_search.search(self.merit, self.x, d.x, slope, here, self.trial, self.slope)
        if found is not None:
            self.taken = found.alpha
        return found is not None

    def _descend(self) -> bool:
        """Where no tangent leads downhill: Â⁻¹ times the merit's gradient at the pressures as they are, which always does."""
        self.d.p.zero_()
        self.merit.begin(self.d.p)
        self.merit.gradient(self.x, self.slope)
        self.system.factor.nodes.solve(self.slope, self.d.x)
        self.objective.mask(self.d.x)
        if not self._search():
            return False
        self.objective.vectors.copy(self.trial, self.x)
        self.merit.adopt(self.x)
        return True
