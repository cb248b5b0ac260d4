"""Link trees: poses for joint values, and what becomes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..effects.keyframes import Table
from ..elements.rigid import Inertia, Rigid
from ..energy.obstacles.obstacle_energy import Obstacle
from ..errors import InputError, did_you_mean
from ..geometry.distance.sdf import Sdf
from ..geometry.mesh.mesh import TriMesh
from ..simulate.scene.body import Body
from .link_shapes import Form, closed, placed
from .omissions import LeftOut
from .poses import about, moved, pose, unit

Course = Callable[[float], float]


@dataclass(frozen=True, eq=False)
class Joint:
    """What moves a link in its own axes: by a value along an axis [m], or about one through a point [rad]."""

    name: str
    turns: bool
    axis: np.ndarray
    through: np.ndarray = field(default_factory=lambda: np.zeros(3))
    neutral: float = 0.0  # value at which the link is as the file has it
    follows: tuple[str, float, float] | None = None  # another joint, a factor and an offset

    def moved(self, value: float) -> np.ndarray:
        """The matrix of the motion at a value."""
        way = value - self.neutral
        if not self.turns:
            return pose(unit(self.axis, f"the axis of joint {self.name!r}") * way)
        turn = about(self.axis, way)
        return pose(self.through - turn @ self.through, turn)


@dataclass(eq=False)
class Link:
    """A part that is rigid: where it is in its parent, its joints, shapes that touch, and its mass."""

    name: str
    parent: Link | None
    place: np.ndarray
    joints: list[Joint] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    masses: list[Inertia] = field(default_factory=list)
    free: bool = False  # nothing holds it to its parent
    base: Link | None = None  # the free link that carries it, none where it hangs on the world; known after ``made``

    @property
    def chain(self) -> list[Link]:
        """From the first link to this one."""
        chain, above = [self], self.parent
        while above is not None:
            chain.append(above)
            above = above.parent
        return chain[::-1]

    def moved(self, values: Mapping[str, float | Course], time: float) -> np.ndarray:
        """The matrix from its own axes to those of its parent."""
        at = self.place
        for joint in self.joints:
            at = at @ joint.moved(_value(values, joint, time))
        return at


@dataclass(frozen=True, eq=False)
class Driven:
    """The motion of a link whose joints, or those before it, move: t [s] → its 4×4 pose."""

    link: Link
    values: Mapping[str, float | Course]

    def __call__(self, time: float) -> np.ndarray:
        """The pose at a time."""
        at = np.eye(4)
        for link in self.link.chain:
            at = at @ link.moved(self.values, time)
        return at


def _value(values: Mapping[str, float | Course], joint: Joint, time: float) -> float:
    if joint.follows is not None and joint.name not in values:
        other, factor, offset = joint.follows
        given = values.get(other, 0.0)
        return factor * (float(given(time)) if callable(given) else given) + offset
    given = values.get(joint.name, joint.neutral)
    return float(given(time)) if callable(given) else given


def checked_values(given: object, joints: Sequence[Joint]) -> dict[str, float | Course]:
    """Values of joints by their names, each a number, or a function of time such as schedule.Table."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"read(joints={type(given).__name__}): expected names and values, {{'elbow': 0.5}}")
    names = [joint.name for joint in joints]
    for name, value in given.items():
        if name not in names:
            known = ", ".join(names[:12]) or "none"
            near = did_you_mean(str(name), names)
            raise InputError(f"read(joints=…): there is no joint {name!r}{near}; expected one of {known}")
        if not callable(value) and (isinstance(value, bool) or not isinstance(value, int | float | np.floating)):
            raise InputError(f"read(joints={{{name!r}: {type(value).__name__}}}): expected a number, or schedule.Table(…)")
        if not callable(value) and not np.isfinite(value):
            raise InputError(f"read(joints={{{name!r}: {value}}}): expected a finite number of radians or metres")
    return dict(given)


