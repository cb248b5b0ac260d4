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

    @t.kernel
    def hold(start: int, free: wp.array(dtype=vec3), held: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """Components that are not free take the held value."""
        i = start + wp.tid()
        one = vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        out[i] = wp.cw_mul(free[i], out[i]) + wp.cw_mul(one - free[i], held[i])

    return locals()
