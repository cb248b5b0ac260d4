"""Kernels that trace curves of intersection between triangles.

An edge that crosses a triangle does so in two pairs, one for either triangle of the edge: a table by edge and triangle finds
them, so that curves close. Numbering follows a list in a fixed order, for any order of threads.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from ..pairs.edge_triangle import pierce_functions
from ..pairs.union_find import union_functions
from .flood_structs import GROUPS, PAIRS, PIERCINGS, ROOM, flood_structs

FREE = 2**31 - 1


def pair_kernels(t: Types) -> SimpleNamespace:
    """Pairs of triangles, in order, and pairs of bodies."""
    own = flood_structs()
    Mesh, Curves, Floods, ints = own.Mesh, own.Curves, own.Floods, wp.array(dtype=wp.int32)
    twos = wp.array(dtype=wp.vec2i)

    @t.kernel
    def clear_curves(start: int, curves: Curves, floods: Floods):
        i = start + wp.tid()
        if i < curves.table.shape[0]:
            curves.table[i] = -1
            curves.least[i] = FREE
            curves.times[i] = 0
        if i < curves.flags.shape[0]:
            curves.flags[i] = 0
        if i < floods.loose.shape[0]:
            floods.loose[i] = 0
            floods.conflicts[i] = 0

    @t.kernel
    def sort_found(start: int, room: int, counts: ints, found: twos):
        """Those of each pair of tets in the order of their triangles, whatever threads found first."""
        p = start + wp.tid()
        begin = p * room
        for k in range(1, wp.min(counts[p], room)):
            v = wp.vec2i(found[begin + k])
            j = int(k)
            going = bool(True)
            while going:
                u = wp.vec2i(found[begin + j - 1])
                if u[0] > v[0] or (u[0] == v[0] and u[1] > v[1]):
                    found[begin + j] = u
                    j -= 1
                    going = j > 0
                else:
                    going = False
            found[begin + j] = v

    @t.kernel
    def list_pairs(
        start: int,
        # mesh: the body of each tet with pieces, and how many bodies there are
        body: ints, bodies: int,
        # params:
        room: int,
        # in: pairs of tets, how many pairs of triangles each has, and all before it
        cells: twos, counts: ints, ends: ints, found: twos,
        # out: and which bodies have any
        curves: Curves, table: ints,
    ):  # fmt: skip
        p = start + wp.tid()
        n = counts[p]
        last = ends.shape[0] - 1
        fits = ends[last] <= curves.pairs.shape[0]
        if n > room:
            wp.atomic_max(curves.needs, ROOM, n)
        if n > 0 and fits:
            key = body[cells[p][0]] * bodies + body[cells[p][1]]
            table[key] = 1
            begin = ends[p] - n
            for k in range(n):
                if k < room:
                    pair = found[p * room + k]
                    curves.pairs[begin + k] = wp.vec3i(pair[0], pair[1], key)
                else:
                    curves.pairs[begin + k] = wp.vec3i(-1, -1, key)
        if p == last:
            curves.needs[PAIRS] = ends[last]
            curves.numbers[PAIRS] = wp.where(fits, ends[last], 0)

    @t.kernel
    def list_groups(
        start: int,
        # mesh:
        mesh: Mesh, bodies: int,
        # in: which bodies have any, and how many pairs of them there are up to each
        table: ints, ranks: ints,
        # out: and the patches of either
        curves: Curves, floods: Floods, sizes: ints,
    ):  # fmt: skip
        key = start + wp.tid()
        last = ranks.shape[0] - 1
        fits = ranks[last] <= floods.bodies.shape[0]
        if key == 0:
            curves.needs[GROUPS] = ranks[last]
            curves.numbers[GROUPS] = wp.where(fits, ranks[last], 0)
            if not fits:
                curves.numbers[PAIRS] = 0
        if table[key] != 0 and fits:
            g = ranks[key] - 1
            a, b = key // bodies, key % bodies
            floods.bodies[g] = wp.vec2i(a, b)
            sizes[2 * g] = mesh.bounds[a + 1] - mesh.bounds[a]
            sizes[2 * g + 1] = mesh.bounds[b + 1] - mesh.bounds[b]

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


def piercing_kernels(t: Types) -> SimpleNamespace:
    """Edges that go through triangles."""
    own = flood_structs()
    Mesh, Curves, Floods, ints = own.Mesh, own.Curves, own.Floods, wp.array(dtype=wp.int32)
    points = wp.array(dtype=wp.vec3d)
    _, pierce = pierce_functions(t, wp.float64, wp.vec3d)
    zero = wp.float64(0.0)

    @t.kernel
    def pierce_pairs(start: int, mesh: Mesh, ranks: ints, at: points, curves: Curves):
        """What goes through what in each pair of triangles: two sides, or nothing is said of it; ``ranks`` are the numbers of
        pairs of bodies."""
        p = start + wp.tid()
        if p < curves.numbers[PAIRS]:
            pair = wp.vec3i(curves.pairs[p])
            number = int(0)
            chosen, along = wp.vec2i(-1, -1), wp.vec2d()
            if pair[0] >= 0:
                both = int(2)  # numbers that the compiler does not know, so that loops stay loops
                for side in range(both):
                    s, r = mesh.triangles[pair[side]], mesh.triangles[pair[1 - side]]
                    edges = int(3)
                    for e in range(edges):
                        value = pierce(s[e], s[(e + 1) % 3], r[0], r[1], r[2], 1 - side, at)
                        if value >= zero:
                            if number < 2:
                                chosen[number] = 3 * side + e
                                along[number] = value
                                through = wp.vec2i(mesh.sides[pair[side]][e], pair[1 - side])
                                curves.entries[2 * p + number] = through
                            number += 1
            if number != 2:
                chosen = wp.vec2i(-1, -1)
            curves.chosen[p] = chosen
            curves.along[p] = along
            curves.pairs[p] = wp.vec3i(pair[0], pair[1], ranks[pair[2]] - 1)

    @t.kernel
    def find_same(start: int, curves: Curves, floods: Floods):
        """The place of each entry in the table."""
        e = start + wp.tid()
        if e < 2 * curves.numbers[PAIRS]:
            if curves.chosen[e // 2][0] >= 0:
                own = curves.entries[e]
                size = curves.table.shape[0]
                h = ((own[0] * 73856093) ^ (own[1] * 19349663)) & (size - 1)
                looking = bool(True)
                while looking:
                    other = wp.atomic_cas(curves.table, h, -1, e)
                    if other < 0:
                        looking = False
                    else:
                        same = curves.entries[other]
                        # of a body with itself, a side of a triangle goes through another on either sheet
                        sheet = curves.chosen[other // 2][other % 2] // 3
                        if same[0] == own[0] and same[1] == own[1] and sheet == curves.chosen[e // 2][e % 2] // 3:
                            looking = False
                        else:
                            h = (h + 1) & (size - 1)
                curves.spot[e] = h
                wp.atomic_min(curves.least, h, e)
                wp.atomic_add(curves.times, h, 1)
            elif e % 2 == 0:
                wp.atomic_add(floods.loose, curves.pairs[e // 2][2], 1)

    @t.kernel
    def flag_first(start: int, curves: Curves):
        e = start + wp.tid()
        if e < 2 * curves.numbers[PAIRS] and curves.chosen[e // 2][0] >= 0 and curves.least[curves.spot[e]] == e:
            curves.flags[e] = 1

    return SimpleNamespace(pierce_pairs=pierce_pairs, find_same=find_same, flag_first=flag_first)


def segment_kernels(t: Types) -> SimpleNamespace:
    """Segments of curves between piercings."""
    own = flood_structs()
    Mesh, Curves, Floods, points = own.Mesh, own.Curves, own.Floods, wp.array(dtype=wp.vec3d)
    _, unite = union_functions(t)
    zero = wp.float64(0.0)

    @t.kernel
    def list_piercings(start: int, mesh: Mesh, at: points, curves: Curves, floods: Floods):
        """The piercing of each entry; those that come but once are open ends."""
        e = start + wp.tid()
        if e == 0:
            curves.numbers[PIERCINGS] = wp.where(curves.numbers[PAIRS] > 0, curves.ranks[curves.ranks.shape[0] - 1], 0)
        if e < 2 * curves.numbers[PAIRS]:
            p = e // 2
            if curves.chosen[p][0] >= 0:
                h = curves.spot[e]
                first = curves.least[h]
                i = curves.ranks[first] - 1
                curves.piercing[e] = i
                if first == e:
                    floods.above[i] = i
                    entry, group = curves.entries[e], curves.pairs[p][2]
                    ends, c = mesh.edges[entry[0]], mesh.triangles[entry[1]]
                    a = at[ends[0]]
                    way, corner = at[ends[1]] - a, at[c[0]]
                    slope = wp.dot(wp.cross(at[c[1]] - corner, at[c[2]] - corner), way)
                    enters = wp.where(slope > zero, -1, wp.where(slope < zero, 1, 0))
                    lam = curves.along[p][e % 2]
                    place = a + lam * way
                    sheet = 2 * group + wp.where(curves.chosen[p][e % 2] < 3, 0, 1)
                    curves.marks[i] = wp.vec4i(entry[0], entry[1], enters, sheet)
                    curves.at[i] = wp.vec4d(place[0], place[1], place[2], lam)
                    if curves.times[h] != 2:
                        wp.atomic_add(floods.loose, group, 1)

    @wp.func(module=t.module)
    def normal(c: wp.vec3i, at: points) -> wp.vec3d:
        a = at[c[0]]
        return wp.cross(at[c[1]] - a, at[c[2]] - a)

    @t.kernel
    def join_segments(start: int, mesh: Mesh, at: points, curves: Curves, floods: Floods):
        """Segments run so that what is inside lies to their left on the first triangle; slots that they touch are marked."""
        p = start + wp.tid()
        slots = floods.sheet_ends[floods.sheet_ends.shape[0] - 1]
        if p < curves.numbers[PAIRS]:  # noqa: SIM102 (kernels compute both sides of "and")
            if curves.chosen[p][0] >= 0:
                i, j = curves.piercing[2 * p], curves.piercing[2 * p + 1]
                pair = curves.pairs[p]
                a, b = curves.at[i], curves.at[j]
                way = wp.vec3d(b[0] - a[0], b[1] - a[1], b[2] - a[2])
                turned = wp.cross(normal(mesh.triangles[pair[0]], at), normal(mesh.triangles[pair[1]], at))
                if wp.dot(way, turned) < zero:
                    curves.segments[p] = wp.vec2i(j, i)
                else:
                    curves.segments[p] = wp.vec2i(i, j)
                unite(i, j, floods.above)
                if slots <= floods.touched.shape[0]:
                    both = int(2)
                    for side in range(both):
                        sheet = 2 * pair[2] + side
                        begin = int(0)
                        if sheet > 0:
                            begin = floods.sheet_ends[sheet - 1]
                        first = mesh.bounds[floods.bodies[pair[2]][side]]
                        floods.touched[begin + mesh.patch[pair[side]] - first] = 1

    return SimpleNamespace(list_piercings=list_piercings, join_segments=join_segments)


@family
def curve_kernels(t):
    return vars(pair_kernels(t)) | vars(piercing_kernels(t)) | vars(segment_kernels(t))
