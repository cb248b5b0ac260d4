"""Mixed solver: Newton on positions and pressures (Patterson et al. 2012).

A cell's pressure p is an unknown of its own: Ê(x, p) = Σ ∫ψ₀ + W [α p M̄ − α² p²/(2κ)] + all other energies, stationary where
f = −∂Ê/∂x = 0 and q = −∂Ê/∂p = 0 (Eq 7, 11). There αp = κM̄, so x is the minimum of the energy that Newton() minimises, but
no term grows with κ. Each step solves K δu = g, K = ∂²Ê/∂u² (Eq 12), or K₁ δu = g with K₁ at the cells' centres (Eq 13).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.checks import is_positive
from ...errors import InputError
from ...linear.krylov.sqmr import SQMR
from ..objective.advice import advice
from ..objective.refusals import refuse_walls
from ..objective.residual import Residual
from ..objective.solution import Solution
from ..objective.step_objective import Objective
from ..search.budget import check_iterations
from ..search.line_search import Armijo, Point
from ..search.solver_loop import End, Iterate, Loop
from .mixed_system import MixedSystem, check_mixed

# forcing terms (Eisenstat & Walker 1996, choice 1): η at most, η/√residual at most, times the fall of the defect, and what a
# linear solve leaves of the tolerance; with K₁ the error falls by a constant factor, and a constant is enough
FORCING, GAMMA, SHARE, DEFECT_CORRECTION = (0.1, 0.5), 0.9, 0.1, 0.02
DEFINITENESS = ("adaptive", "none", "paper", "psd")
WEIGHTS = ("filled", "half", "whole")


@dataclass(frozen=True)
class Mixed:
    """Positions and cell pressures by Newton's method; for lattice bodies with ``volume=Averaged()``.

    ``tolerance`` bounds the scaled residuals of forces and volumes (None: 1e-7 in f64, 1e-4 in f32). ``iterations`` None
    means converge or fail, 200 at most; a number is a budget. ``order`` 2 takes the tangent at the quadrature points (K₂), 1
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
    PATIENCE = 4  # steps without progress that indicate rounding

    def __post_init__(self):
        check_iterations("Mixed", self.iterations, self.tolerance, timed=False)
        checks.among("Mixed(order=…), 1 for centres of cells and 2 for the quadrature points of the body,", self.order, (1, 2))
        for name, known in (("weights", WEIGHTS), ("definiteness", DEFINITENESS)):
            checks.among(f"Mixed({name}=…)", getattr(self, name), tuple(known))
        if not isinstance(self.linear, SQMR):
            raise InputError(f"Mixed(linear={self.linear!r}): expected SQMR()")
        if self.alpha is not None and not is_positive(self.alpha):
            raise InputError(f"Mixed(alpha={self.alpha!r}): expected a positive number of Pa/m, or None")
        if self.line_search is not None and not isinstance(self.line_search, Armijo):
            raise InputError(f"Mixed(line_search={self.line_search!r}): expected Armijo() or None")

    def system(self, objective: Objective) -> MixedSystem:
        """The pressures and operators stored with an objective."""
        fix = "psd" if self.definiteness == "adaptive" else self.definiteness
        options = (self.order, self.weights, fix, self.alpha, self.linear.preconditioner)
        return objective.state(MixedSystem, *options)

    def memory(self, objective: Objective) -> MixedSystem:
        """The owner of the pressures kept between solves."""
        return self.system(objective)

    def check(self, objective: Objective) -> None:
        """Refuse scenes without averaged volumes, or with unsupported ones."""
        check_mixed(objective)
        refuse_walls(objective, "Mixed()")

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Find the stationary point from and into ``x``; on failure x holds the best point found."""
        solve = _MixedLoop(self, objective, x)
        report = solve.run()
        if report.kept:
            solve.system.settle(x)
        return Solution((report,))


@dataclass(frozen=True, kw_only=True)
class MixedState(Iterate):
    """State of the iteration: g·M⁻¹g [J] at the start and the last point, and when the plain tangent may be tried."""

    first: float = math.inf
    defect: float = math.inf
    wait: int = 0


class _MixedLoop(Loop[MixedState]):
    """One solve, with data shared by its steps."""

    WAIT = 3  # steps after an uphill one before the plain tangent is tried again
    NEAR, FALLEN = 0.1, 1e-3  # scaled residual, or share of the first g·M⁻¹g, below which it is tried

    def __init__(self, method: Mixed, objective: Objective, x: wp.array):
        super().__init__(method, objective, x, "setup", "gradient", "linear", "line search")
        with self.clock("setup"):
            self.system = method.system(objective)
            self.system.refresh()
        self.work = self.system.work
        self.merit, self.pair, self.d = self.work.merit, self.work.d, self.work.d.x

    def start(self) -> MixedState:
        with self.clock("setup"):
            self.system.follow(self.x)
        with self.clock("gradient"):
            self.system.start(self.x, self.work.g)
        return self._seen(MixedState(Residual(1.0, 1.0)))

    def _seen(self, state: MixedState) -> MixedState:
        """The state with the residual at x."""
        with self.clock("gradient"):
            residual = self.system.forces(self.x, self.work.g)
        state = replace(state, residual=residual, before=state.residual.value)
        finite = np.isfinite(residual.value)
        return state if finite else replace(state, end=End(False, f"a force is not finite; {advice(self.objective)}"))

    def terminate(self, state: MixedState) -> End | None:
        if state.residual.value <= self.tolerance:
            return End(True, "converged")
        return self.rounded(state) if self.patience.spent(state.residual) else None

    def step(self, state: MixedState) -> MixedState:
        defect = self.system.defect(self.work.g)
        forcing = self._forcing(state, defect)
        state = replace(state, first=defect if state.count == 0 else state.first, defect=defect)
        state, gone = self._step(state, forcing)
        if gone:
            return self._seen(replace(state, count=state.count + 1))
        return self.stuck(state)

    def others(self) -> tuple[str, ...]:
        method = self.settings
        better = ("Mixed(order=2)",) if method.order == 1 else ()
        return better + (("Mixed(definiteness='psd')",) if method.definiteness != "psd" else ())

    def _forcing(self, state: MixedState, defect: float) -> float:
        """The forcing term: smaller as Newton's method converges; constant for K₁."""
        if self.settings.order == 1:
            return DEFECT_CORRECTION
        residual = state.residual.value
        closing = GAMMA * defect / state.defect if state.count else FORCING[0]
        least = min(FORCING[0], SHARE * self.tolerance / residual)
        return max(min(FORCING[0], FORCING[1] * np.sqrt(residual), closing), least, 1e-8)

    def _step(self, state: MixedState, forcing: float) -> tuple[MixedState, bool]:
        """Step along the solution of K d = g, with the first tangent that gives a descent direction; False if none does."""
        for fix in self._fixes(state):
            with self.clock("linear"):
                saddle = self.system.saddle(self.x, fix)
                spent = state.spent + self.settings.linear.solve(saddle, self.work.g, self.pair, forcing).iterations
            state, gone = self._go(replace(state, spent=spent))
            if gone:
                return state, True
            state = replace(state, wait=state.count + self.WAIT)
        if self.settings.line_search is None or self.system.factor is None:
            return state, False
        with self.clock("line search"):
            return self._descend(state)

    def _fixes(self, state: MixedState) -> tuple[str, ...]:
        """Tangents to try: the plain one near the solution, after full steps, and not soon after an ascent."""
        if self.settings.definiteness != "adaptive":
            return (self.settings.definiteness,)
        near = state.residual.value < self.NEAR or state.defect < self.FALLEN * state.first
        return ("none", "psd") if near and state.count >= state.wait and state.alpha == 1.0 else ("psd",)

    def _go(self, state: MixedState) -> tuple[MixedState, bool]:
        """Move by −d, as far as the merit falls enough."""
        vectors, d = self.objective.vectors, self.pair
        if not np.isfinite(vectors.dot(d.x, d.x)):
            return state, False
        with self.clock("line search"):
            alpha = 1.0
            if self.settings.line_search is None:
                vectors.advance(self.x, -1.0, d.x, self.work.trial)
            else:
                self.merit.begin(d.p)
                self.merit.gradient(self.x, self.work.slope)
                alpha = self._search()
                if not alpha:
                    return replace(state, alpha=1.0), False
            vectors.copy(self.work.trial, self.x)
            self.system.advance(alpha, d.p)
        return replace(state, alpha=alpha), True

    def _search(self) -> float:
        """Search along −d.x for sufficient decrease of the merit, whose gradient is in ``slope``; 0 if there is none."""
        vectors, d, work = self.objective.vectors, self.d, self.work
        slope = -vectors.dot(work.slope, d)
        if not slope < 0:
            return 0.0
        vectors.mix(-1.0, d, 0.0, d, d)
        here = Point(0.0, *self.merit.value_and_magnitude(self.x))
        point = self.settings.line_search.search(self.merit, self.x, d, slope, here, work.trial, work.slope)
        return 0.0 if point is None else point.alpha

    def _descend(self, state: MixedState) -> tuple[MixedState, bool]:
        """Fallback without a descent direction: Â⁻¹ times the merit's gradient at fixed pressures, which always descends."""
        objective, slope = self.objective, self.work.slope
        objective.device.clear(self.pair.p)
        self.merit.begin(self.pair.p)
        self.merit.gradient(self.x, slope)
        self.system.factor.nodes.solve(slope, self.d)
        objective.mask(self.d)
        alpha = self._search()
        if not alpha:
            return state, False
        objective.vectors.copy(self.work.trial, self.x)
        self.merit.adopt(self.x)
        return replace(state, alpha=alpha), True
