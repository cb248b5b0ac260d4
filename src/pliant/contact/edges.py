"""Which edge of another body each edge of a surface may cross in a step, where neither has a point inside the other.

Two edges touch along their common normal n = u × v. Solids touch with edges that stand out, along a normal that lies between
those of the faces beside them; sheets and threads with all, on the side where they were. What is deep inside where a step
begins, and was not pushed before, is left to points. Edges of one body are neighbours where faces beside them meet.
"""

import numpy as np
import warp as wp

from ..device import Device, family
from .closest import closest_functions
from .nearest import Nearest
from .segments import BORDER, segment_functions
from .surface import Surface

FLAT = 0.99999  # cosine of the angle, a quarter of a degree, up to which the faces beside an edge of a solid are one
KEPT = 0.996  # cosine of the angle, 5°, by which an edge that pressed may have been pushed in
BENT = 0.99  # cosine of the angle, 8°, up to which the faces beside an edge of a sheet are one, and of a solid nearly
CONE = 0.1  # sine, by which a normal may lie beyond those of the faces beside an edge
SHALLOW = 0.1  # of an edge: how deep edges may be where a step begins, to be pushed apart for the first time
DEEPEST = 0.5  # of an edge: how deep they may be to be pushed apart again; what is deeper has slid behind while it was parallel
SLANTING = 0.3  # cosine between a normal and that of a sheet, above which its side is told by it
ALIKE = 0.7  # cosine between the normals of a pair in two steps, above which it is followed


