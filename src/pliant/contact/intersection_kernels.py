"""Kernels that find where surfaces cut along tets pass through each other: pairs of tets, pairs of triangles."""

import warp as wp

from ..device import family
from .flood_structs import CELLS, NEAR
from .piece_rays import span_function
from .pierce import pierce_functions

DEEP = 48  # places on the stack of a walk through two trees; more than both are deep
AXES = 7  # x, y, z and the four diagonals of a cube


@family
def intersection_kernels(t):
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints = wp.array(dtype=vec3), wp.array(dtype=wp.int32)
    boxes, triples, quads = wp.array(dtype=wp.vec3), wp.array2d(dtype=wp.int32), wp.array(dtype=wp.vec4i)
    bounds4, twos = wp.array(dtype=wp.vec4f), wp.array(dtype=wp.vec2i)
    stack_type, diagonals = wp.types.vector(3 * DEEP, wp.int32), wp.types.vector(AXES - 3, wp.float32)
    zero, one = real(0.0), real(1.0)

    span = span_function(t)

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
        least: wp.array(dtype=diagonals),
        most: wp.array(dtype=diagonals),
    ):
        """Boxes of single precision around the pieces of each tet, and how far they reach along diagonals."""
        i = start + wp.tid()
        q = cells[i]
        a, b, c, d = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
        below, above = wp.vec3(), wp.vec3()
        under, over = diagonals(), diagonals()
        axes = int(AXES)  # a number that the compiler does not know, so that loops stay loops
        for k in range(axes):
            way = vec3(one, one, one)
            if k < 3:
                way = vec3()
                way[k] = one
            elif k > 3:
                way[6 - k] = -one
            s = span(vec4(wp.dot(way, a), wp.dot(way, b), wp.dot(way, c), wp.dot(way, d)), low[i], high[i])
            pad = real(1.0e-6) * (wp.abs(s[0]) + wp.abs(s[1]))
            if k < 3:
                below[k] = wp.float32(s[0] - pad)
                above[k] = wp.float32(s[1] + pad)
            else:
                under[k - 3] = wp.float32(s[0] - pad)
                over[k - 3] = wp.float32(s[1] + pad)
        lower[i] = below
        upper[i] = above
        least[i] = under
        most[i] = over

    @wp.func(module=t.module)
    def disjoint(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3) -> bool:
        """Whether boxes from a to b and from c to d have nothing in common."""
        return a[0] > d[0] or c[0] > b[0] or a[1] > d[1] or c[1] > b[1] or a[2] > d[2] or c[2] > b[2]

    @t.kernel
    def bound_bodies(
        start: int,
        # mesh: the tets of each body
        begins: ints,
        # in:
        lower: boxes,
        upper: boxes,
        # out:
        below: boxes,
        above: boxes,
    ):
        b = start + wp.tid()
        least, most = wp.vec3(lower[begins[b]]), wp.vec3(upper[begins[b]])
        for i in range(begins[b] + 1, begins[b + 1]):
            least = wp.min(least, lower[i])
            most = wp.max(most, upper[i])
        below[b] = least
        above[b] = most

    @t.kernel
    def near_bodies(
        start: int,
        # mesh:
        meets: wp.array2d(dtype=wp.int32),
        # params: 0 where bodies may meet themselves, else 1
        beyond: int,
        # in:
        below: boxes,
        above: boxes,
        # out: for each body how many of greater number that it meets are near it, and which
        counts: ints,
        near: ints,
    ):
        b = start + wp.tid()
        bodies = meets.shape[0]
        n = int(0)
        for c in range(b + beyond, bodies):
            if meets[b, c] != 0 and not disjoint(below[b], above[b], below[c], above[c]):
                near[b * bodies + n] = c
                n += 1
        counts[b] = n

    @wp.func(module=t.module)
    def share(q: wp.vec4i, r: wp.vec4i) -> bool:
        """Whether two tets have a node in common."""
        found = bool(False)
        for k in range(4):
            found = found or q[k] == r[0] or q[k] == r[1] or q[k] == r[2] or q[k] == r[3]
        return found

    @t.kernel
    def pair_cells(
        start: int,
        # mesh: nodes of tets, and a tree with a part for each body
        cells: quads,
        body: ints,
        tree: wp.uint64,
        # params: so many are kept for a tet
        room: int,
        # in: boxes of tets, and of bodies; bodies near each
        lower: boxes,
        upper: boxes,
        least: wp.array(dtype=diagonals),
        most: wp.array(dtype=diagonals),
        below: boxes,
        above: boxes,
        near_counts: ints,
        near: ints,
        # out: how many there are for each tet, and the other tets of the first of them
        counts: ints,
        others: ints,
    ):
        """Pairs of tets of a scene whose pieces may meet: of two bodies once; of one both ways round, if they share no node."""
        i = start + wp.tid()
        n = int(0)
        j = int(0)
        low, high, u, v = lower[i], upper[i], least[i], most[i]
        b = body[i]
        for m in range(near_counts[b]):
            c = near[b * near_counts.shape[0] + m]
            if not disjoint(low, high, below[c], above[c]):
                query = wp.bvh_query_aabb(tree, low, high, wp.bvh_get_group_root(tree, c))
                while wp.bvh_query_next(query, j):
                    w, z = least[j], most[j]
                    meet = bool(True)
                    for k in range(AXES - 3):
                        meet = meet and u[k] <= z[k] and w[k] <= v[k]
                    if meet and c == b:
                        meet = not share(cells[i], cells[j])
                    if meet:
                        if n < room:
                            others[i * room + n] = j
                        n += 1
        counts[i] = n

    @t.kernel
    def list_cells(
        start: int,
        # params:
        room: int,
        # in: how many there are for each tet, and for all up to it
        counts: ints,
        ends: ints,
        others: ints,
        # out: and how many there are and would be, where there is no room
        pairs: twos,
        used: ints,
        numbers: ints,
        needs: ints,
    ):
        """The pairs of all tets, one after the other, and which tets are in any."""
        i = start + wp.tid()
        last = ends.shape[0] - 1
        fits = ends[last] <= pairs.shape[0]
        n = counts[i]
        if n > room:
            wp.atomic_max(needs, NEAR, n)
        if fits and n <= room:
            for k in range(n):
                j = others[i * room + k]
                pairs[ends[i] - n + k] = wp.vec2i(i, j)
                used[i] = 1
                used[j] = 1
        if i == last:
            needs[CELLS] = ends[last]
            numbers[CELLS] = wp.where(fits, ends[last], 0)

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

    @wp.func(module=t.module)
    def half(a: wp.vec3i, other: int) -> wp.vec3i:
        """A child of a node, each as its first triangle, how many it has, and its place among nodes with children."""
        n = a[1] // 2
        if other == 0:
            return wp.vec3i(a[0], n, a[2] + 1)
        return wp.vec3i(a[0] + n, a[1] - n, a[2] + n)

    @wp.func(module=t.module)
    def down(c: int, way: int, lanes: int, first: ints, count: ints) -> wp.vec3i:
        """The node that a thread of those that share a tree goes to; of no triangles where others have it."""
        a = wp.vec3i(first[c], count[c], first[c])
        left = lanes
        while left > 1 and a[1] > 1:
            a = half(a, way % 2)
            way = way // 2
            left = left // 2
        if left > 1 and way > 0:
            a = wp.vec3i(0, 0, 0)
        return a

    @wp.func(module=t.module)
    def bound_node(a: wp.vec3i, lower: boxes, upper: boxes, below: boxes, above: boxes):
        """The box of a node with children from theirs."""
        b, c = half(a, 0), half(a, 1)
        least, most = wp.vec3(lower[b[0]]), wp.vec3(upper[b[0]])
        if b[1] > 1:
            least = wp.vec3(below[b[2]])
            most = wp.vec3(above[b[2]])
        if c[1] > 1:
            below[a[2]] = wp.min(least, below[c[2]])
            above[a[2]] = wp.max(most, above[c[2]])
        else:
            below[a[2]] = wp.min(least, lower[c[0]])
            above[a[2]] = wp.max(most, upper[c[0]])

    @t.kernel
    def bound_triangles(
        start: int,
        # params: threads that share a tet, a power of two
        lanes: int,
        # mesh: trees; nodes with children; corners of triangles as trees have these
        first: ints,
        count: ints,
        inner: twos,
        corners: wp.array(dtype=wp.vec3i),
        # in: whether each tet is to be looked at
        used: ints,
        at: points,
        # out: of triangles, as trees have them, and of nodes with children
        lower: boxes,
        upper: boxes,
        below: boxes,
        above: boxes,
    ):
        """Boxes of triangles, and of nodes as far as one thread sees all of what is below them."""
        i = start + wp.tid()
        c = i // lanes
        if used[c] != 0:
            a = down(c, i % lanes, lanes, first, count)
            rounding = wp.float32(1.2e-7)
            for k in range(a[0], a[0] + a[1]):
                s = corners[k]
                p, q, r = wp.vec3(at[s[0]]), wp.vec3(at[s[1]]), wp.vec3(at[s[2]])
                least, most = wp.min(wp.min(p, q), r), wp.max(wp.max(p, q), r)
                lower[k] = least - rounding * wp.abs(least)
                upper[k] = most + rounding * wp.abs(most)
            for n in range(a[1] - 1):
                k = a[2] + a[1] - 2 - n
                bound_node(wp.vec3i(inner[k][0], inner[k][1], k), lower, upper, below, above)

    @t.kernel
    def bound_tops(
        start: int,
        # params: threads that shared a tet
        lanes: int,
        # mesh:
        first: ints,
        count: ints,
        # in:
        used: ints,
        lower: boxes,
        upper: boxes,
        # out:
        below: boxes,
        above: boxes,
    ):
        """Boxes of the nodes above those of the threads."""
        c = start + wp.tid()
        if used[c] != 0:
            ways = lanes // 2
            while ways > 0:
                for way in range(ways):
                    a = down(c, way, ways, first, count)
                    if a[1] > 1:
                        bound_node(a, lower, upper, below, above)
                ways = ways // 2

    height, pierce = pierce_functions(t, real, vec3)

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
    def apart(a: wp.vec3i, b: wp.vec3i, lower: boxes, upper: boxes, below: boxes, above: boxes) -> bool:
        """Whether the boxes of two nodes have nothing in common."""
        u, v = wp.vec3(lower[a[0]]), wp.vec3(upper[a[0]])
        if a[1] > 1:
            u = wp.vec3(below[a[2]])
            v = wp.vec3(above[a[2]])
        if b[1] > 1:
            return disjoint(u, v, below[b[2]], above[b[2]])
        return disjoint(u, v, lower[b[0]], upper[b[0]])

    @t.kernel
    def find_triangles(
        start: int,
        # mesh: trees
        first: ints,
        count: ints,
        order: ints,
        triangles: triples,
        # params: so many pairs of triangles are tried one by one, so many are kept for a pair of tets, and threads that share
        # its work, a power of two
        few: int,
        room: int,
        lanes: int,
        # in: pairs of tets; boxes of triangles and of nodes
        numbers: ints,
        pairs: twos,
        at: points,
        lower: boxes,
        upper: boxes,
        below: boxes,
        above: boxes,
        # out: how many meet, and the first of them
        counts: ints,
        found: twos,
    ):
        """Pairs of triangles that meet: down both trees at once, the larger node first, until few pairs are left.

        Where threads share a pair of tets, each goes its own way down as far as its number says, and takes what is below.
        """
        i = start + wp.tid()
        p = i // lanes
        if p < numbers[CELLS]:
            ones, others = stack_type(), stack_type()
            c, d = pairs[p][0], pairs[p][1]
            a, b = wp.vec3i(first[c], count[c], first[c]), wp.vec3i(first[d], count[d], first[d])
            way, left = i % lanes, lanes
            top = int(1)
            while left > 1:
                if a[1] * b[1] <= few:
                    left = 1
                    if way > 0:
                        top = 0
                elif apart(a, b, lower, upper, below, above):
                    left = 1
                    top = 0
                else:
                    if a[1] >= b[1]:
                        a = half(a, way % 2)
                    else:
                        b = half(b, way % 2)
                    way = way // 2
                    left = left // 2
            for k in range(3):
                ones[k] = a[k]
                others[k] = b[k]
            while top > 0:
                top -= 1
                a = wp.vec3i(ones[3 * top], ones[3 * top + 1], ones[3 * top + 2])
                b = wp.vec3i(others[3 * top], others[3 * top + 1], others[3 * top + 2])
                if not apart(a, b, lower, upper, below, above):
                    if a[1] * b[1] <= few or top > DEEP - 3:
                        for k in range(a[0], a[0] + a[1]):
                            under, over = lower[k], upper[k]
                            for l in range(b[0], b[0] + b[1]):
                                if not disjoint(under, over, lower[l], upper[l]):  # noqa: SIM102 (kernels compute both sides of "and")
                                    if meets(order[k], order[l], triangles, at):
                                        n = wp.atomic_add(counts, p, 1)
                                        if n < room:
                                            found[p * room + n] = wp.vec2i(order[k], order[l])
                    else:
                        larger = a[1] >= b[1]
                        for n in range(2):
                            e, f = wp.vec3i(a), wp.vec3i(b)
                            if larger:
                                e = half(a, n)
                            else:
                                f = half(b, n)
                            for k in range(3):
                                ones[3 * top + k] = e[k]
                                others[3 * top + k] = f[k]
                            top += 1

    return locals()
