"""Obstacle contact device functions: depth, normal, friction, curvature."""

import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...geometry.distance.sdf_kernels import DeviceSdf, make_signed_distance
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types
from .friction_functions import expected_functions

JUMP = 0.2  # change of a normal over a small step which is taken for an edge
FADED = 800.0  # smoothing lengths away from an obstacle at which its force has no digits left, in either precision
ROUNDING = 1e-5  # of the size of a position, more than what its distance may be wrong by


@alone
@functools.cache
def obstacle_structs(precision: str) -> tuple[Any, Any]:
    """What every kernel of contact takes: the obstacles and the points that touch them.

    What friction remembers stays outside: a kernel that takes no array of two axes is compiled twice for the CPU, once
    for arrays without gaps.
    """
    t = Types(precision, "obstacle_structs")
    real, mat33, struct = t.real, t.mat33, functools.partial(wp.struct, module=t.module)

    @struct
    class Obstacles:
        starts: wp.array(dtype=wp.int32)  # the shapes, as make_signed_distance takes them
        code: wp.array(dtype=wp.int32)
        numbers: wp.array(dtype=real)
        grids: wp.array(dtype=real)
        turn: wp.array(dtype=mat33)  # the pose of each
        shift: wp.array(dtype=t.position)
        slope: wp.array(dtype=real)  # how fast its distance changes at most

    @struct
    class Points:
        stiffness: wp.array(dtype=real)
        offset: wp.array(dtype=real)
        clearance: wp.array2d(dtype=t.vec4)  # by obstacle: where its distance was last evaluated, and that distance
        group: wp.array(dtype=wp.int32)  # of each point
        grip: wp.array2d(dtype=real)  # by obstacle: friction of each group, negative where they pass through each other

    return Obstacles, Points


def shapes_at(shapes: DeviceSdf, slopes: Sequence[float], turn: wp.array, shift: wp.array, device: Device) -> Any:
    """Shapes at these poses as kernels take them. Recorded launches keep it as it is, so other shapes need another."""
    out = obstacle_structs(device.precision)[0]()
    out.starts, out.code, out.numbers, out.grids = shapes.arrays
    out.turn, out.shift, out.slope = turn, shift, device.array(slopes, device.types.real)
    return out


def single(obstacles: Any, o: int, precision: str) -> Any:
    """One of the obstacles alone: a view of the arrays of all."""
    one = obstacle_structs(precision)[0]()
    one.starts, one.code = obstacles.starts[o : o + 2], obstacles.code
    one.numbers, one.grids = obstacles.numbers, obstacles.grids
    one.turn, one.shift, one.slope = (getattr(obstacles, name)[o : o + 1] for name in ("turn", "shift", "slope"))
    return one


def smoothing_functions(t: Types) -> SimpleNamespace:
    """What a distance costs: ½ min(φ, 0)², smoothed or not, and its derivatives."""
    real = t.real

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

    return SimpleNamespace(potential=potential, overlap=overlap, stiffening=stiffening)