@family
def edge_kernels(t):
    real, vec3 = t.real, t.vec3
    points, ints, reals = wp.array(dtype=vec3), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    corners = wp.array2d(dtype=wp.int32)
    zero, one = real(0.0), real(1.0)
    edge_edge = closest_functions(t).edge_edge
    segments = segment_functions(t)
    are_parallel, turning = segments.are_parallel, segments.turning
    nearest_on, remembered_side = segments.nearest_on, segments.remembered_side
    rank, meeting = segments.rank, segments.meeting

    @wp.func(module=t.module)
    def single(x: vec3) -> wp.vec3:
        return wp.vec3(wp.float32(x[0]), wp.float32(x[1]), wp.float32(x[2]))

    @wp.func(module=t.module)
    def into(a: vec3, e: vec3, w: vec3) -> vec3:
        """Unit vector from an edge at a along e into the face with the corner w, across the edge."""
        u = w - a
        u = u - (wp.dot(u, e) / wp.max(wp.dot(e, e), real(1.0e-300))) * e
        size = wp.length(u)
        if size > zero:
            u = u / size
        return u

    @wp.func(module=t.module)
    def flatness(i: int, edges: corners, wings: corners, x: points) -> real:
        """Cosine of the angle by which the faces beside an edge turn, −1 where it has not two."""
        if wings[i, 0] < 0 or wings[i, 1] < 0:
            return -one
        a = x[edges[i, 0]]
        e = x[edges[i, 1]] - a
        return -wp.dot(into(a, e, x[wings[i, 0]]), into(a, e, x[wings[i, 1]]))

    @wp.func(module=t.module)
    def stands_out(i: int, flat: real, edges: corners, wings: corners, closed: int, pressed: bool, x: points) -> bool:
        """Whether the faces beside an edge of that flatness are not one; of a solid, whether it is convex there, or nearly so
        where it pressed."""
        if wings[i, 0] < 0 or wings[i, 1] < 0:
            return True
        if closed == 0:
            return flat <= real(BENT)
        a = x[edges[i, 0]]
        e = x[edges[i, 1]] - a
        convex = wp.dot(wp.cross(e, into(a, e, x[wings[i, 0]])), into(a, e, x[wings[i, 1]])) <= zero
        if pressed:  # what is pushed in until it is flat would else press in every other step
            return convex or flat > real(KEPT)
        return convex and flat <= real(FLAT)

    @wp.func(module=t.module)
    def between(i: int, n: vec3, edges: corners, wings: corners, x: points) -> bool:
        """Whether an edge is what its faces reach furthest along n."""
        a = x[edges[i, 0]]
        e = x[edges[i, 1]] - a
        for side in range(2):
            w = wings[i, side]
            if w >= 0 and wp.dot(into(a, e, x[wp.max(w, 0)]), n) > real(CONE):
                return False
        return True

    @wp.func(module=t.module)
    def looks(i: int, n: vec3, edges: corners, wings: corners, x: points) -> real:
        """Cosine between n and the normal of the faces beside an edge, 0 where it has none."""
        a = x[edges[i, 0]]
        e = x[edges[i, 1]] - a
        m = vec3()
        if wings[i, 0] >= 0:
            m += wp.cross(e, into(a, e, x[wp.max(wings[i, 0], 0)]))
        if wings[i, 1] >= 0:
            m -= wp.cross(e, into(a, e, x[wp.max(wings[i, 1], 0)]))
        size = wp.length(m)
        value = zero
        if size > zero:
            value = wp.dot(m, n) / size
        return value

    @wp.func(module=t.module)
    def across(a: vec3, b: vec3, c: vec3, d: vec3, border: real) -> bool:
        """Whether two lines are nearest within both edges, or hardly beyond."""
        st = nearest_on(a, b, c, d)
        s, r = st[0], st[1]
        low, high = -border, one + border
        return s > low and s < high and r > low and r < high

    @wp.func(module=t.module)
    def height_of(ia: int, ib: int, ic: int, id: int, x: points) -> real:
        """How far the line of two points is from that of two others, along u × v; 0 where that is nothing."""
        m = wp.cross(x[ib] - x[ia], x[id] - x[ic])
        size = wp.length(m)
        value = zero
        if size > zero:
            value = wp.dot(m, x[ia] - x[ic]) / size
        return value

    @wp.func(module=t.module)
    def side_of(i: int, j: int, n: vec3, edges: corners, wings: corners, inner: int, outer: int, x: points) -> real:
        """On which side of edge j edge i belongs, along n, by the solids that they are of: 0 for neither."""
        sign = zero
        if outer != 0:
            sign = wp.sign(looks(j, n, edges, wings, x))
            if not between(j, sign * n, edges, wings, x):
                return zero
        if inner != 0:
            back = -wp.sign(looks(i, n, edges, wings, x))
            if sign * back < zero or not between(i, -back * n, edges, wings, x):
                return zero
            sign = back
        return sign

    @wp.func(module=t.module)
    def remembered(
        i: int, j: int, n: vec3, edges: corners, wings: corners, x: points, one_side: real, other_side: real
    ) -> real:
        """The same of sheets, by the sides on which their points were: 0 where that is not known."""
        sign = zero
        along, back = looks(j, n, edges, wings, x), looks(i, n, edges, wings, x)
        if one_side != zero and wp.abs(along) > real(SLANTING):
            sign = wp.sign(one_side * along)
        elif other_side != zero and wp.abs(back) > real(SLANTING):
            sign = -wp.sign(other_side * back)
        return sign

    @wp.func(module=t.module)
    def are_neighbours(i: int, j: int, edges: corners, wings: corners) -> bool:
        """Whether two edges, or the faces beside them, have a corner in common."""
        for one_end in range(edges.shape[1]):
            for other in range(edges.shape[1]):
                a, b = edges[i, one_end], edges[j, other]
                w, z = wings[i, one_end], wings[j, other]
                if a == b or b == w or (w >= 0 and w == z):
                    return True
                if a == z:
                    return True
        return False

    @wp.func(module=t.module)
    def towards_itself(
        i: int, j: int, sign: real, closed: int, offset: real, size: real, edges: corners, rest: points
    ) -> real:
        """The side of an edge of the same body: 0 for those that are so near at rest, or of a solid behind it there."""
        st = edge_edge(rest[edges[i, 0]], rest[edges[i, 1]], rest[edges[j, 0]], rest[edges[j, 1]])
        one_place = rest[edges[i, 0]] + st[0] * (rest[edges[i, 1]] - rest[edges[i, 0]])
        other = rest[edges[j, 0]] + st[1] * (rest[edges[j, 1]] - rest[edges[j, 0]])
        away = wp.length(one_place - other)
        value = sign
        if closed == 0:
            value = one
        behind = sign * height_of(edges[i, 0], edges[i, 1], edges[j, 0], edges[j, 1], rest) <= zero
        if away <= real(2.0) * offset or (closed != 0 and behind and away < size):
            value = zero
        return value

    @t.kernel
    def seed_edges(
        start: int,
        # mesh: edges, the corners across from them in the faces beside them, −1 for none
        edges: corners,
        wings: corners,
        slots: ints,
        point_slots: ints,
        body: ints,
        scene: ints,
        part: ints,
        closed: ints,
        group: ints,
        grip: wp.array2d(dtype=t.real),
        itself: ints,
        trees: wp.array(dtype=wp.uint64),
        first: ints,
        owned: corners,
        rest: points,
        # params: as for points
        reach: real,
        thickness: reals,
        size: reals,
        modulus: reals,
        length: reals,
        # in: boxes and ways of bodies; points where the step begins and where it is expected to end; what touched before
        low: points,
        high: points,
        ways: points,
        begun: points,
        x: points,
        sides: ints,
        touched: ints,
        held_normal: points,
        # out: four points, the other edge from 1 on, on which side of it the first belongs, how far apart they rest, stiffness
        pairs: wp.array(dtype=wp.vec4i),
        other: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
    ):
        i = start + wp.tid()
        slot = slots[i]
        ia = int(edges[i, 0])
        ib = int(edges[i, 1])
        own = body[ia]
        a, b, a0, b0 = x[ia], x[ib], begun[ia], begun[ib]
        u = b - a
        chosen = wp.vec4i(ia, ia, ia, ia)
        least = reach
        touches = int(0)
        turned = real(1.0)
        thick = real(0.0)
        k = real(0.0)
        pressed = touched[slot] - 1
        bent = flatness(i, edges, wings, x)
        sharp = stands_out(i, bent, edges, wings, closed[own], pressed >= 0, x)
        last = int(-1)
        if pressed >= 0:
            last = body[edges[pressed, 0]]
        normal = held_normal[slot]
        bodies = int(0)
        if sharp or closed[own] == 0:
            bodies = low.shape[0]
        for o in range(bodies):
            near = (o != own or itself[o] != 0) and scene[o] == scene[own] and trees[o] != wp.uint64(0)
            near = near and grip[group[own], group[o]] >= zero
            way = vec3()
            if o != own:
                way += ways[o]
            a1, b1 = a0 + way, b0 + way
            pad = reach + thickness[ia]
            margin = vec3(pad, pad, pad)
            lowest = wp.min(wp.min(a, b), wp.min(a1, b1)) - margin
            highest = wp.max(wp.max(a, b), wp.max(a1, b1)) + margin
            for axis in range(3):
                if lowest[axis] > high[o][axis] or highest[axis] < low[o][axis]:
                    near = False
            if near:
                span = wp.min(size[own], size[o])
                query = wp.mesh_query_aabb(trees[o], single(lowest - x[0]), single(highest - x[0]))
                item = int(0)
                while wp.mesh_query_aabb_next(query, item):
                    for place in range(owned.shape[1]):
                        j = owned[first[o] + item, place]
                        if j >= 0:
                            ic = int(edges[j, 0])
                            id = int(edges[j, 1])
                            c, d = x[ic], x[id]
                            m = wp.cross(u, d - c)
                            n = m / wp.max(wp.length(m), real(1.0e-300))
                            offset = real(0.5) * (thickness[ia] + thickness[ic])
                            if o != own and part[o] == part[own]:
                                offset = zero  # pieces of one sheet begin side by side
                            height = wp.dot(n, a - c)
                            u0, v0 = b0 - a0, begun[id] - begun[ic]
                            way_round = turning(u0, v0, u, d - c)
                            before = way_round * height_of(ia, ib, ic, id, begun)
                            good = not are_parallel(u, d - c)
                            good = good and wp.min(wp.abs(height), wp.abs(before)) < reach + offset + span
                            if o == own:
                                good = good and not are_neighbours(i, j, edges, wings)
                            other_bent = real(-1.0)
                            if good:
                                did = pressed == j or touched[slots[j]] > 0
                                other_bent = flatness(j, edges, wings, x)
                                out = stands_out(j, other_bent, edges, wings, closed[o], did, x)
                                good = (closed[o] == 0 and sharp) or out
                            sign = real(0.0)
                            if good:
                                sign = side_of(i, j, n, edges, wings, closed[own], closed[o], x)
                                if o == own:
                                    sign = towards_itself(i, j, sign, closed[own], offset, size[own], edges, rest)
                                    if last == o and closed[own] == 0:
                                        sign = wp.sign(wp.dot(n, normal))
                                    elif sign != zero and closed[own] == 0:
                                        sign = wp.sign(before)
                                elif closed[own] + closed[o] == 0:
                                    one_side = remembered_side(point_slots[ia], o, sides)
                                    other_side = remembered_side(point_slots[ic], own, sides)
                                    sign = remembered(i, j, n, edges, wings, x, one_side, other_side)
                                    if last == o:
                                        sign = wp.sign(wp.dot(n, normal))
                                    if sign == zero:
                                        sign = wp.sign(before)
                            gap = sign * height - offset
                            order = rank(sign * before - offset, gap, span)
                            stays = j == pressed and gap < zero  # of several that are as near it stays with the same
                            good = good and sign != zero and (order < least or stays)
                            if good and (last != o or sign * wp.dot(n, normal) < real(ALIKE)):
                                # of those that were parallel nobody knows where they were: points and faces speak for them
                                good = sign * before - offset > real(-SHALLOW) * span
                                good = good and not are_parallel(u0, v0)
                            elif good:
                                good = sign * before - offset > real(-DEEPEST) * span
                            border = real(BORDER)
                            flat = real(-1.0)
                            if good and closed[own] != 0 and closed[o] != 0:
                                flat = wp.max(bent, other_bent)
                            if flat > real(BENT):
                                border = -border  # at the ends of what is nearly flat points speak
                            if good:  # where they meet on the way
                                r = meeting(sign * before - offset, gap)
                                a2, b2 = a0 + r * (a - a0), b0 + r * (b - b0)
                                c2, d2 = wp.lerp(begun[ic], c, r), wp.lerp(begun[id], d, r)
                                good = across(a2, b2, c2, d2, border)
                            if good:
                                chosen = wp.vec4i(ia, ib, ic, id)
                                touches = j + 1
                                least = order
                                if stays:
                                    least = real(-1.0e30)
                                turned = way_round * sign  # along u × v where the step begins
                                thick = offset
                                # either of the two edges has half of the stiffness
                                k = real(0.25) * wp.min(length[ia] + length[ib], length[ic] + length[id])
                                k = k * wp.min(modulus[own], modulus[o])
        pairs[slot] = chosen
        other[slot] = touches
        side[slot] = turned
        apart[slot] = thick
        stiffness[slot] = k

    return locals()


