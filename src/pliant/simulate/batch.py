"""Many scenes at once: one launch serves them all, and each moves as if it were alone."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import warp as wp

from ..device import Device
from ..errors import InputError, floats, positive
from ..integrate.base import Implicit, State
from ..integrate.schemes import ImplicitEuler
from ..progress import bar
from ..solve.quasi_newton import QuasiNewton
from ..solve.report import Report
from . import fields as nodal
from .body import Scene
from .embed import skin_of
from .props import props_of
from .run import Run
from .stepping import accelerate, implicit_step
from .world import World

Rows = np.ndarray | list[np.ndarray]


class Batch:
    """Independent scenes in step, for sweeps over parameters, training and sampling.

    Bodies of one law and one kind of element share their launches, whichever scene they belong to; values, shapes, pins, loads
    and gravity may differ. Scenes share obstacles and ``contact``. The integrator's solver must keep scenes apart, as
    ``QuasiNewton`` does, which is also the default; each scene has its own line search, history and report.
    """

    def __init__(
        self,
        scenes: Sequence[Scene],
        integrator: Implicit | None = None,
        device: str = "cpu",
        precision: str = "f64",
        threads: int | None = None,
    ):
        scenes = tuple(scenes) if isinstance(scenes, list | tuple) else (scenes,)
        if not scenes or not all(isinstance(scene, Scene) for scene in scenes):
            raise InputError("Batch(scenes=…): expected a list of one Scene or more")
        for i, scene in enumerate(scenes):
            if scene.contact != scenes[0].contact or not _same(scene.obstacles, scenes[0].obstacles):
                raise InputError(
                    f"Batch(scenes=…): scene {i} has other obstacles or contact than scene 0; expected the same for all"
                )
        integrator = integrator if integrator is not None else ImplicitEuler(solver=QuasiNewton())
        if not isinstance(integrator, Implicit) or not hasattr(integrator.solver, "solve_groups"):
            raise InputError(
                f"Batch(integrator={integrator!r}): expected an implicit one whose solver keeps scenes apart, such as "
                "ImplicitEuler(solver=QuasiNewton())"
            )
        self.scenes, self.integrator = scenes, integrator
        self.device = Device(device, precision, threads)
        self.world = World(scenes, self.device)
        self.vectors = self.world.objective.vectors
        self.state = State(self.vectors)
        self.work = {name: self.vectors.new() for name in ("y", "anchor", "z", "x", "v", "a", "held")}
        self.reset()

    def __len__(self) -> int:
        return len(self.scenes)

    def __repr__(self) -> str:
        return f"Batch({len(self)} scenes, {self.world.count} nodes, t = {self.t:.4g} s, {self.device.name})"

    @property
    def x(self) -> Rows:
        """(scenes, n, 3) positions [m], or a list of (n, 3) where scenes differ in size; assign to move the bodies."""
        return self._cut(self.state.x)

    @x.setter
    def x(self, positions: Rows) -> None:
        self._assign("x", positions)

    @property
    def v(self) -> Rows:
        """Velocities [m/s], laid out like ``x``."""
        return self._cut(self.state.v)

    @v.setter
    def v(self, velocities: Rows) -> None:
        self._assign("v", velocities)

    def step(self) -> list[Report]:
        """Advance by one ``dt``; a report for each scene. A scene whose step fails stays as it was while the others go on."""
        begin = clock.perf_counter()
        reports = implicit_step(self.world, self.integrator, self.state, self.work, self.t)
        if any(report.ok for report in reports):
            self.t += self.integrator.dt
        self.device.synchronize()
        total = {"total": clock.perf_counter() - begin}
        return [replace(report, seconds=report.seconds | total) for report in reports]

    def run(
        self, seconds: float, progress: bool = False, frames_per_second: float | None = None
    ) -> list[Run]:
        """Step for ``seconds`` and return the frames of each scene: every step, or about ``frames_per_second`` of them.

        A scene whose step fails stands still in that frame; its reports say why.
        """
        if not positive(seconds):
            raise InputError(f"run(seconds={seconds!r}): expected a positive number of seconds")
        if frames_per_second is not None and not positive(frames_per_second):
            raise InputError(f"run(frames_per_second={frames_per_second!r}): expected a positive number, or None")
        dt = self.integrator.dt
        steps = max(1, round(seconds / dt))
        every = 1 if frames_per_second is None else max(1, round(1 / (frames_per_second * dt)))
        frames, reports = [self._frame()], []
        with bar("simulating", steps, progress) as advance:
            for k in range(1, steps + 1):
                reports.append(self.step())
                if k % every == 0 or k == steps:
                    frames.append(self._frame())
                advance()
        return [self._run_of(i, frames, [step[i] for step in reports]) for i in range(len(self))]

    def _frame(self) -> dict[str, np.ndarray]:
        """The present moment of all scenes: time, positions, velocities, stress and the energies of each scene."""
        world, x, v = self.world, self.state.x, self.state.v
        speed2 = np.sum(v.numpy().astype(float) ** 2, axis=1)
        energies = {"kinetic": 0.5 * np.add.reduceat(world.mass * speed2, world.bounds[:-1])}
        out = self.device.zeros((len(self), 2), wp.float64)
        for energy in world.energies:
            if energy not in {world.inertia, world.drag, *world.stepwise}:
                out.zero_()
                energy.measure(x, out)
                energies[energy.name] = energies.get(energy.name, 0.0) + out.numpy()[:, 0]
        energies["total"] = sum(energies.values())
        stress = nodal.values(world, "stress", x)
        return {"t": self.t, "x": x.numpy().copy(), "v": v.numpy().copy(), "stress": stress, "energies": energies}

    def _run_of(self, i: int, frames: list[dict], reports: list[Report]) -> Run:
        world, scene = self.world, self.scenes[i]
        rows = slice(*world.bounds[i : i + 2])
        starts = np.cumsum([0, *(len(body.shape.rest) for body in scene.bodies)])
        positions = np.array([frame["x"][rows] for frame in frames])
        poses = [[obstacle.pose(frame["t"]) for obstacle in scene.obstacles] for frame in frames]
        return Run(
            times=np.array([frame["t"] for frame in frames]),
            positions=positions,
            velocities=np.array([frame["v"][rows] for frame in frames]),
            rest=world.rest[rows],
            skins=tuple(
                skin_of(name, int(start), body.shape, body.surface)
                for name, start, body in zip(scene.names, starts, scene.bodies)
            ),
            props=props_of(scene.obstacles, poses, positions),
            fields={"stress": np.array([frame["stress"][rows] for frame in frames])},
            energies={k: np.array([f["energies"][k][i] for f in frames]) for k in frames[0]["energies"]},
            reports=tuple(reports),
            step_seconds=np.array([report.seconds["total"] / len(self) for report in reports]),
            dt=self.integrator.dt,
        )

    def reset(self) -> None:
        """Put every scene back to its rest positions at t = 0."""
        self.t, kind = 0.0, self.device.types.numpy
        self.state.x.assign(self.world.held(0.0).astype(kind))
        self.state.v.assign(self.world.velocity.astype(kind))
        self.state.steps = 0
        if self.world.contact is not None:
            self.world.contact.limit.zero_()
        self._accelerate()

    def _accelerate(self) -> None:
        if self.integrator.needs_acceleration:
            accelerate(self.world, self.integrator.dt, self.state, self.work, self.t)
            self.vectors.copy(self.work["a"], self.state.a)

    def _cut(self, array: wp.array) -> Rows:
        parts = np.split(array.numpy().copy(), self.world.bounds[1:-1])
        return np.stack(parts) if len({len(part) for part in parts}) == 1 else parts

    def _assign(self, name: str, values: Rows) -> None:
        sizes = np.diff(self.world.bounds)
        given = [floats(part) for part in values]
        if [part.shape for part in given] != [(n, 3) for n in sizes] or not all(np.isfinite(p).all() for p in given):
            raise InputError(f"batch.{name} = …: expected finite (n, 3) values for each scene, n = {sizes.tolist()[:5]} …")
        getattr(self.state, name).assign(np.concatenate(given).astype(self.device.types.numpy))
        self.state.steps = 0
        self._accelerate()


def _same(one: Sequence, other: Sequence) -> bool:
    """Whether two scenes have the same obstacles: the same objects, or shapes that stand still and are the same."""
    return len(one) == len(other) and all(
        a is b or (a.shape is b.shape and a.motion is b.motion) for a, b in zip(one, other)
    )
