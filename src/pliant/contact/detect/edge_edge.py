"""Edge–edge search: candidate edge pairs of a step.

Two edges touch along their common normal n = u × v. Solids touch with edges that stand out, along a normal that lies between
those of the faces beside them; sheets and threads with all, on the side where they were. Edges deep inside where a step
begins, and not pushed before, are left to point–face pairs. Edges of one body are neighbours where faces beside them meet.
"""

from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.device import Device, Types, family
from ..pairs.closest_points import closest_functions
from ..pairs.contact_surface import Surface
from ..pairs.edge_degeneracy import BORDER, TIE, segment_functions
from .active_pairs import slot_structs
from .broad_phase import Boxed, candidate_kernels
from .point_face import Nearest
from .surface_motion import look_functions, skin_structs

# measured by iterations over nine steps of ten blocks that fall into a bowl (tests/contact/test_piles.py), 300 with these
# cosine of the angle up to which the faces beside an edge of a solid are one; stacks agree less with 0.99
FLAT = 0.99999
BENT = 0.99  # the same of a sheet, and of a solid that presses there: 8°; with 5° 329 iterations
CONE = 0.1  # sine, by which a normal may lie beyond those of the faces beside an edge; with half and twice 273 and 244
SHALLOW = 0.1  # of an edge: largest depth of edges at the start of a step to be pushed apart; with 0.5 322
ALIKE = 0.7  # cosine between the normals of a pair in two steps, above which it is followed; with 0 368


def wing_functions(t: Types, segments: SimpleNamespace) -> SimpleNamespace:
    """Edges and the faces beside them."""
    real, vec3, points = t.real, t.vec3, wp.array(dtype=t.vec3)
    zero, one, nearest_on, Skin = real(0.0), real(1.0), segments.nearest_on, skin_structs(t.precision).Skin

    @wp.func(module=t.module)
    def into(i: int, side: int, skin: Skin, x: points) -> vec3:
        """Unit vector from an edge into the face on a side of it, across the edge; 0 where there is none."""
        u = vec3()
        w = skin.wings[i, side]
        if w >= 0:
            a = x[skin.edges[i, 0]]
            e = x[skin.edges[i, 1]] - a
            u = x[w] - a
            u = u - (wp.dot(u, e) / wp.max(wp.dot(e, e), real(1.0e-300))) * e
            size = wp.length(u)
            if size > zero:
                u = u / size
        return u

    @wp.func(module=t.module)
    def flatness(i: int, skin: Skin, x: points) -> real:
        """Cosine of the angle by which the faces beside an edge turn, −1 where it has not two."""
        if skin.wings[i, 0] < 0 or skin.wings[i, 1] < 0:
            return -one
        return -wp.dot(into(i, 0, skin, x), into(i, 1, skin, x))

    @wp.func(module=t.module)
    def stands_out(i: int, flat: real, pressed: bool, skin: Skin, x: points) -> bool:
        """Whether the faces beside an edge of that flatness are not one; of a solid, whether it is convex there, or nearly so
        where it pressed."""
        if skin.wings[i, 0] < 0 or skin.wings[i, 1] < 0:
            return True
        if skin.closed[skin.body[skin.edges[i, 0]]] == 0:
            return flat <= real(BENT)
        e = x[skin.edges[i, 1]] - x[skin.edges[i, 0]]
        convex = wp.dot(wp.cross(e, into(i, 0, skin, x)), into(i, 1, skin, x)) <= zero
        if pressed:  # what is pushed in until it is flat would else press in every other step
            return convex or flat > real(BENT)
        return convex and flat <= real(FLAT)

    @wp.func(module=t.module)
    def between(i: int, n: vec3, skin: Skin, x: points) -> bool:
        """Whether an edge is what its faces reach furthest along n."""
        return wp.max(wp.dot(into(i, 0, skin, x), n), wp.dot(into(i, 1, skin, x), n)) <= real(CONE)

    @wp.func(module=t.module)
    def looks(i: int, n: vec3, skin: Skin, x: points) -> real:
        """Cosine between n and the normal of the faces beside an edge, 0 where it has none."""
        e = x[skin.edges[i, 1]] - x[skin.edges[i, 0]]
        m = wp.cross(e, into(i, 0, skin, x)) - wp.cross(e, into(i, 1, skin, x))
        size = wp.length(m)
        value = zero
        if size > zero:
            value = wp.dot(m, n) / size
        return value

    @wp.func(module=t.module)
    def across(a: vec3, b: vec3, c: vec3, d: vec3, border: real) -> bool:
        """Whether two lines are nearest within both edges, or hardly beyond."""
        st = nearest_on(a, b, c, d)
        return wp.min(st) > -border and wp.max(st) < one + border

    @wp.func(module=t.module)
    def height_of(i: int, j: int, skin: Skin, x: points) -> real:
        """How far the line of an edge is from that of another, along u × v; 0 where that is nothing."""
        a, c = x[skin.edges[i, 0]], x[skin.edges[j, 0]]
        m = wp.cross(x[skin.edges[i, 1]] - a, x[skin.edges[j, 1]] - c)
        size = wp.length(m)
        value = zero
        if size > zero:
            value = wp.dot(m, a - c) / size
        return value

    @wp.func(module=t.module)
    def are_neighbours(i: int, j: int, skin: Skin) -> bool:
        """Whether two edges, or the faces beside them, have a corner in common."""
        for one_end in range(skin.edges.shape[1]):
            for other in range(skin.edges.shape[1]):
                a, b = skin.edges[i, one_end], skin.edges[j, other]
                w, z = skin.wings[i, one_end], skin.wings[j, other]
                if a == b or b == w or (w >= 0 and w == z):
                    return True
                if a == z:
                    return True
        return False

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


