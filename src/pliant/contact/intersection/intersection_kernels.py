"""Kernels that find intersecting tets and triangles of cut surfaces."""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from ..pairs.edge_triangle import pierce_functions
from .flood_structs import CELLS, NEAR
from .tree_kernels import DIAGONALS, span_function, tree_structs

DEEP = 48  # places on the stack of a walk through two trees; more than both are deep
AXES = 3 + DIAGONALS


def node_functions(t: Types) -> SimpleNamespace:
    """Boxes of tets, triangles and nodes of their trees."""
    Boxes = tree_structs(t.precision).Boxes

    @wp.func(module=t.module)
    def disjoint(a: wp.vec3, b: wp.vec3, c: wp.vec3, d: wp.vec3) -> bool:
        """Whether boxes from a to b and from c to d have nothing in common."""
        return a[0] > d[0] or c[0] > b[0] or a[1] > d[1] or c[1] > b[1] or a[2] > d[2] or c[2] > b[2]

    @wp.func(module=t.module)
    def half(a: wp.vec3i, other: int) -> wp.vec3i:
        """A child of a node, each as its first triangle, how many it has, and its place among nodes with children."""
        n = a[1] // 2
        if other == 0:
            return wp.vec3i(a[0], n, a[2] + 1)
        return wp.vec3i(a[0] + n, a[1] - n, a[2] + n)

    @wp.func(module=t.module)
    def low_of(a: wp.vec3i, boxes: Boxes) -> wp.vec3:
        if a[1] > 1:
            return boxes.node_low[a[2]]
        return boxes.triangle_low[a[0]]

    @wp.func(module=t.module)
    def high_of(a: wp.vec3i, boxes: Boxes) -> wp.vec3:
        if a[1] > 1:
            return boxes.node_high[a[2]]
        return boxes.triangle_high[a[0]]

    return SimpleNamespace(disjoint=disjoint, half=half, low_of=low_of, high_of=high_of)


def body_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Boxes of tets and of bodies."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    points, ints, Trees = wp.array(dtype=vec3), wp.array(dtype=wp.int32), tree_structs(t.precision).Trees
    Boxes, diagonals, one = tree_structs(t.precision).Boxes, wp.types.vector(DIAGONALS, wp.float32), real(1.0)
    span, disjoint = span_function(t), of.disjoint

    @t.kernel
    def bound_cells(start: int, trees: Trees, x: points, boxes: Boxes):
        """Boxes of single precision around the pieces of each tet, and how far they reach along diagonals."""
        i = start + wp.tid()
        q = trees.cells[i]
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
            s = span(vec4(wp.dot(way, a), wp.dot(way, b), wp.dot(way, c), wp.dot(way, d)), trees.low[i], trees.high[i])
            pad = real(1.0e-6) * (wp.abs(s[0]) + wp.abs(s[1]))
            if k < 3:
                below[k] = wp.float32(s[0] - pad)
                above[k] = wp.float32(s[1] + pad)
            else:
                under[k - 3] = wp.float32(s[0] - pad)
                over[k - 3] = wp.float32(s[1] + pad)
        boxes.lower[i] = below
        boxes.upper[i] = above
        boxes.least[i] = under
        boxes.most[i] = over

    @t.kernel
    def bound_bodies(start: int, trees: Trees, boxes: Boxes):
        b = start + wp.tid()
        first = trees.begins[b]
        least, most = wp.vec3(boxes.lower[first]), wp.vec3(boxes.upper[first])
        for i in range(first + 1, trees.begins[b + 1]):
            least = wp.min(least, boxes.lower[i])
            most = wp.max(most, boxes.upper[i])
        boxes.below[b] = least
        boxes.above[b] = most

    @t.kernel
    def near_bodies(start: int, meets: wp.array2d(dtype=wp.int32), beyond: int, boxes: Boxes, counts: ints, near: ints):
        """For each body how many of greater number that it meets are near it, and which; with ``beyond`` 0 it may meet itself."""
        b = start + wp.tid()
        bodies = meets.shape[0]
        n = int(0)
        for c in range(b + beyond, bodies):
            if meets[b, c] != 0 and not disjoint(boxes.below[b], boxes.above[b], boxes.below[c], boxes.above[c]):
                near[b * bodies + n] = c
                n += 1
        counts[b] = n

    return SimpleNamespace(bound_cells=bound_cells, bound_bodies=bound_bodies, near_bodies=near_bodies)


