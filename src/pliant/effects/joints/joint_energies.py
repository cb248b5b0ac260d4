"""Joint energies of a scene: multipliers, limits and drives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import warp as wp

from ...elements.embedded_surface import widened
from ...energy.base import Energy, Step
from ...energy.capabilities import Fastening, Thing
from ...energy.points.joint_points import JoinedPoints
from ...energy.points.joint_rows import JointRows, Row
from ...errors import InputError
from ...runtime.device import Device
from ..base import Changing
from ..effect_layout import Layout
from .joint_effects import KINDS, Joint, Motor, Tendon, Wanted
from .joint_frames import Places, Ride


@dataclass(frozen=True, eq=False)
class Joints(Changing):
    """All joints of a scene; ``before`` are those that its contact has."""

    joints: tuple[Joint, ...] = ()
    before: int = 0

    def check_change(self, now: Joints) -> None:
        if [type(one) for one in self.joints] != [type(one) for one in now.joints]:
            raise InputError("joints cannot come or go in a running simulation; expected the same ones, or build a new one")
        for one, other in zip(self.joints, now.joints):
            if one is not other:
                one.check_change(other)

    @property
    def driven(self) -> bool:
        """Whether any of them may put energy in."""
        return any(joint.driven for joint in self.joints)


VALUES = (*KINDS, Motor, Joints)


@dataclass(frozen=True, eq=False)
class Made:
    """A joint in a layout: what it ``wanted`` of bodies, and rides of the points at which the first of them feels it."""

    joint: Joint
    thing: Thing
    wanted: Wanted
    own: list[Ride]
    part: int

    @classmethod
    def of(cls, joint: Joint, number: int, places: Places) -> Made:
        name, points = joint.felt
        own = places[name].nodes() if points is None else places[name].at(points, type(joint).__name__)
        return cls(joint, ("joint", number), joint.want(places), own, places[name].part.index)

    def middle(self, x: np.ndarray) -> np.ndarray:
        """(3,) the mean of those points [m]."""
        return np.mean([ride.weights @ x[ride.nodes] + ride.shift for ride in self.own], axis=0)


class OfJoints(Fastening):
    """Part of the energies of joints: ``owner`` (c,) is the joint of each constraint, ``made`` all joints of all scenes."""

    owner: np.ndarray
    made: list[Made]

    def joint_middle(self, number: int, x: wp.array) -> np.ndarray | None:
        """(3,) the mean of the points at which the first body feels a joint [m]; None where there is no such joint."""
        return next((made.middle(x.numpy()) for made in self.made if made.thing[1] == number), None)


class ScenePoints(OfJoints, JoinedPoints):
    """The points that the joints of all scenes keep together."""

    def __init__(self, device: Device, layout: Layout, made: list[Made]):
        pairs = [(i, ride) for i, one in enumerate(made) for ride in one.wanted.points]
        self.made, self.owner, rides = made, np.array([i for i, _ in pairs]), [ride for _, ride in pairs]
        wide = max(len(ride.nodes) for ride in rides)
        mixed = [widened(ride.nodes[None], ride.weights[None], wide) for ride in rides]
        nodes, weights = (np.concatenate([m[i] for m in mixed]) for i in range(2))
        slopes = weights[:, None, :, None] * np.eye(3)[None, :, None]
        moves = [made[i].wanted.places.mobility(n, s) for i, n, s in zip(self.owner, nodes, slopes)]
        least = np.linalg.eigvalsh(moves)[:, :, 0].T  # of all directions, that in which most has to be moved
        mass, firm = np.where(least > 0, 1 / np.where(least > 0, least, 1.0), 1.0)
        goal, apart = (np.array(v) for v in ([-r.shift for r in rides], [made[i].wanted.least for i in self.owner]))
        super().__init__(device, layout.rest, nodes, weights, goal, mass, firm, apart)
        self._layout = layout

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        force = self.constants[:, None] * (self.goal.numpy() - self.found.numpy())
        parts = self._layout.parts
        for i, one in enumerate(self.made):
            out = np.zeros((len(x), 3))
            own = np.flatnonzero(self.owner == i)
            if len(own):
                np.add.at(out, self.elements.nodes[own], self.weights[own][:, :, None] * force[own, None])
                out[np.setdiff1d(np.arange(len(x)), np.arange(len(x))[parts[one.part].nodes])] = 0.0
                yield one.thing, out


class SceneRows(OfJoints, JointRows):
    """The numbers that the joints of all scenes keep, limit or drive, of tendons or of the others."""

    def __init__(self, device: Device, layout: Layout, made: list[Made], tendons: bool):
        self.made, self._layout = made, layout
        chosen = [i for i, one in enumerate(made) if isinstance(one.joint, Tendon) == tendons]
        self.owner = np.array([i for i in chosen for _ in made[i].wanted.numbers])
        self.joints = {i: made[i].joint for i in chosen}
        rows = [_row(made[i].wanted.places, *number) for i in chosen for number in made[i].wanted.numbers]
        super().__init__(device, layout.rest, rows)

    def begin(self, step: Step) -> None:
        if step.lasts > 0:
            for i, joint in [(i, one) for i, one in self.joints.items() if one.first is not None]:
                row = self.rows[np.flatnonzero(self.owner == i)[joint.first]]
                for name, value in joint.values(step.time).items():
                    setattr(row, name, value)
        super().begin(step)

    def adopt(self, layout: Layout) -> None:
        now = [joint for scene in layout.of(Joints) for given in scene for joint in given.joints]
        self.joints = {i: now[i] for i in self.joints}

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        self.measure(x)
        pull = self.found.numpy() + self.effort.numpy()
        slope = self.slope.numpy()
        shares = np.einsum("vkr,vrc->rkc", self.weights, slope) * pull[:, None, None]
        for i, joint in self.joints.items():
            out, own, one = np.zeros((len(x), 3)), np.flatnonzero(self.owner == i), self.made[i]
            if isinstance(joint, Tendon):
                (end,), (r,), i = one.own, own, joint.last
                along = slope[i - 1, r] if i > 0 else 0.0
                out[end.nodes] = end.weights[:, None] * pull[r] * (along - (slope[i, r] if i + 1 < len(joint.path) else 0.0))
            elif len(own):
                np.add.at(out, self.elements.nodes[own], shares[own])
                out[np.setdiff1d(np.arange(len(x)), np.arange(len(x))[self._layout.parts[one.part].nodes])] = 0.0
            yield one.thing, out

    def position(self, joint: Joint, x: wp.array) -> float | None:
        """The angle [rad] of a hinge, the way [m] of a slider, or the length [m] of a tendon at x; None for others."""
        mine = [i for i, one in self.joints.items() if one is joint and one.first is not None]
        if not mine:
            return None
        self.measure(x)
        return float(self.phi.numpy()[np.flatnonzero(self.owner == mine[0])[joint.first]])


def _row(places: Places, kind: int, vectors: list[Ride], more: dict) -> Row:
    """A number of vectors over the nodes that any of them has."""
    nodes = np.unique(np.concatenate([ride.nodes for ride in vectors]))
    weights = np.zeros((len(vectors), len(nodes)))
    for v, ride in enumerate(vectors):
        np.add.at(weights[v], np.searchsorted(nodes, ride.nodes), ride.weights)
    shift = np.array([ride.shift for ride in vectors])
    return Row(kind, nodes, weights, shift, **{"mobility": places.mobility, **more})


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    joints: list[Made] = []
    ends = np.cumsum([0, *((len(layout.parts),) if layout.sizes is None else layout.sizes)])
    for given, (i, j) in zip(layout.of(Joints), pairwise(ends)):
        for scene in given:
            places = Places(layout, layout.parts[i:j], [joint.bodies for joint in scene.joints])
            joints += [Made.of(joint, scene.before + k, places) for k, joint in enumerate(scene.joints)]
    found: list[Energy] = []
    if any(one.wanted.points for one in joints):
        found.append(ScenePoints(device, layout, joints))
    for tendons in (False, True):
        if any(one.wanted.numbers and isinstance(one.joint, Tendon) == tendons for one in joints):
            found.append(SceneRows(device, layout, joints, tendons))
    return found
