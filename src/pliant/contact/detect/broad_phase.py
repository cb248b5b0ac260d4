"""Broad phase: point–face and edge–edge pairs whose boxes overlap.

The boxes are swept over a motion, so that no pair which comes near on the way is missed. They lie in
trees that are built at the start of a step and refitted afterwards. Pairs are counted, then written at prefix sums:
their order is that of the points and edges, whatever the number of threads.
"""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Device, Types, family
from ...runtime.kernel_structs import filled
from ..pairs.closest_points import EDGE, FACE, closest_functions
from ..pairs.contact_surface import Surface

LEAST = 256  # initial capacity in pairs
SPARE = 16  # times the capacity needed, from which it is released at the end of a step: one long direction may have needed it
KEPT = 32  # pairs of a point or edge stored while counting; more need a second search
TOWARDS = 0.3  # cosine between the offset of both sides and both normals, above which they face each other
ROUNDING = 1e-6  # of a coordinate, by which boxes of single precision are enlarged, to be conservative


@alone
@functools.cache
def sides_structs(precision: str) -> tuple[Any, Any]:
    """Structs of both sides of one kind of pairs, masks of which may touch, and the near pairs."""
    t = Types(precision, "candidate_structs")
    ints, lists, points = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.int32), wp.array(dtype=t.vec3)

    struct = functools.partial(wp.struct, module=t.module)

    @struct
    class Sides:
        kind: wp.int32
        first: lists  # (n, k) corners
        second: lists
        body: ints  # of points
        alone: ints  # of bodies
        left: ints  # of pairs of bodies, 1 for those that others part
        welded: ints  # of points
        twin: ints
        rest: points
        normals: points
        near: t.real

    @struct
    class Found:
        counts: ints  # how many there are of each of the first
        found: lists  # the first of them
        ends: ints  # how many there are up to each
        pairs: wp.array(dtype=wp.vec4i)
        kinds: ints
        items: wp.array(dtype=wp.vec2i)

    return Sides, Found