def obstacle_functions(t: Types) -> SimpleNamespace:
    real, vec3, position, vec4, mat33 = t.real, t.vec3, t.position, t.vec4, t.mat33
    double33 = wp.types.matrix((3, 3), wp.float64)
    signed_distance = make_signed_distance(t, smooth=True)
    Obstacles, Points = obstacle_structs(t.precision)
    along_slip, smooth = expected_functions(t).along_slip, smoothing_functions(t)
    stiffening = smooth.stiffening

    @wp.func(module=t.module)
    def depth(o: int, obstacles: Obstacles, offset: real, x: position) -> vec4:
        """vec4(normal, φ) of obstacle o at x, in the world's frame; φ of a surface that lies ``offset`` behind x."""
        R = obstacles.turn[o]
        local = wp.transpose(R) * vec3(x - obstacles.shift[o])
        found = signed_distance(o, obstacles.starts, obstacles.code, obstacles.numbers, obstacles.grids, local)
        n = R * vec3(found[0], found[1], found[2])
        return vec4(n[0], n[1], n[2], found[3] + offset)

    @wp.func(module=t.module)
    def distance(o: int, obstacles: Obstacles, local: vec3) -> real:
        """φ of obstacle o at a place in its own frame."""
        return signed_distance(o, obstacles.starts, obstacles.code, obstacles.numbers, obstacles.grids, local)[3]

    @wp.func(module=t.module)
    def apart(o: int, i: int, obstacles: Obstacles, points: Points, smoothing: real, x: position) -> bool:
        """Whether point i at x cannot feel obstacle o: it was further away than the way that it has come since, or is not to."""
        if points.grip[o, points.group[i]] < real(0.0):
            return True
        last = points.clearance[o, i]
        way = wp.length(vec3(x) - vec3(last[0], last[1], last[2]))
        return last[3] - real(FADED) * smoothing > obstacles.slope[o] * way

    @wp.func(module=t.module)
    def cleared(x: position, gap: real) -> vec4:
        """What ``apart`` reads: the place, and the distance there less what rounding may have added."""
        here = vec3(x)
        return vec4(here[0], here[1], here[2], gap - real(ROUNDING) * (wp.abs(gap) + wp.length(here)))

    @wp.func(module=t.module)
    def placed(o: int, obstacles: Obstacles, anchor: position) -> position:
        """Where a point of obstacle o is in the world."""
        return double33(obstacles.turn[o]) * anchor + obstacles.shift[o]

    @wp.func(module=t.module)
    def carried_back(o: int, obstacles: Obstacles, place: position) -> position:
        """The point of obstacle o that is at ``place`` in the world."""
        return wp.transpose(double33(obstacles.turn[o])) * (place - obstacles.shift[o])

    @wp.func(module=t.module)
    def slip(n: vec3, x: position, anchor: position) -> vec3:
        u = vec3(x - anchor)
        return u - wp.dot(u, n) * n

    @wp.func(module=t.module)
    def block(
        o: int, i: int, obstacles: Obstacles, points: Points, smoothing: real, anchor: wp.array2d(dtype=position),
        normal: wp.array2d(dtype=vec3), limit: wp.array2d(dtype=real), drag: wp.array2d(dtype=vec3), x: position,
    ) -> mat33:  # fmt: skip
        """Positive semi-definite tangent: k n nᵀ, and the friction spring or its sliding part across the slip, by
        the ``drag`` that is expected."""
        K = mat33()
        k = points.stiffness[i]
        most = limit[o, i]
        if not apart(o, i, obstacles, points, smoothing, x):
            found = depth(o, obstacles, points.offset[i], x)
            touch = vec3(found[0], found[1], found[2])
            K += (k * stiffening(found[3], smoothing)) * wp.outer(touch, touch)
        if most > real(0.0):
            n = normal[o, i]
            T = wp.identity(n=3, dtype=real) - wp.outer(n, n)
            u = slip(n, x, placed(o, obstacles, anchor[o, i]))
            length = wp.length(u)
            if k * length <= most:
                K += k * T
            else:
                K += (most / length) * (T - along_slip(u, drag[o, i]))
        return K

    @wp.func(module=t.module)
    def curvature(o: int, obstacles: Obstacles, step: real, x: position) -> mat33:
        """∇²φ of obstacle o at x, by central differences of its normal over ``step``; 0 at edges, where it jumps."""
        H = mat33()
        axis = int(0)
        while axis < 3:  # not unrolled: three copies of the distances take long to compile
            e = position()
            e[axis] = wp.float64(step)
            after = depth(o, obstacles, real(0.0), x + e)
            before = depth(o, obstacles, real(0.0), x - e)
            change = vec3(after[0] - before[0], after[1] - before[1], after[2] - before[2])
            if wp.length(change) < real(JUMP):
                for row in range(3):
                    H[row, axis] = change[row] / (real(2.0) * step)
            axis += 1
        return real(0.5) * (H + wp.transpose(H))

    return SimpleNamespace(**vars(smooth) | {name: f for name, f in locals().items() if isinstance(f, wp.Function)})
