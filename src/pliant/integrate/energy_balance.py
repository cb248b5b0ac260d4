"""Energy balance of a step, which shows steps too large.

The midpoint and the trapezoidal rule are stable for every step on linear bodies only. On stiff bodies that turn, errors
of the fastest vibrations feed on each other, and the energy can grow a millionfold while every step is solved to the
last digit. Contact and solves that stop early gain a little too, and come to rest again: so a gain is named, and only
one that runs away fails the step.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import warp as wp

from ..energy.capabilities import WorkSource
from ..energy.memory import Memory, Remembers
from ..errors import PliantWarning
from ..runtime.vectors import Sums
from ..solve.objective.advice import advice
from ..solve.objective.report import Report
from ..solve.objective.step_objective import Objective
from .base import Implicit
from .state import State
from .total_energy import Totals

SHARE = 0.5  # of the greatest kinetic energy so far: a gain beyond it is named
RUNAWAY = 4.0  # times what the scene was given: a gain beyond it fails the step
LEAP = 10.0  # times all that a scene had, and moves with: a step that gains more has failed whatever follows
NOISE = 1e-3  # of the sum of all energies' magnitudes: gains below it may be rounding and tolerance
UNBOUNDED = "the energy at the end of the step is not finite"


class Balance(Remembers):
    """The sum of what scenes gained since they began, beside their greatest kinetic energy.

    Loads, targets and obstacles stand still while a step is judged, as they do while it is solved, so what they give
    later is no gain of the step; the work of pins that move, of wind and of motors is counted in. Damping and friction only
    take.
    """

    def __init__(self, objective: Objective, mass: wp.array, pins_move: bool):
        self.objective, self.pins_move, self._totals = objective, pins_move, Totals(objective, mass)
        vectors, groups, device = objective.vectors, objective.groups, objective.device
        sums = device.zeros((3, groups, 2), wp.float64)
        self._sums, (self._before, self._after, self._kinetic) = sums, (sums[i] for i in range(3))
        self._force, self._change, self._v, self._new_v = (vectors.new() for _ in range(4))
        self.weigh()
        # of each scene: gained [J], greatest kinetic energy [J], the greatest that is no gain [J], put in by others
        # [J], all energy after the last step [J], steps in a row with a gain to name, and with one that runs away
        self._course = device.zeros((7, groups), wp.float64)
        self._warned = False

    def weigh(self) -> None:
        """Take over the masses as they are now, for what counts as at rest."""
        self._still = self._totals.still()

    @property
    def memory(self) -> Memory:
        return {"course": self._course}

    @cached_property
    def sums(self) -> Sums:
        """Sums over the items of its memory, of which each scene has one."""
        return Sums(self.objective.device, np.arange(self.objective.groups + 1))

    @property
    def gained(self) -> np.ndarray:
        """What each scene gained so far [J]."""
        return self._course.numpy()[0].copy()

    def review(self, reports: list[Report], scheme: Implicit, state: State, z: wp.array, new: Sequence[wp.array]) -> list[Report]:
        """The reports of a step from ``state`` to ``new`` = (x, v), solved at z, in which ``scheme.patience`` steps in a row
        with much gain are named. A step fails whose gain runs away, that gains far too much at once, or whose energy is not
        finite: a scheme that reads x off another point than where it solved may end where no solver has looked.
        """
        course = self._course.numpy().copy() if state.steps else np.zeros(self._course.shape)
        with np.errstate(all="ignore"):
            before, after, work, kinetic, size = self._measure((state.x, state.v), new)
            work = work + np.maximum(self._work_of_drives(state.x, z, new[0]), 0.0)
            change, still = after - before - work, self._still / scheme.dt**2
            gained, liveliest = np.maximum(course[0] + change, 0.0), np.maximum(course[1], kinetic)
            moved = np.maximum(course[2], kinetic - gained)
            jump = before - course[4] if state.steps else np.zeros_like(before)  # of loads, targets and hands since
            given = course[3] + np.maximum(work, 0.0) + np.maximum(jump, 0.0)
            least = NOISE * size.sum(axis=0) + still
            much = gained > np.maximum(SHARE * liveliest, least)
            more = gained > RUNAWAY * np.maximum(moved + given, least)
            leap = change > np.maximum(LEAP * (size[0] + np.abs(work) + kinetic), still)
        named, fled = (np.where(beyond, n + 1, 0) for beyond, n in ((much, course[5]), (more, course[6])))
        fled = np.where(leap, scheme.patience, fled)
        reports, name = list(reports), type(scheme).__name__
        for g in np.flatnonzero([report.kept for report in reports]):
            if not np.isfinite(change[g]):
                why = f"{UNBOUNDED}; {advice(self.objective)}"
                reports[g] = replace(reports[g], kept=False, converged=False, why=why)
            elif fled[g] >= scheme.patience:
                why = _ran_away(name, gained[g], course[2][g] + given[g] if leap[g] else moved[g] + given[g])
                reports[g] = replace(reports[g], kept=False, converged=False, why=why)
            elif named[g] >= scheme.patience:
                why = _gained(name, gained[g], liveliest[g])
                reports[g] = replace(reports[g], why=f"{reports[g].why}; {why}")
                if not self._warned:
                    self._warned = True
                    warnings.warn(why, PliantWarning, stacklevel=8)
        now = np.array([gained, liveliest, moved, given, after, named, fled])
        keep = np.isfinite(now).all(axis=0) & [r.kept for r in reports]
        self._course.assign(np.where(keep, now, course))
        return reports

    def _measure(self, old: Sequence[wp.array], new: Sequence[wp.array]) -> tuple[np.ndarray, ...]:
        """For each scene: all energy before and after the step, the work of pins, the kinetic energy after it, and the
        sums of the sizes of all energies before and after [J].
        """
        (x, v), (new_x, new_v), vectors, work = old, new, self.objective.vectors, np.zeros(self.objective.groups)
        if self.pins_move:
            work = self._work_of_pins(x, new_x)
            for velocity, free in ((v, self._v), (new_v, self._new_v)):  # held nodes get theirs from the pins
                vectors.copy(velocity, free)
                self.objective.mask(free)
            v, new_v = self._v, self._new_v
        self._sums.zero_()
        for place, out in ((x, self._before), (new_x, self._after)):
            self._totals.add_potential(place, out)
        for velocity, out in ((v, self._before), (new_v, self._after), (new_v, self._kinetic)):
            self._totals.add_kinetic(velocity, out)
        before, after, kinetic = self._sums.numpy()
        return before[:, 0], after[:, 0], work, kinetic[:, 0], np.stack([before[:, 1], after[:, 1]])

    def _work_of_drives(self, x: wp.array, z: wp.array, new_x: wp.array) -> np.ndarray:
        """What wind and motors put in by their forces where the step was solved [J]."""
        vectors, force, drives = self.objective.vectors, self._force, self.objective.having(WorkSource)
        if not drives:
            return np.zeros(self.objective.groups)
        force.zero_()
        for energy in drives:
            energy.gradient(z, force)
        vectors.apart(new_x, x, self._change)
        return -vectors.dots(force, self._change).numpy().sum(axis=1)

    def _work_of_pins(self, x: wp.array, new_x: wp.array) -> np.ndarray:
        """Half the sum of the forces on held nodes before and after, times the way they went [J]."""
        vectors, force, change = self.objective.vectors, self._force, self._change
        force.zero_()
        for place in (x, new_x):
            for energy in self.objective.potentials:
                energy.gradient(place, force)
        vectors.apart(new_x, x, change)
        everywhere = vectors.dots(force, change).numpy().sum(axis=1)
        self.objective.mask(change)
        return 0.5 * (everywhere - vectors.dots(force, change).numpy().sum(axis=1))


def _gained(scheme: str, gained: float, liveliest: float) -> str:
    """What is said of a gain."""
    return (
        f"{scheme} has gained {gained:.3g} J without any work done, and the greatest kinetic energy so far was "
        f"{liveliest:.3g} J: {_cure(scheme)}"
    )


def _ran_away(scheme: str, gained: float, given: float) -> str:
    """Why a step failed whose gain runs away."""
    return (
        f"the energy diverges: {scheme} has gained {gained:.3g} J without any work done, and the scene was given "
        f"{given:.3g} J: {_cure(scheme)}"
    )


def _cure(scheme: str) -> str:
    others = "BDF2, which damps" if scheme == "HHT" else "BDF2 or HHT, which damp"
    return f"the step is too large for this body; use {others} fast modes, or a smaller dt"
