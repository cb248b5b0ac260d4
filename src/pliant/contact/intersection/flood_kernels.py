"""Flood-fill kernels for regions that intersection curves bound.

Edges without a piercing have both ends inside or both outside; corners connected by such edges are one component, and
a curve next to one gives its side. Patches that no curve touches are one item each.

The surface of a body as one of a pair meets it is a sheet: sheets 2g and 2g + 1 are those of pair g, and a slot is a patch of a
sheet. What a touched slot has, its corners, edges and triangles, is counted from one place on, of which it takes its width.

An edge has ``most`` patches at most, ``lanes`` threads share a slot, and nodes of corners begin at ``first``, those of slots at
``plain``.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from ..pairs.union_find import union_functions
from .flood_structs import CURVES, PAIRS, PIERCINGS, SLOTS, WIDTH, flood_structs


def slot_functions(t: Types) -> SimpleNamespace:
    """Slots, nodes and parts."""
    own = flood_structs()
    Mesh, Curves, Floods = own.Mesh, own.Curves, own.Floods

    @wp.func(module=t.module)
    def slot_of(patch: int, sheet: int, mesh: Mesh, floods: Floods) -> int:
        begin = int(0)
        if sheet > 0:
            begin = floods.sheet_ends[sheet - 1]
        return begin + patch - mesh.bounds[floods.bodies[sheet // 2][sheet % 2]]

    @wp.func(module=t.module)
    def begin_of(slot: int, floods: Floods) -> int:
        return floods.slot_ends[slot] - floods.widths[slot]

    @wp.func(module=t.module)
    def is_there(i: int, first: int, plain: int, curves: Curves) -> bool:
        """Whether a node is one of those that there are: piercings, corners from ``first`` on, slots from ``plain`` on."""
        number = curves.numbers[PIERCINGS]
        if i >= plain:
            return i - plain < curves.numbers[SLOTS]
        if i >= first:
            return i - first < curves.numbers[WIDTH]
        return i < number

    @wp.func(module=t.module)
    def is_inside(part: int, floods: Floods) -> bool:
        return floods.votes[2 * part] > floods.votes[2 * part + 1]

    return SimpleNamespace(slot_of=slot_of, begin_of=begin_of, is_there=is_there, is_inside=is_inside)


def list_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Slots, and crossings of curves with their edges."""
    own = flood_structs()
    Mesh, Curves, Floods, slot_of, begin_of = own.Mesh, own.Curves, own.Floods, of.slot_of, of.begin_of

    @t.kernel
    def lay_slots(start: int, mesh: Mesh, curves: Curves, floods: Floods):
        """The sheet of each slot, and its width where curves touch it."""
        slot = start + wp.tid()
        sheets = floods.sheet_ends.shape[0]
        total = floods.sheet_ends[sheets - 1]
        room = floods.touched.shape[0]
        if slot == 0:
            curves.needs[SLOTS] = total
            curves.numbers[SLOTS] = wp.where(total <= room and curves.numbers[PIERCINGS] > 0, total, 0)
        width = int(0)
        if slot < total and total <= room:
            low, high = int(0), int(sheets - 1)
            while low < high:
                middle = (low + high) // 2
                if floods.sheet_ends[middle] > slot:
                    high = middle
                else:
                    low = middle + 1
            floods.sheet[slot] = low
            if floods.touched[slot] != 0:
                width = mesh.width[slot - slot_of(0, low, mesh, floods)]
        floods.widths[slot] = width

    @t.kernel
    def clear_nodes(start: int, first: int, plain: int, curves: Curves, floods: Floods):
        i = start + wp.tid()
        total = floods.slot_ends[floods.slot_ends.shape[0] - 1]
        fits = total <= floods.edge_head.shape[0]
        if i == 0:
            curves.needs[WIDTH] = total
            curves.numbers[WIDTH] = wp.where(fits, total, 0)
            if not fits:
                curves.numbers[SLOTS] = 0
        if fits:
            place = i - first
            if place >= 0 and place < total:
                floods.edge_head[place] = -1
                floods.triangle_head[place] = -1
            if i >= plain or (place >= 0 and place < total):
                floods.above[i] = i
                floods.votes[2 * i] = 0
                floods.votes[2 * i + 1] = 0

    @t.kernel
    def list_crossings(start: int, most: int, first: int, mesh: Mesh, curves: Curves, floods: Floods):
        """Links of pairs of triangles, and of piercings."""
        i = start + wp.tid()
        if curves.numbers[SLOTS] > 0:
            if i < 2 * curves.numbers[PAIRS]:
                p, side = i // 2, i % 2
                if curves.chosen[p][0] >= 0:
                    pair = curves.pairs[p]
                    patch = mesh.patch[pair[side]]
                    slot = slot_of(patch, 2 * pair[2] + side, mesh, floods)
                    place = begin_of(slot, floods) + pair[side] - mesh.patch_first[patch]
                    floods.triangle_next[i] = wp.atomic_exch(floods.triangle_head, place, i)
            if i < curves.numbers[PIERCINGS]:
                mark = curves.marks[i]
                hung = wp.vec4i(-1, 0, 0, 0)
                begin = mesh.place_starts[mark[0]]
                for k in range(mesh.place_starts[mark[0] + 1] - begin):
                    where = mesh.places[begin + k]
                    slot = slot_of(where[0], mark[3], mesh, floods)
                    if floods.touched[slot] != 0:
                        here = begin_of(slot, floods)
                        place, link = here + where[1], most * i + k
                        floods.edge_next[link] = wp.atomic_exch(floods.edge_head, place, link)
                        if hung[0] < 0:
                            ends = mesh.edge_ends[mesh.edge_starts[where[0]] + where[1]]
                            hung = wp.vec4i(place, first + here + ends[0], first + here + ends[1], link)
                floods.hung[i] = hung

    return SimpleNamespace(lay_slots=lay_slots, clear_nodes=clear_nodes, list_crossings=list_crossings)


