"""Stepper: what simulations and batches have in common."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments.checks import is_positive
from ...effects.contact.initial_parting import parted, shifts, told
from ...effects.effect_layout import Beginning
from ...errors import InputError
from ...integrate.base import Implicit
from ...integrate.explicit import Explicit
from ...integrate.state import Provenance, State
from ...runtime.compilation import Compilation
from ...runtime.device import Device
from ...runtime.scatter_writes import write_rows
from ...runtime.vectors import Vectors
from ...solve.objective.report import Report
from ..cutting.in_place import room
from ..scene.body import Scene
from ..scene.scene_layout import layout_of
from ..scene.world import World
from .restitution import check_restitution
from .step_splitting import split_step
from .step_stages import POSITIONS, VECTORS, accelerate, explicit_step

# what other packages call it → what it is here
MEANT = {
    "time": "t", "position": "x", "positions": "x", "vertices": "x", "velocity": "v", "velocities": "v", "energy": "energies()",
    "dt": "integrator.dt",
}  # fmt: skip
STEPS, FRAMES = 10_000_000, 1_000_000  # the most of one run: it would not end, or not fit into memory


class Stepper:
    """Scenes on a device with a state that steps change: reset, assign, step and energies for all of them."""

    _resumes: Beginning | None = None  # the state that is read while a checkpoint makes one
    _moved: np.ndarray | None = None  # (bodies, 3) [m] by how much bodies that began in one another were moved apart

    def __init__(
        self, scenes: Sequence[Scene], integrator: Implicit | Explicit, device: str, precision: str, threads: int | None
    ):
        self.integrator = integrator
        self.device = Device(device, precision, threads)
        self._spares = True  # whether there may be rows to spare
        self.followed: tuple[np.ndarray, ...] = ()  # (n, …) values at the nodes that go along where a cut makes others
        self._build(scenes)

    def _build(self, scenes: Sequence[Scene], before: World | None = None) -> None:
        """Lay scenes out on the device, and start at their rest positions."""
        begins = self._resumes
        if before is None:
            layout = layout_of(scenes)
            self._moved = parted(layout)
            if begins is None and self._moved is not None:
                begins = Beginning(layout.rest + shifts(layout, self._moved))
        self.world = World(scenes, self.device, before, self._room(scenes, before), begins)
        self.integrator.check(self.world.objective)
        check_restitution(scenes, self.integrator, self.world)
        self.vectors = self.world.objective.vectors
        self.work = {name: self.vectors.new() for name in VECTORS}
        self.work |= {name: self.vectors.positions() for name in POSITIONS}
        self._sums = self.device.zeros((self.world.objective.groups, 2), wp.float64)
        self.state = State(self.vectors, self._owners, self.world.alive)
        x = self.world.held.everywhere(0.0)
        if self._moved is not None:
            x[: self.world.alive] += shifts(self.world.layout, self._moved)
        self.state.x.assign(x)
        self._draw_apart(self.state)
        self.state.v.assign(self.world.velocity.astype(self.device.types.numpy))
        self._first = self.state.copy()
        if before is None:  # else somebody is about to assign another state
            Stepper.reset(self)

    def _room(self, scenes: Sequence[Scene], before: World | None) -> int:
        """Rows to spare."""
        return room(scenes, self.integrator, before is not None) if self._spares else 0

    def _owners(self) -> dict[str, Any]:
        """All that may remember: the energies, the solver, and the balance of schemes that may gain energy."""
        solver = getattr(self.integrator, "solver", None)
        owners = {**self.world.by_name, "rounding": self.world.objective.residuals}
        if hasattr(solver, "memory"):
            owners["solver"] = solver.memory(self.world.objective)
        if self.integrator.patience:
            owners["balance"] = self.world.balance
        return owners

    def __getattr__(self, name: str) -> Any:
        return self._meant(name) if name in MEANT else object.__getattribute__(self, name)  # which says why

    def __setattr__(self, name: str, value: Any) -> None:
        if name in MEANT:
            self._meant(name)
        object.__setattr__(self, name, value)

    def _meant(self, name: str) -> None:
        """Refuse a name of other packages, whose assignment would change nothing."""
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r} (did you mean {MEANT[name]!r}?)")

    @property
    def t(self) -> float:
        """Time [s]."""
        return self.state.t

    @t.setter
    def t(self, time: float) -> None:
        self.state.t = time

    def reset(self) -> None:
        """Go back to the rest positions at t = 0; grabs are released."""
        self.world.objective.forget_places()
        self.assign(self._first)
        self._accelerate()

    def assign(self, state: State) -> None:
        """Go to a state that ``sim.state.copy()`` kept; steps from there are the same bit for bit."""
        if state.alive != self.world.alive:
            raise InputError(
                f"assign(state): it has {state.alive} nodes, and the scene {self.world.alive}; expected a state copied after "
                "the last cut or tear"
            )
        self.state.assign(state)
        self.world.last = None
        self.world.still(self.state.x, self.state.t)

    def _put(self, name: str, values: np.ndarray) -> None:
        """Take positions or velocities (n, 3) from outside."""
        write_rows(self.device, getattr(self.state, name), slice(len(values)), values)
        self.state.steps, self.world.last = 0, None  # what the scheme remembers of earlier steps no longer fits
        self._accelerate()

    def _go_on_with(self, scenes: Sequence[Scene], provenance: Provenance, shift: np.ndarray | None = None) -> None:
        """Lay out scenes whose nodes come from those at work, and take the state over, positions moved by ``shift`` (n, 3) [m];
        what fails leaves all as it was."""
        rows = len(provenance.nodes) + self._room(scenes, self.world)
        state = self.state.carried(Vectors(self.device, rows), provenance)
        for name in state.POSITIONS if shift is not None else ():
            rows, array = slice(len(shift)), getattr(state, name)
            write_rows(self.device, array, rows, array.numpy()[rows] + shift)
        self._go_to(scenes, state)
        self.followed = tuple(provenance.combined(values) for values in self.followed)

    def _go_to(self, scenes: Sequence[Scene], state: State) -> None:
        """Lay out other scenes, and take a state of theirs over; what fails leaves all as it was."""
        before = dict(self.__dict__)
        try:
            self._build(scenes, self.world)
            self._draw_apart(state)
            self.assign(state)
            self._accelerate(anew=True)  # forces have changed all at once
        except BaseException:
            self.__dict__ |= before
            raise
        self.device.forget()  # launches on the arrays from before

    def _draw_apart(self, state: State) -> None:
        """Give the sides of a cut that lie in one place the distance that contact needs."""
        move = self.world.drawn_apart(self.device.read(state.x))
        for name in state.POSITIONS if move is not None else ():
            array = getattr(state, name)
            array.assign(self.device.read(array) + move)

    def _accelerate(self, anew: bool = False) -> None:
        """Acceleration at the start, for the schemes that carry it along: a = −M⁻¹ ∇E."""
        if self.integrator.needs_acceleration and (anew or self.state.steps == 0):
            state = self.state
            accelerate(self.world, self.integrator.dt, state.x, state.v, state.t, self.work)
            self.vectors.copy(self.work["a"], self.state.a)

    def _advance(self) -> list[Report]:
        """One step; a report for each scene."""
        begin, looked, first = clock.perf_counter() - Compilation.seconds, self._looked, self.state.t == 0
        step = explicit_step if isinstance(self.integrator, Explicit) else split_step
        reports = step(self.world, self.integrator, self.state, self.work)
        self.device.synchronize()
        total = {"total": max(0.0, clock.perf_counter() - Compilation.seconds - begin)}  # kernels are compiled once
        if self._looked > looked:  # some of it in the line search of a barrier
            total["detection"] = self._looked - looked + reports[0].seconds.get("detection", 0.0)
        reports = [report.changed(seconds=report.seconds | total) for report in reports]
        return self._with_parted(reports) if first and self._moved is not None else reports

    def _with_parted(self, reports: list[Report]) -> list[Report]:
        """Say in the reports of a first step which bodies were moved apart before it."""
        said = []
        for moved in told(self.world.layout, self._moved):
            ways = [f"{name} by {np.linalg.norm(way):.3g} m" for name, way in moved.items()]
            said.append(f"; moved apart before the first step: {', '.join(ways)}" if ways else "")
        return [replace(report, why=report.why + words) for report, words in zip(reports, said)]

    @property
    def _looked(self) -> float:
        """Seconds that were spent in finding what touches what, since the start."""
        return sum(energy.looked for energy in self.world.touching)

    def _energies(self) -> dict[str, np.ndarray]:
        """(scenes,) energies now [J] by name: kinetic, of all effects but for what only steps know, and their total."""
        world, x, n = self.world, self.state.x, self.world.alive
        speed2 = np.sum(self.state.v.numpy()[:n].astype(float) ** 2, axis=1)
        energies = {"kinetic": 0.5 * np.add.reduceat(world.mass[:n] * speed2, world.bounds[:-1])}
        out = self._sums
        for energy in world.objective.potentials:
            out.zero_()
            energy.evaluate(x, out)
            energies[energy.name] = energies.get(energy.name, 0.0) + out.numpy()[:, 0]
        energies["total"] = sum(energies.values())
        return energies


def checked_pace(seconds: float, frames_per_second: float | None, dt: float) -> tuple[int, int]:
    """How many steps a run takes, and how many go by from one frame to the next."""
    if not is_positive(seconds):
        raise InputError(f"run(seconds={seconds!r}): expected a positive number of seconds")
    if frames_per_second is not None and not is_positive(frames_per_second):
        raise InputError(f"run(frames_per_second={frames_per_second!r}): expected a positive number, or None")
    count = float(seconds) / dt
    if count > STEPS:
        raise InputError(
            f"run(seconds={seconds:g}) is {count:.3g} steps of {dt:g} s; expected at most {STEPS}: call run "
            "again to continue, or use a larger dt"
        )
    steps = max(1, round(count))
    every = 1 if frames_per_second is None else max(1, round(1 / max(frames_per_second * dt, 1 / STEPS)))
    if steps / every > FRAMES:
        raise InputError(
            f"run(seconds={seconds:g}) keeps {steps // every} frames; expected at most {FRAMES}: keep fewer with "
            "frames_per_second=…, or call run again to continue"
        )
    return steps, every
