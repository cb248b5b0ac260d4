"""Device functions: where a point and a triangle, and two edges, are nearest to each other, as weights of their corners.

Weights of a pair of four points are signed so that Σ w p is the way from the nearest point of the second to that of the
first: (1, −β) for a point and a triangle, (1−s, s, −(1−t), −t) for two edges. By the envelope theorem the gradient of the
distance with respect to point i is wᵢ n, n being the unit vector of that way, at every place where it is smooth.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types

FACE, EDGE = 0, 1  # kinds of pairs: a point and a face, two edges
PARALLEL = 1e-3  # of the rest: below this share of the squared lengths, crossing edges fade out (Li et al. 2020, Eq 24)


def closest_functions(t: Types) -> SimpleNamespace:
    real, vec2, vec3, vec4, mat43 = t.real, t.vec2, t.vec3, t.vec4, t.matrix(4, 3)
    zero, one, two = real(0.0), real(1.0), real(2.0)

    @wp.func(module=t.module)
    def share(along: real, whole: real) -> real:
        """along/whole within 0 … 1, and 0 for nothing of nothing."""
        part = zero
        if whole > zero:
            part = wp.clamp(along / whole, zero, one)
        return part

    @wp.func(module=t.module)
    def along(p: vec3, a: vec3, b: vec3) -> real:
        """s of the point a + s(b−a) of an edge that is nearest to p."""
        return share(wp.dot(p - a, b - a), wp.dot(b - a, b - a))

    @wp.func(module=t.module)
    def point_triangle(p: vec3, a: vec3, b: vec3, c: vec3) -> vec3:
        """Barycentric coordinates of the nearest point of the triangle: of those on its edges and within it."""
        s = along(p, a, b)
        best = vec3(one - s, s, zero)
        least = wp.length_sq(p - a - s * (b - a))
        s = along(p, b, c)
        far = wp.length_sq(p - b - s * (c - b))
        if far < least:
            best = vec3(zero, one - s, s)
            least = far
        s = along(p, c, a)
        far = wp.length_sq(p - c - s * (a - c))
        if far < least:
            best = vec3(s, zero, one - s)
            least = far
        n = wp.cross(b - a, c - a)
        whole = wp.dot(n, n)
        if whole > zero:
            v = wp.dot(wp.cross(p - a, c - a), n) / whole
            w = wp.dot(wp.cross(b - a, p - a), n) / whole
            far = wp.length_sq(p - a - v * (b - a) - w * (c - a))
            if v >= zero and w >= zero and v + w <= one and far < least:
                best = vec3(one - v - w, v, w)
        return best

    @wp.func(module=t.module)
    def edge_edge(a: vec3, b: vec3, c: vec3, d: vec3) -> vec2:
        """(s, t) of the nearest points a + s(b−a) and c + t(d−c) of two edges: of those at ends and within both."""
        best = vec2(zero, along(a, c, d))
        least = wp.length_sq(a - c - best[1] * (d - c))
        t = along(b, c, d)
        far = wp.length_sq(b - c - t * (d - c))
        if far < least:
            best = vec2(one, t)
            least = far
        s = along(c, a, b)
        far = wp.length_sq(c - a - s * (b - a))
        if far < least:
            best = vec2(s, zero)
            least = far
        s = along(d, a, b)
        far = wp.length_sq(d - a - s * (b - a))
        if far < least:
            best = vec2(s, one)
            least = far
        n = wp.cross(b - a, d - c)
        whole = wp.dot(n, n)
        if whole > zero:
            s = wp.dot(wp.cross(c - a, d - c), n) / whole
            t = wp.dot(wp.cross(c - a, b - a), n) / whole
            far = wp.length_sq(a + s * (b - a) - c - t * (d - c))
            if s >= zero and s <= one and t >= zero and t <= one and far < least:
                best = vec2(s, t)
        return best

    @wp.func(module=t.module)
    def weights(kind: int, p0: vec3, p1: vec3, p2: vec3, p3: vec3) -> vec4:
        """Signed weights of the four points of a pair."""
        w = vec4()
        if kind == FACE:
            beta = point_triangle(p0, p1, p2, p3)
            w = vec4(one, -beta[0], -beta[1], -beta[2])
        else:
            st = edge_edge(p0, p1, p2, p3)
            w = vec4(one - st[0], st[0], st[1] - one, -st[1])
        return w

    @wp.func(module=t.module)
    def way(w: vec4, p0: vec3, p1: vec3, p2: vec3, p3: vec3) -> vec3:
        """Σ w p, whose weights add up to 0, from differences, so that nothing is lost far from the origin."""
        return w[1] * (p1 - p0) + w[2] * (p2 - p0) + w[3] * (p3 - p0)

    @wp.func(module=t.module)
    def mollifier(c: real, least: real) -> vec2:
        """m = (2 − c/ε) c/ε of edges with c = |u × v|² below ε, 1 beyond, and ε m′."""
        out = vec2(one, zero)
        if c < least:
            out = vec2((two - c / least) * (c / least), two - two * c / least)
        return out

    @wp.func(module=t.module)
    def add_to_ends(rows: mat43, of_u: vec3, of_v: vec3) -> mat43:
        """Derivatives by the ends of two edges, with those by the edges u = b − a and v = d − c added."""
        out = rows
        for x in range(3):
            out[0, x] = out[0, x] - of_u[x]
            out[1, x] = out[1, x] + of_u[x]
            out[2, x] = out[2, x] - of_v[x]
            out[3, x] = out[3, x] + of_v[x]
        return out

    @wp.func(module=t.module)
    def fade(kind: int, p0: vec3, p1: vec3, p2: vec3, p3: vec3, least: real) -> real:
        """1, or less than it for edges that are nearly parallel, where their distance is not smooth; points speak for them."""
        value = one
        if kind == EDGE:
            value = mollifier(wp.length_sq(wp.cross(p1 - p0, p3 - p2)), least)[0]
        return value

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})
