"""Batch of scenes: one launch for all, each independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from ..arguments.checks import floats
from ..arguments.progress import bar
from ..effects.base import select
from ..effects.gravity import Weight
from ..effects.tearing import Tearing
from ..errors import InputError
from ..integrate.base import Implicit
from ..integrate.schemes import ImplicitEuler
from ..solve.objective.report import TOLERANCE, Report
from ..solve.quasi_newton.quasi_newton_solver import QuasiNewton
from .record import nodal_fields as nodal
from .record.obstacle_surfaces import props_of
from .record.run import Run
from .record.surface_embedding import skins_of
from .scene.body import Scene
from .scene.contact_response import answering
from .step.step_stages import accelerate
from .step.stepper import Stepper, checked_pace

Rows = np.ndarray | Any  # a list of them where scenes differ in size


class Batch(Stepper):
    """Independent scenes in step, for sweeps over parameters, training and sampling.

    Bodies of one law and one kind of element share their launches, whichever scene they belong to; values, shapes,
    pins, loads and gravity may differ. Scenes share obstacles and ``contact``. The integrator's solver must keep scenes
    apart, as ``QuasiNewton`` does, which is also the default, to its tolerance; each scene has its own line search, history
    and report.
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
            if [*map(id, scene.effects)] != [*map(id, scenes[0].effects)]:
                raise InputError(
                    f"Batch(scenes=…): scene {i} has other effects than scene 0; expected the same objects for all, "
                    "or effects of bodies, which may differ"
                )
        if any(body.of(Tearing) for scene in scenes for body in scene.bodies):
            raise InputError("Batch(scenes=…): the bodies of a batch keep their meshes; expected scenes without Tearing(…)")
        if integrator is None:
            integrator = ImplicitEuler(solver=QuasiNewton(tolerance=TOLERANCE.get(precision, 1e-4)))
        if not isinstance(integrator, Implicit):
            raise InputError(
                f"Batch(integrator={integrator!r}): expected an implicit one such as ImplicitEuler(solver=QuasiNewton())"
            )
        if integrator.check_every:
            raise InputError(
                f"Batch(integrator={type(integrator).__name__}(…)): it has a largest stable step, which a batch does "
                "not check; "
                "expected one such as HHT or BDF2"
            )
        self.scenes = scenes = tuple(answering(scene, None) for scene in scenes)
        self._gravity = np.array([scene.gravity for scene in scenes], float)
        super().__init__(scenes, integrator, device, precision, threads)

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

    @property
    def gravity(self) -> np.ndarray:
        """(scenes, 3) acceleration of everything in each scene [m/s²]; assign (3,) or (scenes, 3) to change it while running."""
        return self._gravity.copy()

    @gravity.setter
    def gravity(self, acceleration: np.ndarray) -> None:
        given = floats(acceleration)
        if given.shape not in ((3,), (len(self), 3)) or not np.isfinite(given).all():
            raise InputError(f"batch.gravity = …: got shape {given.shape}; expected (3,) or ({len(self)}, 3), finite [m/s²]")
        self._gravity = np.broadcast_to(given, (len(self), 3)).copy()
        weight = next(energy for energy in self.world.energies if isinstance(energy, Weight))
        weight.set(self.world.mass[:, None] * np.repeat(self._gravity, np.diff(self.world.bounds), axis=0))
        self.world.last = None
        self._accelerate(anew=True)  # forces have changed all at once

    def reset(self, scenes: Sequence[int] | np.ndarray | None = None) -> None:
        """Put everything back to the start at t = 0, or only the scenes of those numbers, while time goes on for all.

        Bodies of a scene that is put back begin where they rest, with the velocities they began with, and remember nothing; BDF2
        takes it that they have moved so for a step.
        """
        if scenes is None:
            super().reset()
            return
        chosen = select(np.arange(len(self)), scenes, "batch.reset(scenes)", "scene")
        rows = np.concatenate([np.arange(*self.world.bounds[i : i + 2]) for i in chosen])
        x, v = (getattr(self._first, name).numpy()[rows] for name in ("x", "v"))
        for name, start in {"x": x, "v": v, "x_before": x - self.integrator.dt * v, "v_before": v}.items():
            self._put_rows(name, rows, start)
        self.state.recall_some(self._first.memory, chosen)
        self.world.last = None
        self.world.still(self.state.x, self.t)
        if self.integrator.needs_acceleration:
            accelerate(self.world, self.integrator.dt, self.state.x, self.state.v, self.t, self.work)
            self._put_rows("a", rows, self.work["a"].numpy()[rows])

    def _put_rows(self, name: str, rows: np.ndarray, values: np.ndarray) -> None:
        array = getattr(self.state, name)
        changed = array.numpy().copy()
        changed[rows] = values
        array.assign(changed)

    def step(self) -> list[Report]:
        """Advance by one ``dt``.

        A report for each scene. A scene whose step fails stays as it was, the others go on.
        """
        return self._advance()

    def run(self, seconds: float, progress: bool = False, frames_per_second: float | None = None) -> list[Run]:
        """Step for ``seconds`` and return the frames of each scene: every step, or about ``frames_per_second`` of them.

        A scene whose step fails stands still in that frame; its reports say why.
        """
        steps, every = checked_pace(seconds, frames_per_second, self.integrator.dt)
        frames, reports = [self._frame()], []
        with bar("simulating", steps, progress) as advance:
            for k in range(1, steps + 1):
                reports.append(self.step())
                if k % every == 0 or k == steps:
                    frames.append(self._frame())
                advance()
        return [self._run_of(i, frames, [step[i] for step in reports]) for i in range(len(self))]

    def frame(self, scene: int = 0) -> Run:
        """The present moment of one of the scenes as a Run of one frame, to draw or to write."""
        if isinstance(scene, bool) or not isinstance(scene, int | np.integer) or not 0 <= scene < len(self):
            raise InputError(f"frame(scene={scene!r}): expected 0 … {len(self) - 1}")
        return self._run_of(int(scene), [self._frame()], [])

    def _frame(self) -> dict[str, np.ndarray]:
        """The present moment of all scenes: time, positions, velocities, stress and the energies of each scene."""
        world, x, v, energies = self.world, self.state.x, self.state.v, self._energies()
        stress = nodal.values(world, "stress", x)
        return {"t": self.t, "x": x.numpy().copy(), "v": v.numpy().copy(), "stress": stress, "energies": energies}

    def _run_of(self, i: int, frames: list[dict], reports: list[Report]) -> Run:
        world, scene = self.world, self.scenes[i]
        rows = slice(*world.bounds[i : i + 2])
        positions = np.array([frame["x"][rows] for frame in frames])
        poses = [[obstacle.pose(frame["t"]) for obstacle in scene.obstacles] for frame in frames]
        return Run.single(
            times=np.array([frame["t"] for frame in frames]),
            positions=positions,
            velocities=np.array([frame["v"][rows] for frame in frames]),
            rest=world.rest[rows],
            skins=skins_of(scene),
            props=props_of(scene.obstacles, poses, positions),
            fields={"stress": np.array([frame["stress"][rows] for frame in frames])},
            energies={k: np.array([f["energies"][k][i] for f in frames]) for k in frames[0]["energies"]},
            reports=tuple(reports),
            step_seconds=np.array([report.seconds["total"] / len(self) for report in reports]),
            dt=self.integrator.dt,
        )

    def _cut(self, array: wp.array) -> Rows:
        parts = np.split(array.numpy().copy(), self.world.bounds[1:-1])
        return np.stack(parts) if len({len(part) for part in parts}) == 1 else parts

    def _assign(self, name: str, values: Rows) -> None:
        sizes = np.diff(self.world.bounds)
        given = [floats(part) for part in values]
        if [part.shape for part in given] != [(n, 3) for n in sizes] or not all(np.isfinite(p).all() for p in given):
            raise InputError(f"batch.{name} = …: expected finite (n, 3) values for each scene, n = {sizes.tolist()[:5]} …")
        self._put(name, np.concatenate(given))


def _same(one: Sequence, other: Sequence) -> bool:
    """Whether two scenes have the same obstacles: the same objects, or shapes that stand still and are the same."""
    return len(one) == len(other) and all(a is b or (a.shape is b.shape and a.motion is b.motion) for a, b in zip(one, other))