def corner_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Corners on one side of all curves."""
    own = flood_structs()
    Mesh, Curves, Floods = own.Mesh, own.Curves, own.Floods
    find_root, unite = union_functions(t)
    slot_of, begin_of, is_there = of.slot_of, of.begin_of, of.is_there

    @wp.func(module=t.module)
    def earlier(a: int, b: int, curves: Curves) -> bool:
        """Whether an edge is pierced at a before it is at b."""
        u, v = curves.at[a][3], curves.at[b][3]
        return u < v or (u == v and a < b)

    @wp.func(module=t.module)
    def sorted_list(first: int, next: wp.array(dtype=wp.int32), most: int, along: bool, curves: Curves) -> int:
        """The new first link of a list, sorted by insertion: of piercings along their edge, or by their numbers."""
        head = int(-1)
        link = int(first)
        while link >= 0:
            after = int(next[link])
            before = int(-1)
            q = int(head)
            while q >= 0:
                comes = q < link
                if along:
                    comes = earlier(q // most, link // most, curves)
                if comes:
                    before = q
                    q = int(next[q])
                else:
                    q = -1
            if before < 0:
                next[link] = head
                head = link
            else:
                next[link] = next[before]
                next[before] = link
            link = after
        return head

    @t.kernel
    def sort_links(start: int, most: int, curves: Curves, floods: Floods):
        """Links of edges along these, and of triangles in the order of pairs."""
        place = start + wp.tid()
        if place < curves.numbers[WIDTH]:
            floods.edge_head[place] = sorted_list(floods.edge_head[place], floods.edge_next, most, True, curves)
            floods.triangle_head[place] = sorted_list(floods.triangle_head[place], floods.triangle_next, most, False, curves)

    @t.kernel
    def join_corners(start: int, lanes: int, first: int, plain: int, mesh: Mesh, curves: Curves, floods: Floods):
        """Corners, and slots that no curve touches, on the same side of all curves."""
        slot = (start + wp.tid()) // lanes
        lane = (start + wp.tid()) % lanes
        if slot < curves.numbers[SLOTS]:
            sheet = floods.sheet[slot]
            away = slot_of(0, sheet, mesh, floods)
            patch = slot - away
            if floods.touched[slot] != 0:
                begin = begin_of(slot, floods)
                k = mesh.edge_starts[patch] + lane
                while k < mesh.edge_starts[patch + 1]:
                    if floods.edge_head[begin + k - mesh.edge_starts[patch]] < 0:
                        ends = mesh.edge_ends[k]
                        unite(first + begin + ends[0], first + begin + ends[1], floods.above)
                    k += lanes
                k = mesh.shared_starts[patch] + lane
                while k < mesh.shared_starts[patch + 1]:
                    row = mesh.shared[k]
                    other = away + row[1]
                    if floods.touched[other] == 0:
                        unite(first + begin + row[0], plain + other, floods.above)
                    elif other > slot:
                        unite(first + begin + row[0], first + begin_of(other, floods) + row[2], floods.above)
                    k += lanes
            else:
                k = mesh.near_starts[patch] + lane
                while k < mesh.near_starts[patch + 1]:
                    other = away + mesh.near[k]
                    if floods.touched[other] == 0:
                        unite(plain + slot, plain + other, floods.above)
                    k += lanes

    @t.kernel
    def flatten(start: int, first: int, plain: int, curves: Curves, floods: Floods):
        """The tops of all nodes, from where regions begin."""
        i = start + wp.tid()
        if is_there(i, first, plain, curves):
            top = find_root(i, floods.above)
            floods.tops[i] = top
            floods.joined[i] = top

    return SimpleNamespace(sort_links=sort_links, join_corners=join_corners, flatten=flatten)


def part_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Which parts are inside, and the regions that they make."""
    own = flood_structs()
    Mesh, Curves, Floods = own.Mesh, own.Curves, own.Floods
    find_root, unite = union_functions(t)
    slot_of, begin_of, is_there, is_inside = of.slot_of, of.begin_of, of.is_there, of.is_inside

    @t.kernel
    def vote(start: int, most: int, curves: Curves, floods: Floods):
        """The first piercing of an edge speaks for its lower end, the last for its upper one."""
        i = start + wp.tid()
        if i < curves.numbers[PIERCINGS] and curves.numbers[WIDTH] > 0:
            hung, enters = floods.hung[i], curves.marks[i][2]
            if hung[0] >= 0:
                if floods.edge_head[hung[0]] == hung[3]:
                    part = floods.tops[hung[1]]
                    wp.atomic_add(floods.votes, 2 * part + wp.where(enters < 0, 0, 1), 1)
                    floods.group[part] = curves.marks[i][3] // 2
                if floods.edge_next[hung[3]] < 0:
                    part = floods.tops[hung[2]]
                    wp.atomic_add(floods.votes, 2 * part + wp.where(enters > 0, 0, 1), 1)
                    floods.group[part] = curves.marks[i][3] // 2

    @t.kernel
    def join_regions(start: int, most: int, mesh: Mesh, curves: Curves, floods: Floods):
        """Curves and the parts inside that they bound, and curves of a pair of bodies that meet in a triangle."""
        i = start + wp.tid()
        if curves.numbers[WIDTH] > 0:
            if i < curves.numbers[PIERCINGS]:
                hung, enters = floods.hung[i], curves.marks[i][2]
                if hung[0] >= 0:
                    if enters < 0 and floods.edge_head[hung[0]] == hung[3]:
                        part = floods.tops[hung[1]]
                        if is_inside(part, floods):
                            unite(i, part, floods.joined)
                    if enters > 0 and floods.edge_next[hung[3]] < 0:
                        part = floods.tops[hung[2]]
                        if is_inside(part, floods):
                            unite(i, part, floods.joined)
            if i < 2 * curves.numbers[PAIRS]:
                p, side = i // 2, i % 2
                if curves.chosen[p][0] >= 0:
                    pair = curves.pairs[p]
                    patch = mesh.patch[pair[side]]
                    slot = slot_of(patch, 2 * pair[2] + side, mesh, floods)
                    place = begin_of(slot, floods) + pair[side] - mesh.patch_first[patch]
                    one = floods.triangle_head[place]
                    if one != i:
                        unite(curves.segments[p][0], curves.segments[one // 2][0], floods.joined)

    @t.kernel
    def settle(start: int, first: int, plain: int, curves: Curves, floods: Floods):
        """The region of each node by its top, which is a piercing, and what was said in vain."""
        i = start + wp.tid()
        if i < curves.flags.shape[0]:
            curves.flags[i] = 0
        if is_there(i, first, plain, curves):
            region = find_root(i, floods.joined)
            floods.regions[i] = region
            if i < first:
                if region == i:
                    curves.flags[i] = 1
                if floods.tops[i] == i:
                    wp.atomic_add(curves.needs, CURVES, 1)
            elif floods.tops[i] == i:
                n = wp.min(floods.votes[2 * i], floods.votes[2 * i + 1])
                if n > 0:
                    wp.atomic_add(floods.conflicts, floods.group[i], n)

    return SimpleNamespace(vote=vote, join_regions=join_regions, settle=settle)


@family
def flood_kernels(t):
    of = slot_functions(t)
    return vars(list_kernels(t, of)) | vars(corner_kernels(t, of)) | vars(part_kernels(t, of))
