"""Newton's method with contacts as constraints: free motion, compliance, forces, corrective motion (Zeng 2023, Alg 3).

At each point the objective Φ is taken for its quadratic model and contacts for linear ones. The motion without forces of contact
is d = −A⁻¹∇Φ; with forces λ it is d + A⁻¹Jᵀλ, and what that does to gaps and slips is W λ, W = J A⁻¹Jᵀ. Once λ is found the
motion descends on Φ − λ·J x, on which the line search judges it. One such point per step is the scheme of real time; repeated
until forces balance and contacts keep their laws, it solves the step.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ..contact.rows import Rows
from ..errors import InputError
from ..linear.aged import Aged
from ..linear.direct import Direct
from ..linear.pcg import PCG
from ..linear.system import System
from .advice import advice
from .capabilities import constraint_of
from .line_search import Expansion, Point, WholeStep
from .linearised import linearised
from .objective import Objective
from .report import TOLERANCE, Report, newton_error
from .stopping import Patience

if TYPE_CHECKING:
    from .newton import Newton

STAGES = ("gradient", "matrix", "linear", "detection", "compliance", "forces", "correction", "line search")
LEAST = 1e-10  # of a step that a line search tries
LATE = 3  # times that contacts are looked for where forces lead
SLOW = 0.7  # of the residual before: more than that is left where bodies are softer than a matrix made positive takes them for
PATIENCE = 20  # points without progress after which half of each step is taken, then a quarter …
STEADY = 5  # points with progress after which twice as much is taken again
QUIET = 3  # the same where all that is left is what rounding makes, after which there is nothing to be found


class _Clock(dict):
    @contextmanager
    def __call__(self, stage: str):
        begin = time.perf_counter()
        yield
        self[stage] += time.perf_counter() - begin


def check_constrained(linear: object) -> None:
    """Refuse linear solvers that keep no factor, but for the one that is there where none was chosen."""
    if linear not in (PCG(), Direct()):
        raise InputError(
            f"Newton(linear={linear!r}): contact.Complementarity() needs a factor of the matrix; expected Direct()"
        )


def constrained(newton: Newton, objective: Objective, x: wp.array, project: bool) -> Report:
    """Minimise ``objective`` from and into x, keeping the laws of its contact; ``project``: with positive element Hessians."""
    return _Solve(newton, objective, x, project).run()


class _Solve:
    """One solve."""

    def __init__(self, newton: Newton, objective: Objective, x: wp.array, project: bool):
        self.project = project
        self.newton, self.objective, self.x, self.contact = newton, objective, x, constraint_of(objective)
        self.contact.detector.counted = newton.iterations is not None
        self.tolerance = newton.tolerance or TOLERANCE[objective.device.precision]
        self.read = objective.device.read
        self.clock = _Clock(dict.fromkeys(STAGES, 0.0))
        names = ("g", "d", "free", "motion", "trial g")
        self.g, self.d, self.free, self.motion, self.trial_g = (objective.work(f"constrained {name}") for name in names)
        self.trial = objective.place("constrained trial")
        self.spent = self.count = self.sweeps = 0
        self.residual, self.slack = None, math.inf
        self.before, self.taken = 1.0, 0.0  # the residual before the last step, and the fraction of it that was taken
        self.creeps = False  # whether the last point hardly brought forces nearer to balance
        self.unsettled = ""  # what is said of forces that still changed when sweeps ended

    def report(self, kept: bool, why: str, converged: bool = True) -> Report:
        value, body = (1.0, "") if self.residual is None else (self.residual.value, self.residual.body)
        why += self.unsettled if kept else ""
        known = (self.count, value, self.tolerance, self.spent, converged and kept, dict(self.clock))
        return Report(kept, why, *known, worst=body, error=0.0 if converged else self.left())

    def left(self) -> float:
        """The error [m] of steps that shrink as residuals do, and by which contacts miss their laws."""
        step = self.taken * self.objective.vectors.longest(self.d)
        slack = self.slack if math.isfinite(self.slack) else 0.0
        return max(newton_error(step, self.residual.value / self.before), slack)

    def run(self) -> Report:
        newton, objective, contact = self.newton, self.objective, self.contact
        budget = newton.iterations or newton.MOST
        best, stalled, steady, part = math.inf, 0, 0, 1.0
        patience = Patience(objective.device.precision, self.tolerance)
        for self.count in range(budget + 1):
            if newton.iterations is None or self.count > 0:
                self.look(anew=newton.iterations is None or self.count < budget)
                if not np.isfinite(self.residual.value):
                    return self.report(False, f"a force is not finite; {advice(objective)}")
                if self.residual.value <= self.tolerance and self.slack <= contact.close:
                    return self.report(True, "converged")
                miss = max(self.residual.value / self.tolerance, self.slack / contact.close)
                # a part of each step leaves the rest of what is missed, at best
                better = miss < (1.0 - 0.1 * part) * best
                best, stalled, steady = (miss, 0, steady + 1) if better else (best, stalled + 1, 0)
                rounding = patience.converged(self.residual) and self.slack <= contact.close
                if rounding and stalled >= (QUIET if self.residual.resolved <= self.tolerance else PATIENCE):
                    return self.report(True, patience.why(self.residual))
                if stalled >= PATIENCE:
                    part, stalled = 0.5 * part, 0
                elif steady >= STEADY:
                    part, steady = min(2.0 * part, 1.0), 0
            if self.count == budget:
                break
            why = self.advance(part)
            if why:
                rounded = self.residual is not None and patience.converged(self.residual)
                if rounded and self.slack <= contact.close:
                    return self.report(True, patience.why(self.residual))
                return self.report(False, why)
        reached = f"scaled residual {self.residual.value:.1e}{self.residual.of}, tolerance {self.tolerance:.0e}"
        if math.isfinite(self.slack):
            reached += f"; contacts miss their laws by {self.slack:.1e} m of {contact.close:.1e}"
        if newton.iterations is not None:
            return self.report(True, f"budget of {budget} iterations used; {reached}", converged=False)
        why = f"no convergence in {budget} iterations ({reached})"
        return self.report(False, f"{why}{self.crushed()}; {advice(objective, 'contact.Barrier()')}")

    def crushed(self) -> str:
        """What is said where bodies give way of themselves: the matrix made positive that stands in for theirs is far too stiff
        then, and iterations creep."""
        return ": bodies are crushed so far, or turned inside out, that they give way of themselves" * self.gives_way()

    def gives_way(self) -> bool:
        """Whether the curvature of the bodies is negative at x."""
        if not self.contact.is_fresh:
            return False
        system = linearised(self.objective, self.x, 0.0, assembled=True, insist=False, first=False)
        return self.contact.factor(system, first=False) is None

    def look(self, anew: bool) -> None:
        """How far forces are from cancelling at x, and contacts found ``anew`` there from their laws."""
        contact, x = self.contact, self.x
        if anew:
            with self.clock("detection"):
                rows = contact.find(x, None, self.count > 0)
                force = contact.warm(rows)
                contact.push(rows, force, x)
                self.slack = contact.slack(rows, force, self.read(x))
        with self.clock("gradient"):
            known = self.residual is not None
            self.before = self.residual.value if known else 1.0
            self.residual = self.objective.residual(x, self.g)
            self.creeps = known and self.residual.value > SLOW * self.before

    def advance(self, part: float) -> str:
        """Go on from x; says why not, or nothing."""
        objective, contact, x, clock = self.objective, self.contact, self.x, self.clock
        with clock("gradient"):
            contact.release()
            objective.gradient(x, self.g)
        with clock("matrix"):
            system = linearised(objective, x, self.project, assembled=True, insist=True, first=self.count == 0)
        with clock("linear"):
            factor = contact.factor(system, first=self.count == 0)
            if factor is None:
                return f"the matrix of the bodies has no factor; {advice(objective)}"
            free = self.free_motion(system, factor)
        with clock("detection"):
            rows = contact.find(x, free, self.count > 0)
            start = contact.warm(rows)
        if rows.count:
            motion = self.touched(factor, rows, free, start)
            if not np.isfinite(motion).all():
                return "the forces of contact are not finite; try a smaller dt"
        else:
            contact.push(rows, start, x)
            objective.vectors.copy(self.free, self.motion)
        with clock("line search"):
            return self.search(part)

    def free_motion(self, system: System, factor: Aged) -> np.ndarray:
        """−A⁻¹g (n, 3), the motion without forces of contact, also in ``self.free``.

        With a factor P of an older matrix it is A⁻¹(f₀ − g) − P f₀, f₀ being what the forces of before do to the nodes: with
        P Jᵀλ added, that has the same end, since there they change no more, and what P misses is of their change alone.
        """
        contact, vectors = self.contact, self.objective.vectors
        if contact.is_fresh:
            factor.inverse.solve(self.g, self.d)
            self.spent += 1
            vectors.mix(-1.0, self.d, 0.0, self.d, self.free)
        else:
            vectors.move(self.g, -1.0, contact.before, self.trial_g)
            self.spent += factor.solve(system, self.trial_g, self.d)
            vectors.mix(-1.0, self.d, -1.0, contact.motion_before(factor, self.motion), self.free)
        return self.read(self.free).astype(float)

    def touched(self, factor: Aged, rows: Rows, free: np.ndarray, start: np.ndarray) -> np.ndarray:
        """The motion with contacts, whose forces then act."""
        contact, motion = self.contact, free
        for turn in range(contact.law.recursions):
            if turn:
                # directions of where forces lead, with the same matrix (Zeng 2023, §6.1; forces are found in full)
                with self.clock("detection"):
                    self.objective.vectors.advance(self.x, 1.0, self.motion, self.trial)
                    rows = contact.find(self.trial, None, True)
                    start = contact.warm(rows)
            motion = self.forced(factor, rows, free, start)
            if not np.isfinite(motion).all():
                break
        if self.newton.iterations is not None:  # or else the next point finds them
            for _ in range(LATE):
                more = self.led_to(rows, motion) if np.isfinite(motion).all() else None
                if more is None:
                    break
                rows = more
                motion = self.forced(factor, rows, free, contact.warm(rows))
        return motion

    def forced(self, factor: Aged, rows: Rows, free: np.ndarray, start: np.ndarray) -> np.ndarray:
        """The motion with these contacts, whose forces then act; also in ``self.motion``.

        Of many contacts, those are taken at first that the free motion closes or that pushed before; others when they are missed.
        """
        contact, at = self.contact, self.read(self.x)
        gaps = rows.gaps(at + free)
        taken = contact.closing(rows, gaps, start)
        force = np.where(np.repeat(taken, 3), start, 0.0)
        while True:
            some, own = (
                (rows, slice(None)) if taken.all() else (rows.chosen(np.flatnonzero(taken)), np.repeat(taken, 3))
            )
            with self.clock("compliance"):
                W = contact.compliance(factor.inverse, some)
            with self.clock("forces"):
                answer = contact.solve(W, some, gaps[own], force[own])
                force[own] = answer.force
                self.sweeps += answer.sweeps
                self.unsettled = contact.unsettled(answer)
            with self.clock("correction"):
                contact.push(rows, force, self.x)
                if contact.is_fresh:
                    factor.inverse.solve(contact.pull, self.d)
                else:
                    factor.corrected(contact.pull, self.d)
                    contact.keep_motion(factor, self.d)
                self.objective.vectors.move(self.free, 1.0, self.d, self.motion)
                motion = self.read(self.motion).astype(float)
                missed = ~taken & (rows.gaps(at + motion)[::3] < -contact.enough)
            if not missed.any() or not np.isfinite(motion).all():
                return motion
            taken |= missed

    def led_to(self, rows: Rows, motion: np.ndarray) -> Rows | None:
        """All contacts, where forces lead to others than the free motion: what falls with a body below, which lands."""
        with self.clock("detection"):
            return self.contact.led_to(rows, self.x, motion, self.count > 0)

    def search(self, part: float) -> str:
        """Go along a part of the motion, as far as the line search says."""
        objective, vectors = self.objective, self.objective.vectors
        vectors.mix(part, self.motion, 0.0, self.motion, self.d)
        vectors.move(self.g, -1.0, self.contact.pull, self.trial_g)
        slope = vectors.dot(self.trial_g, self.d)
        if not math.isfinite(slope):
            return "the linear solve gave values that are not finite"
        here = Point(0.0, *objective.value_and_magnitude(self.x))
        if not math.isfinite(here.value):
            return f"an energy is not finite: an element is inverted under a law with a barrier; {advice(objective)}"
        search = self.newton.line_search or WholeStep()
        accepted = search.search(objective, self.x, self.d, min(slope, 0.0), here, self.trial, self.trial_g)
        if accepted is None and not self.contact.is_fresh:  # the motion of an older matrix need not descend
            accepted = WholeStep().search(objective, self.x, self.d, slope, here, self.trial, self.trial_g)
        if accepted is None:
            return f"the line search found no decrease after {self.count} iterations; {advice(objective)}"
        self.taken = accepted.alpha
        goes = self.newton.iterations is None and self.newton.line_search and accepted.alpha == 1.0 and slope < 0
        if goes and self.creeps and self.gives_way():
            objective.gradient(self.trial, self.trial_g)
            objective.state(Expansion).search(self.x, self.d, slope, accepted, self.trial, self.trial_g)
        vectors.copy(self.trial, self.x)
        return ""
