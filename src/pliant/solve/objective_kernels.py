"""Kernels that keep held components out of every vector."""

import warp as wp

from ..device import Types, family


def group_function(t: Types) -> wp.Function:
    def group_of(of: wp.array(dtype=wp.int32), i: int):
        """Group of node i; ``of`` has one entry where there is one group."""
        g = int(0)
        if of.shape[0] > 1:
            g = of[i]
        return g

    return t.function("group_of", group_of)


@family
def objective_kernels(t):
    vec3 = t.vec3
    group = group_function(t)

    @t.kernel
    def mask(start: int, free: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = wp.cw_mul(free[i], out[i])

    @t.kernel
    def hold(start: int, free: wp.array(dtype=vec3), held: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """Components that are not free take the held value."""
        i = start + wp.tid()
        one = vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        out[i] = wp.cw_mul(free[i], out[i]) + wp.cw_mul(one - free[i], held[i])

    @t.kernel
    def put(start: int, rows: wp.array(dtype=wp.int32), values: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """Write values into some rows."""
        i = start + wp.tid()
        out[rows[i]] = values[i]

    @t.kernel
    def revert(
        start: int,
        of: wp.array(dtype=wp.int32),
        ok: wp.array(dtype=wp.int32),
        # in:
        before: wp.array(dtype=vec3),
        # out:
        x: wp.array(dtype=vec3),
    ):
        """Groups that are not ok keep what they had."""
        i = start + wp.tid()
        if ok[group(of, i)] == 0:
            x[i] = before[i]

    @t.kernel
    def prefer(
        start: int,
        of: wp.array(dtype=wp.int32),
        # in: sums of the energies at the two points
        first: wp.array2d(dtype=wp.float64),
        second: wp.array2d(dtype=wp.float64),
        other: wp.array(dtype=vec3),
        # out:
        x: wp.array(dtype=vec3),
    ):
        """x becomes the other point where that has less energy, group by group."""
        i = start + wp.tid()
        g = group(of, i)
        if second[g, 0] < first[g, 0] or not wp.isfinite(first[g, 0]):
            x[i] = other[i]

    return locals()