def cell_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Pairs of tets."""
    ints, twos, Trees = wp.array(dtype=wp.int32), wp.array(dtype=wp.vec2i), tree_structs(t.precision).Trees
    Boxes, disjoint = tree_structs(t.precision).Boxes, of.disjoint

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
        # mesh: with a tree of tets that has a part for each body
        trees: Trees, tree: wp.uint64,
        # params: so many are kept for a tet
        room: int,
        # in: and bodies near each
        boxes: Boxes, near_counts: ints, near: ints,
        # out: how many there are for each tet, and the other tets of the first of them
        counts: ints, others: ints,
    ):  # fmt: skip
        """Pairs of tets of a scene whose pieces may meet: of two bodies once; of one both ways round, if they share no node."""
        i = start + wp.tid()
        n = int(0)
        j = int(0)
        low, high, u, v = boxes.lower[i], boxes.upper[i], boxes.least[i], boxes.most[i]
        b = trees.body[i]
        for m in range(near_counts[b]):
            c = near[b * near_counts.shape[0] + m]
            if not disjoint(low, high, boxes.below[c], boxes.above[c]):
                query = wp.bvh_query_aabb(tree, low, high, wp.bvh_get_group_root(tree, c))
                while wp.bvh_query_next(query, j):
                    w, z = boxes.least[j], boxes.most[j]
                    meet = bool(True)
                    for k in range(DIAGONALS):
                        meet = meet and u[k] <= z[k] and w[k] <= v[k]
                    if meet and c == b:
                        meet = not share(trees.cells[i], trees.cells[j])
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
        counts: ints, ends: ints, others: ints,
        # out: and how many there are and would be, where there is no room
        pairs: twos, used: ints, numbers: ints, needs: ints,
    ):  # fmt: skip
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

    return SimpleNamespace(pair_cells=pair_cells, list_cells=list_cells)


def box_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Boxes within tets."""
    vec3 = t.vec3
    points, ints, Trees = wp.array(dtype=vec3), wp.array(dtype=wp.int32), tree_structs(t.precision).Trees
    Boxes, half, low_of, high_of = tree_structs(t.precision).Boxes, of.half, of.low_of, of.high_of

    @t.kernel
    def place_corners(start: int, lanes: int, trees: Trees, used: ints, x: points, at: points):
        """Corners of pieces in the tets that are ``used``; those that more than one tet has are written alike by each.

        ``lanes`` threads share the work of a tet.
        """
        i = start + wp.tid()
        c = i // lanes
        if used[c] != 0:
            k = trees.corner_starts[c] + i % lanes
            while k < trees.corner_starts[c + 1]:
                v = trees.corner_lists[k]
                q, w = trees.nodes[v], trees.weights[v]
                at[v] = w[0] * x[q[0]] + w[1] * x[q[1]] + w[2] * x[q[2]] + w[3] * x[q[3]] + trees.nudge[v]
                k += lanes

    @wp.func(module=t.module)
    def down(c: int, way: int, lanes: int, trees: Trees) -> wp.vec3i:
        """The node that a thread of those that share a tree goes to; of no triangles where others have it."""
        a = wp.vec3i(trees.first[c], trees.count[c], trees.first[c])
        left = lanes
        while left > 1 and a[1] > 1:
            a = half(a, way % 2)
            way = way // 2
            left = left // 2
        if left > 1 and way > 0:
            a = wp.vec3i(0, 0, 0)
        return a

    @wp.func(module=t.module)
    def bound_node(a: wp.vec3i, boxes: Boxes):
        """The box of a node with children from theirs."""
        b, c = half(a, 0), half(a, 1)
        boxes.node_low[a[2]] = wp.min(low_of(b, boxes), low_of(c, boxes))
        boxes.node_high[a[2]] = wp.max(high_of(b, boxes), high_of(c, boxes))

    @t.kernel
    def bound_triangles(start: int, lanes: int, trees: Trees, used: ints, at: points, boxes: Boxes):
        """Boxes of triangles, and of nodes as far as one of the ``lanes``, a power of two, sees all of what is below them."""
        i = start + wp.tid()
        c = i // lanes
        if used[c] != 0:
            a = down(c, i % lanes, lanes, trees)
            rounding = wp.float32(1.2e-7)
            for k in range(a[0], a[0] + a[1]):
                s = trees.triangles[trees.order[k]]
                p, q, r = wp.vec3(at[s[0]]), wp.vec3(at[s[1]]), wp.vec3(at[s[2]])
                least, most = wp.min(wp.min(p, q), r), wp.max(wp.max(p, q), r)
                boxes.triangle_low[k] = least - rounding * wp.abs(least)
                boxes.triangle_high[k] = most + rounding * wp.abs(most)
            for n in range(a[1] - 1):
                k = a[2] + a[1] - 2 - n
                bound_node(wp.vec3i(trees.inner[k][0], trees.inner[k][1], k), boxes)

    @t.kernel
    def bound_tops(start: int, lanes: int, trees: Trees, used: ints, boxes: Boxes):
        """Boxes of the nodes above those of the threads."""
        c = start + wp.tid()
        if used[c] != 0:
            ways = lanes // 2
            while ways > 0:
                for way in range(ways):
                    a = down(c, way, ways, trees)
                    if a[1] > 1:
                        bound_node(a, boxes)
                ways = ways // 2

    return SimpleNamespace(place_corners=place_corners, bound_triangles=bound_triangles, bound_tops=bound_tops)