class Edges:
    """The edges of a surface that its edges may touch, found in the trees of its faces; those without faces have their own."""

    def __init__(self, device: Device, surface: Surface, nearest: Nearest):
        self.device, self.surface, self.nearest, self.kernels = device, surface, nearest, edge_kernels("f64")
        ints = lambda values: device.array(np.ascontiguousarray(values), wp.int32)
        edges, faces = surface.edges, surface.triangles
        wings, owner = beside(edges, faces)
        self.edges, self.wings = ints(edges), ints(wings)
        self._loose: list[wp.Mesh] = []
        bodies, of = len(surface.alone), surface.body[edges[:, 0]]
        self._of, first, owned = of, np.zeros(bodies, int), [owned_by(faces, owner)]
        self._own: list[tuple[int, np.ndarray]] = []  # bodies with edges that have no face, and all of their edges
        count = len(faces)
        for b in range(bodies):
            mine = np.flatnonzero(of == b)
            first[b] = nearest.begin[b]
            if np.any(owner[mine] < 0):
                self._own.append((b, mine))
                first[b] = count
                owned.append(np.stack([mine, -np.ones_like(mine), -np.ones_like(mine)], axis=1))
                count += len(mine)
        self.first, self.owned = ints(first), ints(np.concatenate(owned))
        self._trees: wp.array | None = None

    def _plant(self) -> None:
        """Trees of edges without faces: those of bodies at rest, as for faces, refitted to where points are now."""
        if self._trees is None:
            numbers, now = self.nearest.numbers.numpy().copy(), wp.clone(self.nearest.places)
            self.nearest.lie()
            for b, mine in self._own:
                start, end = self.nearest.cut[b : b + 2]
                corners = self.surface.edges[mine][:, [0, 1, 1]] - start
                points = self.nearest.places[int(start) : int(end)]
                self._loose.append(wp.Mesh(points, self.device.array(corners.ravel(), wp.int32)))
                numbers[b] = self._loose[-1].id
            self._trees = self.device.array(numbers, wp.uint64)
            wp.copy(self.nearest.places, now)
        for mesh in self._loose:
            mesh.refit()

    def seed(
        self, rest: wp.array, itself: wp.array, begun: wp.array, x: wp.array, reach: float, slots: tuple, numbers: tuple,
        before: tuple, out: tuple,
    ) -> None:  # fmt: skip
        """The edge that each may touch on its way, after ``nearest`` has looked for faces; arguments as there.

        ``rest`` are points at rest, ``itself`` says of which bodies parts touch each other.
        """
        self._plant()
        near, (point_slots, own_slots) = self.nearest, slots
        mesh = (self.edges, self.wings, own_slots, point_slots, near.body, near.scene, near.part, near.closed)
        thickness, modulus, length = numbers
        params = (float(reach), thickness, near.size, modulus, length)
        where = (*near.boxes, begun, x, *before)
        trees = (*near.grips, itself, self._trees, self.first, self.owned, rest)
        self.device.launch(
            self.kernels.seed_edges, len(self.surface.edges), *mesh, *trees, *params, *where, *out, grain=64
        )