@family
def candidate_kernels(t):
    real, vec3 = t.real, t.vec3
    points, boxes = wp.array(dtype=vec3), wp.array(dtype=wp.vec3)
    corner_lists, (Sides, Found) = wp.array2d(dtype=wp.int32), sides_structs(t.precision)
    of, ints = closest_functions(t), wp.array(dtype=wp.int32)
    weights, way, zero = of.weights, of.way, real(0.0)

    @t.kernel
    def bound(start: int, corners: corner_lists, reach: real, before: points, after: points, lower: boxes, upper: boxes):
        """Boxes around what moves from ``before`` to ``after``, wider by ``reach``."""
        i = start + wp.tid()
        low = before[corners[i, 0]]
        high = low
        for j in range(corners.shape[1]):
            a = before[corners[i, j]]
            b = after[corners[i, j]]
            low = wp.min(low, wp.min(a, b))
            high = wp.max(high, wp.max(a, b))
        for axis in range(3):
            pad = reach + real(ROUNDING) * (wp.abs(low[axis]) + wp.abs(high[axis]))
            low[axis] = low[axis] - pad
            high[axis] = high[axis] + pad
        lower[i] = wp.vec3(wp.float32(low[0]), wp.float32(low[1]), wp.float32(low[2]))
        upper[i] = wp.vec3(wp.float32(high[0]), wp.float32(high[1]), wp.float32(high[2]))

    @wp.func(module=t.module)
    def have_common(kind: int, q: wp.vec4i, name: ints) -> bool:
        """Whether the two sides of a pair have a point of the same name."""
        a, b, c, d = name[q[0]], name[q[1]], name[q[2]], name[q[3]]
        first = wp.min(wp.abs(a - c), wp.abs(a - d)) == 0
        second = wp.min(wp.abs(b - c), wp.abs(b - d)) == 0
        return first or (kind == FACE and a == b) or (kind != FACE and second)

    @wp.func(module=t.module)
    def may_touch(q: wp.vec4i, sides: Sides) -> bool:
        """Whether a pair has no point in common, and is of two bodies that are not left to others, or of two sides of a slit or
        a narrow gap, or further apart than ``near`` at rest."""
        if have_common(sides.kind, q, sides.welded):
            return False
        one, other = sides.body[q[0]], sides.body[q[2]]
        if one == other:
            if sides.alone[one] != 0:
                return False
            if have_common(sides.kind, q, sides.twin):
                return True
            a, b, c, d = sides.rest[q[0]], sides.rest[q[1]], sides.rest[q[2]], sides.rest[q[3]]
            m, n, o, p = sides.normals[q[0]], sides.normals[q[1]], sides.normals[q[2]], sides.normals[q[3]]
            w = weights(sides.kind, a, b, c, d)
            between = way(w, a, b, c, d)
            first = w[0] * m + wp.max(w[1], zero) * n
            second = wp.min(w[1], zero) * n + w[2] * o + w[3] * p
            least = real(TOWARDS) * wp.length(between)
            facing = wp.max(wp.dot(first, between), wp.dot(second, between)) < -least
            return wp.length(between) > sides.near or facing
        return sides.left[one * sides.alone.shape[0] + other] == 0

    @wp.func(module=t.module)
    def may_come_near(kind: int, q: wp.vec4i, reach: real, before: points, after: points) -> bool:
        """Whether the two sides can come within reach on their way: their distance, less what they go towards each other."""
        a, b, c, d = before[q[0]], before[q[1]], before[q[2]], before[q[3]]
        u, v, w, z = after[q[0]] - a, after[q[1]] - b, after[q[2]] - c, after[q[3]] - d
        mean = real(0.25) * (u + v + w + z)
        one = wp.max(wp.length(u - mean), wp.length(v - mean))
        other = wp.max(wp.length(w - mean), wp.length(z - mean))
        if kind == FACE:
            one = wp.length(u - mean)
            other = wp.max(wp.length(v - mean), other)
        return wp.length(way(weights(kind, a, b, c, d), a, b, c, d)) <= reach + one + other

    @wp.func(module=t.module)
    def pair_of(i: int, j: int, sides: Sides) -> wp.vec4i:
        if sides.kind == FACE:
            return wp.vec4i(sides.first[i, 0], sides.second[j, 0], sides.second[j, 1], sides.second[j, 2])
        return wp.vec4i(sides.first[i, 0], sides.first[i, 1], sides.second[j, 0], sides.second[j, 1])

    @wp.func(module=t.module)
    def is_pair(i: int, j: int, q: wp.vec4i, sides: Sides, reach: real, before: points, after: points) -> bool:
        if sides.kind == EDGE and j <= i:
            return False
        if not may_touch(q, sides):
            return False
        return may_come_near(sides.kind, q, reach, before, after)

    @t.kernel
    def seek_pairs(
        start: int, sides: Sides, tree: wp.uint64, place: int, reach: real, before: points, after: points, lower: boxes,
        upper: boxes, out: Found,
    ):  # fmt: skip
        """How many there are and the first of them, or all from ``place`` on; −1 where they are counted."""
        i = start + wp.tid()
        at = int(0)
        if place >= 0:
            at = place + out.ends[i] - out.counts[i]
        if place >= 0 and out.counts[i] <= out.found.shape[1]:
            for k in range(out.counts[i]):
                out.pairs[at + k] = pair_of(i, out.found[i, k], sides)
                out.kinds[at + k] = sides.kind
                out.items[at + k] = wp.vec2i(i, out.found[i, k])
        else:  # to be counted, or more than were kept
            n = int(0)
            j = int(0)
            query = wp.bvh_query_aabb(tree, lower[i], upper[i])
            while wp.bvh_query_next(query, j):
                q = pair_of(i, j, sides)
                if is_pair(i, j, q, sides, reach, before, after):
                    if place >= 0:
                        out.pairs[at + n] = q
                        out.kinds[at + n] = sides.kind
                        out.items[at + n] = wp.vec2i(i, j)
                    elif n < out.found.shape[1]:
                        out.found[i, n] = j
                    n += 1
            out.counts[i] = n

    return locals()


class Boxed:
    """Corners (n, k), their boxes and the tree of these, with a part for each of the ``groups`` (n,) where they are given."""

    def __init__(self, device: Device, corners: np.ndarray, groups: np.ndarray | None = None):
        self.device, self.count = device, len(corners)
        self.groups = None if groups is None else device.array(groups, wp.int32)
        self.corners = device.array(np.ascontiguousarray(corners), wp.int32)
        self.lower, self.upper = device.zeros(self.count, wp.vec3), device.zeros(self.count, wp.vec3)
        self.tree: wp.Bvh | None = None

    def put(self, kernel: wp.Kernel, reach: float, before: wp.array, after: wp.array) -> None:
        self.device.launch(kernel, self.count, self.corners, float(reach), before, after, self.lower, self.upper)

    def plant(self, anew: bool) -> None:
        if self.tree is None or anew:
            self.tree = wp.Bvh(self.lower, self.upper, groups=self.groups)
        else:
            self.tree.refit()


