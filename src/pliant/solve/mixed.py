"""Newton's method on positions and pressures together, for bodies of any incompressibility (Patterson et al. 2012, §2.2, §4).

A cell's pressure p is an unknown of its own: Ê(x, p) = Σ ∫ψ₀ + W [α p M̄ − α² p²/(2κ)] + all other energies, stationary where
f = −∂Ê/∂x = 0 and q = −∂Ê/∂p = 0 (Eq 7, 11). There αp = κM̄, so x is the minimum of the energy that Newton() minimises, but
no term grows with κ. Each step solves K δu = g, K = ∂²Ê/∂u² (Eq 12), or K₁ δu = g with K₁ at the cells' centres (Eq 13).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from .. import checks
from ..checks import is_positive
from ..errors import InputError
from ..linear.saddle import Pair
from ..linear.sqmr import SQMR
from .advice import advice
from .budget import check_iterations
from .line_search import Armijo, Point
from .mixed_system import Merit, MixedSystem, check_mixed
from .objective import Objective
from .refusals import refuse_walls
from .report import TOLERANCE, Clock, Report, newton_error
from .residual import Residual
from .solution import Solution
from .stopping import Patience

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
        check_iterations("Mixed", self.iterations, self.tolerance, timed=False)
        checks.among("Mixed(order=…), 1 for centres of cells and 2 for the body's own points,", self.order, (1, 2))
        for name, known in (("weights", WEIGHTS), ("definiteness", DEFINITENESS)):
            checks.among(f"Mixed({name}=…)", getattr(self, name), tuple(known))
        if not isinstance(self.linear, SQMR):
            raise InputError(f"Mixed(linear={self.linear!r}): expected SQMR()")
        if self.alpha is not None and not is_positive(self.alpha):
            raise InputError(f"Mixed(alpha={self.alpha!r}): expected a positive number of Pa/m, or None")
        if self.line_search is not None and not isinstance(self.line_search, Armijo):
            raise InputError(f"Mixed(line_search={self.line_search!r}): expected Armijo() or None")

    def system(self, objective: Objective) -> MixedSystem:
        """The pressures and operators kept with an objective."""
        fix = "psd" if self.definiteness == "adaptive" else self.definiteness
        options = (self.order, self.weights, fix, self.alpha, self.linear.preconditioner)
        return objective.keep(f"mixed {options}", lambda: MixedSystem(objective, *options))

    def memory(self, objective: Objective) -> MixedSystem:
        """Who remembers pressures from solve to solve."""
        return self.system(objective)

    def check(self, objective: Objective) -> None:
        """Refuse scenes without averaged volumes, or with some that this solver knows nothing of."""
        check_mixed(objective)
        refuse_walls(objective, "Mixed()")

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Find the stationary point from and into ``x``; on failure x holds the best point found."""
        solve = _Solve(self, objective, x)
        report = solve.run()
        if report.kept:
            solve.system.settle(x)
        return Solution((report,))


