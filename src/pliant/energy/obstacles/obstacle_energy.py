"""Obstacle contact: quadratic penalty in depth, and Coulomb friction.

Depth: E = k/2 min(φ(x), 0)² (Eq 8.7 with the distance evaluated afresh, so the force is always along the true normal and
vanishes on separation). Smoothed over a length s the force is k s log(1 + e^{−φ/s}), which has all derivatives (Weiß 2018,
Eq 2.8.3 with α = 1/s), and E = −k s² Li₂(−e^{−φ/s}). Friction: a spring from the node to an anchor on the obstacle holds until
it pulls with μN, then slides; N is the normal force of the last accepted step. A body that sticks therefore does not creep.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.checks import floats
from ...errors import InputError
from ...geometry.distance.sdf import Sdf, numbers_of, only_moved, upload
from ...geometry.distance.sdf_codes import PLANE
from ...geometry.distance.sdf_pieces import pieces
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ...runtime.vectors import Sums
from ..base import Energy, sums_over
from ..capabilities import Attached, Fused, LaggedFriction, Reacting, Stopping, Thing, Touching
from ..contact_forces import Pressed
from ..contact_totals import add_contacts
from ..embedded_points import EmbeddedPoints
from ..memory import Memory, Remembers, recall_rows
from .obstacle_curvature_kernels import obstacle_curvature_kernels
from .obstacle_functions import obstacle_structs, shapes_at, single
from .obstacle_kernels import obstacle_kernels
from .obstacle_sensitivity import OfContact
from .rolling_friction import Rolls

GRAIN = 128  # points per slice worth a thread
STEP = {"f64": 1e-5, "f32": 5e-3}  # of the size of the scene, over which normals are compared for the curvature


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A rigid shape; ``motion(t)`` gives its pose as a 4×4 matrix at time t [s], or None where it stands still."""

    shape: Sdf
    motion: Callable[[float], np.ndarray] | None = None
    name: str = "obstacle"

    def __post_init__(self):
        if not isinstance(self.shape, Sdf):
            raise InputError(
                f"Obstacle(shape={type(self.shape).__name__}): expected a solid such as sphere(0.1); of a surface "
                "sdf.from_mesh(mesh) is one"
            )
        checks.function("Obstacle(motion=…)", self.motion, "a function of time that returns a 4×4 pose")
        checks.text("Obstacle(name=…)", self.name)

    @property
    def flat(self) -> bool:
        """Whether it is a plane."""
        return len(self.shape.program) == 1 and self.shape.program[0].op == PLANE

    @cached_property
    def pieces(self) -> tuple["Obstacle", ...]:
        """Shapes without hollow edges whose union it is, with its motion; itself where it has no such edge."""
        return tuple(self if shape is self.shape else replace(self, shape=shape) for shape in pieces(self.shape))

    def pose(self, time: float) -> np.ndarray:
        """The 4×4 pose at ``time`` [s]."""
        if self.motion is None:
            return np.eye(4)
        pose = floats(self.motion(time))
        if pose.shape != (4, 4) or not np.all(np.isfinite(pose)):
            raise InputError(f"Obstacle.motion returned shape {pose.shape} at t = {time:g} s; expected (4, 4), finite")
        if np.abs(pose[:3, :3].T @ pose[:3, :3] - np.eye(3)).max() > 1e-4:
            raise InputError(f"Obstacle.motion at t = {time:g} s stretches its obstacle; expected a rotation and a shift")
        return pose


