"""Newton's method with line search: the reference by which other solvers are judged (Alg 1, 2 of the descent skeleton)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import warp as wp

from ..errors import InputError
from ..linear.direct import Direct
from ..linear.gmres import GMRES
from ..linear.operator import Lazy, Operator
from ..linear.pcg import PCG
from ..linear.system import System
from .advice import advice
from .blend import Blend
from .budget import check_iterations
from .constrained import check_constrained, constrained
from .expected import expect, expect_nothing
from .factor_memory import KeepsFactors
from .iteration import Iteration
from .line_search import NOISE, Armijo, Point, WholeStep
from .linearised import linearised
from .objective import Objective
from .refusals import refuse_forces, refuse_rigid
from .report import TOLERANCE, Report, newton_error
from .residual_kernels import ROUNDING
from .solution import Solution
from .stopping import Patience


@dataclass(frozen=True)
class Projected:
    """Element Hessians with their negative eigenvalues set to zero."""

    SHARES = (1.0,)


@dataclass(frozen=True)
class Exact:
    """The Hessian as it is; conjugate gradients stop at negative curvature and use what they have."""

    SHARES = (0.0,)


@dataclass(frozen=True)
class Adaptive:
    """The exact one wherever it turns out positive definite; where not, as little of the projection as makes it so."""

    SHARES = (0.0, 0.0625, 0.25, 1.0)  # of the projection, tried in turn


@dataclass(frozen=True)
class Newton(KeepsFactors):
    """Newton's method to convergence, or on a budget.

    ``tolerance`` bounds the scaled residual |Σ forces| / Σ|forces| (None: 1e-7 in f64, 1e-4 in f32). ``iterations`` None
    means converge or fail, 200 at most; a number is a budget: the step is kept and the report says what was reached.
    ``hessian`` Projected() clamps each element's eigenvalues at zero, so that every direction descends; Exact() is the
    true Hessian, indefinite where the energy is not convex; Adaptive() is exact wherever that turns out positive definite, and
    else has as little of the projection as makes it so. ``line_search`` None, or WholeStep(), takes every step whole, but for
    elements that it would turn over under a law with a barrier, whatever that does to the energy. An iteration that goes round in
    circles solves its linear systems well, and then takes half, a quarter and an eighth of its steps.
    """

    tolerance: float | None = None
    iterations: int | None = None
    hessian: Adaptive | Projected | Exact = Adaptive()
    linear: PCG | Direct | GMRES = field(default_factory=PCG)
    line_search: Armijo | WholeStep | None = field(default_factory=Armijo)

    MOST = 200
    PATIENCE = 3  # full steps without progress that show rounding to be the limit
    NOTHING = 1e-6  # of a step
    SHARP = {"f64": 1e-9, "f32": 1e-5}  # how exactly linear systems are solved once less has led nowhere
    BLIND = 1e-3  # the same where forces are down to rounding, and steps still tell what is left
    STRIDE, STRIDES = 4.0, 8  # how a step off a saddle grows
    # how well linear systems are solved: at least, by the root of the residual, and by how much that fell (Eisenstat & Walker
    # 1996). An iteration costs as much as some thirty of conjugate gradients, so that a good solve which saves one is worth it
    FORCING, COUNTED, FALL = (0.01, 0.1), (0.04, 0.5), 0.9  # the second where iterations are counted
    # times the share of the forces that a linear solve was to leave: more is left by one that ended before
    SOLVED = 1.01
    AIM = 0.3  # of the tolerance: what a linear solve is to leave at most
    STEEP = 0.1  # of the slope of a step: what is left where single points stop before its end
    MUCH = 0.25  # of its slope: what a step is to fall then
    NEARER = 0.5  # of the residual at which less of the projection led nowhere: there it is tried again, where bodies meet walls
    HONEST = (0.25, 2.0)  # times its slope: what the energy falls along a step that is no matter of rounding
    CARE = 4  # times that something is changed: a good solve first, then a half, a quarter and an eighth of each step

    def __post_init__(self):
        check_iterations("Newton", self.iterations, self.tolerance, timed=False)
        if not isinstance(self.hessian, Adaptive | Projected | Exact):
            raise InputError(f"Newton(hessian={self.hessian!r}): expected Adaptive(), Projected() or Exact()")
        if not hasattr(self.linear, "solve") or not hasattr(self.linear, "assembled"):
            raise InputError(f"Newton(linear={self.linear!r}): expected PCG(), Direct() or GMRES()")
        if isinstance(self.line_search, WholeStep):  # the same as None, which scene files have no word for
            object.__setattr__(self, "line_search", None)
        if self.line_search is not None and not isinstance(self.line_search, Armijo):
            raise InputError(f"Newton(line_search={self.line_search!r}): expected Armijo() or None")

    def check(self, objective: Objective) -> None:
        """Refuse what Newton's method cannot minimise: several scenes at once, and volumes that cannot change."""
        if objective.groups > 1:
            raise InputError(
                "Newton() solves one scene at a time; expected QuasiNewton() for a Batch, with a budget of 10 iterations in "
                "motion and to its tolerance in statics"
            )
        refuse_rigid(objective, "Newton()")
        if self.line_search is not None:
            refuse_forces(objective, f"Newton(line_search={type(self.line_search).__name__}())")
        for energy in objective.energies:
            if not energy.symmetric and not isinstance(self.linear, GMRES):
                raise InputError(
                    f"Newton(linear={type(self.linear).__name__}()) solves symmetric systems, and the tangent of "
                    f"{energy.material.name} with tangents.Exact() is not; expected linear.GMRES(), or tangents.Hybrid()"
                )
        if objective.constraint is not None:
            check_constrained(self.linear)

    def solve(self, objective: Objective, x: wp.array[Any]) -> Solution:
        """Minimise ``objective`` from and into ``x``; on failure x holds the best point found."""
        if objective.constraint is None:
            try:
                report = self._minimise(objective, x)
            finally:
                expect_nothing(objective)
        else:
            report = constrained(self, objective, x, project=not isinstance(self.hessian, Exact))
        return Solution((report,), Lazy(lambda: self._operator(objective, x), objective.assemblies))

    def _minimise(self, objective: Objective, x: wp.array) -> Report:
        vectors, precision = objective.vectors, objective.device.precision
        tolerance = self.tolerance or TOLERANCE[precision]
        budget = self.iterations or self.MOST
        loose, root = self.COUNTED if self.iterations and self.tolerance is None else self.FORCING
        g, d, short, trial_g = (objective.work(f"newton {name}") for name in ("g", "d", "short", "trial g"))
        trial = objective.place("newton trial")
        seconds = {"gradient": 0.0, "matrix": 0.0, "linear": 0.0, "line search": 0.0}
        patience = Patience(precision, tolerance, self.PATIENCE)
        spent = k = care = 0

        def report(kept: bool, why: str, converged: bool = True) -> Report:
            known = (k, residual.value, tolerance, spent, converged and kept, seconds)
            error = 0.0 if converged else left()
            return Report(kept, why, *known, worst=residual.body, error=error)

        def left() -> float:
            """The error, of steps that shrink as residuals do; a step that was not taken is one."""
            rate = residual.value / previous if np.isfinite(previous) and previous > 0 else 1.0
            return vectors.longest(d) if refused else newton_error(here.alpha * vectors.longest(d), rate)

        def rounded() -> Report:
            """As good as the precision allows; whether that counts as converged depends on how good it is."""
            return report(True, patience.why(residual), patience.converged(residual))

        begin = time.perf_counter()
        objective.refresh()
        exact = self.linear.assembled and not isinstance(self.hessian, Projected)
        ahead = exact  # whether what was found at x is ahead of its exact matrix, which comes next
        here = Point(0.0, *objective.value_and_residual(x, g, ahead))
        residual = here.residual
        seconds["gradient"] += time.perf_counter() - begin
        if not np.isfinite(here.value) or not np.isfinite(residual.value):
            return report(False, _not_finite(objective, x))
        previous, level, system, usual = np.inf, 0, None, self._usual(objective, seconds)
        refused = False  # whether the last step was not taken
        unsolved = False  # whether a linear solve ended before it was as exact as asked
        falls = False  # whether the energy fell as the slope said, which rounding does not do
        walls, failed = objective.has_walls, np.inf  # the residual where less of the projection did not do
        for k in range(budget + 1):
            if residual.value <= tolerance:
                return report(True, "converged")
            # rounding lets the residual wander: full steps that no longer reduce it cannot be improved on, nor can
            # steps that are cut down to nothing because the energies of a turned body do not resolve them
            blind = residual.resolved <= tolerance
            patience.most = 2 if blind else self.PATIENCE
            lost = patience.spent(residual, moving=self.NOTHING < here.alpha < 1.0 or falls)
            blur = NOISE[precision] * here.magnitude + objective.resolution
            if (patience.circles(here.value, blur) and not falls) or lost:
                # what a loose linear solve leaves undone hides in the noise of stiff bodies, and a system between two states,
                # such as a node that sticks and slips in turn, is left by solving it well, or going half the way
                if patience.is_rounding(residual) and (care or blind or patience.is_small(residual)):
                    return rounded()
                care = min(care + 1, self.CARE)
                patience.renew()
            if k == budget:
                break

            fallen = residual.value / previous if k else np.inf
            forcing = min(loose, root * np.sqrt(residual.value), self.FALL * fallen**2)
            forcing = max(forcing, self.AIM * tolerance / residual.value, 1e-12)
            forcing = min(forcing, self.BLIND) if blind else forcing
            forcing = min(forcing, self.SHARP[precision]) if care else forcing
            # the error of Newton's method goes like r², with the matrix of the iteration before like 2 r r₋
            known = (
                level == 0 and not care and here.alpha == 1.0 and 2 * fallen * residual.value <= self.AIM * tolerance
            )
            kept, seen, tried = system if known else None, None, False
            held = walls and level > 0 and residual.value > self.NEARER * failed
            least = level if held else max(level - 1, 0)
            if usual is not None and not care and least == 0:
                more = exact and k + 1 < budget and forcing * residual.value > tolerance  # iterations, most likely
                seen = usual.run(x, (g, d, short, trial, trial_g), forcing, k == 0, kept is not None, (ahead, more))
                spent, level, system, tried, over = spent + usual.turns, 0, usual.system, True, usual.left
            if seen is None:
                given = (forcing, least, k == 0, None if tried else kept, tried)
                turns, level, system, over = self._direction(objective, x, g, d, *given, seconds, None, ahead)
                spent += turns
            unsolved |= over > self.SOLVED * forcing
            failed = residual.value if level > least else failed if held else np.inf

            begin = time.perf_counter()
            slope = -vectors.dot(g, d) if seen is None else seen.slope
            if not np.isfinite(slope):
                return report(False, "the linear solve gave values that are not finite")
            if slope >= 0 and self.line_search:  # exact Hessian, not a descent direction: steepest descent instead
                vectors.copy(g, d)
                slope, seen = -vectors.dot(g, d), None
            if seen is None:
                part = 0.5 ** max(care - 1, 0)
                vectors.mix(-part, d, 0.0, d, d)
                slope *= part
                if objective.stopped(x, d, short):
                    shorter = vectors.dot(g, short)
                    if shorter <= self.STEEP * slope:
                        vectors.copy(short, d)
                        slope = shorter
            search, look = self._line_search(care).search, objective.value_and_residual
            accepted = search(objective, x, d, slope, here, trial, trial_g, look, seen)
            if level > 0 and self.line_search and accepted and accepted.alpha == 1.0:
                accepted = self._farther(objective, x, d, slope, accepted, trial, trial_g)
            seconds["line search"] += time.perf_counter() - begin
            refused = accepted is None
            if accepted is None and (patience.is_rounding(residual) or _is_nothing(objective, d, x)):
                return rounded()
            if accepted is None and not care and k + 1 < budget:
                care, ahead = 1, False  # what was found last is found elsewhere
                continue
            if accepted is None:
                return report(
                    False,
                    f"the line search found no decrease after {k} iterations at scaled residual "
                    f"{residual.value:.1e}{residual.of}; {advice(objective, *self._other(objective, unsolved))}",
                )
            expect(objective, x, trial)
            vectors.copy(trial, x)
            ahead = seen is not None and more and accepted is seen.point
            braked, fall = accepted.residual is None, (accepted.value - here.value) / (accepted.alpha * slope or 1.0)
            falls = walls and self.HONEST[0] <= fall <= self.HONEST[1]
            here, previous, residual = accepted, residual.value, accepted.residual
            if residual is None:
                begin = time.perf_counter()
                residual = objective.residual(x, g)
                seconds["gradient"] += time.perf_counter() - begin
            else:
                vectors.copy(trial_g, g)
            if not np.isfinite(residual.value):
                return report(False, _not_finite(objective, x))
            if braked and walls:  # the tangent promised more than there was: one that lies above the energy does not
                level, failed = len(self.hessian.SHARES) - 1, residual.value

        reached = f"scaled residual {residual.value:.1e}{residual.of}, tolerance {tolerance:.0e}"
        if self.iterations is not None:
            return report(True, f"budget of {budget} iterations used; {reached}", converged=False)
        ideas = self._other(objective, unsolved)
        return report(False, f"no convergence in {budget} iterations ({reached}); {advice(objective, *ideas)}")

    def _farther(self, objective, x, d, slope, here: Point, trial, trial_g) -> Point:
        """Go on along d from ``trial`` = x + d as long as the descent stays as steep, where the Hessian is indefinite.

        A projected Hessian is far too stiff along the directions in which a body buckles: it would creep off its saddle.
        """
        vectors, far, far_g = objective.vectors, objective.place("newton far"), objective.work("newton far g")
        for _ in range(self.STRIDES):
            if vectors.dot(trial_g, d) > 0.5 * slope:
                break
            vectors.mix(self.STRIDE, d, 0.0, d, d)
            slope *= self.STRIDE
            if objective.step_limit(x, d) < 1.0:
                break
            vectors.advance(x, 1.0, d, far)
            beyond = Point(1.0, *objective.value_and_residual(far, far_g))
            if not beyond.value < here.value:
                break
            vectors.copy(far, trial)
            vectors.copy(far_g, trial_g)
            here = beyond
        return here

    def _line_search(self, care: int) -> Armijo | WholeStep:
        """Where the iteration goes round in circles, every step is to go down much of what its slope promises: from one side of a
        kink to the other, as of a point that slips there and back, it does not."""
        search = self.line_search or WholeStep()
        return replace(search, slope=max(search.slope, self.MUCH)) if care and isinstance(search, Armijo) else search

    def _other(self, objective: Objective, unsolved: bool) -> tuple[str, ...]:
        """Another linear solver to try, where this one left its systems unsolved and the other takes them."""
        better = unsolved and not isinstance(self.linear, Direct) and all(e.symmetric for e in objective.energies)
        return ("Newton(linear=Direct())",) if better else ()

    def _usual(self, objective: Objective, seconds: dict[str, float]) -> Iteration | None:
        """An iteration as one call, where it may be one."""
        linear = self.linear
        if not objective.device.is_cpu or not isinstance(self.hessian, Adaptive) or not isinstance(linear, PCG):
            return None
        if not linear.launches_alone:
            return None
        made = objective.keep(f"newton iteration {linear}", lambda: Iteration(objective, linear, self.STEEP))
        made.clock.seconds = seconds
        return made

    def _direction(
        self, objective, x, g, d, forcing, least, first, kept, tried, seconds, start=None, ahead=False
    ) -> tuple[int, int, System | None, float]:
        """Solve H d = g with the first of the shares of projection, from number ``least`` on, that makes H positive definite; or
        with the system ``kept`` from the iteration before. ``tried``: the first does not, and its matrix is there.
        ``start`` is that of System, ``ahead`` that of Objective.assemble.

        Returns the linear iterations, the number of that share, or one more if none does, what may be kept, and the share of g
        that the solve left, infinite where H is not positive definite.
        """
        blend = Blend(objective, x, diagonal=not self.linear.assembled, ahead=ahead)
        shares, spent = self.hessian.SHARES, 0
        if kept is not None:
            begin = time.perf_counter()
            result = self.linear.solve(replace(kept, first=False), g, d, forcing)
            seconds["linear"] += time.perf_counter() - begin
            spent += result.iterations
            if not result.negative:
                return spent, 0, None, result.residual
        if tried:
            blend.know(shares[0])
        for level in range(max(least, int(tried)), len(shares)):
            begin = time.perf_counter()
            insist = level == len(shares) - 1  # or else the next share is tried
            told = {"first": first, "of_step": True, "again": tried or level > least, "start": start}
            system = linearised(objective, x, shares[level], self.linear.assembled, insist, blend=blend, **told)
            middle = time.perf_counter()
            result = self.linear.solve(system, g, d, forcing)
            seconds["matrix"] += middle - begin
            seconds["linear"] += time.perf_counter() - middle
            spent += result.iterations
            if not result.negative:
                return spent, level, system if self.linear.assembled else None, result.residual
        return spent, len(shares), None, np.inf

    def _operator(self, objective: Objective, x: wp.array) -> Operator:
        """The inverse of the Hessian at x; of the projected one where the solver knows no other."""
        system = linearised(objective, x, isinstance(self.hessian, Projected), self.linear.assembled)
        return self.linear.operator(system)


def _is_nothing(objective: Objective, d: wp.array, x: wp.array) -> bool:
    """Whether a step is below what forces resolve of positions, so that nothing can come of it."""
    dot, unit, residuals = objective.vectors.dot, np.finfo(objective.device.types.numpy).eps, objective.residuals
    reach = 3 * float(np.sum(residuals.spacing**2)) if residuals.relative else dot(x, x)
    return dot(d, d) <= (ROUNDING * unit) ** 2 * reach


def _not_finite(objective: Objective, x: wp.array) -> str:
    """Say which energy is not finite."""
    bad = [e.name for e in objective.energies if not np.isfinite(e.value(x))]
    which = ", ".join(bad) or "a force"
    return (
        f"{which} is not finite: an element is inverted under a law with a barrier, or the state is broken; "
        f"{advice(objective)}"
    )