class _Solve:
    """One solve, with what its steps share."""

    WAIT = 3  # steps after an uphill one before the plain tangent is tried again
    NEAR, FALLEN = 0.1, 1e-3  # scaled residual, or share of the first g·M⁻¹g, below which it is tried

    def __init__(self, method: Mixed, objective: Objective, x: wp.array):
        self.method, self.objective, self.x = method, objective, x
        self.clock = Clock("setup", "gradient", "linear", "line search")
        self.precision = objective.device.precision
        self.tolerance = method.tolerance or TOLERANCE[self.precision]
        self.spent = self.k = self.wait = 0
        self.taken = 0.0  # fraction of the last step
        self.left, self.before = Residual(1.0, 1.0), 1.0  # the residual now, and before the last step
        self.patience = Patience(self.precision, self.tolerance, method.PATIENCE)
        with self.clock("setup"):
            self.system = method.system(objective)
            self.system.refresh()
        self.merit = self.system.work.setdefault("merit", None) or Merit(self.system)
        self.system.work["merit"] = self.merit
        self.g, self.d = (self._pair(name) for name in ("g", "d"))
        self.trial, self.slope = objective.place("mixed trial"), objective.work("mixed slope")

    def _pair(self, name: str) -> Pair:
        work = self.system.work
        if name not in work:
            work[name] = self.system.pairs.new()
        return work[name]

    @property
    def residual(self) -> float:
        return self.left.value

    def report(self, kept: bool, why: str, converged: bool = True) -> Report:
        known = (self.k, self.residual, self.tolerance, self.spent, converged and kept, self.clock.seconds)
        error = 0.0
        if not converged:
            error = newton_error(self.taken * self.objective.vectors.longest(self.d.x), self.residual / self.before)
        return Report(kept, why, *known, worst=self.left.body, error=error)

    def run(self) -> Report:
        method, system = self.method, self.system
        with self.clock("setup"):
            system.follow(self.x)
        with self.clock("gradient"):
            system.start(self.x, self.g)
        previous, first = np.inf, np.inf
        budget = method.iterations or method.MOST
        for self.k in range(budget + 1):
            self.before = self.residual
            with self.clock("gradient"):
                self.left = system.forces(self.x, self.g)
            if not np.isfinite(self.residual):
                return self.report(False, f"a force is not finite; {advice(self.objective)}")
            if self.residual <= self.tolerance:
                return self.report(True, "converged")
            if self.patience.spent(self.left):
                return self._rounded()
            if self.k == budget:
                break
            defect = system.defect(self.g)
            first = defect if self.k == 0 else first
            self.near = self.residual < self.NEAR or defect < self.FALLEN * first
            forcing, previous = self._forcing(defect, previous), defect
            if not self._step(forcing):
                if self.patience.is_rounding(self.left):
                    return self._rounded()
                return self.report(
                    False,
                    f"the line search found no decrease after {self.k} iterations at scaled residual "
                    f"{self.residual:.1e}{self.left.of}; {advice(self.objective, *self._other())}",
                )
        reached = f"scaled residual {self.residual:.1e}{self.left.of}, tolerance {self.tolerance:.0e}"
        if method.iterations is not None:
            return self.report(True, f"budget of {budget} iterations used; {reached}", converged=False)
        why = f"no convergence in {budget} iterations ({reached}); {advice(self.objective, *self._other())}"
        return self.report(False, why)

    def _other(self) -> list[str]:
        """Options to try that are not in use."""
        method = self.method
        better = ["Mixed(order=2)"] if method.order == 1 else []
        return better + (["Mixed(definiteness='psd')"] if method.definiteness != "psd" else [])

    def _rounded(self) -> Report:
        return self.report(True, self.patience.why(self.left), self.patience.converged(self.left))

    def _forcing(self, defect: float, previous: float) -> float:
        """How exactly the linear system is solved: more so as Newton's method closes in; K₁ never gets that far."""
        if self.method.order == 1:
            return 0.02
        closing = 0.9 * defect / previous if self.k else 0.1
        return max(
            min(0.1, 0.5 * np.sqrt(self.residual), closing), min(0.1, 0.1 * self.tolerance / self.residual), 1e-8
        )

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
        """Tangents to try: the plain one near the solution, after full steps, and not soon after it has led uphill."""
        if self.method.definiteness != "adaptive":
            return (self.method.definiteness,)
        return ("none", "psd") if self.near and self.k >= self.wait and self.taken == 1.0 else ("psd",)

    def _go(self) -> bool:
        """Move by −d, as far as the merit falls enough."""
        vectors, d = self.objective.vectors, self.d
        if not np.isfinite(vectors.dot(d.x, d.x)):
            return False
        with self.clock("line search"):
            self.taken = 1.0
            if self.method.line_search is None:
                vectors.advance(self.x, -1.0, d.x, self.trial)
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
        here = Point(0.0, *self.merit.value_and_magnitude(self.x))
        point = self.method.line_search.search(self.merit, self.x, d.x, slope, here, self.trial, self.slope)
        if point is not None:
            self.taken = point.alpha
        return point is not None

    def _descend(self) -> bool:
        """Where no tangent leads downhill: Â⁻¹ times the merit's gradient at the pressures as they are, which always does."""
        self.objective.device.clear(self.d.p)
        self.merit.begin(self.d.p)
        self.merit.gradient(self.x, self.slope)
        self.system.factor.nodes.solve(self.slope, self.d.x)
        self.objective.mask(self.d.x)
        if not self._search():
            return False
        self.objective.vectors.copy(self.trial, self.x)
        self.merit.adopt(self.x)
        return True
