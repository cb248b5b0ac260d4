"""Faces against curved obstacles, by springs and by a barrier.

Within a step such a place is a fixed mixture of the corners, so that energies are smooth and all that is known of points holds
of it. From step to step it goes along with what is deepest, and friction with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...energy.base import Step
from ...energy.capabilities import Corrected, Lagged
from ...energy.embedded_points import EmbeddedPoints
from ...energy.memory import Memory, Parents
from ...energy.obstacles.obstacle_energy import Obstacle, ObstacleContact
from ...geometry.distance.sdf import upload
from ...runtime.device import Device
from ..pairs.contact_surface import Surface
from .deepest_kernels import face_mixture_kernels
from .deepest_points import Deepest, FaceCarrier, curved, of_faces, posed, spans
from .obstacle_barrier import ObstacleBarrier

MOVED = 1e-3  # of a face, by which its deepest place is another than before
RENEWALS = 4  # of places in the search for one state at rest
NEARER = 0.25  # of the gap at its place, or of the reach: a face that is nearer elsewhere is to touch there


class Aiming(Lagged):
    """Part of energies of points that a ``carrier`` has on the faces of a surface."""

    def _faces(self, device: Device, surface: Surface, obstacles: Sequence[Obstacle]) -> FaceCarrier:
        self.of = curved(obstacles)
        self.deepest, self.corners = (
            Deepest(device, surface, len(self.of)),
            EmbeddedPoints(device, surface.nodes, surface.weights),
        )
        self.start, self.then = (device.zeros(surface.count, wp.vec3d) for _ in range(2))
        self.kept = device.zeros(len(spans(surface)) * len(self.of), wp.vec3d)  # shares where the step before ended
        self.renewed, self.meets = 0, _meets(surface, self.of)
        return FaceCarrier(device, surface, len(self.of))

    def _aim(self, step: Step) -> None:
        """Find the deepest places where the step begins, or first on its way."""
        self.renewed = self.renewed if step.start is None else 0
        start = step.at if step.start is None else step.start
        falls = step.start is not None and step.inertia > 0 and step.target is not None
        self.corners.carry(start, self.start)
        self.corners.carry(step.target if falls else start, self.then)
        for number, o in enumerate(self.of):
            self._aim_at(o, number)
        self._take()

    def _mean(self, values: np.ndarray) -> np.ndarray:
        """Of the points at the corners, for each place."""
        return self.meets * np.repeat(values[self.deepest.spans].mean(axis=1), len(self.of))

    def _aim_at(self, o: int, number: int) -> None:
        raise NotImplementedError(f"{type(self).__name__} needs _aim_at(o, number), as every Aiming has")

    def _take(self) -> None:
        raise NotImplementedError(f"{type(self).__name__} needs _take(), as every Aiming has")

    def refresh_lagged(self, x: wp.array) -> bool:
        """A state at rest may be deepest elsewhere than where the search for it began."""
        before = self.deepest.share.numpy().copy()
        self._aim(Step(x, 0.0))
        moved = np.abs(self.deepest.share.numpy() - before).max(axis=1) > MOVED
        self.renewed += 1
        return self.renewed <= RENEWALS and bool(np.any(moved & (self.deepest.bulge.numpy() > 0)))


class FaceBarrier(Aiming, Corrected, ObstacleBarrier):
    """The barrier between faces and obstacles: no place of a face goes nearer to an obstacle at once than half of its gap."""

    def __init__(
        self, device: Device, surface: Surface, obstacles: Sequence[Obstacle], pressure: np.ndarray, reach: float,
        friction: float = 0.0, slip: float = 1e-5,
    ):  # fmt: skip
        carrier = self._faces(device, surface, obstacles)
        points = of_faces(surface, len(self.of), carrier)
        self.whole, self.mixing = surface, face_mixture_kernels("f64")
        super().__init__(device, points, obstacles, self._mean(pressure), reach, friction, slip, carrier)
        self.full = wp.clone(self.points.strength)
        self.points.strength.zero_()
        self.pressed = wp.zeros_like(self.points.press)  # by obstacle: the forces where the step before ended
        self.begun = device.zeros(self.surface.count, wp.vec3d)  # places where the step began
        self.touched = device.zeros(self.surface.count, wp.vec3d)  # shares of the places that touched
        self.changed = False  # whether places are others than those that the step began with
        # shares and strengths that a step had in the end, if others
        self.ended: tuple[wp.array, wp.array] | None = None

    def press_with(self, pressure: np.ndarray) -> None:
        """Another pressure [Pa] at each point of the surface."""
        self.full.assign(self._mean(pressure) * self.surface.area)

    def begin(self, step: Step) -> None:
        if step.start is None:
            super().begin(step)  # which places obstacles
            self._aim(step)
        else:
            self._aim(step)
            super().begin(step)
            # no more than before: a place that has gone nearer to the obstacle presses harder only until the step is solved
            self._launch(self.mixing.limit_press, self.pressed, self.points.press)
            self.changed = False

    def missed_collision(self, x: wp.array, start: wp.array) -> bool:
        """A face that slides is nearest elsewhere in the end than where it touches, and there it may be inside: it is to touch
        where it was nearest in the end, which was outside when the step began."""
        points, deepest = self.points, self.deepest
        share, strength = wp.clone(deepest.share), wp.clone(points.strength)
        self._evaluate(x)
        own = np.minimum(self.device.read(self.gaps), self.reach)
        for where in (self.start, self.then):
            self.corners.carry(x, where)
        for number, o in enumerate(self.of):
            self._aim_at(o, number)
        deepest.weigh(self.full, points.strength)
        gap, full, before = self.device.reads(deepest.gap, points.strength, strength)
        late = (full > 0) & (gap < NEARER * own)
        if late.any():
            known = share.numpy()
            self.touched.assign(np.where((before > 0)[:, None], known, 0.0))
            self.corners.carry(start, self.start)
            deepest.keep_out(self.posed, self.reach, self.start, self.touched)
            found = deepest.share.numpy()
            late &= (np.abs(found - known).max(axis=1) > MOVED) | (before == 0)
            share.assign(np.where(late[:, None], found, known))
            strength.assign(np.where(late, np.maximum(full, before), before))
        self._change(share, strength, start)
        self.changed |= bool(late.any())
        return bool(late.any())

    def replay_correction(self, start: wp.array) -> None:
        if self.ended is not None:
            self._change(*self.ended, start)

    def _change(self, share: wp.array, strength: wp.array, start: wp.array) -> None:
        """Touch at other places, by these shares; what friction holds there goes along."""
        self.carrier.carry(start, self.begun)
        wp.copy(self.deepest.share, share)  # launches are recorded with arrays that stay, and would keep others
        wp.copy(self.points.strength, strength)
        self.carrier.take(self.deepest.share)
        self.carrier.carry(start, self.at)
        memory = (self.points.strength, self.points.anchor, self.points.press)
        self._launch(self.mixing.move_anchors, self.posed.turn, self.begun, self.at, *memory)
        self.clearance.zero_()

    def _advance(self, *motion: wp.array) -> None:
        super()._advance(*motion)
        self._launch(self.mixing.let_pass, self.points.strength, self.limits)

    def _aim_at(self, o: int, number: int) -> None:
        self.deepest.aim(o, number, self.posed, self.reach, self.start, self.then)

    def _take(self) -> None:
        self.deepest.keep_out(self.posed, self.reach, self.start, self.kept)
        self.carrier.take(self.deepest.share)
        self.deepest.weigh(self.full, self.points.strength)
        self.clearance.zero_()

    def accept(self, x: wp.array, time: float) -> None:
        super().accept(x, time)
        self.ended = (wp.clone(self.deepest.share), wp.clone(self.points.strength)) if self.changed else None
        self._launch(self.mixing.keep_shares, self.points.strength, self.deepest.share, self.kept)
        if self.friction > 0:
            self._launch(self.kernels.press_points, self.posed, self.reach, self.at, self.held, self.points)
            wp.copy(self.pressed, self.points.press)
            self.points.press.zero_()
        self._aim(Step(x, time))  # the energy of a state hangs on nothing but the state

    @property
    def memory(self) -> Memory:
        return super().memory | {"shares": self.kept, "pressed": self.pressed}


class FaceContact(Aiming, ObstacleContact):
    """Springs between faces and obstacles; ``stiffness`` [N/m] and ``offset`` [m] (p,) are those of the corners."""

    name = "face contact"

    def __init__(
        self, device: Device, surface: Surface, obstacles: Sequence[Obstacle], stiffness: np.ndarray, friction: float,
        smoothing: float = 0.0, size: float = 1.0,
    ):  # fmt: skip
        carrier = self._faces(device, surface, obstacles)
        points = of_faces(surface, len(self.of), carrier)
        self.whole, self.exact = surface, Device(device.name, "f64", device.threads)
        self.exactly = None
        full = self._mean(stiffness)
        grips = surface.grips
        own = None if grips is None else (grips.group[points.body], grips.obstacles)
        super().__init__(device, obstacles, full, friction, -0.5 * points.thickness, smoothing, carrier, size, own)
        self.full, self.after = wp.clone(self.stiffness), device.zeros(self.count, wp.vec3d)
        self.stiffness.zero_()
        self.mixing = face_mixture_kernels(device.precision)

    def stiffen(self, stiffness: np.ndarray) -> None:
        """Another stiffness [N/m] at each point of the surface."""
        self.full.assign(self._mean(stiffness).astype(self.device.types.numpy))

    def reshape(self, obstacles: Sequence[Obstacle]) -> None:
        super().reshape(obstacles)
        self.exactly = None

    def place(self, time: float) -> None:
        super().place(time)
        poses = np.stack([o.pose(time) for o in self.obstacles])
        if self.exactly is None:
            self.exactly = posed(upload([o.shape for o in self.obstacles], self.exact), self.obstacles, poses, self.exact)
        else:
            self.exactly.turn.assign(np.ascontiguousarray(poses[:, :3, :3]))
            self.exactly.shift.assign(np.ascontiguousarray(poses[:, :3, 3]))

    def begin(self, step: Step) -> None:
        if self.moves:
            self.place(step.time)
        self._aim(step)
        if self.friction > 0:
            self.device.launch(self.mixing.hold_shares, self.count, self.limit, self.kept, self.deepest.share)
            self.carrier.take(self.deepest.share)

    def _aim_at(self, o: int, number: int) -> None:
        self.deepest.aim(o, number, self.exactly, 0.0, self.start, self.then)

    def _take(self) -> None:
        self.carrier.take(self.deepest.share)
        self.deepest.weigh(self.full, self.stiffness)
        self.device.clear(self.clearance)

    def accept(self, x: wp.array, time: float) -> None:
        if self.moves:
            self.place(time)
        self.settle(x)
        self._aim(Step(x, time))
        self.carrier.carry(x, self.after)
        memory = (self.stiffness, self.anchor, self.limit)
        self.device.launch(self.mixing.move_anchors, self.count, self.exactly.turn, self.at, self.after, *memory)
        wp.copy(self.kept, self.deepest.share)

    @property
    def memory(self) -> Memory:
        return super().memory | {"shares": self.kept}

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}  # other faces: friction begins anew


def _meets(surface: Surface, obstacles: list[int]) -> np.ndarray:
    """(f · obstacles,) 1 for the places of faces on obstacles that their bodies touch, else 0."""
    corner = spans(surface)[:, 0]
    if surface.grips is None:
        return np.ones(len(corner) * len(obstacles))
    return (surface.grips.obstacles[obstacles][:, surface.grips.group[surface.body[corner]]] >= 0).T.ravel().astype(float)
