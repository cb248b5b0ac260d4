"""Kernels that keep held components out of every vector."""

import warp as wp

from ..device import family


@family
def objective_kernels(t):
    vec3 = t.vec3

    @t.kernel
    def mask(start: int, free: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = wp.cw_mul(free[i], out[i])

    return locals()
