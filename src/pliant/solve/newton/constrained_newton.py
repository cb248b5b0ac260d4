"""Constrained Newton with contacts as constraints (Zeng 2023, Alg 3).

At each point the objective Φ is replaced by its quadratic model and contacts by linear ones. The motion without contact forces
is d = −A⁻¹∇Φ; with forces λ it is d + A⁻¹Jᵀλ, and gaps and slips change by W λ, W = J A⁻¹Jᵀ. Given λ the
motion descends on Φ − λ·J x, the merit of the line search. One such point per step is the scheme for real time; repeated
until forces balance and contact laws hold, it solves the step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ...contact.complementarity.narrow_phase import Rows
from ...errors import InputError
from ...linear.factor.direct import Direct
from ...linear.krylov.pcg import PCG
from ...linear.krylov.stale_factor import StaleFactor
from ...linear.matrix.system import System
from ..objective.advice import advice
from ..objective.capabilities import constraint_of
from ..objective.report import Report
from ..objective.residual import Residual
from ..objective.step_objective import Objective
from ..search.line_search import Expansion, Point, WholeStep
from ..search.solver_loop import End, Iterate, Loop
from .linear_system import linearised

if TYPE_CHECKING:
    from .newton_solver import Newton

STAGES = ("gradient", "matrix", "linear", "detection", "compliance", "forces", "correction", "line search")
# repeated detections along the motion under forces, on a budget: a body that falls with the one below must not penetrate it
# when that one lands
REDETECTIONS = 3
# of the last residual: if more is left, bodies may be softer than the projected matrix, as those that are
# crushed, and steps should be longer
CREEPING = 0.7
# points without progress after which half of each step is taken, and with progress after which twice as much is again: stiff
# bodies in f32 need parts, and crept where these did not grow
HALVE_AFTER, DOUBLE_AFTER = 20, 5
AT_ROUNDING = 3  # points without progress at the level of rounding
UNKNOWN = Residual(1.0, math.inf)  # before the first evaluation


def check_constrained(linear: object) -> None:
    """Refuse linear solvers without a factor, except for the default one."""
    if linear not in (PCG(), Direct()):
        raise InputError(f"Newton(linear={linear!r}): contact.Complementarity() needs a factor of the matrix; expected Direct()")


def constrained(newton: Newton, objective: Objective, x: wp.array, project: bool) -> Report:
    """Minimise ``objective`` from and into x under its contact laws; ``project``: with positive element Hessians."""
    return _ConstrainedLoop(newton, objective, x, project).run()


class Work:
    """The vectors of the iteration, kept from solve to solve."""

    def __init__(self, objective: Objective):
        self.g, self.d, self.free, self.motion, self.trial_g = (objective.vectors.new() for _ in range(5))
        self.trial = objective.vectors.positions()


class Damping:
    """Damping factor of steps: halved without progress, doubled with progress."""

    def __init__(self):
        self.best, self.stalled, self.steady, self.part = math.inf, 0, 0, 1.0

    def count(self, miss: float) -> None:
        """Compare the error of a point with the best so far."""
        better = miss < (1.0 - 0.1 * self.part) * self.best  # a part of each step leaves the rest, at best
        self.stalled, self.steady = (0, self.steady + 1) if better else (self.stalled + 1, 0)
        self.best = miss if better else self.best

    def adapt(self) -> None:
        if self.stalled >= HALVE_AFTER:
            self.part, self.stalled = 0.5 * self.part, 0
        elif self.steady >= DOUBLE_AFTER:
            self.part, self.steady = min(2.0 * self.part, 1.0), 0


@dataclass(frozen=True, kw_only=True)
class ConstrainedState(Iterate):
    """State of the iteration: the violation of contact laws [m], whether the last point hardly brought forces nearer
    to balance, and a remark on contact forces that had not converged."""

    slack: float = math.inf
    creeps: bool = False
    unsettled: str = ""


class _ConstrainedLoop(Loop[ConstrainedState]):
    """One solve."""

    def __init__(self, newton: Newton, objective: Objective, x: wp.array, project: bool):
        super().__init__(newton, objective, x, *STAGES)
        self.project, self.contact, self.to_end = project, constraint_of(objective), newton.iterations is None
        self.contact.detector.counted = not self.to_end
        self.read, self.damping, self.work = objective.device.read, Damping(), objective.state(Work)
        self.d = self.work.d

    def start(self) -> ConstrainedState:
        state = ConstrainedState(UNKNOWN)
        return self.look(state) if self.to_end else state

    def terminate(self, state: ConstrainedState) -> End | None:
        contact, residual, damping = self.contact, state.residual, self.damping
        if residual is UNKNOWN:
            return None
        if not np.isfinite(residual.value):
            return End(False, f"a force is not finite; {advice(self.objective)}")
        if residual.value <= self.tolerance and state.slack <= contact.close:
            return End(True, "converged")
        damping.count(max(residual.value / self.tolerance, state.slack / contact.close))
        patience = AT_ROUNDING if residual.resolved <= self.tolerance else HALVE_AFTER
        if self.is_rounding(state) and damping.stalled >= patience:
            return self.rounded(state)
        damping.adapt()
        return None

    def step(self, state: ConstrainedState) -> ConstrainedState:
        state, why = self.advance(state)
        if why:
            return replace(state, end=self.rounded(state) if self.is_rounding(state) else End(False, why))
        return self.look(replace(state, count=state.count + 1))

    def is_rounding(self, state: ConstrainedState) -> bool:
        return self.patience.converged(state.residual) and state.slack <= self.contact.close

    def report(self, state: ConstrainedState, end: End) -> Report:
        return super().report(state, replace(end, why=end.why + state.unsettled) if end.kept else end)

    def error(self, state: ConstrainedState) -> float:
        """The error of steps that shrink as residuals do, or the violation of contact laws."""
        return max(super().error(state), state.slack if math.isfinite(state.slack) else 0.0)

    def reached(self, state: ConstrainedState) -> str:
        missed = f"; contact conditions are violated by {state.slack:.1e} m of {self.contact.close:.1e}"
        return super().reached(state) + (missed if math.isfinite(state.slack) else "")

    def failing(self, state: ConstrainedState) -> str:
        """With indefinite stiffness of bodies the projected matrix is far too stiff, and
        iterations creep."""
        crushed = ": bodies are crushed or inverted so far that their stiffness is indefinite" * self.gives_way()
        return f"{crushed}; {advice(self.objective, 'contact.Barrier()')}"

    def gives_way(self) -> bool:
        """Whether the curvature of the bodies is negative at x."""
        if not self.contact.is_fresh:
            return False
        system = linearised(self.objective, self.x, 0.0, assembled=True, insist=False, first=False)
        return self.contact.factor(system, first=False) is None

    def look(self, state: ConstrainedState) -> ConstrainedState:
        """The residual at x, and the violation of contact laws there, unless the budget is used."""
        contact, x, slack, known = self.contact, self.x, state.slack, state.residual is not UNKNOWN
        if self.to_end or state.count < self.budget:
            with self.clock("detection"):
                rows = contact.find(x, None, state.count > 0)
                force = contact.warm(rows)
                contact.push(rows, force, x)
                slack = contact.slack(rows, force, self.read(x))
        with self.clock("gradient"):
            residual, before = self.objective.residual(x, self.work.g), state.residual.value
        return replace(state, residual=residual, before=before, slack=slack, creeps=known and residual.value > CREEPING * before)

    def advance(self, state: ConstrainedState) -> tuple[ConstrainedState, str]:
        """Step from x; also why it failed, or nothing."""
        objective, contact, x, clock, first = self.objective, self.contact, self.x, self.clock, state.count == 0
        with clock("gradient"):
            contact.release()
            objective.gradient(x, self.work.g)
        with clock("matrix"):
            system = linearised(objective, x, self.project, assembled=True, insist=True, first=first)
        with clock("linear"):
            factor = contact.factor(system, first=first)
            if factor is None:
                return state, f"the stiffness matrix of the bodies cannot be factored; {advice(objective)}"
            free, spent = self.free_motion(system, factor)
        with clock("detection"):
            rows = contact.find(x, free, not first)
            start = contact.warm(rows)
        state = replace(state, spent=state.spent + spent)
        if rows.count:
            motion, unsettled = self.touched(factor, rows, free, start, not first)
            state = replace(state, unsettled=unsettled)
            if not np.isfinite(motion).all():
                return state, "the contact forces are not finite; try a smaller dt"
        else:
            contact.push(rows, start, x)
            objective.vectors.copy(self.work.free, self.work.motion)
        with clock("line search"):
            return self.search(state)

    def free_motion(self, system: System, factor: StaleFactor) -> tuple[np.ndarray, int]:
        """−A⁻¹g (n, 3), the motion without contact forces, also in ``work.free``, and linear iterations.

        With a factor P of an older matrix it is A⁻¹(f₀ − g) − P f₀, f₀ being the nodal forces of the last contact forces: with
        P Jᵀλ added, the limit is the same, since the error of P affects only changes of these forces.
        """
        contact, vectors, work, spent = self.contact, self.objective.vectors, self.work, 1
        if contact.is_fresh:
            factor.inverse.solve(work.g, work.d)
            vectors.mix(-1.0, work.d, 0.0, work.d, work.free)
        else:
            vectors.move(work.g, -1.0, contact.before, work.trial_g)
            spent = factor.solve(system, work.trial_g, work.d)
            vectors.mix(-1.0, work.d, -1.0, contact.motion_before(factor, work.motion), work.free)
        return self.read(work.free).astype(float), spent

    def touched(
        self, factor: StaleFactor, rows: Rows, free: np.ndarray, start: np.ndarray, later: bool
    ) -> tuple[np.ndarray, str]:
        """The motion with contacts, whose forces then act, and a remark on these; ``later``: after the first iteration."""
        contact, motion, remark = self.contact, free, ""
        for turn in range(contact.law.recursions):
            if turn:
                # directions along the motion under forces, with the same matrix (Zeng 2023, §6.1; forces converge fully)
                with self.clock("detection"):
                    self.objective.vectors.advance(self.x, 1.0, self.work.motion, self.work.trial)
                    rows = contact.find(self.work.trial, None, True)
                    start = contact.warm(rows)
            motion, remark = self.forced(factor, rows, free, start)
            if not np.isfinite(motion).all():
                break
        if self.to_end:  # the next point detects contacts along this motion
            return motion, remark
        for _ in range(REDETECTIONS):
            more = self.led_to(rows, motion, later) if np.isfinite(motion).all() else None
            if more is None:
                break
            rows = more
            motion, remark = self.forced(factor, rows, free, contact.warm(rows))
        return motion, remark

    def forced(self, factor: StaleFactor, rows: Rows, free: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, str]:
        """The motion with these contacts, whose forces then act, also in ``work.motion``; and a remark on forces.

        Of many contacts, the active set starts with those closed by the free motion or pushing before; violated ones are added.
        """
        contact, work, at = self.contact, self.work, self.read(self.x)
        gaps = rows.gaps(at + free)
        taken = contact.closing(rows, gaps, start)
        force = np.where(np.repeat(taken, 3), start, 0.0)
        while True:
            some, own = (rows, slice(None)) if taken.all() else (rows.chosen(np.flatnonzero(taken)), np.repeat(taken, 3))
            with self.clock("compliance"):
                W = contact.compliance(factor.inverse, some)
            with self.clock("forces"):
                answer = contact.solve(W, some, gaps[own], force[own])
                force[own] = answer.force
                remark = contact.unsettled(answer)
            with self.clock("correction"):
                contact.push(rows, force, self.x)
                if contact.is_fresh:
                    factor.inverse.solve(contact.pull, work.d)
                else:
                    factor.corrected(contact.pull, work.d)
                    contact.keep_motion(factor, work.d)
                self.objective.vectors.move(work.free, 1.0, work.d, work.motion)
                motion = self.read(work.motion).astype(float)
                missed = ~taken & (rows.gaps(at + motion)[::3] < -contact.enough)
            if not missed.any() or not np.isfinite(motion).all():
                return motion, remark
            taken |= missed

    def led_to(self, rows: Rows, motion: np.ndarray, later: bool) -> Rows | None:
        """All contacts, if the motion under forces closes others than the free motion: a falling body above one that lands."""
        with self.clock("detection"):
            return self.contact.led_to(rows, self.x, motion, later)

    def search(self, state: ConstrainedState) -> tuple[ConstrainedState, str]:
        """Move along a part of the motion, by the line search."""
        objective, vectors, work, rule = self.objective, self.objective.vectors, self.work, self.settings.line_search
        vectors.mix(self.damping.part, work.motion, 0.0, work.motion, work.d)
        vectors.move(work.g, -1.0, self.contact.pull, work.trial_g)
        slope = vectors.dot(work.trial_g, work.d)
        if not math.isfinite(slope):
            return state, "the linear solve gave values that are not finite"
        here = Point(0.0, *objective.value_and_magnitude(self.x))
        if not math.isfinite(here.value):
            return (state, f"an energy is not finite: an element is inverted under a law with a barrier; {advice(objective)}")
        search = rule or WholeStep()
        accepted = search.search(objective, self.x, work.d, min(slope, 0.0), here, work.trial, work.trial_g)
        if accepted is None and not self.contact.is_fresh:  # the motion of an older matrix need not descend
            accepted = WholeStep().search(objective, self.x, work.d, slope, here, work.trial, work.trial_g)
        if accepted is None:
            return state, f"the line search found no decrease after {state.count} iterations; {advice(objective)}"
        goes = self.to_end and rule and accepted.alpha == 1.0 and slope < 0
        if goes and state.creeps and self.gives_way():
            objective.gradient(work.trial, work.trial_g)
            objective.state(Expansion).search(self.x, work.d, slope, accepted, work.trial, work.trial_g)
        vectors.copy(work.trial, self.x)
        return replace(state, alpha=accepted.alpha), ""
