"""The one mutable object: a scene that moves in time."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..device import Device
from ..errors import InputError, StepError, did_you_mean, floats, positive
from ..geometry.advection import Advection
from ..geometry.mesh import TriMesh
from ..geometry.sdf import Sdf
from ..integrate.base import Implicit, State
from ..integrate.schemes import ImplicitEuler
from ..integrate.symplectic import SymplecticEuler, largest_stable_step
from ..progress import bar
from ..solve.report import Report
from . import fields as nodal
from .body import Scene
from .embed import grip_of, skin_of
from .muscles import MuscleView, activated
from .run import Run, Skin, skin_with_solid
from .stepping import accelerate, explicit_step, implicit_step
from .world import World


class BodyView:
    """One body of a running simulation: its nodes' rows, positions and velocities."""

    def __init__(self, simulation: Simulation, index: int):
        self._simulation, self.index = simulation, index
        self.name = simulation.scene.names[index]
        self.rows = slice(int(simulation.world.starts[index]), int(simulation.world.starts[index + 1]))

    @property
    def x(self) -> np.ndarray:
        """(n, 3) positions [m]."""
        return self._simulation.x[self.rows]

    @property
    def v(self) -> np.ndarray:
        """(n, 3) velocities [m/s]."""
        return self._simulation.v[self.rows]

    @property
    def surface(self) -> np.ndarray:
        """(s, 3) positions of the drawn surface's vertices [m]."""
        return self._simulation.skins[self.index].of(self._simulation.x)

    @property
    def muscles(self) -> dict[str, MuscleView]:
        """Name → the muscle: its activation, fibre stretch, tension and volume."""
        found = self._simulation.world.muscles.get(self.index)
        return {m.name: MuscleView(found, i, lambda: self.x) for i, m in enumerate(found.muscles)} if found else {}

    def carried(self, surface: TriMesh, name: str, colour: str | None = None) -> Skin:
        """A surface that rides on a solid body, such as that of a muscle, for ``Run.drawn``; ``colour`` is "#rrggbb"."""
        shape = self._simulation.scene.bodies[self.index].shape
        if not isinstance(surface, TriMesh) or shape.dimension != 3:
            raise InputError(f"carried(surface={type(surface).__name__}): expected a TriMesh carried by a solid")
        return replace(skin_of(name, self.rows.start, shape, surface), colour=colour)


