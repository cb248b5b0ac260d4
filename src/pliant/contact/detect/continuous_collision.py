"""Additive continuous collision detection (CCD) (Li et al. 2021).

A pair at distance d whose points move by at most l relative to each other cannot touch within d/l of the motion. Going
so far, and again from there, the sum grows towards the time of impact from below, so no collision is missed; it ends
when a fraction ``LEFT`` of the distance is left.
"""

import warp as wp

from ...runtime.device import family
from ..pairs.closest_points import FACE, closest_functions

LEFT = 0.1  # of the initial distance, at which a pair counts as touching
CAREFUL = 0.9  # of the safe advance, taken at a time
MOST = 400  # advances; a pair that needs more stops there, which is safe


@family
def advance_kernels(t):
    real, vec3 = t.real, t.vec3
    points, ints = wp.array(dtype=vec3), wp.array(dtype=wp.int32)
    of = closest_functions(t)
    weights, way = of.weights, of.way

    @wp.func(module=t.module)
    def apart(kind: int, a: vec3, b: vec3, c: vec3, d: vec3) -> real:
        return wp.length(way(weights(kind, a, b, c, d), a, b, c, d))

    @t.kernel
    def advance(
        start: int, count: int,
        # mesh:
        pairs: wp.array(dtype=wp.vec4i), kinds: ints, thickness: wp.array(dtype=real),
        # params: the fraction of d on which pairs were looked for
        whole: real,
        # in: where the points are, and where they would go
        x: points, d: points,
        # out: the safe fraction of d for each pair
        safe: wp.array(dtype=real),
    ):  # fmt: skip
        i = start + wp.tid()
        safe[i] = whole
        if i < count:
            q = pairs[i]
            kind = kinds[i]
            a, b, c, e = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            mean = real(0.25) * (d[q[0]] + d[q[1]] + d[q[2]] + d[q[3]])  # moving together brings nothing nearer
            da, db, dc, de = d[q[0]] - mean, d[q[1]] - mean, d[q[2]] - mean, d[q[3]] - mean
            one, other = wp.max(wp.length(da), wp.length(db)), wp.max(wp.length(dc), wp.length(de))
            if kind == FACE:
                one, other = wp.length(da), wp.max(wp.length(db), other)
            fastest = one + other
            thick = real(0.5) * (thickness[q[0]] + thickness[q[2]])
            gap = apart(kind, a, b, c, e) - thick
            went = real(0.0)
            left = real(LEFT) * gap
            if real(CAREFUL) * (gap - left) < whole * fastest:
                going = int(1)
                for _turn in range(MOST):
                    if going == 1:
                        ahead = went + real(CAREFUL) * (gap - left) / fastest
                        there = apart(kind, a + ahead * da, b + ahead * db, c + ahead * dc, e + ahead * de) - thick
                        if there < left:  # rounding went too far: what was safe before stays safe
                            going = 0
                        else:
                            went = ahead
                            gap = there
                            if went >= whole or gap <= real(1.01) * left:
                                going = 0
                safe[i] = wp.min(went, whole)

    @t.kernel
    def pass_by(
        start: int, count: int,
        # mesh: with the size of the body of each point
        pairs: wp.array(dtype=wp.vec4i), kinds: ints, size: wp.array(dtype=real),
        # params:
        whole: real,
        # in: what ``advance`` found
        safe: wp.array(dtype=real), x: points, d: points,
        # out:
        beyond: wp.array(dtype=real),
    ):  # fmt: skip
        """How far d leads a pair beyond where it stops, in sizes of the smaller of its bodies, with a minus, for what finds the
        least."""
        i = start + wp.tid()
        beyond[i] = real(0.0)
        if i < count and safe[i] < whole:
            q = pairs[i]
            s = safe[i]
            a, b, c, e = d[q[0]], d[q[1]], d[q[2]], d[q[3]]
            w = weights(kinds[i], x[q[0]] + s * a, x[q[1]] + s * b, x[q[2]] + s * c, x[q[3]] + s * e)
            beyond[i] = -(real(1.0) - s) * wp.length(way(w, a, b, c, e)) / wp.min(size[q[0]], size[q[2]])

    return locals()