def beside(edges: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) the corners of the faces on either side of each edge, that which has it forwards first, −1 for none; (e,) a face."""
    wings, owner = np.full((len(edges), 2), -1), np.full(len(edges), -1)
    if not len(edges) or not len(faces):
        return wings, owner
    points = int(max(edges.max(), faces.max())) + 1
    key = edges[:, 0].astype(np.int64) * points + edges[:, 1]
    order = np.argsort(key)
    for turn in range(3):
        a, b, c = (faces[:, (turn + corner) % 3].astype(np.int64) for corner in range(3))
        for side, wanted in ((0, a * points + b), (1, b * points + a)):
            at = np.minimum(np.searchsorted(key[order], wanted), len(key) - 1)
            hit = np.flatnonzero(key[order[at]] == wanted)
            found = order[at[hit]]
            free = wings[found, side] < 0  # an edge of more faces than two has those of two
            wings[found, np.where(free, side, 1 - side)] = c[hit]
            owner[found] = hit
    return wings, owner


def owned_by(faces: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """(f, 3) the edges that belong to each face, −1 for none."""
    owned = np.full((len(faces), 3), -1)
    mine = np.flatnonzero(owner >= 0)
    mine = mine[np.argsort(owner[mine], kind="stable")]
    of = owner[mine]
    place = np.arange(len(of)) - np.searchsorted(of, of)
    owned[of, place] = mine
    return owned