class Simulation:
    """A scene in motion: ``step``, ``run``, ``grab``, ``set``, ``reset``, ``save`` and ``load``.

    ``device`` is "cpu" or "cuda", ``precision`` "f64" or "f32". Without an integrator it is implicit Euler at 1/60 s with
    Newton's method to convergence.
    """

    def __init__(
        self,
        scene: Scene,
        integrator: Implicit | SymplecticEuler | None = None,
        device: str = "cpu",
        precision: str = "f64",
        threads: int | None = None,
    ):
        if not isinstance(scene, Scene):
            raise InputError(f"Simulation(scene={type(scene).__name__}): expected a Scene")
        integrator = integrator if integrator is not None else ImplicitEuler()
        if not isinstance(integrator, Implicit | SymplecticEuler):
            raise InputError(f"Simulation(integrator={integrator!r}): expected one such as ImplicitEuler(dt=1/60)")
        self.scene, self.integrator = scene, integrator
        self.device = Device(device, precision, threads)
        self.world = World([scene], self.device)
        self.vectors = self.world.objective.vectors
        self.skins = tuple(
            skin_of(name, int(start), body.shape, body.surface)
            for name, start, body in zip(scene.names, self.world.starts, scene.bodies)
        )
        self.bodies = tuple(BodyView(self, i) for i in range(len(scene.bodies)))
        self.state = State(self.vectors)
        self.work = {name: self.vectors.new() for name in ("y", "anchor", "z", "x", "v", "a", "held")}
        self._next_handle = 0
        self.reset()

    def __repr__(self) -> str:
        return (
            f"Simulation({len(self.bodies)} bodies, {self.world.count} nodes, t = {self.t:.4g} s, "
            f"{type(self.integrator).__name__}(dt={self.integrator.dt:.4g} s), {self.device.name} {self.device.precision})"
        )

    # --- state

    @property
    def x(self) -> np.ndarray:
        """(n, 3) positions of all nodes [m], a copy; assign to move the bodies."""
        return self.state.x.numpy().copy()

    @x.setter
    def x(self, positions: np.ndarray) -> None:
        self._assign("x", positions)

    @property
    def v(self) -> np.ndarray:
        """(n, 3) velocities of all nodes [m/s], a copy; assign to set the bodies moving."""
        return self.state.v.numpy().copy()

    @v.setter
    def v(self, velocities: np.ndarray) -> None:
        self._assign("v", velocities)

    def _assign(self, name: str, values: np.ndarray) -> None:
        values = floats(values)
        if values.shape != (self.world.count, 3) or not np.all(np.isfinite(values)):
            raise InputError(f"sim.{name} = array of shape {values.shape}; expected ({self.world.count}, 3), finite")
        getattr(self.state, name).assign(values.astype(self.device.types.numpy))
        self.state.steps = 0  # what the scheme remembers of earlier steps no longer fits
        self._accelerate()

    def reset(self) -> None:
        """Go back to the rest positions at t = 0; grabs are released."""
        kind = self.device.types.numpy
        self.t = 0.0
        self.state.x.assign(self.world.held(0.0).astype(kind))
        self.state.v.assign(self.world.velocity.astype(kind))
        for name in ("a", "x_before", "v_before"):
            getattr(self.state, name).zero_()
        self.state.steps = 0
        for handle in list(self.world.grabs.points):
            self.world.grabs.drop(handle)
        self.world.at_time(0.0)
        if self.world.contact is not None:
            self.world.contact.limit.zero_()
        self._accelerate()

    def _accelerate(self) -> None:
        """Acceleration at the start, for the schemes that carry it along: a = −M⁻¹ ∇E."""
        if self.integrator.needs_acceleration and self.state.steps == 0:
            accelerate(self.world, self.integrator.dt, self.state, self.work, self.t)
            self.vectors.copy(self.work["a"], self.state.a)

    # --- time

    def step(self) -> Report:
        """Advance by one ``dt``. A failed step leaves everything as it was, and the report says why."""
        begin = clock.perf_counter()
        if isinstance(self.integrator, SymplecticEuler):
            if self.state.steps % self.integrator.check_every == 0:
                self._check_stability()
            (report,) = explicit_step(self.world, self.integrator, self.state, self.work, self.t)
        else:
            (report,) = implicit_step(self.world, self.integrator, self.state, self.work, self.t)
        if report.ok:
            self.t += self.integrator.dt
        self.device.synchronize()
        return replace(report, seconds=report.seconds | {"total": clock.perf_counter() - begin})

    def _check_stability(self) -> None:
        self.world.undamped()
        damping = [body.damping for body in self.scene.bodies]
        drag, stiffness = (max(getattr(d, name) for d in damping) for name in ("mass", "stiffness"))
        limit = largest_stable_step(self.world.objective, self.state, 1 / self.world.mass, drag, stiffness)
        if self.integrator.dt >= limit:
            raise InputError(
                f"SymplecticEuler(dt={self.integrator.dt:g} s) is unstable here; the largest stable step is {limit:.3g} s. "
                "Use a smaller dt or an implicit integrator"
            )

    def run(
        self,
        seconds: float,
        progress: bool = False,
        frames_per_second: float | None = None,
        fields: Sequence[str] = ("stress",),
        on_step: Callable[[Simulation, Report], bool | None] | None = None,
        must_succeed: bool = True,
        after: Run | None = None,
    ) -> Run:
        """Step for ``seconds`` and return the frames: every step, or about ``frames_per_second`` of them.

        A step that fails raises StepError, with everything before it kept in ``sim``; ``must_succeed=False`` ends the
        run there instead. ``on_step(sim, report)`` is called after each step and ends the run by returning True. A run that
        was ended so goes on ``after=run``: ``seconds`` then counts from its first frame, and its frames come first.
        ``fields`` are what ``field`` knows.
        """
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < np.inf:
            raise InputError(f"run(seconds={seconds!r}): expected a positive number of seconds")
        if frames_per_second is not None and not positive(frames_per_second):
            raise InputError(f"run(frames_per_second={frames_per_second!r}): expected a positive number, or None")
        steps = max(1, round(seconds / self.integrator.dt))
        every = 1 if frames_per_second is None else max(1, round(1 / (frames_per_second * self.integrator.dt)))
        recorder, reports, spent = Recorder(self, fields), [], []
        if after is None:
            recorder.record()
        else:
            reports, spent = recorder.go_on(after, every, steps)
        done = len(reports)
        with bar("simulating", steps - done, progress) as advance:
            for k in range(done + 1, steps + 1):
                report = self.step()
                reports.append(report)
                spent.append(report.seconds["total"])
                if not report.ok:
                    if must_succeed:
                        raise StepError(f"step {k} of {steps} at t = {self.t:.4g} s failed: {report.why}")
                    break
                ended = on_step is not None and on_step(self, report) is True
                if k % every == 0 or k == steps or ended:
                    recorder.record()
                advance()
                if ended:
                    break
        return recorder.run(tuple(reports), np.array(spent))

    def frame(self, fields: Sequence[str] = ("stress",)) -> Run:
        """The present moment as a Run of one frame, to draw or to write."""
        recorder = Recorder(self, fields)
        recorder.record()
        return recorder.run((), np.zeros(0))

    def energies(self) -> dict[str, float]:
        """Energies now [J]: kinetic, elastic, gravity, … and their total, without the terms that only steps know."""
        v = self.state.v.numpy().astype(float)
        found = {"kinetic": float(0.5 * np.sum(self.world.mass[:, None] * v * v))}
        skip = {self.world.inertia, self.world.drag, *self.world.stepwise}
        for energy in self.world.energies:
            if energy not in skip:
                found[energy.name] = found.get(energy.name, 0.0) + energy.value(self.state.x)
        found["total"] = sum(found.values())
        return found

    def stress(self) -> np.ndarray:
        """(n,) von Mises stress at the nodes [Pa]."""
        return nodal.values(self.world, "stress", self.state.x)

    def field(self, name: str) -> np.ndarray:
        """(n,) at the nodes: "stress" (von Mises) or "pressure" [Pa], "energy density" [J/m³], "stretch", "volume ratio"."""
        nodal.check(self.world, [name], "field(…)")
        return nodal.values(self.world, name, self.state.x)

    def sdf(
        self,
        body: int = 0,
        advection: Advection | None = None,
        spacing: float | None = None,
        reinitialise: bool = True,
    ) -> Sdf:
        """The signed distance [m] of a lattice body as it is now, on a grid of ``spacing`` [m] (that of the lattice unless told).

        ``advection`` is DirectForward() unless told. Without ``reinitialise`` the level set is left as it was carried: 0 in
        the same places, but no distance where the body has been stretched.
        """
        skin = skin_with_solid(self.skins, body)
        device = None if self.device.is_cpu else Device(self.device.name, self.device.precision)
        return skin.solid.sdf(self.x[skin.start : skin.stop], advection, spacing, reinitialise, device)

    # --- interaction

    def grab(
        self,
        vertex: int,
        target: Sequence[float],
        body: int = 0,
        stiffness: float | None = None,
        handle: int | None = None,
    ) -> int:
        """Pull a surface vertex of a body towards ``target`` [m] with a spring; returns a handle.

        The same handle moves the target on. ``stiffness`` [N/m] defaults to a pull that brings the body along at once.
        """
        if not isinstance(body, int | np.integer) or not 0 <= body < len(self.skins):
            raise InputError(f"grab(body={body!r}): expected 0 … {len(self.skins) - 1}")
        skin = self.skins[body]
        if not isinstance(vertex, int | np.integer) or not 0 <= vertex < len(skin.parents):
            raise InputError(f"grab(vertex={vertex!r}): expected a surface vertex 0 … {len(skin.parents) - 1}")
        point = floats(target)
        if point.shape != (3,) or not np.all(np.isfinite(point)):
            raise InputError(f"grab(target={target!r}): expected three finite numbers in metres")
        if stiffness is not None and not positive(stiffness):
            raise InputError(f"grab(stiffness={stiffness!r}): expected a positive number of N/m, or None")
        if stiffness is None:
            rows = self.bodies[body].rows
            stiffness = float(self.world.mass[rows].sum()) / (4 * self.integrator.dt) ** 2
        if handle is None:
            handle = self._next_handle
        self._next_handle = max(self._next_handle, handle + 1)
        nodes, weights = grip_of(self.scene.bodies[body].shape, skin, int(vertex))
        self.world.grabs.put(handle, nodes + skin.start, weights, float(stiffness), point)
        return handle

    def release(self, handle: int) -> None:
        """Let go of a grab."""
        if handle not in self.world.grabs.points:
            raise InputError(f"release({handle!r}): no such grab; held are {sorted(self.world.grabs.points) or 'none'}")
        self.world.grabs.drop(handle)

    def set(self, body: int = 0, **values: Any) -> None:
        """Change values while running: ``gravity=``, ``friction=``, or material parameters of a body by name.

        ``activation={"biceps": 0.5}`` is for the muscles inside a body.
        """
        scene, values = self.scene, dict(values)
        if "gravity" in values:
            scene = replace(scene, gravity=values.pop("gravity"))
        if "friction" in values:
            scene = replace(scene, contact=replace(scene.contact, friction=values.pop("friction")))
        if values:
            if not isinstance(body, int | np.integer) or not 0 <= body < len(self.bodies):
                raise InputError(f"set(body={body!r}): expected 0 … {len(self.bodies) - 1}")
            bodies = list(scene.bodies)
            if isinstance(values.get("activation"), dict):
                muscles = activated(bodies[body].muscles, values.pop("activation"))
                bodies[body] = replace(bodies[body], muscles=muscles)
            bodies[body] = replace(bodies[body], material=changed(bodies[body].material, values))
            scene = replace(scene, bodies=bodies)
        self.world.adopt([scene])
        self.scene = scene

    def reshape(self, obstacle: int | str, shape: Sdf) -> None:
        """Give an obstacle, by number or name, another shape, such as the ``sdf`` of a body in another simulation.

        A run draws the shape that the obstacle has at its end.
        """
        names = [o.name for o in self.scene.obstacles]
        known = isinstance(obstacle, str) and obstacle in names
        if not known and (isinstance(obstacle, bool | str) or obstacle not in range(len(names))):
            near = did_you_mean(obstacle, names) if isinstance(obstacle, str) else ""
            raise InputError(f"reshape(obstacle={obstacle!r}): no such obstacle{near}; expected one of {names or 'none'}")
        if not isinstance(shape, Sdf):
            raise InputError(f"reshape(shape={type(shape).__name__}): expected a solid such as sphere(0.1)")
        at = names.index(obstacle) if known else int(obstacle)
        obstacles = [replace(o, shape=shape) if i == at else o for i, o in enumerate(self.scene.obstacles)]
        self.scene = replace(self.scene, obstacles=obstacles)
        self.world.reshape(self.scene)

    # --- files

    def save(self, path: str) -> None:
        """Write a checkpoint (.npz) from which ``load`` goes on bit for bit."""
        from .archive import save

        save(self, path)

    @classmethod
    def load(cls, path: str, scene: Scene | None = None, **options: Any) -> Simulation:
        """Read a checkpoint; ``scene`` is needed where the saved one had functions of time in it."""
        from .archive import load

        return load(cls, path, scene, **options)