def side_functions(t: Types, of: SimpleNamespace, segments: SimpleNamespace) -> SimpleNamespace:
    """Sides on which edges belong."""
    real, vec3, points = t.real, t.vec3, wp.array(dtype=t.vec3)
    zero, one, edge_edge = real(0.0), real(1.0), closest_functions(t).edge_edge
    remembered_side, Skin = segments.remembered_side, skin_structs(t.precision).Skin
    Memory, between, looks, height_of = slot_structs(t.precision).Memory, of.between, of.looks, of.height_of

    @wp.func(module=t.module)
    def side_of(i: int, j: int, n: vec3, inner: int, outer: int, skin: Skin, x: points) -> real:
        """On which side of edge j edge i belongs, along n, by the solids that they are of: 0 for neither."""
        sign = zero
        if outer != 0:
            sign = wp.sign(looks(j, n, skin, x))
            if not between(j, sign * n, skin, x):
                return zero
        if inner != 0:
            back = -wp.sign(looks(i, n, skin, x))
            if sign * back < zero or not between(i, -back * n, skin, x):
                return zero
            sign = back
        return sign

    @wp.func(module=t.module)
    def remembered(i: int, j: int, n: vec3, skin: Skin, x: points, sides: wp.array(dtype=wp.int32)) -> real:
        """The same of sheets, by the sides on which their points were: 0 where that is not known."""
        a, c = skin.edges[i, 0], skin.edges[j, 0]
        one_side = remembered_side(skin.slots[a], skin.body[c], sides)
        other_side = remembered_side(skin.slots[c], skin.body[a], sides)
        sign = zero
        along, back = looks(j, n, skin, x), looks(i, n, skin, x)
        if one_side != zero and along != zero:
            sign = wp.sign(one_side * along)
        elif other_side != zero:
            sign = -wp.sign(other_side * back)
        return sign

    @wp.func(module=t.module)
    def towards_itself(i: int, j: int, sign: real, closed: int, offset: real, size: real, skin: Skin) -> real:
        """The side of an edge of the same body: 0 for those that are so near at rest, or of a solid behind it there."""
        a, b = skin.rest[skin.edges[i, 0]], skin.rest[skin.edges[i, 1]]
        c, d = skin.rest[skin.edges[j, 0]], skin.rest[skin.edges[j, 1]]
        st = edge_edge(a, b, c, d)
        away = wp.length((a + st[0] * (b - a)) - (c + st[1] * (d - c)))
        value = sign
        if closed == 0:
            value = one
        behind = sign * height_of(i, j, skin, skin.rest) <= zero
        if away <= real(2.0) * offset or (closed != 0 and behind and away < size):
            value = zero
        return value

    @wp.func(module=t.module)
    def sign_of(
        i: int, j: int, n: vec3, before: real, offset: real, last: int, normal: vec3, memory: Memory, skin: Skin,
        x: points,
    ) -> real:  # fmt: skip
        """On which side of edge j edge i belongs, along n; ``normal`` is that of ``last``, the body that it pressed."""
        own, o = skin.body[skin.edges[i, 0]], skin.body[skin.edges[j, 0]]
        sign = side_of(i, j, n, skin.closed[own], skin.closed[o], skin, x)
        if o == own:
            sign = towards_itself(i, j, sign, skin.closed[own], offset, skin.size[own], skin)
            if last == o and skin.closed[own] == 0:
                sign = wp.sign(wp.dot(n, normal))
            elif sign != zero and skin.closed[own] == 0:
                sign = wp.sign(before)
        elif skin.closed[own] + skin.closed[o] == 0:
            sign = remembered(i, j, n, skin, x, memory.sides)
            if last == o:
                sign = wp.sign(wp.dot(n, normal))
            if sign == zero:
                sign = wp.sign(before)
        return sign

    return SimpleNamespace(side_of=side_of, remembered=remembered, towards_itself=towards_itself, sign_of=sign_of)


