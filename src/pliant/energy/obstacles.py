"""Contact with rigid obstacles: a quadratic energy of the depth inside their signed distance, and Coulomb friction.

Depth: E = k/2 min(φ(x), 0)² (Eq 8.7 with the distance evaluated afresh, so the force is always along the true normal and
vanishes on separation). Smoothed over a length s the force is k s log(1 + e^{−φ/s}), which has all derivatives (Weiß 2018,
Eq 2.8.3 with α = 1/s), and E = −k s² Li₂(−e^{−φ/s}). Friction: a spring from the node to an anchor on the obstacle holds until
it pulls with μN, then slides; N is the normal force of the last accepted step. A body that sticks therefore does not creep.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import warp as wp

from ..device import Device, family
from ..errors import InputError, floats
from ..geometry.sdf import Sdf, upload
from ..geometry.sdf_kernels import make_signed_distance
from .base import Energy, Pattern

GRAIN = 256  # nodes per slice worth a thread
BEYOND = 8.0  # smoothing lengths away from an obstacle at which a node feels its friction no longer


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A rigid shape; ``motion(t)`` gives its pose as a 4×4 matrix at time t [s], or None where it stands still."""

    shape: Sdf
    motion: Callable[[float], np.ndarray] | None = None
    name: str = "obstacle"

    def __post_init__(self):
        if not isinstance(self.shape, Sdf):
            raise InputError(f"Obstacle(shape={type(self.shape).__name__}): expected a solid such as sphere(0.1)")

    def pose(self, time: float) -> np.ndarray:
        """The 4×4 pose at ``time`` [s]."""
        if self.motion is None:
            return np.eye(4)
        pose = floats(self.motion(time))
        if pose.shape != (4, 4) or not np.all(np.isfinite(pose)):
            raise InputError(f"Obstacle.motion returned shape {pose.shape} at t = {time:g} s; expected (4, 4), finite")
        return pose


