"""Free values of a simulation, read and replaced by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...arguments.checks import shown
from ...effects.elasticity.damping import Damping
from ...effects.elasticity.holds import Hold
from ...effects.elasticity.muscle_effect import EmbeddedMuscle
from ...effects.loads import Load, Pressure, Traction
from ...energy.obstacles.obstacle_energy import Obstacle
from ...energy.sensitivity import Public
from ...errors import InputError, did_you_mean
from ...geometry.distance.sdf import plane
from ...simulate.scene.body import Body, Scene
from ...simulate.simulation import Simulation
from .rotation_vectors import turned, turning

Key = tuple[int | None, str]
ABSENT = tuple(f"damping.{name}" for name in Damping.CHANGES)  # where they are 0
LABELS: tuple[tuple[tuple[type, ...], str], ...] = (((Load, Traction), "load"), ((Pressure,), "pressure"))


@dataclass(frozen=True, eq=False)
class Place:
    """A number of a simulation: its current value, and its setter in a Draft."""

    value: np.ndarray
    put: Callable[[Draft, Any], None]


class Draft:
    """A scene whose parts are exchanged one by one."""

    def __init__(self, scene: Scene):
        self.scene, self.changes = scene, {"gravity": scene.gravity, "contact": scene.contact}
        self.obstacles = list(scene.obstacles)
        self.laws = [list(body.material.terms) for body in scene.bodies]
        self.damping, self.effects = [b.damping for b in scene.bodies], [list(b.effects) for b in scene.bodies]

    def made(self) -> Scene:
        bodies = []
        for body, laws, damping, effects in zip(self.scene.bodies, self.laws, self.damping, self.effects):
            same = all(now is before for now, before in zip(laws, body.material.terms))
            material = body.material if same else laws[0] if len(laws) == 1 else replace(body.material, laws=tuple(laws))
            bodies.append(body.valued(material, effects, damping))
        return replace(self.scene, bodies=bodies, obstacles=self.obstacles, **self.changes)


def refuse_cuts(sim: Simulation) -> None:
    """A run through a cut changes its mesh on the way."""
    if sim.planned:
        raise InputError(f"{len(sim.planned)} cuts are planned, and a run through a cut has no derivative; expected none")


class Values:
    """The numbers of a simulation as it is now, by key: ``known`` has them, ``put`` gives the simulation others.

    Numbers not given to ``put`` keep their values at construction, so that a second ``put`` undoes the first.
    """

    def __init__(self, sim: Simulation):
        refuse_cuts(sim)
        self.sim, self.scene = sim, sim.scene
        self._x, self._v = sim.x, sim.v

    @cached_property
    def places(self) -> dict[Key, Place]:
        every: dict[Key, Place] = {(None, name): place for name, place in self._of_scene().items()}
        for i, body in enumerate(self.scene.bodies):
            for own in (_of_material(i, body), _of_damping(i, body), _of_effects(i, body)):
                every |= {(i, name): place for name, place in own.items()}
        return every

    @cached_property
    def starts(self) -> dict[Key, np.ndarray]:
        """Those of positions and velocities at the start: a velocity, a shift [m] and a rotation [rad] about the centre."""
        every: dict[Key, np.ndarray] = {}
        for i, body in enumerate(self.scene.bodies):
            velocity = np.array(body.velocity, float)
            every |= {(i, "velocity"): velocity, (i, "shift"): np.zeros(3), (i, "rotation"): np.zeros(3)}
        return every

    @property
    def known(self) -> dict[Key, np.ndarray]:
        """Key → value of all that can be free."""
        return {key: place.value for key, place in self.places.items()} | self.starts

    def read(self, key: Any, owner: str = "free", others: Mapping[Key, Any] | None = None) -> np.ndarray:
        """The value of a key, or a refusal that names the known ones; ``others`` are known besides those of the simulation."""
        known = self.known | dict(others or {})
        if isinstance(key, tuple) and key in known:
            return np.array(known[key], float)
        names = [name for _, name in known]
        named = isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], str)
        if named and (long := self.long(key)) in known:
            return np.array(known[long], float)
        if named and key[1] in ABSENT and isinstance(key[0], int) and 0 <= key[0] < len(self.scene.bodies):
            raise InputError(
                f"{owner}: {key!r} is 0, and a term that a simulation lacks cannot be found; expected a small value to begin "
                f"with, such as Damping({key[1].removeprefix('damping.')}=1e-3)"
            )
        near = did_you_mean(key[1], names) if named else ""
        raise InputError(f"{owner}: there is no parameter {shown(key)}{near}; expected of {', '.join(map(repr, known))}")

    def long(self, key: Key) -> Key:
        """The key of a law in a sum for its short one, where no other law there has such a number; else the key itself."""
        ends = [k for k in self.places if k[0] == key[0] and k[0] is not None and k[1].endswith(f".{key[1]}")]
        laws = [k for k in ends if k[1].split(".")[0].split(" ")[0] in self._laws(key[0])] if ends else []
        return laws[0] if len(laws) == 1 and key not in self.places else key

    def _laws(self, body: int) -> set[str]:
        return {type(law).__name__ for law in self.scene.bodies[body].material.terms}

    def scene_with(self, values: Mapping[Key, Any]) -> Scene:
        """The scene with these values, without starts."""
        draft, values = Draft(self.scene), {self.long(key): value for key, value in values.items()}
        # a plane turns about its point before it moves along its normal
        for key in sorted((k for k in values if k in self.places), key=lambda k: k[1].endswith(".height")):
            value = np.asarray(values[key], float)
            self.places[key].put(draft, value if value.ndim else float(value))
        return draft.made()

    def start_with(self, values: Mapping[Key, Any]) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) positions and velocities at the start; held components stay."""
        x, v, free = self._x.copy(), self._v.copy(), self.sim.world.free > 0
        for i, view in enumerate(self.sim.bodies):
            rows = view.rows
            shift, rotation, velocity = ((i, name) for name in ("shift", "rotation", "velocity"))
            if rotation in values or shift in values:
                centre = pivot(x[rows], free[rows])
                moved = (x[rows] - centre) @ turned(np.asarray(values.get(rotation, np.zeros(3)), float)).T + centre
                x[rows] = np.where(free[rows], moved + values.get(shift, 0.0), x[rows])
            if velocity in values:
                v[rows] += np.where(free[rows], np.asarray(values[velocity], float) - self.starts[velocity], 0.0)
        return x, v

    def put(self, values: Mapping[Key, Any]) -> None:
        """Set these values in the simulation, at its start."""
        self.sim._adopt(self.scene_with(values))
        if any(key in self.starts for key in values):
            self.sim.x, self.sim.v = self.start_with(values)

    def source(self, key: Key) -> Key:
        """The key of Gradient that gives derivatives by a number: that of the normal for a tilt, else its own."""
        return (key[0], key[1].replace(".tilt", ".normal")) if key[1].endswith(".tilt") else self.long(key)

    def by_value(self, key: Key, value: Any, gradient: Public) -> np.ndarray:
        """The derivative by the number that is put, for those by its source, whose rotations are on top of what is there."""
        by, value = np.asarray(gradient[self.source(key)], float), np.asarray(value, float)
        if key[1].endswith(".tilt"):
            axes = self._axes(key)
            return axes[:, :2].T @ _across(axes[:, 2] + axes[:, :2] @ value, by)
        if key[1].endswith(".normal"):
            return _across(value, by)
        return turning(value).T @ by if key[1] == "rotation" else by

    def on_top(self, key: Key, value: np.ndarray, change: np.ndarray) -> dict[Key, np.ndarray]:
        """A change of the number that is put as one of what a simulation with that value has: ``by_value`` transposed."""
        if key[1].endswith(".tilt"):
            axes = self._axes(key)
            return {self.source(key): _across(axes[:, 2] + axes[:, :2] @ value, axes[:, :2] @ change)}
        if key[1].endswith(".normal"):
            return {key: change / np.linalg.norm(value)}
        return {key: turning(value) @ change if key[1] == "rotation" else change}

    def _axes(self, key: Key) -> np.ndarray:
        """(3, 3) the two axes of a plane and its normal, as columns, before it leans."""
        return self.scene.obstacles[int(key[1].split()[1].split(".")[0])].shape.program[0].rotation

    def _of_scene(self) -> dict[str, Place]:
        def change(name: str) -> Callable[[Draft, Any], None]:
            return lambda draft, value: draft.changes.update({name: value})

        def of_contact(name: str) -> Callable[[Draft, Any], None]:
            return lambda draft, value: draft.changes.update(contact=replace(draft.changes["contact"], **{name: value}))

        scene, contact = self.scene, self.scene.contact
        every = {"gravity": Place(np.array(scene.gravity, float), change("gravity"))}
        if scene.obstacles:
            if contact.stiffness is not None:
                every["contact.stiffness"] = Place(np.asarray(contact.stiffness, float), of_contact("stiffness"))
            if contact.friction > 0:
                every["contact.friction"] = Place(np.asarray(contact.friction, float), of_contact("friction"))
        for i, obstacle in enumerate(scene.obstacles):
            own = {} if obstacle.motion is not None else _of_plane(i, obstacle) if obstacle.flat else _of_shape(i, obstacle)
            every |= {f"obstacle {i}.{name}": place for name, place in own.items()}
        return every