def seed_kernels(t: Types, of: SimpleNamespace, segments: SimpleNamespace) -> SimpleNamespace:
    """Edges that may cross."""
    real, vec3 = t.real, t.vec3
    zero, one, look, are_parallel = real(0.0), real(1.0), look_functions(t), segments.are_parallel
    turning, rank, meeting, single, meets = segments.turning, segments.rank, segments.meeting, look.single, look.meets
    Skin, Motion = skin_structs(t.precision).Skin, skin_structs(t.precision).Motion
    Found, Memory, flatness = slot_structs(t.precision).Found, slot_structs(t.precision).Memory, of.flatness
    stands_out, across, height_of, are_neighbours = of.stands_out, of.across, of.height_of, of.are_neighbours
    sign_of = of.sign_of

    @t.kernel
    def seed_edges(start: int, skin: Skin, motion: Motion, tree: wp.uint64, reach: real, memory: Memory, found: Found):
        i = start + wp.tid()
        slot = skin.edge_slots[i]
        ia, ib = int(skin.edges[i, 0]), int(skin.edges[i, 1])
        own = skin.body[ia]
        a, b, a0, b0 = motion.x[ia], motion.x[ib], motion.begun[ia], motion.begun[ib]
        u, u0 = b - a, b0 - a0
        chosen = wp.vec4i(ia, ia, ia, ia)
        least = reach
        touches = int(0)
        turned, thick, k = real(1.0), real(0.0), real(0.0)
        pressed = memory.touched[slot] - 1
        bent = flatness(i, skin, motion.x)
        sharp = stands_out(i, bent, pressed >= 0, skin, motion.x)
        last = int(-1)
        if pressed >= 0:
            last = skin.body[skin.edges[pressed, 0]]
        normal = memory.normal[slot]
        bodies = int(0)
        if sharp or skin.closed[own] == 0:
            bodies = motion.low.shape[0]
        for o in range(bodies):
            near = (o != own or skin.itself[o] != 0) and meets(own, o, skin)
            way = vec3()
            if o != own:
                way += motion.ways[o]
            a1, b1 = a0 + way, b0 + way
            pad = reach + skin.thickness[ia] + skin.size[o]  # what is behind at the end may have been before on the way
            margin = vec3(pad, pad, pad)
            lowest = wp.min(wp.min(a, b), wp.min(a1, b1)) - margin
            highest = wp.max(wp.max(a, b), wp.max(a1, b1)) + margin
            for axis in range(3):
                if lowest[axis] > motion.high[o][axis] or highest[axis] < motion.low[o][axis]:
                    near = False
            if near:
                span = wp.min(skin.size[own], skin.size[o])
                query = wp.bvh_query_aabb(tree, single(lowest), single(highest), wp.bvh_get_group_root(tree, o))
                j = int(0)
                while wp.bvh_query_next(query, j):
                    ic, id = int(skin.edges[j, 0]), int(skin.edges[j, 1])
                    c, d = motion.x[ic], motion.x[id]
                    m = wp.cross(u, d - c)
                    n = m / wp.max(wp.length(m), real(1.0e-300))
                    offset = real(0.5) * (skin.thickness[ia] + skin.thickness[ic])
                    if o != own and skin.part[o] == skin.part[own]:
                        offset = zero  # pieces of one sheet begin side by side
                    height = wp.dot(n, a - c)
                    v0 = motion.begun[id] - motion.begun[ic]
                    way_round = turning(u0, v0, u, d - c)
                    before = way_round * height_of(i, j, skin, motion.begun)
                    good = not are_parallel(u, d - c)
                    good = good and wp.min(wp.abs(height), wp.abs(before)) < reach + offset + span
                    if o == own:
                        good = good and not are_neighbours(i, j, skin)
                    other_bent = real(-1.0)
                    if good:
                        did = pressed == j or memory.touched[skin.edge_slots[j]] > 0
                        other_bent = flatness(j, skin, motion.x)
                        out = stands_out(j, other_bent, did, skin, motion.x)
                        good = (skin.closed[o] == 0 and sharp) or out
                    sign = real(0.0)
                    if good:
                        sign = sign_of(i, j, n, before, offset, last, normal, memory, skin, motion.x)
                    gap = sign * height - offset
                    order = rank(sign * before - offset, gap, span)
                    stays = j == pressed and gap < zero  # of several that are as near it stays with the same
                    # of edges that are as near those of the first body take the first, those of the second the last
                    tie = real(TIE) * wp.where(order > zero, span, one)
                    other_way = i < j
                    if o != own:
                        other_way = own < o
                    first = wp.where(other_way, j < touches - 1, j > touches - 1)
                    nearer = order < least - tie or (touches > 0 and order < least + tie and first)
                    good = good and sign != zero and (nearer or stays)
                    good = good and sign * before - offset > real(-SHALLOW) * span
                    if good and (last != o or sign * wp.dot(n, normal) < real(ALIKE)):
                        # nobody knows where parallel ones were: points and faces speak for them
                        good = not are_parallel(u0, v0)
                    border = real(BORDER)
                    flat = real(-1.0)
                    if good and skin.closed[own] != 0 and skin.closed[o] != 0:
                        flat = wp.max(bent, other_bent)
                    if flat > real(BENT):
                        border = -border  # at the ends of what is nearly flat points speak
                    if good:  # where they meet on the way
                        r = meeting(sign * before - offset, gap)
                        a2, b2 = a0 + r * (a - a0), b0 + r * (b - b0)
                        c2, d2 = wp.lerp(motion.begun[ic], c, r), wp.lerp(motion.begun[id], d, r)
                        good = across(a2, b2, c2, d2, border)
                    if good:
                        chosen = wp.vec4i(ia, ib, ic, id)
                        touches = j + 1
                        least = wp.min(order, least)
                        if stays:
                            least = real(-1.0e30)
                        turned = way_round * sign  # along u × v where the step begins
                        thick = offset
                        # either of the two edges has half of the stiffness
                        k = wp.min(skin.length[ia] + skin.length[ib], skin.length[ic] + skin.length[id])
                        k = real(0.25) * k * wp.min(skin.modulus[own], skin.modulus[o])
        found.pairs[slot] = chosen
        found.other[slot] = touches
        found.side[slot] = turned
        found.apart[slot] = thick
        found.stiffness[slot] = k

    return SimpleNamespace(seed_edges=seed_edges)


@family
def edge_kernels(t):
    segments = segment_functions(t)
    of = wing_functions(t, segments)
    of = SimpleNamespace(**vars(of), **vars(side_functions(t, of, segments)))
    return vars(seed_kernels(t, of, segments))


class Edges:
    """The edges of a surface that its edges may touch, in a tree with a part for each body."""

    def __init__(self, device: Device, surface: Surface, nearest: Nearest):
        self.device, self.nearest, self.kernels = device, nearest, edge_kernels("f64")
        self.boxed = Boxed(device, surface.edges, surface.body[surface.edges[:, 0]])

    def seed(self, reach: float, memory: Any, found: Any) -> None:
        """The edge that each may touch on its way, after ``nearest`` has looked for faces; arguments as there."""
        boxed, skin, motion = self.boxed, self.nearest.skin, self.nearest.motion
        boxed.put(candidate_kernels("f64").bound, 0.0, motion.x, motion.x)
        boxed.plant(anew=False)
        where = (skin, motion, boxed.tree.id, float(reach), memory, found)
        self.device.launch(self.kernels.seed_edges, boxed.count, *where, grain=64)
