"""Device functions of two edges: the share f of its stiffness that the pair has where it is, and which pair a step meets first.

f = m Π ω(tᵢ), tᵢ = 1−s, s, 1−r and r being the weights of the ends at the nearest points of the lines. ω falls from 1 to 0 with
two continuous derivatives where a nearest point leaves its edge and is ½ at the end, so that a straight row of edges has 1 all
together. m = (2 − c/ε) c/ε below ε, c = |u × v|², is the mollifier of Li et al. 2020 (Eq 24) for edges that are nearly parallel,
whose nearest points and normal are lost. Where f > 0 the distance of the lines is that of points of the edges, or hardly
beyond, so that the energy is bounded.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types
from .closest_points import closest_functions
from .normal_curvature import turning_functions

BORDER = 0.1  # of an edge, over which ω falls on either side of its end
CROSSING = 0.04  # ε over the squared lengths at rest: edges push with all of their stiffness from 12° on
PARALLEL = 0.03  # sine of the angle below which two edges have no common normal to tell sides by
TIE = 1e-9  # of an edge: what is no further apart is told apart by rounding alone
PLACES = 2  # pairs of a point with faces, of a body each
REVERSED = -0.7  # cosine between common normals below which edges have turned past each other in a step


def segment_functions(t: Types) -> SimpleNamespace:
    real, vec2, vec3, vec4, mat43 = t.real, t.vec2, t.vec3, t.vec4, t.matrix(4, 3)
    zero, half, one, two, border = (real(c) for c in (0.0, 0.5, 1.0, 2.0, BORDER))
    turns_of_edges, closest = turning_functions(t).turns_of_edges, closest_functions(t)
    mollifier, add_to_ends = closest.mollifier, closest.add_to_ends

    @wp.func(module=t.module)
    def are_parallel(u: vec3, v: vec3) -> bool:
        return wp.length(wp.cross(u, v)) <= real(PARALLEL) * wp.length(u) * wp.length(v)

    @wp.func(module=t.module)
    def turning(u0: vec3, v0: vec3, u: vec3, v: vec3) -> real:
        """−1 where edges along u₀ and v₀ have turned past each other, to u and v, so that their normal points the other way."""
        m, now = wp.cross(u0, v0), wp.cross(u, v)
        past = wp.dot(m, now) < real(REVERSED) * wp.length(m) * wp.length(now)
        return wp.where(past and not are_parallel(u0, v0), real(-1.0), real(1.0))

    @wp.func(module=t.module)
    def nearest_on(a: vec3, b: vec3, c: vec3, d: vec3) -> vec2:
        """(s, r) of the nearest points a + s(b−a) and c + r(d−c) of two lines."""
        n = wp.cross(b - a, d - c)
        whole = wp.max(wp.dot(n, n), real(1.0e-300))
        return vec2(wp.dot(wp.cross(c - a, d - c), n) / whole, wp.dot(wp.cross(c - a, b - a), n) / whole)

    @wp.func(module=t.module)
    def within(w: real) -> vec2:
        """ω of the weight of an end and its derivative."""
        r = wp.clamp(half + half * w / border, zero, one)
        slope = real(15.0) * r * r * (one - r) * (one - r) / border
        return vec2(r * r * r * (real(10.0) + r * (real(6.0) * r - real(15.0))), slope)

    @wp.func(module=t.module)
    def share_of(w: vec4, u: vec3, v: vec3, least: real) -> real:
        """f of edges along u and v with signed weights w, and of faces, whose ``least``, ε, is 0: 1."""
        f = one
        if least > zero:
            f = mollifier(wp.length_sq(wp.cross(u, v)), least)[0]
            f = f * within(w[0])[0] * within(w[1])[0] * within(-w[2])[0] * within(-w[3])[0]
        return f

    @wp.func(module=t.module)
    def fading(w: vec4, a: vec3, b: vec3, c: vec3, d: vec3, least: real) -> mat43:
        """∂f/∂xⱼ as rows, by ∂wᵢ/∂xⱼ = −wⱼ cᵢ − (cᵢ·cⱼ) D with cᵢ as in ``curvature`` and D between the nearest points."""
        out = mat43()
        u, v = b - a, d - c
        M = wp.cross(u, v)
        f = share_of(w, u, v, least)
        if least > zero and f > zero and f < one:
            m = mollifier(wp.length_sq(M), least)
            C = turns_of_edges(a, b, c, d)
            D = w[1] * (b - a) + w[2] * (c - a) + w[3] * (d - a)
            for i in range(4):
                sign = wp.where(i < 2, one, -one)
                own = within(sign * w[i])
                by = sign * f * own[1] / own[0]
                one_row = vec3(C[i, 0], C[i, 1], C[i, 2])
                for j in range(4):
                    other = vec3(C[j, 0], C[j, 1], C[j, 2])
                    g = -by * (w[j] * one_row + wp.dot(one_row, other) * D)
                    for x in range(3):
                        out[j, x] = out[j, x] + g[x]
            by_cross = two * f * (m[1] / least) / m[0]
            out = add_to_ends(out, by_cross * wp.cross(v, M), by_cross * wp.cross(M, u))
        return out

    @wp.func(module=t.module)
    def meeting(before: real, gap: real) -> real:
        """The part of a step after which what has these gaps at its beginning and end meets: 0 … 1."""
        part = one
        if gap <= zero:
            part = wp.max(before, zero) / wp.max(wp.max(before, zero) - gap, real(1.0e-300))
        return part

    @wp.func(module=t.module)
    def rank(before: real, gap: real, size: real) -> real:
        """The order in which a step meets pairs of these gaps at its beginning and end: the least comes first.

        Those that are apart at the end by their gap; before them, below 0, those that meet by when they do; before them, below
        −1, those that were inside of each other by their depth.
        """
        value = gap
        if gap <= zero:
            value = meeting(before, gap) - one
            if before <= real(TIE) * size:
                value = gap / wp.max(size, real(1.0e-300)) - one
        return value

    @wp.func(module=t.module)
    def remembered_side(slot: int, b: int, sides: wp.array(dtype=wp.int32)) -> real:
        """The side of body b on which a point was, 0 where that is not known."""
        value = zero
        for place in range(PLACES):
            if wp.abs(sides[slot + place]) == b + 1:
                value = wp.sign(real(sides[slot + place]))
        return value

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})