@family
def obstacle_kernels(t):
    real, vec3, vec4, mat33 = t.real, t.vec3, t.vec4, t.mat33
    signed_distance = make_signed_distance(t)
    ints, reals = wp.array(dtype=wp.int32), wp.array(dtype=t.real)

    @wp.func(module=t.module)
    def depth(
        o: int,
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        offset: real,
        x: vec3,
    ) -> vec4:
        """vec4(normal, φ) of obstacle o at x, in the world's frame; φ of a surface that lies ``offset`` behind x."""
        R = turn[o]
        found = signed_distance(o, starts, code, numbers, grids, wp.transpose(R) * (x - shift[o]))
        n = R * vec3(found[0], found[1], found[2])
        return vec4(n[0], n[1], n[2], found[3] + offset)

    @wp.func(module=t.module)
    def log1pexp(z: real) -> real:
        """log(1 + e^z), with all its digits: what rounding took from 1 + e is made good (Kahan)."""
        e = wp.exp(-wp.abs(z))
        w = real(1.0) + e
        small = e
        if w > real(1.0):
            small = e * wp.log(w) / (w - real(1.0))
        return wp.max(z, real(0.0)) + small

    @wp.func(module=t.module)
    def dilogarithm(z: real) -> real:
        """−Li₂(−e^z) by Bernoulli's numbers for z ≤ 0, and by the formula of inversion above; its slope is log(1 + e^z)."""
        u = log1pexp(-wp.abs(z))
        v = u * u
        one = real(1.0)
        tail = v * (one / real(10886400.0) - v * (one / real(526901760.0) - v * real(4.0647616451442257e-11)))
        odd = one / real(36.0) - v * (one / real(3600.0) - v * (one / real(211680.0) - tail))
        value = u + real(0.25) * v + u * v * odd
        if z > real(0.0):
            value = real(1.6449340668482264) + real(0.5) * z * z - value  # π²/6
        return value

    @wp.func(module=t.module)
    def potential(gap: real, s: real) -> real:
        """½ min(φ, 0)², or what stands for it when smoothed over s."""
        value = real(0.5) * wp.min(gap, real(0.0)) * wp.min(gap, real(0.0))
        if s > real(0.0):
            value = s * s * dilogarithm(-gap / s)
        return value

    @wp.func(module=t.module)
    def overlap(gap: real, s: real) -> real:
        """How deep: minus the derivative of the potential."""
        value = wp.max(-gap, real(0.0))
        if s > real(0.0):
            value = s * log1pexp(-gap / s)
        return value

    @wp.func(module=t.module)
    def stiffening(gap: real, s: real) -> real:
        """The second derivative of the potential, from 0 outside to 1 inside."""
        value = wp.where(gap < real(0.0), real(1.0), real(0.0))
        if s > real(0.0):
            value = real(1.0) / (real(1.0) + wp.exp(wp.clamp(gap / s, real(-80.0), real(80.0))))
        return value

    @wp.func(module=t.module)
    def slip(n: vec3, x: vec3, anchor: vec3) -> vec3:
        u = x - anchor
        return u - wp.dot(u, n) * n

    @t.kernel
    def contact_value_gradient(
        start: int,
        # params:
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        stiffness: reals,
        offset: reals,
        smoothing: real,
        anchor: wp.array2d(dtype=vec3),
        normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        value: reals,
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        k = stiffness[i]
        total = real(0.0)
        if k > real(0.0):
            force = vec3()
            for o in range(turn.shape[0]):
                found = depth(o, starts, code, numbers, grids, turn, shift, offset[i], x[i])
                total += k * potential(found[3], smoothing)
                force -= (k * overlap(found[3], smoothing)) * vec3(found[0], found[1], found[2])
                most = limit[o, i]
                if most > real(0.0):
                    u = slip(normal[o, i], x[i], turn[o] * anchor[o, i] + shift[o])
                    pull = k * wp.length(u)
                    if pull <= most:
                        total += real(0.5) * pull * pull / k
                        force += k * u
                    else:
                        total += most * (pull - real(0.5) * most) / k
                        force += (most * k / pull) * u
            out[i] = out[i] + force
        value[i] = total

    @wp.func(module=t.module)
    def block(
        o: int,
        i: int,
        k: real,
        offset: real,
        smoothing: real,
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        anchor: wp.array2d(dtype=vec3),
        normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
        x: vec3,
    ) -> mat33:
        """Positive semi-definite tangent: k n nᵀ, and the friction spring or its sliding part across the slip."""
        K = mat33()
        found = depth(o, starts, code, numbers, grids, turn, shift, offset, x)
        touch = vec3(found[0], found[1], found[2])
        K += (k * stiffening(found[3], smoothing)) * wp.outer(touch, touch)
        most = limit[o, i]
        if most > real(0.0):
            n = normal[o, i]
            T = wp.identity(n=3, dtype=real) - wp.outer(n, n)
            u = slip(n, x, turn[o] * anchor[o, i] + shift[o])
            length = wp.length(u)
            if k * length <= most:
                K += k * T
            else:
                e = u / length
                K += (most / length) * (T - wp.outer(e, e))
        return K

    @t.kernel
    def contact_tangent(
        start: int,
        # params:
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        stiffness: reals,
        offset: reals,
        smoothing: real,
        anchor: wp.array2d(dtype=vec3),
        normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        k = stiffness[i]
        if k > real(0.0):
            total = vec3()
            for o in range(turn.shape[0]):
                K = block(o, i, k, offset[i], smoothing, starts, code, numbers, grids, turn, shift, anchor, normal, limit, x[i])
                total += K * d[i]
            out[i] = out[i] + total

    @t.kernel
    def contact_blocks(
        start: int,
        # mesh:
        diagonal: ints,
        # params:
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        stiffness: reals,
        offset: reals,
        smoothing: real,
        anchor: wp.array2d(dtype=vec3),
        normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out:
        values: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        k = stiffness[i]
        if k > real(0.0):
            total = mat33()
            for o in range(turn.shape[0]):
                K = block(o, i, k, offset[i], smoothing, starts, code, numbers, grids, turn, shift, anchor, normal, limit, x[i])
                total += K
            at = diagonal[i]
            values[at] = values[at] + total

    @t.kernel
    def contact_settle(
        start: int,
        # params:
        starts: ints,
        code: ints,
        numbers: reals,
        grids: reals,
        turn: wp.array(dtype=mat33),
        shift: wp.array(dtype=vec3),
        stiffness: reals,
        offset: reals,
        smoothing: real,
        friction: real,
        # in:
        x: wp.array(dtype=vec3),
        # out:
        anchor: wp.array2d(dtype=vec3),
        normal: wp.array2d(dtype=vec3),
        limit: wp.array2d(dtype=real),
    ):
        """After an accepted step: move sliding anchors along, drop those of nodes that left, set the new limit μN."""
        i = start + wp.tid()
        k = stiffness[i]
        if k > real(0.0):
            for o in range(turn.shape[0]):
                found = depth(o, starts, code, numbers, grids, turn, shift, offset[i], x[i])
                if found[3] < real(BEYOND) * smoothing:
                    n = vec3(found[0], found[1], found[2])
                    here = x[i]
                    held = here
                    if limit[o, i] > real(0.0):
                        most = limit[o, i]
                        u = slip(n, here, turn[o] * anchor[o, i] + shift[o])
                        pull = k * wp.length(u)
                        held = here - u * wp.where(pull <= most, real(1.0), most / wp.max(pull, real(1.0e-30)))
                    anchor[o, i] = wp.transpose(turn[o]) * (held - shift[o])
                    normal[o, i] = n
                    limit[o, i] = friction * k * overlap(found[3], smoothing)
                else:
                    limit[o, i] = real(0.0)

    return locals()


class ObstacleContact(Energy):
    """Nodes with positive stiffness [N/m] against rigid obstacles.

    A node touches where φ + ``offset`` < 0: 0 for nodes on the surface, a node's own distance from it for others [m].
    ``smoothing`` [m] is the length over which the force sets in, 0 for a sharp contact.
    """

    name = "contact"

    def __init__(
        self,
        device: Device,
        obstacles: Sequence[Obstacle],
        stiffness: np.ndarray,
        friction: float,
        offset: np.ndarray | None = None,
        smoothing: float = 0.0,
    ):
        super().__init__(device)
        self.smoothing = float(smoothing)
        self.obstacles, self.friction, self.count = tuple(obstacles), float(friction), len(stiffness)
        t, shape = device.types, (len(obstacles), len(stiffness))
        self.kernels = obstacle_kernels(device.precision)
        self.shapes, self.version = upload([o.shape for o in obstacles], device), 0
        self.stiffness = device.array(stiffness, t.real)
        self.offset = device.array(np.zeros(self.count) if offset is None else offset, t.real)
        self.turn, self.shift = device.zeros(shape[0], t.mat33), device.zeros(shape[0], t.vec3)
        self.anchor, self.normal = device.zeros(shape, t.vec3), device.zeros(shape, t.vec3)
        self.limit = device.zeros(shape, t.real)
        self.scalar, self.unused = device.zeros(self.count, t.real), device.zeros(self.count, t.vec3)
        self.place(0.0)

    def place(self, time: float) -> None:
        """Put the obstacles where they are at ``time`` [s]."""
        poses = np.stack([o.pose(time) for o in self.obstacles])
        kind = self.device.types.numpy
        self.turn.assign(np.ascontiguousarray(poses[:, :3, :3], dtype=kind))
        self.shift.assign(np.ascontiguousarray(poses[:, :3, 3], dtype=kind))

    def reshape(self, obstacles: Sequence[Obstacle]) -> None:
        """Take as many obstacles of other shapes; friction's anchors stay where they are on each."""
        self.obstacles, self.version = tuple(obstacles), self.version + 1
        self.shapes = upload([o.shape for o in obstacles], self.device)
        self.device.forget()  # launches that hold the old arrays

    @property
    def baked(self) -> tuple:
        return (self.version,)

    def _params(self) -> tuple:
        place = (self.turn, self.shift, self.stiffness, self.offset, self.smoothing)
        return *self.shapes.arrays, *place, self.anchor, self.normal, self.limit

    def settle(self, x: wp.array) -> None:
        """Take over the contact state of an accepted step."""
        self.device.launch(
            self.kernels.contact_settle,
            self.count,
            *self.shapes.arrays,
            self.turn,
            self.shift,
            self.stiffness,
            self.offset,
            self.smoothing,
            self.friction,
            x,
            self.anchor,
            self.normal,
            self.limit,
        )

    def state(self) -> dict[str, np.ndarray]:
        return {key: getattr(self, key).numpy().copy() for key in ("anchor", "normal", "limit")}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        for key, value in state.items():
            getattr(self, key).assign(value)

    def measure(self, x: wp.array, out: wp.array) -> None:
        self.measure_and_gradient(x, out, self.unused)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.contact_value_gradient, self.count, *self._params(), x, self.scalar, out, grain=GRAIN)

    def measure_and_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self.sums.add_to(out, 1.0, self.sums.kernels.sum_chunk, self.scalar)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self.device.launch(self.kernels.contact_tangent, self.count, *self._params(), x, d, out, grain=GRAIN)

    def blocks(self, x: wp.array, pattern: Pattern, project: bool = True) -> None:
        self.device.launch(
            self.kernels.contact_blocks, self.count, pattern.device_diagonal, *self._params(), x, pattern.values
        )
