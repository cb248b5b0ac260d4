"""Kernels that judge surfaces: solid angles and distances of a part's triangles, edges against faces."""

import warp as wp

from ..runtime.device import family

FLAT = 1e-9  # of an edge: an end no further off a plane lies in it


@family
def judge_kernels(t):
    real, vec3 = t.real, t.vec3
    points, boxes, lists = wp.array(dtype=vec3), wp.array(dtype=wp.vec3), wp.array2d(dtype=wp.int32)

    @wp.func(module=t.module)
    def solid_angle(a: vec3, b: vec3, c: vec3) -> real:
        """Half of the angle under which a triangle is seen from the origin, with a sign (van Oosterom & Strackee 1983)."""
        la, lb, lc = wp.length(a), wp.length(b), wp.length(c)
        below = la * lb * lc + wp.dot(a, b) * lc + wp.dot(b, c) * la + wp.dot(c, a) * lb
        return wp.atan2(wp.dot(a, wp.cross(b, c)), below)

    @wp.func(module=t.module)
    def to_segment(a: vec3, b: vec3) -> real:
        """Distance of the origin from a segment."""
        along = b - a
        share = wp.clamp(-wp.dot(a, along) / wp.max(wp.dot(along, along), real(1e-30)), real(0.0), real(1.0))
        return wp.length(a + share * along)

    @wp.func(module=t.module)
    def to_triangle(a: vec3, b: vec3, c: vec3) -> real:
        """Distance of the origin from a triangle: from its plane where it is above it, else from an edge."""
        n = wp.cross(b - a, c - a)
        ab, bc, ca = wp.dot(wp.cross(a, b), n), wp.dot(wp.cross(b, c), n), wp.dot(wp.cross(c, a), n)
        if ab >= real(0.0) and bc >= real(0.0) and ca >= real(0.0) and wp.length(n) > real(0.0):
            return wp.abs(wp.dot(a, n)) / wp.length(n)
        return wp.min(to_segment(a, b), wp.min(to_segment(b, c), to_segment(c, a)))

    @t.kernel
    def wind(
        start: int,
        # mesh: the first triangle of each part, corners of all
        offsets: wp.array(dtype=wp.int32),
        corners: points,
        # in:
        at: points,
        part: wp.array(dtype=wp.int32),
        # out: half of the solid angle of the part, and how far it is
        winding: wp.array(dtype=wp.float64),
        distance: wp.array(dtype=wp.float64),
    ):
        i = start + wp.tid()
        p = at[i]
        total, nearest = real(0.0), real(1e30)
        for f in range(offsets[part[i]], offsets[part[i] + 1]):
            a, b, c = corners[3 * f] - p, corners[3 * f + 1] - p, corners[3 * f + 2] - p
            total += solid_angle(a, b, c)
            nearest = wp.min(nearest, to_triangle(a, b, c))
        winding[i] = wp.float64(total)
        distance[i] = wp.float64(nearest)

    @wp.func(module=t.module)
    def goes_through(a: vec3, b: vec3, p: vec3, q: vec3, r: vec3) -> bool:
        """Whether the ends of an edge are on both sides of a triangle, and its line winds around no side of that."""
        n = wp.cross(q - p, r - p)
        one, other = wp.dot(a - p, n), wp.dot(b - p, n)
        least = real(FLAT) * wp.length(n) * wp.length(b - a)
        if one * other >= real(0.0) or wp.abs(one) < least or wp.abs(other) < least:
            return False
        along = b - a
        u = wp.dot(along, wp.cross(p - a, q - a))
        v = wp.dot(along, wp.cross(q - a, r - a))
        w = wp.dot(along, wp.cross(r - a, p - a))
        return wp.min(u, wp.min(v, w)) >= real(0.0) or wp.max(u, wp.max(v, w)) <= real(0.0)

    @t.kernel
    def cross(
        start: int,
        # mesh:
        edges: lists,
        triangles: lists,
        tree: wp.uint64,
        # in:
        x: points,
        lower: boxes,
        upper: boxes,
        # out: triangles that each edge passes through
        out: wp.array(dtype=wp.int32),
    ):
        i = start + wp.tid()
        a, b = edges[i, 0], edges[i, 1]
        count, j = int(0), int(0)
        query = wp.bvh_query_aabb(tree, lower[i], upper[i])
        while wp.bvh_query_next(query, j):
            p, q, r = triangles[j, 0], triangles[j, 1], triangles[j, 2]
            if a != p and a != q and a != r and b != p and b != q and b != r:  # noqa: SIM102
                if goes_through(x[a], x[b], x[p], x[q], x[r]):
                    count += 1
        out[i] = count

    return locals()
