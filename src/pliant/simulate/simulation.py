"""The one mutable object: a scene that moves in time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import checks
from ..arguments.progress import bar
from ..arguments.typing_fields import Vector
from ..effects.contact.initial_parting import told
from ..effects.elasticity.damping import rayleigh
from ..effects.elasticity.muscle_effect import activated
from ..effects.joints.joint_effects import driven
from ..effects.tearing import Tearing
from ..energy.points.grabs import Grabs
from ..errors import InputError, PliantWarning, StepError, did_you_mean
from ..geometry.distance.sdf import Sdf
from ..geometry.lattice.distance_advection import Advection
from ..integrate.base import Implicit
from ..integrate.explicit import Explicit, squared_frequency
from ..integrate.schemes import ImplicitEuler
from ..integrate.state import Provenance
from ..runtime.device import Device
from ..solve.objective.report import Report
from .cutting.cut_mixin import Cuttable
from .cutting.tear_commit import other_tearing, tear
from .interpenetration_warning import InterpenetrationWarning
from .plausibility import doubts
from .record import nodal_fields as nodal
from .record.body_view import BodyView
from .record.contact_queries import Touched
from .record.probe import Probe, composed, expanded, mises
from .record.reactions import joint_position
from .record.recorder import Recorder
from .record.run import Run, Skin, skin_with_solid
from .record.surface_embedding import skins_of
from .scene.body import Scene
from .scene.contact_response import built, said
from .scene.group_values import by_group
from .scene.world import World
from .step.stepper import Stepper, checked_pace


class Simulation(Cuttable, Touched, Stepper):
    """A scene in motion: ``step``, ``run``, ``grab``, ``cut``, ``set``, ``reset``, ``save`` and ``load``.

    ``device`` is "cpu" or "cuda", ``precision`` "f64" or "f32". Without an integrator it is implicit Euler at 1/60 s
    with Newton's method to convergence.
    """

    def __init__(
        self,
        scene: Scene,
        integrator: Implicit | Explicit | None = None,
        device: str = "cpu",
        precision: str = "f64",
        threads: int | None = None,
    ):
        if not isinstance(scene, Scene):
            raise InputError(f"Simulation(scene={type(scene).__name__}): expected a Scene")
        integrator = integrator if integrator is not None else ImplicitEuler()
        if not isinstance(integrator, Implicit | Explicit):
            raise InputError(f"Simulation(integrator={integrator!r}): expected one such as ImplicitEuler(dt=1/60)")
        self._begin_cuts()
        super().__init__([scene], integrator, device, precision, threads)
        self._next_handle = 0
        self.doubts = doubts(self.scene, integrator, self.skins, self.world.layout.start) if self._resumes is None else ()
        for sentence in self.doubts:
            warnings.warn(sentence, PliantWarning, stacklevel=3)  # past the wrapper of public names

    def _go_on_as(self, scene: Scene, origin: Provenance) -> None:
        """Go on with a scene of more nodes that is at work already."""
        self.scene, self._skins = scene, None
        self.bodies = tuple(BodyView(self, i) for i in range(len(scene.bodies)))
        self.followed = tuple(origin.combined(values) for values in self.followed)
        self._stable = False

    def _build(self, scenes: Sequence[Scene], before: World | None = None) -> None:
        (self.scene,), lay_out = scenes, super()._build
        if before is None:
            resumes, alone = self._resumes is not None, lambda scene: lay_out([scene])
            self.scene, self._why_springs = built(self.scene, self.integrator, alone, resumes)
        else:
            lay_out(scenes, before)
        # how bodies are drawn after a cut is found when somebody asks: the next cut may come before
        self._skins = skins_of(self.scene) if before is None else None
        self.bodies = tuple(BodyView(self, i) for i in range(len(self.scene.bodies)))
        self._tears = any(body.of(Tearing) for body in self.scene.bodies)
        self._stable = False  # whether dt was found to be small enough for the values at work

    def _without_spare(self) -> None:
        """Have no rows to spare from now on, for work on all of them: tears and cuts are then laid out anew."""
        self._spares = False
        if self.world.layout.spare:
            self._go_to([self.scene], self.state.copy())

    def __repr__(self) -> str:
        bodies = "body" if len(self.bodies) == 1 else "bodies"
        return (
            f"Simulation({len(self.bodies)} {bodies}, {self.world.alive:,} nodes, t = {self.t:.4g} s, "
            f"{type(self.integrator).__name__}(dt={self.integrator.dt:.4g} s), {self.device.name} "
            f"{self.device.precision}{', contact by ' if self.response else ''}{self.response.partition(',')[0]})"
        )

    @property
    def response(self) -> str:
        """The response by which bodies touch each other, and why springs where Contact() names none; "" where they do not."""
        return said(self.scene, self._why_springs)

    @property
    def skins(self) -> tuple[Skin, ...]:
        """How the bodies are drawn."""
        if self._skins is None:
            self._skins = skins_of(self.scene)
        return self._skins

    @property
    def parted(self) -> dict[str, np.ndarray]:
        """How far bodies that began in one another were moved before the first step, by name (3,) [m]; see contact.Parting."""
        return told(self.world.layout, self._moved)[0]

    @property
    def hands(self) -> Grabs:
        """The springs that ``grab`` pulls with."""
        return self.world[Grabs.name][0]

    # --- state

    @property
    def x(self) -> np.ndarray:
        """(n, 3) positions of all nodes [m], a copy; assign to move the bodies."""
        return self.device.read(self.state.x)[: self.world.alive].copy()

    @x.setter
    def x(self, positions: np.ndarray) -> None:
        self._assign("x", positions)

    @property
    def v(self) -> np.ndarray:
        """(n, 3) velocities of all nodes [m/s], a copy; assign to set the bodies moving."""
        return self.device.read(self.state.v)[: self.world.alive].copy()

    @v.setter
    def v(self, velocities: np.ndarray) -> None:
        self._assign("v", velocities)

    def _assign(self, name: str, values: np.ndarray) -> None:
        values = checks.floats(values)
        if values.shape != (self.world.alive, 3) or not np.all(np.isfinite(values)):
            raise InputError(f"sim.{name} = array of shape {values.shape}; expected ({self.world.alive}, 3), finite")
        self._put(name, values)

    # --- time

    def step(self) -> Report:
        """Advance by one ``dt``. A failed step leaves everything as it was, and the report says why."""
        every = self.integrator.check_every
        if every and (not self._stable or self.state.steps % every == 0):
            self._check_stability()
        report = self._advance()[0]
        if report.kept and report.contacts and self.scene.contact.restitution is not None:
            self._bounce()
        if report.kept:
            self._make_cuts()
        if self._tears and report.kept:
            report = replace(report, torn=tear(self))
        return report

    def _check_stability(self) -> None:
        self.world.still(self.state.x, self.t)
        squared = squared_frequency(self.world.objective, self.state, 1 / self.world.mass)
        limit = self.integrator.largest_step(squared, *rayleigh(self.world.layout))
        if self.integrator.dt >= limit:
            raise InputError(
                f"{type(self.integrator).__name__}(dt={self.integrator.dt:g} s) is unstable here; the largest stable "
                f"step is {limit:.3g} s. Use a smaller dt or an integrator such as BDF2"
            )
        self._stable = True

    def run(
        self,
        seconds: float,
        progress: bool = False,
        frames_per_second: float | None = None,
        fields: Sequence[str] = ("stress",),
        on_step: Callable[[Simulation, Report], bool | None] | None = None,
        must_succeed: bool = True,
        after: Run | None = None,
        forces: bool | Sequence[str] = False,
        events: bool = False,
    ) -> Run:
        """Step for ``seconds`` and return the frames: every step, or about ``frames_per_second`` of them.

        A step that fails raises StepError, with everything before it kept in ``sim``; ``must_succeed=False`` ends the
        run there instead. ``on_step(sim, report)`` is called after each step and ends the run by returning True. A run
        that was ended so goes on ``after=run``: ``seconds`` then counts from its first frame, and its frames come
        first. ``fields`` are what ``field`` knows. ``forces`` are kept on everything that ``force`` knows (True) or on the
        things named, for ``run.force(name)``. With ``events`` touches that begin and end in each step are kept in ``run.events``.
        """
        checks.flag("run(progress=…)", progress)
        checks.flag("run(must_succeed=…)", must_succeed)
        steps, every = checked_pace(seconds, frames_per_second, self.integrator.dt)
        recorder, reports, spent = Recorder(self, fields, forces, events), [], []
        passing = InterpenetrationWarning(self.bodies, self.x, self.world.bodies_touch)
        if after is None:
            recorder.record()
        else:
            reports, spent = recorder.resume_from(after, every, steps)
        done = len(reports)
        with bar("simulating", steps - done, progress) as advance:
            for k in range(done + 1, steps + 1):
                report = self.step()
                reports.append(report)
                spent.append(report.seconds["total"])
                if not report.kept:
                    if must_succeed:
                        raise StepError(f"step {k} of {steps} at t = {self.t:.4g} s failed: {report.why}")
                    break
                recorder.look()
                ended = on_step is not None and on_step(self, report) is True
                if k % every == 0 or k == steps or ended:
                    recorder.record()
                    if passing.is_watching and (note := passing.seen(self.bodies, self.x)):
                        warnings.warn(note, PliantWarning, stacklevel=3)  # past the wrapper of public names
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
        return {name: float(values[0]) for name, values in self._energies().items()}

    def joint_position(self, which: int | str) -> float:
        """The angle [rad] of a hinge, the way [m] of a slider or the length [m] of a tendon, by the joint's number or name."""
        return joint_position(self.world, self.scene.joints, self.state.x, which)

    def stress(self) -> np.ndarray:
        """(n,) von Mises stress at the nodes [Pa]."""
        return nodal.values(self.world, "stress", self.state.x)

    def field(self, name: str) -> np.ndarray:
        """(n,) nodal "stress" (von Mises) or "pressure" [Pa], "energy density" [J/m³], "stretch", "volume ratio"; of bodies
        that flow also "plastic strain".

        Of solids also (n, 3, 3) "stress tensor" (Cauchy's) and "strain tensor" (Green's), (n, 3) "principal stress" and
        "principal strain", the largest first, and (n,) components such as "stress xx".
        """
        nodal.check(self.world, [name], "field(…)")
        found = nodal.every(self.world, expanded([name]), self.state.x)
        return composed(name, found.__getitem__)

    def at(self, points: Sequence[Vector] | np.ndarray, name: str) -> np.ndarray:
        """(p, …) what ``field`` knows, at points (p, 3) [m] of solids where they are at rest; "position" is where they are now.

        Values are interpolated between nodes, whose own are means of the elements around each.
        """
        probe = Probe(points, self.skins, self.world.rest, "at(…)")
        if isinstance(name, str) and name == "position":
            return probe.of(self.x.T).T
        nodal.check(self.world, [name], "at(…)")
        if name == "stress" and "pressure" in nodal.names(self.world):
            return mises(self.at(points, "stress tensor"))
        found = nodal.every(self.world, expanded([name]), self.state.x)
        return composed(name, lambda part: probe.of(found[part]))

    def sdf(
        self, body: int = 0, advection: Advection | None = None, spacing: float | None = None, reinitialise: bool = True
    ) -> Sdf:
        """The signed distance [m] of a lattice body now, on a grid of ``spacing`` [m], by default the lattice's.

        ``advection`` defaults to DirectForward(). Without ``reinitialise`` the level set is left as it was carried:
        0 in the same places, but no distance where the body has been stretched.
        """
        skin = skin_with_solid(self.skins, body)
        device = None if self.device.is_cpu else Device(self.device.name, self.device.precision)
        return skin.solid.sdf(self.x[skin.start : skin.stop], advection, spacing, reinitialise, device)

    # --- interaction

    def grab(self, vertex: int, target: Vector, body: int = 0, stiffness: float | None = None, handle: int | None = None) -> int:
        """Pull a surface vertex of a body towards ``target`` [m] with a spring; returns a handle.

        The same handle moves the target on. ``stiffness`` [N/m] defaults to a pull that brings the body along at once.
        """
        if not isinstance(body, int | np.integer) or not 0 <= body < len(self.skins):
            raise InputError(f"grab(body={body!r}): expected 0 … {len(self.skins) - 1}")
        skin = self.skins[body]
        if not isinstance(vertex, int | np.integer) or not 0 <= vertex < len(skin.parents):
            raise InputError(f"grab(vertex={vertex!r}): expected a surface vertex 0 … {len(skin.parents) - 1}")
        point = checks.floats(target)
        if point.shape != (3,) or not np.all(np.isfinite(point)):
            raise InputError(f"grab(target={target!r}): expected three finite numbers in metres")
        if stiffness is not None and not checks.is_positive(stiffness):
            raise InputError(f"grab(stiffness={stiffness!r}): expected a positive number of N/m, or None")
        if stiffness is None:
            rows = self.bodies[body].rows
            stiffness = float(self.world.mass[rows].sum()) / (4 * self.integrator.dt) ** 2
        handle = self._next_handle if handle is None else checks.whole("grab(handle=…)", handle, 0)
        self._next_handle = max(self._next_handle, handle + 1)
        nodes, weights = self.scene.bodies[body].shape.grip(skin.parents[vertex], skin.weights[vertex])
        new = handle not in self.hands.points
        self.hands.put(handle, nodes + skin.start, weights, float(stiffness), point)
        if new:
            self._check_hand(handle)
        return handle

    def _check_hand(self, handle: int) -> None:
        """Let go again where the solver takes no hands."""
        try:
            self.integrator.check(self.world.objective)
        except InputError:
            self.hands.drop(handle)
            raise

    def release(self, handle: int) -> None:
        """Let go of a grab."""
        if not isinstance(handle, int | np.integer) or handle not in self.hands.points:
            held = sorted(self.hands.points) or "none"
            raise InputError(f"release({checks.shown(handle)}): no such grab; held are {held}")
        self.hands.drop(handle)

    def set(self, body: int = 0, **values: Any) -> None:
        """Change values while running: ``gravity=``, ``friction=``, or of a body ``damping=``, ``tearing=`` and its material's.

        ``joints={"elbow": joint.Motor(torque=2)}`` is for motors, and for tensions or lengths of tendons,
        ``activation={"biceps": 0.5}`` for the muscles inside a body. What cannot change raises, and nothing has changed.
        """
        scene, values = self.scene, dict(values)
        if "gravity" in values:
            scene = replace(scene, gravity=values.pop("gravity"))
        if "friction" in values:
            scene = replace(scene, contact=replace(scene.contact, friction=values.pop("friction")))
        if "joints" in values:
            scene = replace(scene, joints=driven(scene.joints, values.pop("joints")))
        if values:
            if not isinstance(body, int | np.integer) or not 0 <= body < len(self.bodies):
                raise InputError(f"set(body={body!r}): expected 0 … {len(self.bodies) - 1}")
            bodies, old = list(scene.bodies), scene.bodies[body]
            effects, damping = old.effects, values.pop("damping", old.damping)
            if isinstance(values.get("activation"), dict):
                effects = activated(effects, values.pop("activation"))
            if "tearing" in values:
                effects = other_tearing(effects, values.pop("tearing"))
            law = by_group(changed(old.material, values), old.shape) if values else old.material
            bodies[body] = old.valued(law, effects, damping)
            scene = replace(scene, bodies=bodies)
        self._adopt(scene)

    def _adopt(self, scene: Scene) -> None:
        """Go on with a scene of other values; what cannot change raises, and everything is as it was."""
        memory = self.state.remember()
        try:
            self.world.adopt([scene])
        except BaseException:
            self.state.recall(memory)
            self.world.still(self.state.x, self.t)
            raise
        self.scene, self._stable, self.world.last = scene, False, None
        self.world.still(self.state.x, self.t)
        self._accelerate()

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
        scene = replace(self.scene, obstacles=obstacles)
        response = scene.contact.at_work.response
        faces = getattr(response, "meets_faces", response is not None)
        before, after = self.scene.obstacles[at].pieces, scene.obstacles[at].pieces
        rounder = faces and any(old.flat and not new.flat for old, new in zip(before, after))
        if rounder or len(before) != len(after):
            self._go_to([scene], self.state.copy())  # faces touch it now, where corners did, or it has other hollow edges
        else:
            self._adopt(scene)

    # --- files

    def save(self, path: str) -> None:
        """Write a checkpoint (.npz) from which ``load`` goes on bit for bit; cuts that a thread is at are made first."""
        from .checkpoint import save

        self.finish_cuts()
        save(self, path)

    @classmethod
    def load(cls, path: str, scene: Scene | None = None, **options: Any) -> Simulation:
        """Read a checkpoint; ``scene`` is needed where the saved one had functions of time in it."""
        from .checkpoint import load

        return load(cls, path, scene, **options)


def changed(material: Any, values: dict[str, Any]) -> Any:
    """A copy of a material with other parameter values; in a sum each value goes to all laws that know its name."""
    laws = []
    for law in material.terms:
        own = {name: values[name] for name in law.parameters() if name in values}
        laws.append(law.replaced(**own) if own else law)
    parameters = {name for law in material.terms for name in law.parameters()}
    unknown = [name for name in values if name not in parameters]
    if unknown:
        known, name = sorted(parameters | {"gravity", "friction", "damping", "joints"}), unknown[0]
        raise InputError(f"set({name}=…): unknown parameter{did_you_mean(name, known)}; known are {', '.join(known)}")
    return laws[0] if len(laws) == 1 else replace(material, laws=tuple(laws))
