"""Two edges that are nearly parallel have no common normal to tell sides by, and beyond that it points the other way."""

from types import SimpleNamespace

import warp as wp

from ..device import Types

PARALLEL = 0.1  # sine of the angle below which two edges have no common normal to push along
REVERSED = -0.7  # cosine between common normals below which they have turned past each other in a step


def parallel_functions(t: Types) -> SimpleNamespace:
    real, vec3 = t.real, t.vec3

    @wp.func(module=t.module)
    def are_parallel(u: vec3, v: vec3) -> bool:
        return wp.length(wp.cross(u, v)) <= real(PARALLEL) * wp.length(u) * wp.length(v)

    @wp.func(module=t.module)
    def turning(u0: vec3, v0: vec3, u: vec3, v: vec3) -> real:
        """−1 where edges along u₀ and v₀ have turned past each other, to u and v, so that their normal points the other way."""
        m, now = wp.cross(u0, v0), wp.cross(u, v)
        past = wp.dot(m, now) < real(REVERSED) * wp.length(m) * wp.length(now)
        return wp.where(past and not are_parallel(u0, v0), real(-1.0), real(1.0))

    return SimpleNamespace(are_parallel=are_parallel, turning=turning)