def made(links: Sequence[Link], values: Mapping[str, float | Course], left_out: LeftOut) -> tuple[list, list, dict]:
    """Bodies, obstacles and the pose of each link: what is free becomes a rigid body, what hangs on the world an obstacle.

    ``links``: each after its parent.
    """
    bodies: list[Body] = []
    obstacles: list[Obstacle] = []
    poses: dict[str, np.ndarray] = {}
    carried: dict[str, list[Link]] = {}  # free link → all that hang on it
    driven: set[str] = set()  # links that move in time
    for link in links:
        above, own = link.parent, link.moved(values, 0.0)
        poses[link.name] = own if above is None else poses[above.name] @ own
        link.base = link if link.free else above.base if above is not None else None
        if link.base is not None:
            carried.setdefault(link.base.name, []).append(link)
        moves = any(callable(values.get(_driver(joint))) for joint in link.joints)
        if moves or (above is not None and above.name in driven):
            driven.add(link.name)
    for base in [link for link in links if link.free]:
        held = sum(len(link.joints) for link in carried[base.name])
        left_out.count("joint of a free body (held at its value)", held)
        body = _rigid(base, carried[base.name], poses, left_out)
        if body is not None:
            bodies.append(body)
    for link in links:
        if link.base is None and link.forms:
            motion = Driven(link, dict(values)) if link.name in driven else None
            obstacles += _obstacles(link, motion, poses[link.name])
    return bodies, obstacles, poses


def _rigid(base: Link, own: Sequence[Link], poses: Mapping[str, np.ndarray], left_out: LeftOut) -> Body | None:
    """All that hangs on a free link as one rigid body."""
    whole = total(i for link in own for i in (turned(mass, poses[link.name]) for mass in link.masses))
    outlines = []
    for link in own:
        for form in link.forms:
            if form.kind == "plane":
                left_out.count("plane on a free body")
                continue
            mesh, same = closed(form.outline) if form.kind == "mesh" else (form.outline, True)
            if not same:
                left_out.note(f"the surface of {form.name!r} is not closed: it is drawn anew")
            outlines.append(TriMesh(moved(poses[link.name], mesh.vertices), mesh.triangles))
    if not outlines:
        left_out.count("free body without a shape")
        return None
    if whole is None:
        raise InputError(f"link {base.name!r} is free and has no mass; expected an inertial, or shapes with a density")
    counts = np.cumsum([0, *(len(mesh.vertices) for mesh in outlines)])
    joined = TriMesh(
        np.concatenate([mesh.vertices for mesh in outlines]),
        np.concatenate([mesh.triangles + first for mesh, first in zip(outlines, counts)]),
    )
    return Body(Rigid(joined, mass=whole), name=base.name)


def turned(mass: Inertia, at: np.ndarray) -> Inertia:
    """A mass in the axes that a pose leads to."""
    R = at[:3, :3]
    return Inertia(mass.mass, moved(at, np.asarray(mass.centre)[None])[0], R @ mass.tensor @ R.T)


def total(masses: Iterable[Inertia]) -> Inertia | None:
    """Several masses as one: I = Σ Iᵢ + mᵢ (|r|² 1 − r rᵀ), r from the common centre to that of each."""
    found = list(masses)
    if not found:
        return None
    mass = sum(m.mass for m in found)
    centre = sum((m.mass * np.asarray(m.centre) for m in found), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for m in found:
        r = np.asarray(m.centre) - centre
        tensor = tensor + m.tensor + m.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Inertia(mass, centre, tensor)


def _obstacles(link: Link, motion: Driven | None, at: np.ndarray) -> list[Obstacle]:
    """The shapes of a link as one obstacle, planes on their own; it moves where a joint before it does."""
    place = np.eye(4) if motion is not None else at
    solids = [(form, form.solid(place)) for form in link.forms]
    flat = [Obstacle(solid, motion, form.name or link.name) for form, solid in solids if form.kind == "plane"]
    others = [solid for form, solid in solids if form.kind != "plane"]
    if not others:
        return flat
    joined: Sdf = others[0]
    for solid in others[1:]:
        joined = joined | solid
    return [*flat, Obstacle(joined, motion, link.name)]


def _driver(joint: Joint) -> str:
    return joint.follows[0] if joint.follows is not None else joint.name


__all__ = ["Course", "Driven", "Joint", "Link", "Table", "checked_values", "made", "placed", "total", "turned"]