def _across(normal: np.ndarray, change: np.ndarray) -> np.ndarray:
    """How normal/|normal| changes with a vector that is not of length 1; the matrix is symmetric."""
    length = float(np.linalg.norm(normal))
    return (change - (change @ normal) * normal / length**2) / length


def pivot(x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """The centre of rotation of a body at its start: that of its nodes free in all components."""
    loose = free.all(axis=1)
    return x[loose if loose.any() else slice(None)].mean(axis=0)


def of_start(sim: Simulation, x: np.ndarray, by_x: np.ndarray, by_v: np.ndarray) -> Public:
    """Gradients by the velocity, a shift and a small rotation of each body, for those by x and v at the start."""
    every: Public = {}
    for i, (body, view) in enumerate(zip(sim.scene.bodies, sim.bodies)):
        rows, free = view.rows, sim.world.free[view.rows] > 0
        of_x, of_v = free * by_x[rows], free * by_v[rows]
        arms = x[rows] - pivot(x[rows], free)
        every[i, "velocity"] = of_v if np.ndim(body.velocity) == 2 else of_v.sum(axis=0)
        every |= {(i, "shift"): of_x.sum(axis=0), (i, "rotation"): np.cross(arms, of_x).sum(axis=0)}
    return every


def _of_plane(i: int, obstacle: Obstacle) -> dict[str, Place]:
    """Height and normal: the plane turns about its point, which then moves along the normal.

    A tilt has the tangents of how far the normal leans along both axes of the plane: two numbers, where a normal has three whose
    length says nothing.
    """
    point, axes = obstacle.shape.program[0].origin, obstacle.shape.program[0].rotation
    normal = axes[:, 2]
    height = float(normal @ point)

    def turn(draft: Draft, value: np.ndarray) -> None:
        draft.obstacles[i] = replace(obstacle, shape=plane(point=point, normal=value))

    def lean(draft: Draft, value: np.ndarray) -> None:
        turn(draft, normal + axes[:, :2] @ value)

    def lift(draft: Draft, value: float) -> None:
        along = draft.obstacles[i].shape.program[0].rotation[:, 2]
        draft.obstacles[i] = replace(obstacle, shape=plane(point=point + (value - height) * along, normal=along))

    places = {"normal": Place(np.array(normal), turn), "tilt": Place(np.zeros(2), lean)}
    return places | {"height": Place(np.asarray(height), lift)}


def _of_shape(i: int, obstacle: Obstacle) -> dict[str, Place]:
    """The translation of a solid from its current place."""

    def shift(draft: Draft, value: np.ndarray) -> None:
        draft.obstacles[i] = replace(obstacle, shape=obstacle.shape.translated(value))

    return {"shift": Place(np.zeros(3), shift)}


def _of_material(i: int, body: Body) -> dict[str, Place]:
    terms, every = body.material.terms, {}
    for j, law in enumerate(terms):
        for name, value in law.parameters().items():

            def put(draft: Draft, given: Any, j: int = j, name: str = name) -> None:
                draft.laws[i][j] = replace(draft.laws[i][j], **{name: given})

            (public,) = body.material.in_sum(law, {name: value})
            if name in law.FIXED or (name == law.heavy and public != body.material.heavy):
                continue  # a sum has one density
            every[public] = Place(np.array(value, float), put)
    return every


def _of_damping(i: int, body: Body) -> dict[str, Place]:
    every = {}
    for name in Damping.CHANGES:
        if getattr(body.damping, name) > 0:  # zero values have no energy in the simulation

            def put(draft: Draft, given: Any, name: str = name) -> None:
                draft.damping[i] = replace(draft.damping[i], **{name: given})

            every[f"damping.{name}"] = Place(np.asarray(getattr(body.damping, name), float), put)
    return every


def _of_effects(i: int, body: Body) -> dict[str, Place]:
    """Loads, pressures, muscles and the strength of holds: every number of theirs that may change."""
    every = {}
    for place, effect in enumerate(body.effects):
        label, inner = _label(body, effect), effect.by if isinstance(effect, Hold) else effect
        for name in () if label is None else inner.CHANGES:
            value = getattr(inner, name)
            if value is None or callable(value) or name == "course":
                continue

            def put(draft: Draft, given: Any, place: int = place, name: str = name) -> None:
                now = draft.effects[i][place]
                if isinstance(now, Hold):
                    now = replace(now, by=replace(now.by, **{name: given}))
                else:
                    now = replace(now, **{name: given})
                draft.effects[i][place] = now

            every[f"{label}.{name}"] = Place(np.array(value, float), put)
    return every


def _label(body: Body, effect: Any) -> str | None:
    """The name of an effect in Gradient."""
    if isinstance(effect, EmbeddedMuscle):
        return effect.name
    if isinstance(effect, Hold):
        return f"hold {body.of(Hold).index(effect) + (body.pinned is not None)}"  # pins come first
    for kinds, label in LABELS:
        if isinstance(effect, kinds):
            return f"{label} {body.of(*kinds).index(effect)}"
    return None
