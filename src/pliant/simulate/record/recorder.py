"""Frames of a simulation while it is stepped, gathered into a Run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...arguments import checks
from ...errors import InputError
from . import nodal_fields as nodal
from .events import Event, Watch, left_touching
from .obstacle_surfaces import props_of
from .probe import expanded
from .reactions import known as known_things
from .run import Chapter, Run, Skin
from .wrench import ROWS, check

if TYPE_CHECKING:
    from ..simulation import Simulation


class _Open:
    """A chapter that is still being written."""

    def __init__(self, skins: tuple[Skin, ...], rest: np.ndarray, names: Sequence[str]):
        self.skins, self.rest = skins, rest
        self.x: list[np.ndarray] = []
        self.v: list[np.ndarray] = []
        self.values: dict[str, list[np.ndarray]] = {name: [] for name in names}

    @property
    def closed(self) -> Chapter:
        fields = {name: np.array(values) for name, values in self.values.items()}
        return Chapter(np.array(self.x), np.array(self.v), self.rest, self.skins, fields)


class Recorder:
    """Collects frames of a simulation into a Run; a simulation with other surfaces begins another chapter."""

    def __init__(self, simulation: Simulation, fields: Sequence[str], forces: bool | Sequence[str] = False, events: bool = False):
        if not isinstance(fields, Sequence):
            raise InputError(f"run(fields={fields!r}): expected names such as 'stress'")
        names = (fields,) if isinstance(fields, str) else tuple(fields)
        nodal.check(simulation.world, names, "run(fields=…)")
        names = expanded(names)
        self.simulation, self.fields = simulation, names
        self.forces = self._checked_forces(forces)
        self.wrenches: list[dict[str, np.ndarray]] = []
        self.events: list[Event] = []
        self._watch: Watch | None = Watch() if checks.flag("run(events=…)", events) else None
        self.times: list[float] = []
        self.energy: list[dict[str, float]] = []
        self.poses: list[list[np.ndarray]] = []
        self.chapters: list[_Open] = []

    def _checked_forces(self, forces: bool | Sequence[str]) -> bool | tuple[str, ...]:
        if isinstance(forces, bool):
            return forces
        names = (forces,) if isinstance(forces, str) else forces
        if not isinstance(names, Sequence):
            raise InputError(f"run(forces={forces!r}): expected True, or names such as 'floor'")
        known = list(known_things(self.simulation.world, self.simulation.scene))
        return tuple(check(name, known, "run(forces=…)") for name in names)

    def _measure(self) -> dict[str, np.ndarray]:
        every = self.simulation.wrenches() if self.forces else {}
        return every if self.forces is True else {name: every[name] for name in self.forces or ()}

    def look(self) -> None:
        """Take the touches that began or ended in a step, if they are wanted."""
        if self._watch is not None:
            self.events += self._watch.look(self.simulation)

    def record(self) -> int:
        """Take a frame; returns how many bytes of nodal values that took."""
        sim = self.simulation
        if not self.chapters or self.chapters[-1].skins is not sim.skins:
            self.chapters.append(_Open(sim.skins, sim.world.rest, self.fields))
        chapter, forces, energies = self.chapters[-1], self._measure(), sim.energies()
        fields, poses = nodal.every(sim.world, self.fields, sim.state.x), [o.pose(sim.t) for o in sim.scene.obstacles]
        # all of a frame or nothing: a fault above leaves none that is half there
        self.times.append(sim.t)
        chapter.x.append(sim.x.astype(sim.device.types.numpy, copy=False))  # double only in what steps begin with
        chapter.v.append(sim.v)
        self.wrenches.append(forces)
        self.energy.append(energies)
        for name, values in fields.items():
            chapter.values[name].append(values)
        self.poses.append(poses)
        return 2 * chapter.x[-1].nbytes + sum(values[-1].nbytes for values in chapter.values.values())

    def resume_from(self, run: Run, every: int, steps: int) -> tuple[list, list]:
        """Take over the frames of a run up to now, one per ``every`` steps; returns its reports and times of steps."""
        sim = self.simulation
        if not isinstance(run, Run):
            raise InputError(f"run(after={type(run).__name__}): expected the Run that was ended, or None")
        done = len(run.reports)
        if not all(r.kept for r in run.reports) or done >= steps:
            raise InputError(f"run(after=…): that run has {done} of {steps} steps; expected good steps and more to do")
        last = run.chapters[-1]
        fits = len(last.rest) == len(sim.world.rest) and set(run.field_names) >= set(self.fields)
        wanted = known_things(sim.world, sim.scene) if self.forces is True else self.forces or ()
        if not set(run.wrenches) >= set(wanted):
            raise InputError("run(after=…, forces=…): that run has not recorded these forces; expected one that did")
        if not fits or not np.isclose(run.times[-1], sim.t) or len(run) < done // every + 1:
            raise InputError(f"run(after=…): that run ends at t = {run.times[-1]:g} s; expected a run of this simulation")
        self.events = list(run.events)
        if self._watch is not None:
            self._watch = Watch(tuple(left_touching(self.events)))
        kept = run.selected(np.arange(done // every + 1))  # drops an extra frame where the run was ended
        for k, chapter in enumerate(kept.chapters):
            ends = k == len(run.chapters) - 1  # the simulation goes on with this one
            opened = _Open(sim.skins if ends else chapter.skins, chapter.rest, self.fields)
            opened.x, opened.v = list(chapter.positions), list(chapter.velocities)
            opened.values = {name: list(chapter.fields[name]) for name in self.fields}
            self.chapters.append(opened)
        for i, time in enumerate(kept.times):
            self.times.append(float(time))
            self.energy.append({name: float(values[i]) for name, values in kept.energies.items()})
            self.wrenches.append({name: values[i] for name, values in kept.wrenches.items()})
            self.poses.append([o.pose(time) for o in sim.scene.obstacles])
        return list(run.reports), list(run.step_seconds)

    def run(self, reports: tuple, spent: np.ndarray) -> Run:
        """What was recorded so far."""
        sim, chapters = self.simulation, tuple(chapter.closed for chapter in self.chapters)
        names = dict.fromkeys(name for energies in self.energy for name in energies)
        ends = np.array([(c.positions.min(axis=(0, 1)), c.positions.max(axis=(0, 1))) for c in chapters])
        return Run(
            times=np.array(self.times),
            chapters=chapters,
            props=props_of(sim.scene.obstacles, self.poses, ends),
            energies={name: np.array([energies.get(name, 0.0) for energies in self.energy]) for name in names},
            reports=reports,
            step_seconds=spent,
            dt=sim.integrator.dt,
            wrenches=_rowed(self.wrenches),
            events=tuple(self.events),
        )


def _rowed(frames: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Name → (frames, 3, 3), 0 while a thing, such as a hand, was not there."""
    names = dict.fromkeys(name for frame in frames for name in frame)
    return {name: np.stack([frame.get(name, np.zeros((ROWS, 3))) for frame in frames]) for name in names}