def triangle_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Pairs of triangles."""
    real, vec3 = t.real, t.vec3
    points, ints, twos = wp.array(dtype=vec3), wp.array(dtype=wp.int32), wp.array(dtype=wp.vec2i)
    Trees, Boxes = tree_structs(t.precision).Trees, tree_structs(t.precision).Boxes
    stack_type, zero = wp.types.vector(3 * DEEP, wp.int32), real(0.0)
    height, pierce = pierce_functions(t, real, vec3)
    disjoint, half, low_of, high_of = of.disjoint, of.half, of.low_of, of.high_of

    @wp.func(module=t.module)
    def beside(s: wp.vec3i, r: wp.vec3i, at: points) -> bool:
        """Whether all corners of one triangle lie on one side of the other."""
        a, b, c = at[r[0]], at[r[1]], at[r[2]]
        above = height(at[s[0]], a, b, c) >= zero
        return above == (height(at[s[1]], a, b, c) >= zero) and above == (height(at[s[2]], a, b, c) >= zero)

    @wp.func(module=t.module)
    def meets(s: wp.vec3i, r: wp.vec3i, at: points) -> bool:
        """Whether an edge of one triangle goes through the other."""
        if beside(s, r, at):
            return False
        if beside(r, s, at):
            return False
        corners = int(3)
        for e in range(corners):
            f = (e + 1) % 3
            if pierce(s[e], s[f], r[0], r[1], r[2], 1, at) >= zero:
                return True
            if pierce(r[e], r[f], s[0], s[1], s[2], 0, at) >= zero:
                return True
        return False

    @wp.func(module=t.module)
    def apart(a: wp.vec3i, b: wp.vec3i, boxes: Boxes) -> bool:
        """Whether the boxes of two nodes have nothing in common."""
        return disjoint(low_of(a, boxes), high_of(a, boxes), low_of(b, boxes), high_of(b, boxes))

    @t.kernel
    def find_triangles(
        start: int,
        # mesh:
        trees: Trees,
        # params: so many pairs of triangles are tried one by one, so many are kept for a pair of tets, and threads that share
        # its work, a power of two
        few: int, room: int, lanes: int,
        # in: pairs of tets, and how many there are
        numbers: ints, pairs: twos, at: points, boxes: Boxes,
        # out: how many meet, and the first of them
        counts: ints, found: twos,
    ):  # fmt: skip
        """Pairs of triangles that meet: down both trees at once, the larger node first, until few pairs are left.

        Where threads share a pair of tets, each goes its own way down as far as its number says, and takes what is below.
        """
        i = start + wp.tid()
        p = i // lanes
        if p < numbers[CELLS]:
            ones, others = stack_type(), stack_type()
            c, d = pairs[p][0], pairs[p][1]
            a = wp.vec3i(trees.first[c], trees.count[c], trees.first[c])
            b = wp.vec3i(trees.first[d], trees.count[d], trees.first[d])
            way, left = i % lanes, lanes
            top = int(1)
            while left > 1:
                if a[1] * b[1] <= few:
                    left = 1
                    if way > 0:
                        top = 0
                elif apart(a, b, boxes):
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
                if not apart(a, b, boxes):
                    if a[1] * b[1] <= few or top > DEEP - 3:
                        for k in range(a[0], a[0] + a[1]):
                            under, over, s = boxes.triangle_low[k], boxes.triangle_high[k], trees.order[k]
                            for l in range(b[0], b[0] + b[1]):
                                r = trees.order[l]
                                if not disjoint(under, over, boxes.triangle_low[l], boxes.triangle_high[l]):  # noqa: SIM102 (kernels compute both sides of "and")
                                    if meets(trees.triangles[s], trees.triangles[r], at):
                                        n = wp.atomic_add(counts, p, 1)
                                        if n < room:
                                            found[p * room + n] = wp.vec2i(s, r)
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

    return SimpleNamespace(find_triangles=find_triangles)


@family
def intersection_kernels(t):
    of = node_functions(t)
    parts = (body_kernels, cell_kernels, box_kernels, triangle_kernels)
    return {name: kernel for part in parts for name, kernel in vars(part(t, of)).items()}
