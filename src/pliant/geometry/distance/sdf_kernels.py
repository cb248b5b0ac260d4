"""Signed distance kernel: one device function for host and contact.

A shape is a postfix program. Instruction ``i`` takes ``CODE`` whole numbers (operation, first grid value, grid size
in x, y, z) and ``NUMBERS`` reals (rotation by rows, translation, scale, four shape parameters). Primitives push
``vec4(gradient, distance)`` on a stack of ``DEPTH``; set operations combine its top. In a kernel family:

    @family
    def push_kernels(t):
        signed_distance = make_signed_distance(t)

        @t.kernel
        def push(start: int,
                 starts: wp.array(dtype=int), code: wp.array(dtype=int),
                 numbers: wp.array(dtype=t.real), grids: wp.array(dtype=t.real), …):
            sample = signed_distance(shape, starts, code, numbers, grids, point)   # shape: place in the uploaded list
            normal, distance = wp.vec3(sample[0], sample[1], sample[2]), sample[3]

and on the host ``device.launch(kernels.push, n, *upload(shapes, device).arrays, …)``. A rigid pose is applied by the
caller: turn the point into the shape's frame, turn the gradient back. The gradient is the exact derivative of the
distance returned: of unit length for primitives and their combinations, nearly so for grids.

Grids are trilinear, so that they have the values that they were given; their gradient jumps from cell to cell. Contact
asks for ``smooth`` ones, quadratic B-splines with the samples as coefficients, whose gradient is continuous: a body that
slides would come to lie on the jumps, where no method that follows slopes finds an end. Neither is steeper than the
samples; the spline is exact where the distance is linear, and lies h²/8 times the Laplacian above it where it curves,
which is what the trilinear one has in the middle of cells.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from .sdf_codes import BOX, CAPSULE, CODE, COMPLEMENT, CYLINDER, DEPTH, GRID, INTERSECTION, NUMBERS, SPHERE, TORUS, UNION


@dataclass(frozen=True, eq=False)
class DeviceSdf:
    """Several shapes on one device, as the four arrays that ``make_signed_distance`` explains."""

    starts: wp.array  # (shapes + 1,) first instruction of each shape
    code: wp.array
    numbers: wp.array
    grids: wp.array

    @property
    def count(self) -> int:
        """Number of shapes."""
        return self.starts.size - 1

    @property
    def arrays(self) -> tuple[wp.array, wp.array, wp.array, wp.array]:
        """``starts, code, numbers, grids``: the arguments of a kernel, in order."""
        return self.starts, self.code, self.numbers, self.grids


def _primitives(t: Types) -> SimpleNamespace:
    """Gradients and distances of primitives about the origin."""
    real, vec3, vec4, zero, one = t.real, t.vec3, t.vec4, t.real(0.0), t.real(1.0)

    @wp.func(module=t.module)
    def sign(x: real) -> real:
        return wp.where(x < zero, -one, one)

    @wp.func(module=t.module)
    def radial(p: vec3, radius: real) -> vec4:
        length = wp.length(p)
        g = vec3(zero, zero, one)  # any direction will do at the centre
        if length > zero:
            g = p / length
        return vec4(g[0], g[1], g[2], length - radius)

    @wp.func(module=t.module)
    def cuboid(p: vec3, hx: real, hy: real, hz: real) -> vec4:
        q = vec3(wp.abs(p[0]) - hx, wp.abs(p[1]) - hy, wp.abs(p[2]) - hz)
        side = vec3(sign(p[0]), sign(p[1]), sign(p[2]))
        d = wp.max(q[0], wp.max(q[1], q[2]))
        g = vec3(zero, zero, side[2])
        if d > zero:
            out = vec3(wp.max(q[0], zero), wp.max(q[1], zero), wp.max(q[2], zero))
            d = wp.length(out)
            g = wp.cw_mul(out, side) / d
        elif q[0] == d:
            g = vec3(side[0], zero, zero)
        elif q[1] == d:
            g = vec3(zero, side[1], zero)
        return vec4(g[0], g[1], g[2], d)

    @wp.func(module=t.module)
    def about_axis(p: vec3, along: real, across: real, d: real) -> vec4:
        """Turn a gradient in the half plane (distance from z axis, z) into space."""
        ring = wp.sqrt(p[0] * p[0] + p[1] * p[1])
        x, y = one, zero
        if ring > zero:
            x, y = p[0] / ring, p[1] / ring
        return vec4(across * x, across * y, along, d)

    @wp.func(module=t.module)
    def rod(p: vec3, h: real, radius: real) -> vec4:
        ring = wp.sqrt(p[0] * p[0] + p[1] * p[1])
        qr, qz = ring - radius, wp.abs(p[2]) - h
        side = sign(p[2])
        if qr > zero and qz > zero:
            d = wp.sqrt(qr * qr + qz * qz)
            return about_axis(p, side * qz / d, qr / d, d)
        if qr > qz:
            return about_axis(p, zero, one, qr)
        return about_axis(p, side, zero, qz)

    @wp.func(module=t.module)
    def ring_tube(p: vec3, major: real, minor: real) -> vec4:
        qr = wp.sqrt(p[0] * p[0] + p[1] * p[1]) - major
        length = wp.sqrt(qr * qr + p[2] * p[2])
        if length > zero:
            return about_axis(p, p[2] / length, qr / length, length - minor)
        return about_axis(p, one, zero, -minor)

    return SimpleNamespace(radial=radial, cuboid=cuboid, rod=rod, ring_tube=ring_tube)


def _sampled(t: Types, smooth: bool) -> wp.Function:
    """The gradient and the distance of a grid."""
    real, vec3, vec4, mat33, reals = t.real, t.vec3, t.vec4, t.mat33, wp.array(dtype=t.real)
    zero, one = t.real(0.0), t.real(1.0)

    @wp.func(module=t.module)
    def trilinear(u: vec3, at: int, ny: int, nz: int, i: int, j: int, k: int, grids: reals) -> vec4:
        x, y, z = u[0] - real(i), u[1] - real(j), u[2] - real(k)
        a = at + (i * ny + j) * nz + k
        b = a + ny * nz
        v000, v001, v010, v011 = grids[a], grids[a + 1], grids[a + nz], grids[a + nz + 1]
        v100, v101, v110, v111 = grids[b], grids[b + 1], grids[b + nz], grids[b + nz + 1]
        low = wp.lerp(wp.lerp(v000, v001, z), wp.lerp(v010, v011, z), y)
        high = wp.lerp(wp.lerp(v100, v101, z), wp.lerp(v110, v111, z), y)
        gy = wp.lerp(wp.lerp(v010 - v000, v011 - v001, z), wp.lerp(v110 - v100, v111 - v101, z), x)
        gz = wp.lerp(wp.lerp(v001 - v000, v011 - v010, y), wp.lerp(v101 - v100, v111 - v110, y), x)
        return vec4(high - low, gy, gz, wp.lerp(low, high, x))

    @wp.func(module=t.module)
    def spline(u: real, n: int) -> mat33:
        """Weights of three samples in the first row, their derivatives in the second, and the first of them in the third.

        Beyond the last sample of each side the line through the last two goes on, so that the outermost half cells are
        linear and the bounds of the weights hold everywhere.
        """
        half = real(0.5)
        c = wp.clamp(int(u + half), 0, n - 1)
        s = u - real(c)
        before, after = half * (half - s) * (half - s), half * (half + s) * (half + s)
        out = mat33(
            before, real(0.75) - s * s, after, s - half, -real(2.0) * s, s + half, real(c - 1), zero, zero
        )  # fmt: skip
        if c == 0:
            out = mat33(one - s, s, zero, -one, one, zero, zero, zero, zero)
        elif c == n - 1:
            out = mat33(zero, -s, one + s, zero, -one, one, real(c - 2), zero, zero)
        return out

    @wp.func(module=t.module)
    def quadratic(u: vec3, at: int, nx: int, ny: int, nz: int, grids: reals) -> vec4:
        X, Y, Z = spline(u[0], nx), spline(u[1], ny), spline(u[2], nz)
        sum = vec4()
        k = int(Z[2, 0])
        # a sample outside the grid has no weight
        a, b, c = wp.max(k, 0), wp.min(k + 1, nz - 1), wp.min(k + 2, nz - 1)
        p = int(0)
        while p < 9:  # not unrolled: 27 samples in each of the kernels that ask for distances take long to compile
            i, j = p // 3, p % 3
            row = at + (wp.clamp(int(X[2, 0]) + i, 0, nx - 1) * ny + wp.clamp(int(Y[2, 0]) + j, 0, ny - 1)) * nz
            v0, v1, v2 = grids[row + a], grids[row + b], grids[row + c]
            v = Z[0, 0] * v0 + Z[0, 1] * v1 + Z[0, 2] * v2
            g = Z[1, 0] * v0 + Z[1, 1] * v1 + Z[1, 2] * v2
            sum += vec4(X[1, i] * Y[0, j] * v, X[0, i] * Y[1, j] * v, X[0, i] * Y[0, j] * g, X[0, i] * Y[0, j] * v)
            p += 1
        return sum

    @wp.func(module=t.module)
    def sampled(p: vec3, hx: real, hy: real, hz: real, at: int, nx: int, ny: int, nz: int, grids: reals) -> vec4:
        """Between samples inside the grid; outside, the value at the nearest point of the grid plus the way there."""
        cx = wp.clamp(p[0], zero, real(nx - 1) * hx)
        cy = wp.clamp(p[1], zero, real(ny - 1) * hy)
        cz = wp.clamp(p[2], zero, real(nz - 1) * hz)
        u = vec3(cx / hx, cy / hy, cz / hz)
        found = vec4()
        if wp.static(smooth):
            found = quadratic(u, at, nx, ny, nz, grids)
        else:
            # clamped on both sides: a point that is not a number becomes a negative index
            i, j, k = wp.clamp(int(u[0]), 0, nx - 2), wp.clamp(int(u[1]), 0, ny - 2), wp.clamp(int(u[2]), 0, nz - 2)
            found = trilinear(u, at, ny, nz, i, j, k, grids)
        gx, gy, gz, d = found[0] / hx, found[1] / hy, found[2] / hz, found[3]
        away = vec3(p[0] - cx, p[1] - cy, p[2] - cz)
        far = wp.length(away)
        if far > zero:  # the clamped axes no longer change the value, the way there does
            gx = wp.where(away[0] != zero, zero, gx) + away[0] / far
            gy = wp.where(away[1] != zero, zero, gy) + away[1] / far
            gz = wp.where(away[2] != zero, zero, gz) + away[2] / far
            d += far
        return vec4(gx, gy, gz, d)

    return sampled


def make_signed_distance(t: Types, smooth: bool = False) -> Callable:
    """Build ``signed_distance(shape, starts, code, numbers, grids, point) -> vec4(gradient, distance [m])``."""
    vec3, vec4, zero, one = t.vec3, t.vec4, t.real(0.0), t.real(1.0)
    reals, ints, rows = wp.array(dtype=t.real), wp.array(dtype=int), wp.types.matrix((DEPTH, 4), t.real)
    of, sampled = _primitives(t), _sampled(t, smooth)

    @wp.func(module=t.module)
    def signed_distance(shape: int, starts: ints, code: ints, numbers: reals, grids: reals, point: vec3) -> vec4:
        stack = rows()
        top = int(0)  # a plain 0 would be a constant to Warp
        for i in range(starts[shape], starts[shape + 1]):
            c, n = i * CODE, i * NUMBERS
            op = code[c]
            if op == UNION:
                top -= 1
                if stack[top][3] < stack[top - 1][3]:
                    stack[top - 1] = stack[top]
            elif op == INTERSECTION:
                top -= 1
                if stack[top][3] > stack[top - 1][3]:
                    stack[top - 1] = stack[top]
            elif op == COMPLEMENT:
                stack[top - 1] = -stack[top - 1]
            else:
                turn = t.mat33(
                    numbers[n], numbers[n + 1], numbers[n + 2],
                    numbers[n + 3], numbers[n + 4], numbers[n + 5],
                    numbers[n + 6], numbers[n + 7], numbers[n + 8],
                )  # fmt: skip
                scale = numbers[n + 12]
                p = wp.transpose(turn) * (point - vec3(numbers[n + 9], numbers[n + 10], numbers[n + 11])) / scale
                s0, s1, s2 = numbers[n + 13], numbers[n + 14], numbers[n + 15]
                sample = vec4(zero, zero, one, p[2])  # PLANE
                if op == SPHERE:
                    sample = of.radial(p, s0)
                elif op == BOX:
                    sample = of.cuboid(p, s0, s1, s2)
                elif op == CAPSULE:
                    sample = of.radial(vec3(p[0], p[1], p[2] - wp.clamp(p[2], -s0, s0)), s1)
                elif op == CYLINDER:
                    sample = of.rod(p, s0, s1)
                elif op == TORUS:
                    sample = of.ring_tube(p, s0, s1)
                elif op == GRID:
                    sample = sampled(p, s0, s1, s2, code[c + 1], code[c + 2], code[c + 3], code[c + 4], grids)
                g = turn * vec3(sample[0], sample[1], sample[2])
                stack[top] = vec4(g[0], g[1], g[2], sample[3] * scale)
                top += 1
        return stack[0]

    return signed_distance


@family
def sdf_kernels(t: Types) -> dict:
    """Distances and gradients at many points: what ``Sdf`` runs on the host."""
    signed_distance = make_signed_distance(t)

    @t.kernel
    def evaluate(
        start: int,
        # params:
        shape: int, starts: wp.array(dtype=int), code: wp.array(dtype=int), numbers: wp.array(dtype=t.real),
        grids: wp.array(dtype=t.real),
        # in:
        points: wp.array(dtype=t.vec3),
        # out:
        out: wp.array(dtype=t.vec4),
    ):  # fmt: skip
        i = start + wp.tid()
        out[i] = signed_distance(shape, starts, code, numbers, grids, points[i])

    return {"evaluate": evaluate}