def changed(material: Any, values: dict[str, Any]) -> Any:
    """A copy of a material with other parameter values; in a sum each value goes to the laws that know its name."""
    left = dict(values)
    laws = []
    for law in material.terms:
        own = {k: left.pop(k) for k in list(left) if k in law.PARAMETERS and hasattr(law, k)}
        laws.append(replace(law, **own) if own else law)
    if left:
        known = sorted({k for law in material.terms for k in law.PARAMETERS} | {"gravity", "friction"})
        name = next(iter(left))
        raise InputError(f"set({name}=…): unknown parameter{did_you_mean(name, known)}; known are {', '.join(known)}")
    return laws[0] if len(laws) == 1 else replace(material, laws=tuple(laws))


class Recorder:
    """Collects frames of a simulation and makes a Run of them."""

    def __init__(self, simulation: Simulation, asked: Sequence[str]):
        if not isinstance(asked, Sequence):
            raise InputError(f"run(fields={asked!r}): expected names such as 'stress'")
        recorded = (asked,) if isinstance(asked, str) else tuple(asked)
        nodal.check(simulation.world, recorded, "run(fields=…)")
        self.simulation, self.fields = simulation, recorded
        self.times, self.x, self.v, self.energy = [], [], [], []
        self.values: dict[str, list] = {name: [] for name in recorded}
        self.poses: list[list[np.ndarray]] = []

    def record(self) -> None:
        sim = self.simulation
        self.times.append(sim.t)
        self.x.append(sim.x)
        self.v.append(sim.v)
        self.energy.append(sim.energies())
        for name in self.fields:
            self.values[name].append(nodal.values(sim.world, name, sim.state.x))
        self.poses.append([o.pose(sim.t) for o in sim.scene.obstacles])

    def go_on(self, run: Run, every: int, steps: int) -> tuple[list, list]:
        """Take over the frames of a run up to now, one per ``every`` steps; returns its reports and times of steps."""
        sim = self.simulation
        if not isinstance(run, Run):
            raise InputError(f"run(after={type(run).__name__}): expected the Run that was ended, or None")
        done = len(run.reports)
        if not all(r.ok for r in run.reports) or done >= steps:
            raise InputError(f"run(after=…): that run has {done} steps, of {steps} in all; expected good steps and more to do")
        fits = run.positions.shape[1:] == (sim.world.count, 3) and run.fields.keys() >= set(self.fields)
        if not fits or not np.isclose(run.times[-1], sim.t) or len(run) < done // every + 1:
            raise InputError(f"run(after=…): that run ends at t = {run.times[-1]:g} s; expected one of this simulation up to now")
        for i in range(done // every + 1):  # a frame out of turn, where the run was ended, goes
            self.times.append(float(run.times[i]))
            self.x.append(run.positions[i])
            self.v.append(run.velocities[i])
            self.energy.append({name: float(values[i]) for name, values in run.energies.items()})
            for name in self.fields:
                self.values[name].append(run.fields[name][i])
            self.poses.append([o.pose(run.times[i]) for o in sim.scene.obstacles])
        return list(run.reports), list(run.step_seconds)

    def run(self, reports: tuple, spent: np.ndarray) -> Run:
        from .props import props_of

        sim = self.simulation
        positions = np.array(self.x)
        return Run(
            times=np.array(self.times),
            positions=positions,
            velocities=np.array(self.v),
            rest=sim.world.rest,
            skins=sim.skins,
            props=props_of(sim.scene.obstacles, self.poses, positions),
            fields={name: np.array(v) for name, v in self.values.items()},
            energies={name: np.array([e[name] for e in self.energy]) for name in self.energy[0]},
            reports=reports,
            step_seconds=spent,
            dt=sim.integrator.dt,
        )
