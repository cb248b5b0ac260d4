"""Kernels that find where surfaces cut along tets pass through each other: pairs of tets, pairs of triangles.

Whether an edge goes through a triangle is decided by signs of heights above triangles and of volumes between edges, each
computed alike for all pairs of triangles that share it, so that curves of intersection close.
"""

import warp as wp

from ..device import family
from .piece_rays import span_function

DEEP = 96  # places on the stack of a walk through two trees
AXES = 7  # x, y, z and the four diagonals of a cube


@family
def intersection_kernels(t):
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints = wp.array(dtype=vec3), wp.array(dtype=wp.int32)
    boxes, triples, quads = wp.array(dtype=wp.vec3), wp.array2d(dtype=wp.int32), wp.array(dtype=wp.vec4i)
    bounds4, twos = wp.array(dtype=wp.vec4f), wp.array(dtype=wp.vec2i)
    stack_type, shadows = wp.types.vector(DEEP, wp.int32), t.matrix(AXES, 6)
    zero, one = real(0.0), real(1.0)

    span = span_function(t)

    @wp.func(module=t.module)
    def shadows_of(q: wp.vec4i, x: points) -> shadows:
        """Where the nodes of a tet lie along all axes, with the least and the greatest of them."""
        out = shadows()
        corners = int(4)  # a number that the compiler does not know, so that loops stay loops
        for i in range(corners):
            p = x[q[i]]
            out[0, i] = p[0]
            out[1, i] = p[1]
            out[2, i] = p[2]
            out[3, i] = p[0] + p[1] + p[2]
            out[4, i] = p[0] + p[1] - p[2]
            out[5, i] = p[0] - p[1] + p[2]
            out[6, i] = p[1] + p[2] - p[0]
        axes = int(AXES)
        for k in range(axes):
            out[k, 4] = wp.min(wp.min(out[k, 0], out[k, 1]), wp.min(out[k, 2], out[k, 3]))
            out[k, 5] = wp.max(wp.max(out[k, 0], out[k, 1]), wp.max(out[k, 2], out[k, 3]))
        return out

    @wp.func(module=t.module)
    def overlap(S: shadows, T: shadows, a: int, b: int, low: bounds4, high: bounds4) -> bool:
        """Whether no axis tells two nodes of trees apart, as ``span`` bounds them."""
        l, u = vec4(low[a]), vec4(high[a])
        m, v = vec4(low[b]), vec4(high[b])
        free_l, free_u = one - (l[0] + l[1] + l[2] + l[3]), one - (u[0] + u[1] + u[2] + u[3])
        free_m, free_v = one - (m[0] + m[1] + m[2] + m[3]), one - (v[0] + v[1] + v[2] + v[3])
        axes = int(AXES)
        for k in range(axes):
            p, q = vec4(S[k, 0], S[k, 1], S[k, 2], S[k, 3]), vec4(T[k, 0], T[k, 1], T[k, 2], T[k, 3])
            at_l, at_u, at_m, at_v = wp.dot(l, p), wp.dot(u, p), wp.dot(m, q), wp.dot(v, q)
            if wp.max(at_l + free_l * S[k, 4], at_u + free_u * S[k, 5]) > wp.min(
                at_m + free_m * T[k, 5], at_v + free_v * T[k, 4]
            ):
                return False
            if wp.max(at_m + free_m * T[k, 4], at_v + free_v * T[k, 5]) > wp.min(
                at_l + free_l * S[k, 5], at_u + free_u * S[k, 4]
            ):
                return False
        return True

    @t.kernel
    def bound_cells(
        start: int,
        # mesh: nodes of each tet with pieces, and the root of its tree
        cells: quads,
        low: bounds4,
        high: bounds4,
        # in:
        x: points,
        # out:
        lower: boxes,
        upper: boxes,
    ):
        """Boxes of single precision around the pieces of each tet."""
        i = start + wp.tid()
        q = cells[i]
        below, above = wp.vec3(), wp.vec3()
        axes = int(3)
        for k in range(axes):
            s = span(vec4(x[q[0]][k], x[q[1]][k], x[q[2]][k], x[q[3]][k]), low[i], high[i])
            pad = real(1.0e-6) * (wp.abs(s[0]) + wp.abs(s[1]))
            below[k] = wp.float32(s[0] - pad)
            above[k] = wp.float32(s[1] + pad)
        lower[i] = below
        upper[i] = above

    @t.kernel
    def pair_cells(
        start: int,
        # mesh:
        cells: quads,
        body: ints,
        scene: ints,
        low: bounds4,
        high: bounds4,
        tree: wp.uint64,
        # params: so many are kept for a tet
        room: int,
        # in:
        x: points,
        lower: boxes,
        upper: boxes,
        # out: how many there are for each tet, and the other tets of the first of them
        counts: ints,
        others: ints,
    ):
        """Pairs of tets of two bodies of a scene whose pieces may meet."""
        i = start + wp.tid()
        n = int(0)
        j = int(0)
        S = shadows()
        query = wp.bvh_query_aabb(tree, lower[i], upper[i])
        while wp.bvh_query_next(query, j):
            if body[i] < body[j] and scene[body[i]] == scene[body[j]]:
                if S[0, 4] == S[0, 5]:
                    S = shadows_of(cells[i], x)
                if overlap(S, shadows_of(cells[j], x), i, j, low, high):
                    if n < room:
                        others[i * room + n] = j
                    n += 1
        counts[i] = n

    @t.kernel
    def list_cells(
        start: int,
        # params:
        room: int,
        # in: how many there are for each tet and all before it
        ends: ints,
        others: ints,
        # out:
        pairs: twos,
        used: ints,
    ):
        """The pairs of all tets, one after the other, and which tets are in any."""
        i = start + wp.tid()
        begin = int(0)
        if i > 0:
            begin = ends[i - 1]
        for n in range(ends[i] - begin):
            j = others[i * room + n]
            pairs[begin + n] = wp.vec2i(i, j)
            used[i] = 1
            used[j] = 1

    @t.kernel
    def place_corners(
        start: int,
        # params: threads that share the work of a tet
        lanes: int,
        # mesh: for each tet its corners, by starts; nodes and weights of all corners
        starts: ints,
        lists: ints,
        nodes: quads,
        weights: wp.array(dtype=vec4),
        nudge: points,
        # in: whether each tet is to be looked at
        used: ints,
        x: points,
        # out: those that more than one tet has are written alike by each
        at: points,
    ):
        i = start + wp.tid()
        c = i // lanes
        if used[c] != 0:
            k = starts[c] + i % lanes
            while k < starts[c + 1]:
                v = lists[k]
                q, w = nodes[v], weights[v]
                at[v] = w[0] * x[q[0]] + w[1] * x[q[1]] + w[2] * x[q[2]] + w[3] * x[q[3]] + nudge[v]
                k += lanes

    @t.kernel
    def bound_triangles(
        start: int,
        # params:
        lanes: int,
        # mesh: the triangles of each tet, in the order of its tree
        first: ints,
        count: ints,
        order: ints,
        triangles: triples,
        # in: whether each tet is to be looked at
        used: ints,
        at: points,
        # out:
        lower: boxes,
        upper: boxes,
    ):
        i = start + wp.tid()
        c = i // lanes
        if used[c] != 0:
            k = first[c] + i % lanes
            while k < first[c] + count[c]:
                s = order[k]
                a, b, d = at[triangles[s, 0]], at[triangles[s, 1]], at[triangles[s, 2]]
                under, over = wp.min(wp.min(a, b), d), wp.max(wp.max(a, b), d)
                pad = real(1.0e-7) * (wp.max(wp.abs(under)) + wp.max(wp.abs(over)))
                lower[k] = wp.vec3(under - vec3(pad))
                upper[k] = wp.vec3(over + vec3(pad))
                k += lanes

    @wp.func(module=t.module)
    def height(v: vec3, a: vec3, b: vec3, c: vec3) -> real:
        """Twice the area of a triangle times the height of a point above it."""
        return wp.dot(wp.cross(b - a, c - a), v - a)

    @wp.func(module=t.module)
    def turn(e: int, f: int, g: int, h: int, at: points) -> bool:
        """On which side the edge between e and f passes that between g and h, going from the lower to the higher number."""
        sign = wp.where((e < f) == (g < h), one, -one)
        a, b = at[wp.min(e, f)], at[wp.max(e, f)]
        c, d = at[wp.min(g, h)], at[wp.max(g, h)]
        value = wp.dot(wp.cross(b - a, d - c), c - a)
        # 0 counts as positive, before it is turned
        positive = value >= zero
        return positive == (sign > zero)

    @wp.func(module=t.module)
    def pierce(e: int, f: int, i: int, j: int, k: int, first: int, at: points) -> real:
        """Where from the lower to the higher number the edge e, f goes through a triangle; −1 where it does not.

        ``first`` says whether the edge is of the first body, in which order edges are compared.
        """
        lo, hi = wp.min(e, f), wp.max(e, f)
        a, b, c = at[i], at[j], at[k]
        ha, hb = height(at[lo], a, b, c), height(at[hi], a, b, c)
        if (ha >= zero) == (hb >= zero):
            return -one
        u, v, w = bool(False), bool(False), bool(False)
        if first != 0:
            u, v, w = turn(lo, hi, i, j, at), turn(lo, hi, j, k, at), turn(lo, hi, k, i, at)
        else:
            u, v, w = turn(i, j, lo, hi, at), turn(j, k, lo, hi, at), turn(k, i, lo, hi, at)
        if u == v and v == w:
            return ha / (ha - hb)
        return -one

    @wp.func(module=t.module)
    def beside(s: int, r: int, triangles: triples, at: points) -> bool:
        """Whether all corners of one triangle lie on one side of the other."""
        a, b, c = at[triangles[r, 0]], at[triangles[r, 1]], at[triangles[r, 2]]
        u = height(at[triangles[s, 0]], a, b, c) >= zero
        v = height(at[triangles[s, 1]], a, b, c) >= zero
        w = height(at[triangles[s, 2]], a, b, c) >= zero
        return u == v and v == w

    @wp.func(module=t.module)
    def meets(s: int, r: int, triangles: triples, at: points) -> bool:
        """Whether an edge of one triangle goes through the other."""
        if beside(s, r, triangles, at):
            return False
        if beside(r, s, triangles, at):
            return False
        i, j, k = triangles[s, 0], triangles[s, 1], triangles[s, 2]
        l, m, n = triangles[r, 0], triangles[r, 1], triangles[r, 2]
        corners = int(3)
        for e in range(corners):
            f = (e + 1) % 3
            if pierce(triangles[s, e], triangles[s, f], l, m, n, 1, at) >= zero:
                return True
            if pierce(triangles[r, e], triangles[r, f], i, j, k, 0, at) >= zero:
                return True
        return False

    @wp.func(module=t.module)
    def disjoint(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3) -> bool:
        """Whether boxes from a to b and from c to d have nothing in common."""
        return a[0] > d[0] or c[0] > b[0] or a[1] > d[1] or c[1] > b[1] or a[2] > d[2] or c[2] > b[2]

    @t.kernel
    def find_triangles(
        start: int,
        # mesh: trees
        cells: quads,
        first: ints,
        count: ints,
        child: ints,
        low: bounds4,
        high: bounds4,
        order: ints,
        triangles: triples,
        # params: so many pairs of triangles are tried one by one, so many are kept for a pair of tets, and threads that share
        # its work, a power of two
        few: int,
        room: int,
        lanes: int,
        # in: pairs of tets
        number: int,
        pairs: twos,
        x: points,
        at: points,
        lower: boxes,
        upper: boxes,
        # out: how many meet, and the first of them
        counts: ints,
        found: twos,
    ):
        """Pairs of triangles that meet: down both trees at once, the larger node first, until few pairs are left.

        Where threads share a pair of tets, each goes its own way down as far as its number says, and takes what is below.
        """
        i = start + wp.tid()
        p = i // lanes
        if p < number:
            S, T = shadows_of(cells[pairs[p][0]], x), shadows_of(cells[pairs[p][1]], x)
            ones, others = stack_type(), stack_type()
            a, b = pairs[p][0], pairs[p][1]
            way, left = i % lanes, lanes
            top = int(1)
            while left > 1:
                if count[a] * count[b] <= few:
                    left = 1
                    if way > 0:
                        top = 0
                elif overlap(S, T, a, b, low, high):
                    if count[a] >= count[b]:
                        a = child[a] + way % 2
                    else:
                        b = child[b] + way % 2
                    way = way // 2
                    left = left // 2
                else:
                    left = 1
                    top = 0
            ones[0] = a
            others[0] = b
            while top > 0:
                top -= 1
                a = ones[top]
                b = others[top]
                if count[a] * count[b] <= few or top > DEEP - 3:
                    for k in range(first[a], first[a] + count[a]):
                        under, over = lower[k], upper[k]
                        for l in range(first[b], first[b] + count[b]):
                            if not disjoint(under, over, lower[l], upper[l]):  # noqa: SIM102 (kernels compute both sides of "and")
                                if meets(order[k], order[l], triangles, at):
                                    n = wp.atomic_add(counts, p, 1)
                                    if n < room:
                                        found[p * room + n] = wp.vec2i(order[k], order[l])
                elif overlap(S, T, a, b, low, high):
                    if count[a] >= count[b]:
                        ones[top] = child[a]
                        others[top] = b
                        ones[top + 1] = child[a] + 1
                        others[top + 1] = b
                    else:
                        ones[top] = a
                        others[top] = child[b]
                        ones[top + 1] = a
                        others[top + 1] = child[b] + 1
                    top += 2

    @t.kernel
    def pierce_pairs(
        start: int,
        # mesh:
        triangles: triples,
        # in:
        number: int,
        pairs: twos,
        at: points,
        # out: along the edges of the first triangle and of the second; −1 where they do not go through the other
        along: wp.array2d(dtype=real),
    ):
        p = start + wp.tid()
        if p < number:
            s, r = pairs[p][0], pairs[p][1]
            i, j, k = triangles[s, 0], triangles[s, 1], triangles[s, 2]
            l, m, n = triangles[r, 0], triangles[r, 1], triangles[r, 2]
            corners = int(3)
            for e in range(corners):
                f = (e + 1) % 3
                along[p, e] = pierce(triangles[s, e], triangles[s, f], l, m, n, 1, at)
                along[p, 3 + e] = pierce(triangles[r, e], triangles[r, f], i, j, k, 0, at)

    return locals()
