"""Corotational kernels: rotations of nodes, and vectors turned by them."""

import warp as wp

from ...runtime.device import family
from ...runtime.math3 import double_dot, polar_rotation

# of the identity, so that threads and sheets, with collinear or coplanar neighbours, rotate the short way
SLACK = 1e-4


@family
def turned_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    ints, doubles, positions = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64), wp.array(dtype=t.position)

    @t.kernel
    def follow(
        start: int,
        # mesh:
        rows: ints,
        columns: ints,
        free: wp.array(dtype=vec3),
        # in: the matrix and the positions of then, and the positions of now
        values: wp.array(dtype=mat33),
        before: positions,
        now: positions,
        # out:
        rotation: wp.array(dtype=mat33),
    ):
        """The rotation of each node's neighbours about it, the stiffer coupled the more so; none where held."""
        i = start + wp.tid()
        F = mat33()
        size = real(0.0)
        for e in range(rows[i], rows[i + 1]):
            j = columns[e]
            old = vec3(before[j] - before[i])
            new = vec3(now[j] - now[i])
            weight = wp.sqrt(double_dot(values[e], values[e]))
            F += weight * wp.outer(new, old)
            size += weight * wp.dot(old, old)
        R = wp.identity(n=3, dtype=real)
        hold = free[i]
        if size > real(0.0) and hold[0] * hold[1] * hold[2] > real(0.0):
            R = polar_rotation(F * (real(1.0) / size) + real(SLACK) * R)
        rotation[i] = R

    @t.kernel
    def pick(start: int, which: ints, x: positions, out: positions):
        """Positions of some nodes."""
        i = start + wp.tid()
        out[i] = x[which[i]]

    @t.kernel
    def turn_back(
        start: int,
        # mesh:
        free: wp.array(dtype=vec3),
        rotation: wp.array(dtype=mat33),
        # in:
        r: wp.array(dtype=vec3),
        # out: Rᵀ r in double precision, 0 where held
        right: doubles,
    ):
        i = start + wp.tid()
        turned = wp.transpose(rotation[i]) * wp.cw_mul(free[i], r[i])
        for a in range(3):
            right[3 * i + a] = wp.float64(turned[a])

    @t.kernel
    def turn_forth(
        start: int,
        # mesh:
        free: wp.array(dtype=vec3),
        rotation: wp.array(dtype=mat33),
        # in:
        left: doubles,
        # out: R z, 0 where held
        z: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        found = vec3(real(left[3 * i]), real(left[3 * i + 1]), real(left[3 * i + 2]))
        z[i] = wp.cw_mul(free[i], rotation[i] * found)

    return locals()
