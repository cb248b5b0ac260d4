"""Joints between bodies: ball, hinge, slider, weld, motors, tendons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...energy.points.joint_rows import ANGLE, DOT, LENGTH
from ...errors import InputError, did_you_mean
from ..base import Changing, Course, check_same
from .joint_frames import Places, Ride, shared_points

ALL = ((0, 1), (1, 2), (2, 0))  # pairs of directions at right angles, for frames that do not turn against each other


@dataclass
class Wanted:
    """What a joint asks for: ``points`` that are to be 0, and numbers of vectors (kind, vectors, more), for bodies of ``size``
    [m], of which ``tolerance`` is how exactly."""

    places: Places
    size: float
    tolerance: float
    points: list[Ride] = field(default_factory=list)
    numbers: list[tuple[int, list[Ride], dict[str, Any]]] = field(default_factory=list)

    @property
    def least(self) -> float:
        """How far apart points may stay [m]."""
        return self.tolerance * self.size

    def align(self, joint: Joint, own: list[Ride], others: list[Ride], pairs: Sequence[tuple[int, int]]) -> None:
        """Keep directions of two bodies at right angles."""
        moves = self.size**2 * self.places.turning(joint.bodies)
        for i, j in pairs:
            self.add(DOT, [own[i].times(self.size), others[j]], mobility=lambda nodes, slopes: moves)

    def add(self, kind: int, vectors: list[Ride], least: float | None = None, **more: Any) -> None:
        self.numbers.append((kind, vectors, {"least": self.least if least is None else least, **more}))


@dataclass(frozen=True, eq=False)
class Joint(Changing):
    """Part of all joints. ``name`` is what ``sim.force`` knows it by; ``tolerance``, of the bodies' size, is how far apart a
    solver that converges leaves what it joins."""

    name: str = field(default="", kw_only=True)
    tolerance: float = field(default=1e-7, kw_only=True)

    CHANGES: ClassVar[tuple[str, ...]] = ()
    first: ClassVar[int | None] = None  # which of its numbers is driven

    def __post_init__(self):
        checks.text(f"{type(self).__name__}(name=…)", self.name)
        checks.positive(f"{type(self).__name__}(tolerance=…)", self.tolerance)

    @property
    def bodies(self) -> tuple[str | None, ...]:
        """The names of the bodies that it joins, None for the world."""
        raise NotImplementedError(f"{type(self).__name__} needs bodies, as every Joint has")

    @property
    def felt(self) -> tuple[str, np.ndarray | None]:
        """The body whose force on it is ``sim.force``, and at which points (p, 3) of it; None for all of it."""
        raise NotImplementedError(f"{type(self).__name__} needs felt, as every Joint has")

    @property
    def driven(self) -> bool:
        """Whether it may put energy in."""
        return False

    def want(self, places: Places) -> Wanted:
        """What it keeps, limits and drives."""
        raise NotImplementedError(f"{type(self).__name__} needs want(places), as every Joint has")

    def values(self, time: float) -> dict[str, float]:
        """What drives the number that ``sim.joint_position`` reads, at a time [s]."""
        return {}

    def _wanted(self, places: Places) -> Wanted:
        sizes = [places[name].size for name in self.bodies]
        return Wanted(places, min(size for size in sizes if np.isfinite(size)), self.tolerance)


@dataclass(frozen=True, eq=False)
class Motor:
    """What drives a hinge or slider: a ``torque`` [N m], or the spring and damper of a PD controller towards ``target`` [rad].

    On a slider ``torque`` is a force [N] and ``target`` a distance [m]. ``stiffness`` [N m/rad, N/m] and ``damping`` [N m s/rad,
    N s/m] act on where the step ends, so that no gain is unstable. ``torque`` and ``target`` may be functions of time.
    """

    torque: float | Course = 0.0
    target: float | Course = 0.0
    stiffness: float = 0.0
    damping: float = 0.0

    def __post_init__(self):
        for name in ("torque", "target"):
            if not callable(getattr(self, name)):
                checks.number(f"Motor({name}=…)", getattr(self, name), expected="a number, or a function of time")
        for name in ("stiffness", "damping"):
            checks.number(f"Motor({name}=…)", getattr(self, name), 0, expected="a number of at least 0")
        if not callable(self.torque) and self.torque == 0 and self.stiffness == 0 and self.damping == 0:
            raise InputError("Motor() drives nothing; expected torque=…, or target=…, stiffness=… and damping=…")
        if self.stiffness == 0 and (callable(self.target) or self.target != 0):
            raise InputError(
                "Motor(target=…, stiffness=0): no gain follows the target; expected stiffness=… in N m/rad (of a slider N/m), or "
                "no target"
            )

    def values(self, time: float) -> dict[str, float]:
        """Its row at a time [s]."""
        goal = at(self.target, time, "Motor(target=…)")
        effort = -at(self.torque, time, "Motor(torque=…)")
        keeps = self.stiffness > 0 or self.damping > 0
        return {"goal": goal, "effort": effort, "spring": self.stiffness, "damping": self.damping, "keeps": keeps}


def at(course: float | Course, time: float, what: str) -> float:
    """A number, or what a function of time says."""
    value = checks.called(what, course, time) if callable(course) else course
    return checks.number(f"{what} at t = {time:g} s", value, expected="a number")


@dataclass(frozen=True, eq=False)
class Pair(Joint):
    """Part of joints of body ``one`` with body ``other``, or with the world where that is None.

    The two pass through each other, as links that overlap at a joint must; ``touch`` lets them touch like any others.
    """

    one: str
    other: str | None = None
    touch: bool = field(default=False, kw_only=True)

    point: ClassVar[Any]  # a field of all but welds

    def __post_init__(self):
        super().__post_init__()
        kind = type(self).__name__
        names = isinstance(self.one, str) and (self.other is None or isinstance(self.other, str))
        if not names or self.one == self.other:
            given = f"{kind}(one={self.one!r}, other={self.other!r})"
            raise InputError(f"{given}: expected the names of two bodies, or None for other, which is the world")
        checks.flag(f"{kind}(touch=…)", self.touch)

    @property
    def bodies(self) -> tuple[str | None, ...]:
        return self.one, self.other

    @property
    def felt(self) -> tuple[str, np.ndarray | None]:
        return self.one, np.asarray(self.point)[None]


@dataclass(frozen=True, eq=False)
class Ball(Pair):
    """A ``point`` [m, at rest] of two bodies, soft or rigid, that stays together; they turn freely about it."""

    point: Vector | None = None

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "point", checks.vector("Ball(point=…)", self.point, "metres"))

    def want(self, places: Places) -> Wanted:
        wanted = self._wanted(places)
        wanted.points += _together(places, self, [self.point])
        return wanted


@dataclass(frozen=True, eq=False)
class Weld(Pair):
    """Two bodies, soft or rigid, that stay together at ``points`` (p, 3) [m, at rest].

    None are all points of either surface that lie in the other body. Of two rigid bodies, or one and the world, all is welded.
    """

    points: Sequence[Vector] | np.ndarray | None = None

    def __post_init__(self):
        super().__post_init__()
        if self.points is not None:
            points = checks.points("points of Weld", self.points)
            if not len(points):
                raise InputError("Weld(points=…) is empty; expected (p, 3) in metres, or None")
            object.__setattr__(self, "points", points)

    @property
    def felt(self) -> tuple[str, np.ndarray | None]:
        return self.one, self.points

    def want(self, places: Places) -> Wanted:
        wanted, (one, other) = self._wanted(places), (places[self.one], places[self.other])
        if one.rigid and other.rigid:
            middle = one.elements.centre if self.points is None else np.mean(self.points, axis=0)
            wanted.points += _together(places, self, [middle])
            wanted.align(self, one.way(np.eye(3)), other.way(np.eye(3)), ALL)
            return wanted
        points = self.points
        if points is None:
            points = shared_points(one, other, f"Weld({self.one!r}, {self.other!r})")
        wanted.points += _together(places, self, points)
        return wanted


@dataclass(frozen=True, eq=False)
class Axial(Pair):
    """Part of joints of rigid bodies with an axis."""

    point: Vector | None = None
    axis: Vector | None = None
    limits: Vector | None = None
    motor: Motor | None = None

    CHANGES: ClassVar[tuple[str, ...]] = ("motor",)

    def __post_init__(self):
        super().__post_init__()
        kind = type(self).__name__
        object.__setattr__(self, "point", checks.vector(f"{kind}(point=…)", self.point, "metres"))
        object.__setattr__(self, "axis", checks.direction(f"{kind}(axis=…)", self.axis))
        if self.motor is not None:
            checks.instance(f"{kind}(motor=…)", self.motor, Motor, "Motor(torque=…), Motor(target=…, stiffness=…), or None")
        if self.limits is not None:
            limits = checks.floats(self.limits)
            if limits.shape != (2,) or not limits[0] < limits[1]:
                raise checks.refusal(f"{kind}(limits=…)", self.limits, "the least and the greatest value, or None")
            object.__setattr__(self, "limits", limits)

    @property
    def driven(self) -> bool:
        return self.motor is not None

    def values(self, time: float) -> dict[str, float]:
        return {"goal": 0.0, "effort": 0.0, "keeps": False} if self.motor is None else self.motor.values(time)

    def _frames(self, places: Places) -> tuple[list[Ride], list[Ride], list[Ride]]:
        """The point, and the axis with two directions across, (axis, a, b), of the one body and of the other."""
        kind = f"{type(self).__name__}({self.one!r}, {self.other!r})"
        one, other = places.rigid(self.one, kind), places.rigid(self.other, kind)
        a = np.cross(self.axis, np.eye(3)[np.argmin(np.abs(self.axis))])
        frame = np.array([self.axis, a / np.linalg.norm(a), np.cross(self.axis, a / np.linalg.norm(a))])
        return _together(places, self, [self.point]), one.way(frame), other.way(frame)

    def _drive(self, wanted: Wanted, kind: int, vectors: list[Ride], least: float) -> None:
        """The number that a motor may drive, and the same for each limit."""
        wanted.add(kind, vectors, least, **self.values(0.0))
        for side, goal in zip((-1, 1), () if self.limits is None else self.limits):
            wanted.add(kind, vectors, least, side=side, goal=float(goal))


@dataclass(frozen=True, eq=False)
class Hinge(Axial):
    """Two rigid bodies that turn about an ``axis`` through a ``point`` [m], both at rest.

    The angle [rad] is that of ``one`` against ``other``, right-handed about the axis, 0 at rest and counted on past ±π. It stays
    within ``limits``, and a ``motor`` drives it.
    """

    first = 2

    def want(self, places: Places) -> Wanted:
        wanted = self._wanted(places)
        point, own, others = self._frames(places)
        wanted.points += point
        wanted.align(self, own, others, ((0, 1), (0, 2)))
        self._drive(wanted, ANGLE, [*others[1:], own[1]], self.tolerance)
        return wanted


@dataclass(frozen=True, eq=False)
class Slider(Axial):
    """Two rigid bodies of which ``one`` slides along an ``axis`` of the other through a ``point`` [m, at rest], without turning.

    The way [m] is that of ``one`` along the axis, 0 at rest. It stays within ``limits``, and a ``motor`` drives it.
    """

    first = 5

    def want(self, places: Places) -> Wanted:
        wanted = self._wanted(places)
        (off,), own, others = self._frames(places)
        for across in others[1:]:
            wanted.add(DOT, [off, across])
        wanted.align(self, own, others, ALL)
        self._drive(wanted, DOT, [off, others[0]], wanted.least)
        return wanted


@dataclass(frozen=True, eq=False)
class Tendon(Joint):
    """A cord without friction and mass over a ``path`` of points: pairs (body, point [m, at rest]), or points of the world.

    It pulls with a ``tension`` [N], or is no longer than ``length`` [m]; both may be functions of time. At its points, which are
    pulleys of no size, it pulls along the two ways to its neighbours.
    """

    path: Sequence[Any]
    tension: float | Course | None = None
    length: float | Course | None = None

    CHANGES: ClassVar[tuple[str, ...]] = ("tension", "length")
    first = 0

    def __post_init__(self):
        super().__post_init__()
        if not isinstance(self.path, list | tuple) or len(self.path) < 2:
            raise InputError("Tendon(path=…): expected two or more pairs (body, point), or points of the world")
        path = tuple(self._stop(i, given) for i, given in enumerate(self.path))
        object.__setattr__(self, "path", path)
        if len({name for name, _ in path}) < 2:
            raise InputError(f"Tendon(path=…) touches {path[0][0] or 'the world'} alone; expected points of two bodies")
        if (self.tension is None) == (self.length is None):
            given = "neither" if self.tension is None else "both"
            raise InputError(f"Tendon(tension=…, length=…) has {given}; expected one: newtons, or metres")
        for name, given in (("tension", self.tension), ("length", self.length)):
            if given is not None and not callable(given):
                checks.number(f"Tendon({name}=…)", given, 0, expected="a number of at least 0, or a function of time")

    @staticmethod
    def _stop(i: int, given: Any) -> tuple[str | None, np.ndarray]:
        pair = isinstance(given, list | tuple) and len(given) == 2
        name, point = given if pair else (None, given)
        if name is not None and not isinstance(name, str):
            raise checks.refusal(f"Tendon(path[{i}])", given, "a pair (body, point), or a point of the world")
        return name, checks.vector(f"Tendon(path[{i}])", point, "metres")

    @property
    def bodies(self) -> tuple[str | None, ...]:
        return tuple(dict.fromkeys(name for name, _ in self.path))

    @property
    def last(self) -> int:
        """The last of its points that is of a body."""
        return max(i for i, (name, _) in enumerate(self.path) if name is not None)

    @property
    def felt(self) -> tuple[str, np.ndarray | None]:
        name, point = self.path[self.last]
        return name, point[None]

    @property
    def driven(self) -> bool:
        return self.tension is not None or callable(self.length)

    def check_change(self, now: Any) -> None:
        if (self.tension is None) != (now.tension is None):
            raise InputError("Tendon: a tension cannot become a length in a running simulation; build a new one")
        check_same("Tendon", self, now, (*self.CHANGES, "path"))

    def values(self, time: float) -> dict[str, float]:
        if self.tension is not None:
            return {"effort": at(self.tension, time, "Tendon(tension=…)"), "keeps": False}
        return {"goal": at(self.length, time, "Tendon(length=…)")}

    def want(self, places: Places) -> Wanted:
        wanted = self._wanted(places)
        stops = [places[name].at(point[None], "Tendon(path=…)")[0] for name, point in self.path]
        same = [i for i in range(1, len(stops)) if np.allclose(self.path[i][1], self.path[i - 1][1])]
        if same:
            raise InputError(f"Tendon(path=…): points {same[0] - 1} and {same[0]} are the same; expected different ones")
        wanted.add(LENGTH, [b - a for a, b in pairwise(stops)], side=1, **self.values(0.0))
        return wanted


def _together(places: Places, joint: Pair, points: Sequence[Any]) -> list[Ride]:
    """Points of the one body less those of the other."""
    what = f"{type(joint).__name__}: point"
    pairs = zip(*(places[name].at(np.asarray(points), what) for name in (joint.one, joint.other)))
    return [one - other for one, other in pairs]


KINDS = (Ball, Hinge, Slider, Weld, Tendon)


def check_joints(joints: Any, names: Sequence[str]) -> tuple[Joint, ...]:
    """One or several joints as a sequence; refuse what is none, and names of bodies that are not there."""
    made = tuple(joints) if isinstance(joints, list | tuple) else (joints,)
    for i, joint in enumerate(made):
        expected = "joint.Ball, joint.Hinge, joint.Slider, joint.Weld or joint.Tendon"
        checks.instance(f"Scene(joints[{i}]=…)", joint, KINDS, expected)
        for name in joint.bodies:
            if name is not None and name not in names:
                near = did_you_mean(name, names)
                raise InputError(
                    f"Scene(joints[{i}]=…): {type(joint).__name__} joins {name!r}, but no body has that name{near}; expected "
                    f"one of {', '.join(map(repr, names))}"
                )
    own = [joint.name for joint in made if joint.name]
    twice = next((name for name in own if own.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Scene(joints=…): two joints are called {twice!r}; give each its own name")
    return made


def joined_bodies(joints: Sequence[Joint], names: Sequence[str]) -> list[tuple[int, int]]:
    """The numbers of bodies of these names that pass through each other since a joint joins them."""
    pairs = [joint for joint in joints if isinstance(joint, Pair) and joint.other is not None and not joint.touch]
    return [(names.index(joint.one), names.index(joint.other)) for joint in pairs]


def named_joint(joints: Sequence[Joint], which: object, call: str) -> int:
    """The number of a joint that is called so, or has that number."""
    if isinstance(which, int | np.integer) and not isinstance(which, bool) and 0 <= which < len(joints):
        return int(which)
    names = [joint.name or f"joint {i}" for i, joint in enumerate(joints)]
    if isinstance(which, str) and which in names:
        return names.index(which)
    near = did_you_mean(which, names) if isinstance(which, str) else ""
    given = ", ".join(map(repr, names)) or "none"
    raise InputError(f"{call}: no joint is called {checks.shown(which)}{near}; there are {given}")


def driven(joints: tuple[Joint, ...], values: dict[Any, Any]) -> tuple[Joint, ...]:
    """The same joints with other motors, tensions or lengths, by name or number."""
    made = list(joints)
    for which, value in values.items():
        i = named_joint(made, which, f"set(joints={{{which!r}: …}})")
        joint = made[i]
        if not joint.CHANGES:
            raise InputError(f"set(joints={{{which!r}: …}}): {type(joint).__name__} has no motor, tension or length")
        changed = "motor" if isinstance(joint, Axial) else "length" if joint.tension is None else "tension"
        made[i] = replace(joint, **{changed: value})
    return tuple(made)