@dataclass(eq=False)
class Search:
    """Search for pairs of one kind: items near each of the ``first`` in the tree of the ``second``, and their number."""

    sides: Any
    first: Boxed
    second: Boxed
    counts: wp.array
    found: wp.array
    ends: wp.array
    out: Any = None  # these and the pairs
    total: int = 0


class Candidates:
    """The pairs of a surface that may touch; ``near`` [m] is how near parts of one body are at rest without touching, unless
    they face each other."""

    def __init__(self, device: Device, surface: Surface, near: float):
        self.device, self.surface = device, surface
        self.kernels, ints = candidate_kernels("f64"), lambda values: device.array(values, wp.int32)
        self.left = device.zeros(len(surface.alone) ** 2, wp.int32)
        if surface.apart is not None:
            self.leave(surface.apart)
        self.rest, normals = (device.array(own, device.types.position) for own in (surface.rest, surface.normals))
        names = (ints(own) for own in (surface.body, surface.alone))
        known = (*names, self.left, ints(surface.welded), ints(surface.twin), self.rest, normals, float(near))
        points, edges = Boxed(device, np.arange(surface.count)[:, None]), Boxed(device, surface.edges)
        both = ((FACE, points, Boxed(device, surface.triangles)), (EDGE, edges, edges))
        self._searches = [self._search(*one, known) for one in both if one[1].count and one[2].count]
        self.count = self.capacity = 0
        self._grow(LEAST)

    def _search(self, kind: int, first: Boxed, second: Boxed, known: tuple) -> Search:
        sides = filled(sides_structs("f64")[0], kind, first.corners, second.corners, *known)
        n, zeros = first.count, self.device.zeros
        return Search(sides, first, second, zeros(n, wp.int32), zeros((n, KEPT), wp.int32), zeros(n, wp.int32))

    def leave(self, pairs: np.ndarray) -> None:
        """Skip two bodies where ``pairs`` (bodies, bodies) says so: another response handles them, or none."""
        pairs = pairs if self.surface.apart is None else pairs | self.surface.apart
        self.left.assign(pairs.ravel().astype(np.int32))

    def _grow(self, capacity: int) -> None:
        """Capacity for so many pairs: arrays are reallocated, including those of launches."""
        self.capacity, zeros = capacity, self.device.zeros
        self.pairs, self.kinds, self.items = (zeros(capacity, kind) for kind in (wp.vec4i, wp.int32, wp.vec2i))
        for own in self._searches:
            found = (own.counts, own.found, own.ends, self.pairs, self.kinds, self.items)
            own.out = filled(sides_structs("f64")[1], *found)

    def find(self, before: wp.array, after: wp.array, reach: float, anew: bool = False) -> bool:
        """All pairs that come within ``reach`` [m] between points ``before`` and ``after``; True where arrays are new.

        ``anew`` rebuilds the trees, for bodies that have moved far.
        """
        self.number(before, after, reach, anew)
        return self.write(before, after, reach)

    def number(self, before: wp.array, after: wp.array, reach: float, anew: bool = False) -> int:
        """The number of pairs; ``write`` with the same arguments may follow."""
        for boxed in {id(b): b for own in self._searches for b in (own.first, own.second)}.values():
            boxed.put(self.kernels.bound, 0.5 * reach, before, after)
        for own in self._searches:
            own.second.plant(anew)
            self._seek(own, -1, reach, before, after)
            wp.utils.array_scan(own.counts, own.ends, inclusive=True)
        last = self.device.reads(*(own.ends[-1:] for own in self._searches))
        for own, end in zip(self._searches, last):
            own.total = int(end[0])
        return sum(own.total for own in self._searches)

    def write(self, before: wp.array, after: wp.array, reach: float, trim: bool = False) -> bool:
        """The pairs that were numbered; True where arrays are new: too small, or with ``trim`` far too large."""
        self.count, place = sum(own.total for own in self._searches), 0
        need = max(2 * self.count, LEAST)
        grown = self.count > self.capacity or (trim and self.capacity >= SPARE * need)
        if grown:
            self._grow(need)
        for own in self._searches:
            self._seek(own, place, reach, before, after)
            place += own.total
        return grown

    def _seek(self, own: Search, place: int, reach: float, before: wp.array, after: wp.array) -> None:
        where = (own.sides, own.second.tree.id, place, float(reach), before, after, own.first.lower, own.first.upper)
        self.device.launch(self.kernels.seek_pairs, own.first.count, *where, own.out, grain=64)
