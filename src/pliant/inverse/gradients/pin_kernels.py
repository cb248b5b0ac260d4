"""Kernels of the backward step: adjoints of held nodes."""

import warp as wp

from ...runtime.device import family


@family
def back_kernels(t):
    vectors, positions = wp.array(dtype=t.vec3), wp.array(dtype=t.position)

    @t.kernel
    def carried_back(
        start: int,
        # params: 1/dt
        per_dt: wp.float64,
        # in:
        free: vectors,
        # out: adjoints of the new velocity, acceleration and positions, and of the old positions
        v: vectors,
        a: vectors,
        new_x: positions,
        x: positions,
    ):
        """Held components of v⁺ are (x⁺ − x)/dt, those of a⁺ are 0."""
        i = start + wp.tid()
        one = t.vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        mean = per_dt * t.position(wp.cw_mul(one - free[i], v[i]))
        new_x[i] = new_x[i] + mean
        x[i] = x[i] - mean
        v[i] = wp.cw_mul(free[i], v[i])
        a[i] = wp.cw_mul(free[i], a[i])

    @t.kernel
    def of_held(
        start: int,
        # mesh: the held nodes
        rows: wp.array(dtype=wp.int32),
        # params: a row of the result, and its share
        row: wp.int32,
        share: t.real,
        # in: what pulls on the solution z, and on its held components through the free ones
        free: vectors,
        z: vectors,
        through: vectors,
        # out:
        out: wp.array2d(dtype=t.vec3),
    ):
        r = start + wp.tid()
        i = rows[r]
        one = t.vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        out[row, r] = out[row, r] + share * wp.cw_mul(one - free[i], z[i] + through[i])

    return locals()
