"""Energy watch: gains without work, checked now and then.

Schemes that may gain energy by themselves are reviewed in every step (integrate/energy_balance.py). Others lose energy, so that
a gain comes from contact, from a step that no solver has finished, or from an explicit step that is too long. One look in
EVERY steps costs next to nothing and misses none of it, since totals are compared.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import warp as wp

from ...effects.effect_layout import Layout
from ...effects.wind import Wind
from ...energy.capabilities import Nonconservative
from ...energy.points.grabs import Grabs
from ...errors import PliantWarning
from ...integrate.energy_balance import NOISE, RUNAWAY, SHARE
from ...integrate.explicit import Explicit
from ...integrate.state import State
from ...integrate.total_energy import Totals
from ...solve.objective.report import Report

EVERY = 16  # steps between two looks
LOOKS = 3  # whose greatest total is compared: in an impact, the energy of BDF2 falls for some steps and comes back
DRIVERS = ("motion", "course", "activation")  # values of effects that put energy in where they depend on the time


class EnergyWatch:
    """Totals of the energy of each scene at the last look, and the greatest kinetic energy seen."""

    def __init__(self, world: Any):
        self.world, objective = world, world.objective
        self._totals = Totals(objective, world.masses)
        self._still = self._totals.still()
        self._sums = world.device.zeros((2, objective.groups, 2), wp.float64)
        self._potential, self._kinetic = self._sums[0], self._sums[1]  # the same arrays in every launch
        self._last: tuple[State, int, list[np.ndarray]] | None = None
        self._liveliest = np.zeros(objective.groups)
        self._warned = False
        conservative = all(energy.conservative for energy in objective.having(Nonconservative))
        self._applies = conservative and not (world.held.move or _has_motion(world.layout))

    def look(self, reports: list[Report], scheme: Any, state: State, new: tuple[wp.array, wp.array]) -> list[Report]:
        """The reports of a step from ``state`` to ``new`` = (x, v); a scene that gained much since the last look says so."""
        if not self._applies or self.world[Grabs.name][0].points:
            self._last = None
            return reports
        age = state.steps - self._last[1] if self._last is not None and self._last[0] is state else -1
        if 0 <= age < EVERY:
            return reports
        total, size, kinetic = self._measure(*new)
        before = self._last[2] if age == EVERY else []  # or another state, or the same put back
        self._last = (state, state.steps, [*before[-LOOKS:], total])
        self._liveliest = np.maximum(self._liveliest, kinetic)
        if not before:
            return reports
        gained, least = total - np.max(before[-LOOKS:], axis=0), NOISE * size + self._still / scheme.dt**2
        explicit = isinstance(scheme, Explicit)
        # the energy of an explicit scheme swings near its limit
        share = RUNAWAY if explicit else SHARE
        much = gained > np.maximum(share * self._liveliest, least)
        reports = list(reports)
        for g in np.flatnonzero(much & [report.kept for report in reports]):
            reports[g] = self._named(reports[g], gained[g], 7 if explicit else 9)
        return reports

    def _named(self, report: Report, gained: float, depth: int) -> Report:
        """With a warning the first time, from whoever asked for the step, so many calls above."""
        sentence = (
            f"the scene has gained {gained:.3g} J in {EVERY} steps without any work done, by contact or by steps that did "
            "not converge; use a smaller dt, or more iterations"
        )
        if not self._warned:
            self._warned = True
            warnings.warn(sentence, PliantWarning, stacklevel=depth)
        return replace(report, why=f"{report.why}; {sentence}")

    def _measure(self, x: wp.array, v: wp.array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All energy of each scene, the sum of the sizes of its parts, and the kinetic energy [J]."""
        self._sums.zero_()
        self._totals.add_potential(x, self._potential)
        self._totals.add_kinetic(v, self._kinetic)
        potential, kinetic = self._sums.numpy()
        return potential[:, 0] + kinetic[:, 0], potential[:, 1] + kinetic[:, 0], kinetic[:, 0]


def _has_motion(layout: Layout) -> bool:
    """Whether anything puts energy in or takes it as time goes on."""
    effects = [effect for part in layout.parts for effect in part.effects] + [e for own in layout.effects for e in own]
    obstacles = [obstacle for effect in effects for obstacle in getattr(effect, "obstacles", ())]
    timed = any(callable(getattr(thing, name, None)) for thing in effects + obstacles for name in DRIVERS)
    driven = any(getattr(effect, "driven", False) for effect in effects)  # joints
    return timed or driven or any(isinstance(effect, Wind) or hasattr(effect, "energies") for effect in effects)
