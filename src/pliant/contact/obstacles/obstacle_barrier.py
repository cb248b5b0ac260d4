"""Barrier between points and rigid obstacles, which no point enters.

The obstacle is a signed distance, and its distance is the gap. Where an obstacle moves, a step begins with it where it was: it
then goes as far as the points allow (``advance_drive``), and on again once they have given way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import warp as wp
from scipy.spatial.transform import Rotation

from ...energy.base import Energy, Step
from ...energy.capabilities import Attached, Driven, Reacting, Rolling, Thing, Touching
from ...energy.contact_forces import Pressed
from ...energy.contact_totals import add_contacts
from ...energy.embedded_points import EmbeddedPoints
from ...energy.memory import Memory, Parents, Remembers
from ...energy.obstacles.obstacle_energy import Obstacle
from ...energy.obstacles.obstacle_functions import shapes_at, single
from ...energy.obstacles.rolling_friction import OTHER
from ...energy.obstacles.rolling_kernels import rolling_kernels
from ...geometry.distance.sdf import upload
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ...runtime.vectors import Sums, vector_kernels
from ..pairs.contact_surface import Surface
from ..pairs.pair_law import Grips
from ..pairs.point_pairs import DIFFERENCE, GRAIN, Gathered, pair_kernels
from .obstacle_barrier_kernels import obstacle_barrier_kernels, state_structs


class ObstacleBarrier(Driven, Rolling, Touching, Reacting, Attached, Gathered, Remembers, Energy):
    """Points nearer than ``reach`` [m] to an obstacle are pressed off with ``pressure`` [Pa] (p,) times −B′ of the gap.

    ``friction`` takes the normal forces of the start of a step; it is full from a slip of ``slip`` [m] on.
    """

    name = "obstacle barrier"
    rolling: wp.array | None = None  # 1 at points of rigid bodies; None where there are none

    def __init__(
        self, device: Device, surface: Surface, obstacles: Sequence[Obstacle], pressure: np.ndarray, reach: float,
        friction: float = 0.0, slip: float = 1e-5, carrier: EmbeddedPoints | None = None,
    ):  # fmt: skip
        super().__init__(device)
        t, points, shape = device.types, surface.count, (len(obstacles), surface.count)
        self.surface, self.obstacles, self.reach, self.version = surface, tuple(obstacles), float(reach), 0
        self.slip = float(slip)
        self.kernels, self.wide = obstacle_barrier_kernels("f64"), Device(device.name, "f64", device.threads)
        self.carrier = EmbeddedPoints(device, surface.nodes, surface.weights) if carrier is None else carrier
        self.totals = Sums(device, np.array([0, points]))
        zeros = device.zeros
        self.at, self.direction, self.force = (zeros(points, t.position) for _ in range(3))
        self.stiffness, self.own = zeros(points, wp.mat33d), zeros(points, t.mat33)
        self.values, self.gaps, self.loss, self.limits = (zeros(points, wp.float64) for _ in range(4))
        self.clearance = zeros(shape, wp.vec4d)
        self.points = state_structs("f64")[0]()
        self.points.strength = device.array(pressure * surface.area, wp.float64)
        self.points.offset = device.array(-0.5 * surface.thickness, wp.float64)
        grips = surface.grips or Grips(
            np.zeros(len(surface.alone), int), np.zeros((1, 1)), np.full((shape[0], 1), float(friction))
        )
        self.points.group = device.array(grips.group[surface.body], wp.int32)
        self.points.grip = device.array(grips.obstacles, wp.float64)
        directions, shares = grips.directed()
        self.points.way = device.array(directions, wp.vec3d)
        self.points.share = device.array(shares, wp.vec2d)
        self.friction = grips.largest
        self.points.press = zeros(shape, wp.float64)
        self.points.anchor, self.points.normal = zeros(shape, wp.vec3d), zeros(shape, wp.vec3d)
        self.held = zeros(shape, wp.vec3d)  # slips where the step before ended, in the frames of the obstacles
        self.predicted = filled(state_structs("f64")[1], zeros(shape, wp.vec3d), *(zeros(shape, wp.float64) for _ in range(3)))
        self.compliance, self.news, self.predicts = zeros(points, wp.float64), zeros(1, wp.int32), False
        self.turn, self.shift = zeros(shape[0], wp.mat33d), zeros(shape[0], wp.vec3d)
        self.turning, self.shifting, self.still = (zeros(shape[0], wp.vec3d) for _ in range(3))
        self.poses, self.ends, self.going = self.poses_at(0.0), None, False
        self.reshape(obstacles)
        self._place()

    def rub(self, grips: Grips) -> None:
        """Take other frictions of the same groups."""
        self.friction = grips.largest
        self.points.grip.assign(grips.obstacles)

    def press_with(self, pressure: np.ndarray) -> None:
        """Another pressure [Pa] at each point."""
        self.points.strength.assign(pressure * self.surface.area)

    # --- obstacles

    def reshape(self, obstacles: Sequence[Obstacle]) -> None:
        """Take as many obstacles of other shapes."""
        self.obstacles, self.version = tuple(obstacles), self.version + 1
        self.shapes = upload([o.shape for o in obstacles], self.wide)
        slopes = [o.shape.slope for o in obstacles]
        self.posed, self._views = shapes_at(self.shapes, slopes, self.turn, self.shift, self.wide), {}
        self.clearance.zero_()
        self.device.forget()

    def poses_at(self, time: float) -> np.ndarray:
        """(o, 4, 4) where the obstacles are at ``time`` [s]."""
        return np.stack([o.pose(time) for o in self.obstacles])

    def _place(self) -> None:
        self.turn.assign(np.ascontiguousarray(self.poses[:, :3, :3]))
        self.shift.assign(np.ascontiguousarray(self.poses[:, :3, 3]))
        self.clearance.zero_()

    @property
    def has_way_left(self) -> bool:
        return self.ends is not None

    def start_drive(self) -> None:
        turn = self.poses[:, :3, :3].transpose(0, 2, 1) @ self.ends[:, :3, :3]
        self._turning = Rotation.from_matrix(turn).as_rotvec()
        self._shifting = self.ends[:, :3, 3] - self.poses[:, :3, 3]
        self.turning.assign(self._turning)
        self.shifting.assign(self._shifting)
        self.going = True

    def advance_drive(self, part: float) -> None:
        if part >= 1:
            self.poses, self.ends = self.ends, None
        else:
            self.poses = self.poses.copy()
            self.poses[:, :3, :3] = self.poses[:, :3, :3] @ Rotation.from_rotvec(part * self._turning).as_matrix()
            self.poses[:, :3, 3] += part * self._shifting
        self.going = False
        self._place()

    # --- life

    def begin(self, step: Step) -> None:
        self.points.press.zero_()
        ends = self.poses_at(step.time)
        if step.start is None:
            self.poses, self.ends, self.going = ends, None, False
            self._place()
            return
        self.ends = ends if np.any(ends != self.poses) else None
        if self.friction > 0 and step.rate > 0:
            self.carrier.carry(step.start, self.at)
            self._launch(self.kernels.press_points, self.posed, self.reach, self.at, self.held, self.points)
            if self.rolling is not None and step.origin is not None:
                self._lean(step)

    def roll_at(self, points: np.ndarray) -> None:
        """These points (p,) belong to rigid bodies, and are held by friction where they press at last (rolling_friction.py)."""
        self.rolling = self.device.array(points, wp.int32) if points.any() else None

    def _lean(self, step: Step) -> None:
        rolls, turn, anchor = rolling_kernels("f64"), self.turn, self.points.anchor
        self._launch(rolls.seat, self.rolling, self.posed, self.at, self.points.press, anchor)
        if self.ends is not None:
            turn = self.device.array(self.ends[:, :3, :3], wp.mat33d)
        self.carrier.carry(step.origin, self.direction)
        self._launch(rolls.lean, self.rolling, turn, self.at, self.direction, anchor)

    def roll(self, x: wp.array) -> bool:
        if self.rolling is None or not self.friction > 0:
            return False
        self.carrier.carry(x, self.at)
        given = (self.rolling, self.posed, self.reach, self.at, self.points, self.values, self.gaps)
        self._launch(self.kernels.press_where_it_ends, *given)
        change, size = self.device.reads(self.values, self.gaps)
        return bool(change.sum() > OTHER * size.sum())

    def touch(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        add_contacts(self.device, self.totals.bounds, self.gaps, self.loss, out)

    def contacts(self, x: wp.array) -> Pressed:
        given, parts = (self.carrier.nodes, self.carrier.device_weights.numpy().T.astype(float)), []
        pressing = [-gradient.numpy().astype(float) for gradient in self._by_obstacle(x, rubs=False)]
        turned = np.einsum("oij,onj->oni", self.turn.numpy(), self.points.normal.numpy())
        for o, gradient in enumerate(self._by_obstacle(x)):
            friction = -gradient.numpy().astype(float) - pressing[o]
            parts.append(Pressed.of(*given, pressing[o], friction, self.gaps.numpy(), turned[o], obstacle=o))
        return Pressed.all_of(parts)

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        total = self.device.zeros(len(x), self.device.types.vec3)
        for o, gradient in enumerate(self._by_obstacle(x)):
            self.device.clear(total)
            self.carrier.spread(gradient, total)
            yield ("obstacle", o), total.numpy().astype(float)

    def _by_obstacle(self, x: wp.array, rubs: bool = True) -> Iterator[wp.array]:
        """The gradient at the points for one obstacle after the other; between steps, which have friction, of the barrier."""
        self.carrier.carry(x, self.at)
        spare = (self.values, self.gaps, self.loss)
        for o in range(len(self.obstacles)):
            posed, points, clearance = self._alone(o, rubs)
            law = (posed, points, self.reach, self.slip)
            self._launch(self.kernels.evaluate_points, *law, self.at, clearance, *spare, self.force)
            yield self.force

    def _alone(self, o: int, rubs: bool) -> tuple:
        """One obstacle, the points and what need not be looked at again, as views of those for all; without friction or with."""
        if (o, rubs, self.version) not in self._views:
            posed, points, one = single(self.posed, o, "f64"), state_structs("f64")[0](), slice(o, o + 1)
            for name in ("strength", "offset", "group"):
                setattr(points, name, getattr(self.points, name))
            for name in ("grip", "press", "anchor", "normal", "way", "share"):
                setattr(points, name, getattr(self.points, name)[one])
            if not rubs:
                points.press = wp.zeros_like(points.press)
            self._views[o, rubs, self.version] = (posed, points, self.clearance[one])
        return self._views[o, rubs, self.version]

    def accept(self, x: wp.array, time: float) -> None:
        self.poses, self.ends, self.going = self.poses_at(time), None, False
        self._place()
        self.carrier.carry(x, self.at)
        self._launch(self.kernels.hold_points, self.posed, self.points, self.slip, self.at, self.held)
        self.points.press.zero_()  # friction is no energy of a state

    @property
    def memory(self) -> Memory:
        return {"held": self.held}

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}  # other points: friction begins anew

    def safe(self, x: wp.array, d: wp.array, out: wp.array) -> None:
        self.carrier.carry(x, self.at)
        self.carrier.carry(d, self.direction)
        motion = (self.turning, self.shifting) if self.going else (self.still, self.still)
        self._advance(*motion)
        parts = self.totals.parts(vector_kernels("f64").min_chunk, self.limits)
        self.totals.use(self.totals.kernels.take_least, parts, out)

    def least_shares(self, share: wp.array) -> float:
        self.carrier.take_least(self.limits, share)
        return 1.0

    def predict(self, x: wp.array, d: wp.array, compliance: wp.array) -> bool:
        self.carrier.carry(x, self.at)
        self.carrier.carry(d, self.direction)
        self.carrier.soften(compliance, self.compliance)
        self.news.zero_()
        given = (*self._params(), self.compliance, self.limits, self.at, self.direction)
        self._launch(self.kernels.predict_points, *given, self.predicted, self.news)
        changed = bool(self.device.read(self.news)[0])
        self.predicts |= changed
        return changed

    def add_predicted(self, out: wp.array) -> None:
        if self.predicts:
            self._launch(self.kernels.push_predicted, self.predicted, self.force)
            self.carrier.spread(self.force, out)

    def forget_predicted(self) -> None:
        if self.predicts:
            self.predicts = False
            self.predicted.firm.zero_()
            self.predicted.push.zero_()

    def _advance(self, *motion: wp.array) -> None:
        """How far each point may go, while obstacles move meanwhile."""
        given = (self.posed, self.points, *motion, self.at, self.direction, self.limits)
        self._launch(self.kernels.advance_points, *given)

    # --- physics

    @property
    def recordable(self) -> tuple:
        return self.version, self.slip, self.going, self.predicts

    def _launch(self, kernel: wp.Kernel, *arguments) -> None:
        self.device.launch(kernel, self.surface.count, *arguments, grain=GRAIN)

    def _params(self) -> tuple:
        return self.posed, self.points, self.reach

    def _evaluate(self, x: wp.array) -> None:
        self.carrier.carry(x, self.at)
        out = (self.clearance, self.values, self.gaps, self.loss, self.force)
        self._launch(self.kernels.evaluate_points, *self._params(), self.slip, self.at, *out)

    def _add_value(self, out: wp.array) -> None:
        self.totals.add_to(out, 1.0, vector_kernels("f64").sum_chunk, self.values)

    def _spread(self, out: wp.array) -> None:
        self.carrier.spread(self.force, out)

    def _stiffen(self, reach: float, bent: bool) -> None:
        """With ``bent`` all of the tangent, or else what is positive of it."""
        params = (self.posed, self.points, reach, self.slip, int(bent), DIFFERENCE)
        self._launch(self.kernels.stiffen_points, *params, self.clearance, self.at, self.stiffness)
        if self.predicts:
            self._launch(self.kernels.stiffen_predicted, self.predicted, self.stiffness)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if project:
            self.carrier.carry(x, self.at)
        else:
            self._evaluate(x)
        self.carrier.carry(d, self.direction)
        if not project:
            given = (DIFFERENCE, self.clearance, self.gaps, self.at, self.direction, self.force)
            self._launch(self.kernels.difference_points, *self._params(), *given)
            self.carrier.spread(self.force, out)
        self._stiffen(self.reach if project else 0.0, not project)  # with no reach: friction alone
        self._launch(self.kernels.multiply_points, self.stiffness, self.direction, self.force)
        self.carrier.spread(self.force, out)

    def cells(self) -> np.ndarray | None:
        return self.surface.nodes if self.surface.nodes.shape[1] > 1 else None

    def attach(self, pattern: BlockMatrix) -> None:
        self.carrier.attach(pattern)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        """With ``project`` the positive part of the tangent, and on the diagonal always: preconditions and factors need it."""
        self.carrier.carry(x, self.at)
        self._stiffen(self.reach, not project and not pattern.is_diagonal)
        self._launch(pair_kernels(self.device.precision).round_blocks, self.stiffness, self.own)
        self.carrier.blocks(self.own, pattern)
