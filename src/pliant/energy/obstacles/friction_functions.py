"""Device functions of friction that Newton's method expects: an unknown z for the force over μN, and what tangents make of it.

A point that slides by u is pulled back with μN u/|u|, whose derivative μN/|u| (1 − e eᵀ), e = u/|u|, holds nothing along e: where
the point is to come to rest, an iteration carries it past its anchor, the next back again. From z|u| = u for both unknowns comes
(z eᵀ + e zᵀ)/2 in place of e eᵀ (Chan, Golub & Mulet 1999), which holds what is to stick, and is the same where z = e.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types


def expected_functions(t: Types) -> SimpleNamespace:
    real, vec3, mat33 = t.real, t.vec3, t.mat33

    @wp.func(module=t.module)
    def along_slip(u: vec3, drag: vec3) -> mat33:
        """(z eᵀ + e zᵀ)/2 of a slip u; 0 as ``drag`` stands for z = e, where nothing is expected."""
        e = wp.normalize(u)
        z = drag
        if wp.length_sq(z) == real(0.0):
            z = e
        return real(0.5) * (wp.outer(z, e) + wp.outer(e, z))

    @wp.func(module=t.module)
    def next_drag(k: real, most: real, u: vec3, after: vec3, drag: vec3) -> vec3:
        """z at the end of an iteration that took the slip from u to ``after``, as the tangent at u tells, and no more than 1;
        with stiffness k it sticks up to the force ``most``."""
        z = (k / most) * after
        length = wp.length(u)
        if k * length > most:
            e = u / length
            held = drag
            if wp.length_sq(held) == real(0.0):
                held = e
            z = (after - wp.dot(e, after - u) * held) / length
        return z / wp.max(wp.length(z), real(1.0))

    return SimpleNamespace(along_slip=along_slip, next_drag=next_drag)
