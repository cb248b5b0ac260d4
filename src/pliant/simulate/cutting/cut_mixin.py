"""Cut methods of a simulation: immediate, background, scheduled, undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arguments import checks
from ...cut.blade import Blade
from ...errors import InputError
from ...integrate.state import Provenance, State
from ..scene.body import Body, Scene
from .background_cut import BackgroundCuts, foretold, known_of
from .cut_commit import Done, Found, check, find, made
from .cut_schedule import PlannedCut

if TYPE_CHECKING:
    from ..simulation import Simulation

UNDONE = 16  # cuts that can be undone


class Cuttable:
    """What a simulation has for cutting its bodies."""

    scene: Scene
    state: State
    integrator: Any
    t: float

    def _begin_cuts(self) -> None:
        self.planned: tuple[PlannedCut, ...] = ()
        self._before_cuts: list[tuple[tuple[Body, ...], State, tuple[np.ndarray, ...]]] = []
        self._beside = BackgroundCuts()

    def cut(self: Simulation, blade: Blade, body: int | None = None, wait: bool = True) -> tuple[Done, ...]:
        """Cut bodies of tets, sheets and lattices where a blade lies now, or one of them; the run goes on from the same state.

        Returns what was done to each body, None where it was not cut, and of a blade in several ``strokes`` what the last of them
        did. ``reset`` goes back in time, not before the cut;
        ``undo_cut`` does. ``wait=False`` leaves the work to a thread while steps go on: the cut is made where the blade is in
        the bodies now, after a later step, as soon as it is there, so that two such runs are not the same to the last bit.
        """
        checks.flag("cut(wait=…)", wait)
        check(self, blade, body)
        if not wait:
            for stroke in blade.strokes:
                self._beside.add(self, stroke, body)
            return (None,) * len(self.scene.bodies)
        self.finish_cuts()
        return self._cut_in_strokes(blade, body)

    def _cut_in_strokes(self: Simulation, blade: Blade, body: int | None, warn: bool = True) -> tuple[Done, ...]:
        """Make a cut, one stroke after the other where its path comes back to itself, as one to be undone."""
        strokes, done = blade.strokes, (None,) * len(self.scene.bodies)
        before, opened = self._before_cuts, False
        for stroke in strokes:
            last = self._cut(stroke, body, warn and stroke is strokes[-1] and not opened)
            done = tuple(now or was for was, now in zip(done, last))
            if any(last) and not opened:
                opened, before = True, self._before_cuts
        self._before_cuts = before
        return done

    def _cut(self: Simulation, blade: Blade, body: int | None, warn: bool = True) -> tuple[Done, ...]:
        check(self, blade, body)
        known = known_of(self)
        found = find(known.bodies, known.x, blade, body)
        if self.device.threads > 1:
            found = foretold(known, found)
        return self._cut_as_found(found, known.x, warn)[0]

    def _cut_as_found(
        self: Simulation, found: Found, x: tuple[np.ndarray, ...], warn: bool
    ) -> tuple[tuple[Done, ...], Provenance | None]:
        """Make a cut of bodies with their nodes at each of ``x`` (n, 3) [m] by now, and remember how it was before; also where
        all nodes then come from, None where nothing was cut."""
        opens = any(one is not None and len(one.faces) for one in found.done)
        before = self.scene.bodies, self.state.copy() if opens else self.state, self.followed
        done, origin = made(self, found, x, warn)
        if origin is not None:
            self._before_cuts = [*self._before_cuts, before][-UNDONE:]
        return done, origin

    @property
    def cutting(self) -> int:
        """How many blades of ``cut(wait=False)`` a thread is at, or has before it."""
        return len(self._beside)

    def reset(self: Simulation) -> None:
        """Go back to the rest positions at t = 0; grabs are released, and cuts that a thread is at are made first."""
        self.finish_cuts()
        super().reset()

    def finish_cuts(self: Simulation) -> None:
        """Wait for the cuts that a thread is at, and make them."""
        self._beside.finish(self)

    def _make_cuts(self: Simulation) -> None:
        """Make the cuts whose time has come, and those that are there."""
        if self.planned:
            self._cut_as_planned()
        self._beside.stepped(self)

    def _cut_as_planned(self: Simulation) -> None:
        """Make the cuts whose time has come; of a stroke that grows, what was drawn in this step and a few tets before."""
        shares = [plan.share(self.t) for plan in self.planned]
        for plan, share in zip(self.planned, shares):
            if share:
                begin = plan.begin(self.t - self.integrator.dt, self.scene.bodies)
                self._cut_in_strokes(plan.blade.part(begin, share), plan.body, plan.until is None)
        self.planned = tuple(plan for plan, share in zip(self.planned, shares) if share < 1)

    def plan_cut(self: Simulation, blade: Blade, at: float, until: float | None = None, body: int | None = None) -> None:
        """Cut after the step that reaches the time ``at`` [s], or with a stroke that grows from then ``until`` its end.

        What is planned is kept in checkpoints; ``reset`` does not plan again what was cut.
        """
        plan = PlannedCut(blade, at, until, body)
        plan.check([each.shape for each in self.scene.bodies])
        self.planned = (*self.planned, plan)

    @property
    def cuts(self) -> int:
        """How many of the last cuts ``undo_cut`` can undo."""
        return len(self._before_cuts)

    def undo_cut(self: Simulation) -> None:
        """Undo the last cut: bodies, positions, velocities, hands and time are what they were just before it, bit for bit.

        The last 16 cuts can be undone one after the other; a checkpoint does not keep them. Those that a thread is at are made
        first.
        """
        self.finish_cuts()
        if not self._before_cuts:
            raise InputError("undo_cut(): there is no cut to undo; expected a cut(blade) before it")
        bodies, state, followed = self._before_cuts[-1]
        self._go_to([replace(self.scene, bodies=bodies)], state)
        self.followed = followed
        self._before_cuts = self._before_cuts[:-1]