class ObstacleContact(
    Rolls, OfContact, Touching, Reacting, LaggedFriction, Stopping, Attached, Fused, Remembers, Energy
):  # fmt: skip
    """Points with positive stiffness [N/m] against rigid obstacles: the nodes, or those that ``carrier`` makes of them.

    A point touches where φ + ``offset`` < 0 [m]: minus half the thickness of what it stands for. ``smoothing`` [m] is the
    length over which the force sets in, 0 for a sharp contact. ``size`` [m] is that of the scene. ``grips`` are the group of each
    point and the friction (obstacles, groups) of each, in place of one for all.
    """

    name = "contact"

    def __init__(
        self, device: Device, obstacles: Sequence[Obstacle], stiffness: np.ndarray, friction: float,
        offset: np.ndarray | None = None, smoothing: float = 0.0, carrier: EmbeddedPoints | None = None,
        size: float = 1.0, grips: tuple[np.ndarray, np.ndarray] | None = None,
    ):  # fmt: skip
        super().__init__(device)
        self.carrier, self.step = carrier, self.step_of(size)
        self.smoothing = float(smoothing)
        self.obstacles, self.friction, self.count = tuple(obstacles), float(friction), len(stiffness)
        t, shape = device.types, (len(obstacles), len(stiffness))
        self.kernels = obstacle_kernels(device.precision)
        self.curvature = obstacle_curvature_kernels(device.precision)
        self.shapes, self.version = upload([o.shape for o in obstacles], device), 0
        self.stiffness = device.array(stiffness, t.real)
        self.offset = device.array(np.zeros(self.count) if offset is None else offset, t.real)
        self.turn, self.shift = device.zeros(shape[0], t.mat33), device.zeros(shape[0], t.position)
        self.anchor, self.normal = device.zeros(shape, t.position), device.zeros(shape, t.vec3)
        self.limit = device.zeros(shape, t.real)
        self.acting = (self.anchor, self.normal, self.limit)
        self.drag = device.zeros(shape, t.vec3)  # what a solver expects of friction; no memory: steps begin without
        self.clearance = device.zeros(shape, t.vec4)  # what need not be evaluated again; no memory: it changes no result
        self.scalar, self.force = device.zeros(self.count, t.real), device.zeros(self.count, t.vec3)
        self.posed, self.points = self._posed(), obstacle_structs(device.precision)[1]()
        self.points.stiffness, self.points.offset = self.stiffness, self.offset
        self.points.clearance = self.clearance
        group, grip = (np.zeros(self.count, int), np.full((shape[0], 1), self.friction)) if grips is None else grips
        self.points.group, self.points.grip = device.array(group, wp.int32), device.array(grip, t.real)
        self.rub(grip)
        self.at = self.arrived = self.direction = self.gap = self.loss = None
        self._views: dict[tuple[int, int], tuple] = {}
        if carrier is not None:
            self.at, self.arrived = (device.zeros(self.count, t.position) for _ in range(2))
            self.direction = device.zeros(self.count, t.vec3)
        self.diagonal, self.own = device.array(np.arange(self.count), wp.int32), device.zeros(self.count, t.mat33)
        self.place(0.0)

    def _posed(self) -> Any:
        return shapes_at(self.shapes, [o.shape.slope for o in self.obstacles], self.turn, self.shift, self.device)

    def place(self, time: float) -> None:
        """Put the obstacles where they are at ``time`` [s]."""
        poses = np.stack([o.pose(time) for o in self.obstacles])
        kind = self.device.types.numpy
        self.turn.assign(np.ascontiguousarray(poses[:, :3, :3], dtype=kind))
        self.shift.assign(np.ascontiguousarray(poses[:, :3, 3], dtype=float))
        self.device.clear(self.clearance)

    def reshape(self, obstacles: Sequence[Obstacle]) -> None:
        """Take as many obstacles of other shapes; friction's anchors stay where they are on each."""
        before, self.obstacles = self.obstacles, tuple(obstacles)
        shapes = [o.shape for o in obstacles]
        self.device.clear(self.clearance)
        if all(only_moved(shape, old.shape) for shape, old in zip(shapes, before)):
            kind = self.device.types.numpy  # into the arrays that recorded launches hold
            self.shapes.numbers.assign(numbers_of(shapes).ravel().astype(kind))
            self.posed.slope.assign(np.array([shape.slope for shape in shapes], kind))
            return
        self.shapes, self.version = upload(shapes, self.device), self.version + 1
        self.posed, self._views = self._posed(), {}
        self.device.forget()  # launches that hold the old arrays

    def rub(self, grip: np.ndarray) -> None:
        """Another friction (obstacles, groups); negative where they pass through each other, which cannot change."""
        self.friction = float(grip.max(initial=0.0))
        self.points.grip.assign(grip.astype(self.device.types.numpy))

    def step_of(self, size: float) -> float:
        """The length [m] over which normals are compared for the curvature, in a scene of that size [m]."""
        return STEP[self.device.precision] * float(size)

    @property
    def recordable(self) -> tuple:
        return self.version, self.smoothing, self.step

    @property
    def moves(self) -> bool:
        return any(obstacle.motion is not None for obstacle in self.obstacles)

    @property
    def curved(self) -> bool:
        """Whether some obstacle is more than a plane, so that its normal turns from place to place."""
        return any(not o.flat for o in self.obstacles)

    def _shapes(self) -> tuple:
        return self.posed, self.points, self.smoothing

    def _params(self) -> tuple:
        return *self._shapes(), *self.acting

    def settle(self, x: wp.array) -> None:
        """Take over the contact state of an accepted step."""
        settled = (*self._shapes(), self._points(x, self.at), *self.acting)
        self.device.launch(self.kernels.contact_settle, self.count, *settled)
        for kept, acting in zip(self.memory.values(), self.acting):
            if kept is not acting:
                self.device.copy(acting, kept)

    def touch(self, x: wp.array, out: wp.array) -> None:
        where = (*self._params(), self._points(x, self.at), *self._told())
        self.device.launch(self.kernels.contact_touch, self.count, *where, grain=GRAIN)
        add_contacts(self.device, self.sums.bounds, self.gap, self.loss, out)

    def _told(self) -> tuple[wp.array, wp.array]:
        """Room for the gap of each point and what its friction took."""
        if self.gap is None:
            self.gap, self.loss = (self.device.zeros(self.count, wp.float64) for _ in range(2))
        return self.gap, self.loss

    def contacts(self, x: wp.array) -> Pressed:
        at, none = self._points(x, self.at), self.device.zeros((1, self.count), self.device.types.real)
        nodes, weights = np.arange(self.count)[:, None], np.ones((self.count, 1))
        if self.carrier is not None:
            nodes, weights = self.carrier.nodes, self.carrier.device_weights.numpy().T.astype(float)
        parts = []
        for o in range(len(self.obstacles)):
            *shape, anchor, normal, limit = self._alone(o)
            pressing, whole = (self._at_points(*shape, anchor, normal, own, at) for own in (none, limit))
            self.device.launch(
                self.kernels.contact_touch, self.count, *shape, anchor, normal, limit, at, *self._told(), grain=GRAIN
            )
            given = (pressing, whole - pressing, self.gap.numpy(), normal.numpy()[0].astype(float))
            parts.append(Pressed.of(nodes, weights, *given, obstacle=o))
        return Pressed.all_of(parts)

    def _at_points(self, *params: Any) -> np.ndarray:
        """(p, 3) the force of a launch on each point [N]."""
        self.device.clear(self.force)
        self.device.launch(self.kernels.contact_value_gradient, self.count, *params, self.scalar, self.force, grain=GRAIN)
        return -self.force.numpy().astype(float)

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        for o in range(len(self.obstacles)):
            total = self.device.zeros(len(x), self.device.types.vec3)
            at, one = self._points(x, self.at), self._alone(o)
            if self.carrier is None:
                self.device.launch(self.kernels.contact_value_gradient, self.count, *one, at, self.scalar, total, grain=GRAIN)
            else:
                self._at_points(*one, at)
                self.carrier.spread(self.force, total)
            yield ("obstacle", o), total.numpy().astype(float)

    def _alone(self, o: int) -> tuple:
        """The parameters of a launch for one obstacle, as views of those for all."""
        if (o, self.version) not in self._views:
            posed, points = single(self.posed, o, self.device.precision), obstacle_structs(self.device.precision)[1]()
            points.stiffness, points.offset = self.stiffness, self.offset
            points.clearance, points.grip = self.clearance[o : o + 1], self.points.grip[o : o + 1]
            points.group = self.points.group
            memory = tuple(array[o : o + 1] for array in self.acting)
            self._views[o, self.version] = (posed, points, memory)
        posed, points, memory = self._views[o, self.version]
        return posed, points, self.smoothing, *memory

    @property
    def memory(self) -> dict[str, wp.array]:
        return {"anchor": self.anchor, "normal": self.normal, "limit": self.limit}

    @cached_property
    def sums(self) -> Sums:
        return sums_over(self, np.arange(self.count) if self.carrier is None else self.carrier.nodes[:, 0])

    def recall(self, memory: Memory) -> None:
        if self.carrier is None:
            recall_rows(self.memory, memory)
        else:
            super().recall(memory)

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        if self.carrier is None and self.count > count:
            spare = ((0, 0), (0, self.count - count), (0, 0))
            saved = {name: np.pad(values, spare[: values.ndim]) for name, values in saved.items()}
        super().check(saved, count)

    def cells(self) -> np.ndarray | None:
        return None if self.carrier is None else self.carrier.nodes

    def attach(self, pattern: BlockMatrix) -> None:
        if self.carrier is not None:
            self.carrier.attach(pattern)

    def _points(self, x: wp.array, out: wp.array | None) -> wp.array:
        """(p,) the points of nodal values x, which are x itself where the points are nodes."""
        if self.carrier is None:
            return x
        self.carrier.carry(x, out)
        return out

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._forces(x, self.force)  # which nobody reads
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    def _forces(self, x: wp.array, out: wp.array) -> None:
        """out += the gradient with respect to the points; their energies go to ``scalar``."""
        self.device.launch(
            self.kernels.contact_value_gradient,
            self.count,
            *self._params(),
            self._points(x, self.at),
            self.scalar,
            out,
            grain=GRAIN,
        )

    def gradient(self, x: wp.array, out: wp.array) -> None:
        if self.carrier is None:
            self._forces(x, out)
        else:
            self.device.clear(self.force)
            self._forces(x, self.force)
            self.carrier.spread(self.force, out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    @property
    def stops(self) -> bool:
        return self.friction > 0 and self.carrier is None

    def stop(self, x: wp.array, d: wp.array) -> None:
        self.device.launch(self.kernels.contact_stop, self.count, self.posed, self.points, *self.acting, x, d)

    @property
    def learns(self) -> bool:
        return self.friction > 0

    def update_lagged(self, x: wp.array, after: wp.array) -> None:
        at, then = self._points(x, self.at), self._points(after, self.arrived)
        given = (self.posed, self.points, *self.acting, at, then, self.drag)
        self.device.launch(self.kernels.contact_expect, self.count, *given)

    def clear_lagged(self) -> None:
        self.device.clear(self.drag)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        at, direction, total = self._points(x, self.at), self._points(d, self.direction), out
        if self.carrier is not None:
            self.device.clear(self.force)
            total = self.force
        self.device.launch(
            self.kernels.contact_tangent, self.count, *self._params(), self.drag, at, direction, total, grain=GRAIN
        )
        if self.curved and not project:
            bent = (*self._shapes(), self.step, at, direction, total)
            self.device.launch(self.curvature.bend_tangent, self.count, *bent, grain=GRAIN)
        if self.carrier is not None:
            self.carrier.spread(total, out)

    def linearise(self, x: wp.array) -> None:
        self._put_blocks(self._points(x, self.at), self.diagonal, self.own)

    def _put_blocks(self, at: wp.array, where: wp.array, values: wp.array) -> None:
        if values is self.own:
            self.device.clear(values)
        params = (*self._params(), self.drag, at, values)
        self.device.launch(self.kernels.contact_blocks, self.count, where, *params, grain=GRAIN)

    def multiply(self, d: wp.array, out: wp.array) -> None:
        direction, total = self._points(d, self.direction), out
        if self.carrier is not None:
            self.device.clear(self.force)
            total = self.force
        self.device.launch(self.kernels.multiply_blocks, self.count, self.own, direction, total, grain=4 * GRAIN)
        if self.carrier is not None:
            self.carrier.spread(total, out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        at, where, values = self._points(x, self.at), pattern.device_diagonal, pattern.values
        if self.carrier is not None:
            where, values = self.diagonal, self.own
        self._put_blocks(at, where, values)
        if self.curved and not project:
            self.device.launch(self.curvature.bend_blocks, self.count, where, *self._shapes(), self.step, at, values, grain=GRAIN)
        if self.carrier is not None:
            self.carrier.blocks(values, pattern)
