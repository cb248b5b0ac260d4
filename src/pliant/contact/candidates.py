"""Broad phase: pairs of points and faces, and of edges, whose boxes come within reach of each other on the way.

The boxes hold what moves from one place to another, so that no pair which comes near on that way is missed. They lie in
trees that are built where a step begins and refitted afterwards. Pairs are counted, then written where the counts say:
their order is that of the points and edges, whatever the number of threads.
"""

import numpy as np
import warp as wp

from ..device import Device, family
from .closest import EDGE, FACE, closest_functions
from .pairs import cells_of
from .surface import Surface

KEPT = (
    32  # pairs of a point or edge that are kept as they are counted; where there are more all are looked for once more
)
TOWARDS = (
    0.3  # cosine between the way from one side to the other and the normals of both, above which they face each other
)
ROUNDING = 1e-6  # of a coordinate, by which boxes of single precision are too large rather than too small


@family
def candidate_kernels(t):
    real, vec3 = t.real, t.vec3
    points, boxes = wp.array(dtype=vec3), wp.array(dtype=wp.vec3)
    ints, corner_lists = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.int32)
    of = closest_functions(t)
    weights, way, zero = of.weights, of.way, real(0.0)

    @t.kernel
    def bound(
        start: int,
        # mesh: (n, k) corners
        corners: corner_lists,
        # params:
        reach: real,
        # in:
        before: points,
        after: points,
        # out:
        lower: boxes,
        upper: boxes,
    ):
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
    def may_touch(
        kind: int, q: wp.vec4i, body: ints, alone: ints, left: ints, welded: ints, twin: ints, rest: points,
        normals: points, near: real,
    ) -> bool:  # fmt: skip
        """Whether a pair has no point in common, and is of two bodies that are not left to others, or of two sides of a slit or
        a narrow gap, or further apart than ``near`` at rest."""
        if have_common(kind, q, welded):
            return False
        if body[q[0]] == body[q[2]]:
            if alone[body[q[0]]] != 0:
                return False
            if have_common(kind, q, twin):
                return True
            w = weights(kind, rest[q[0]], rest[q[1]], rest[q[2]], rest[q[3]])
            between = way(w, rest[q[0]], rest[q[1]], rest[q[2]], rest[q[3]])
            first = w[0] * normals[q[0]] + wp.max(w[1], zero) * normals[q[1]]
            second = wp.min(w[1], zero) * normals[q[1]] + w[2] * normals[q[2]] + w[3] * normals[q[3]]
            least = real(TOWARDS) * wp.length(between)
            facing = wp.max(wp.dot(first, between), wp.dot(second, between)) < -least
            return wp.length(between) > near or facing
        return left[body[q[0]] * alone.shape[0] + body[q[2]]] == 0

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
    def pair_of(kind: int, i: int, j: int, first: corner_lists, second: corner_lists) -> wp.vec4i:
        q = wp.vec4i()
        if kind == FACE:
            q = wp.vec4i(first[i, 0], second[j, 0], second[j, 1], second[j, 2])
        else:
            q = wp.vec4i(first[i, 0], first[i, 1], second[j, 0], second[j, 1])
        return q

    @t.kernel
    def count_pairs(
        start: int,
        # mesh:
        kind: int,
        first: corner_lists,
        second: corner_lists,
        body: ints,
        alone: ints,
        left: ints,
        welded: ints,
        twin: ints,
        rest: points,
        normals: points,
        # params:
        near: real,
        reach: real,
        tree: wp.uint64,
        # in:
        before: points,
        after: points,
        lower: boxes,
        upper: boxes,
        # out: how many, and the first of them
        counts: ints,
        found: corner_lists,
    ):
        i = start + wp.tid()
        n = int(0)
        j = int(0)
        query = wp.bvh_query_aabb(tree, lower[i], upper[i])
        while wp.bvh_query_next(query, j):
            q = pair_of(kind, i, j, first, second)
            if (
                (kind == FACE or j > i)
                and may_touch(kind, q, body, alone, left, welded, twin, rest, normals, near)
                and may_come_near(kind, q, reach, before, after)
            ):
                if n < found.shape[1]:
                    found[i, n] = j
                n += 1
        counts[i] = n

    @t.kernel
    def write_pairs(
        start: int,
        # mesh:
        kind: int,
        first: corner_lists,
        second: corner_lists,
        body: ints,
        alone: ints,
        left: ints,
        welded: ints,
        twin: ints,
        rest: points,
        normals: points,
        # params:
        near: real,
        reach: real,
        tree: wp.uint64,
        offset: int,
        # in: with where the pairs of each begin, and the next begin
        before: points,
        after: points,
        lower: boxes,
        upper: boxes,
        ends: ints,
        found: corner_lists,
        # out:
        pairs: wp.array(dtype=wp.vec4i),
        kinds: ints,
        items: wp.array(dtype=wp.vec2i),
    ):
        i = start + wp.tid()
        begin = int(0)
        if i > 0:
            begin = ends[i - 1]
        n = ends[i] - begin
        at = offset + begin
        if n <= found.shape[1]:
            for k in range(n):
                pairs[at + k] = pair_of(kind, i, found[i, k], first, second)
                kinds[at + k] = kind
                items[at + k] = wp.vec2i(i, found[i, k])
        else:  # more than were kept: once more
            j = int(0)
            query = wp.bvh_query_aabb(tree, lower[i], upper[i])
            while wp.bvh_query_next(query, j):
                q = pair_of(kind, i, j, first, second)
                if (
                    (kind == FACE or j > i)
                    and may_touch(kind, q, body, alone, left, welded, twin, rest, normals, near)
                    and may_come_near(kind, q, reach, before, after)
                ):
                    pairs[at] = q
                    kinds[at] = kind
                    items[at] = wp.vec2i(i, j)
                    at += 1

    return locals()


class Boxed:
    """Corners (n, k), their boxes and the tree of these."""

    def __init__(self, device: Device, corners: np.ndarray):
        self.device, self.count = device, len(corners)
        self.corners = device.array(np.ascontiguousarray(corners), wp.int32)
        self.lower, self.upper = device.zeros(self.count, wp.vec3), device.zeros(self.count, wp.vec3)
        self.tree: wp.Bvh | None = None

    def put(self, kernel: wp.Kernel, reach: float, before: wp.array, after: wp.array) -> None:
        self.device.launch(kernel, self.count, self.corners, float(reach), before, after, self.lower, self.upper)

    def plant(self, anew: bool) -> None:
        if self.tree is None or anew:
            self.tree = wp.Bvh(self.lower, self.upper)
        else:
            self.tree.refit()


class Candidates:
    """The pairs of a surface that may touch; ``near`` [m] is how near parts of one body are at rest without touching, unless
    they face each other."""

    def __init__(self, device: Device, surface: Surface, near: float):
        self.device, self.surface, self.near = device, surface, float(near)
        self.kernels = candidate_kernels("f64")
        self.points = Boxed(device, np.arange(surface.count, dtype=np.int32)[:, None])
        self.faces, self.edges = Boxed(device, surface.triangles), Boxed(device, surface.edges)
        self.body, self.alone = device.array(surface.body, wp.int32), device.array(surface.alone, wp.int32)
        self.left = device.zeros(len(surface.alone) ** 2, wp.int32)  # pairs of bodies, 1 for those that others part
        if surface.apart is not None:
            self.leave(surface.apart)
        self.welded, self.twin = device.array(surface.welded, wp.int32), device.array(surface.twin, wp.int32)
        self.rest, self.normals = (device.array(own, device.types.position) for own in (surface.rest, surface.normals))
        self._counts = {kind: device.zeros(max(n, 1), wp.int32) for kind, n in self._sizes().items()}
        self._ends = {kind: device.zeros(max(n, 1), wp.int32) for kind, n in self._sizes().items()}
        self._found = {kind: device.zeros((max(n, 1), KEPT), wp.int32) for kind, n in self._sizes().items()}
        self.count = self.capacity = 0
        self._grow(256)

    def leave(self, pairs: np.ndarray) -> None:
        """Find none of two bodies where ``pairs`` (bodies, bodies) says so: others part them, or nothing does."""
        pairs = pairs if self.surface.apart is None else pairs | self.surface.apart
        self.left.assign(pairs.ravel().astype(np.int32))

    def _sizes(self) -> dict[int, int]:
        return {FACE: self.points.count, EDGE: self.edges.count}

    def _grow(self, capacity: int) -> None:
        """Room for so many pairs: arrays are made anew, with those that launches hold."""
        self.capacity = capacity
        self.pairs = self.device.zeros(capacity, wp.vec4i)
        self.kinds, self.items = self.device.zeros(capacity, wp.int32), self.device.zeros(capacity, wp.vec2i)

    def find(self, before: wp.array, after: wp.array, reach: float, anew: bool = False) -> bool:
        """All pairs that come within ``reach`` [m] between points ``before`` and ``after``; True where arrays are new.

        ``anew`` builds the trees again, for bodies that have moved far.
        """
        self.number(before, after, reach, anew)
        return self.write(before, after, reach)

    def number(self, before: wp.array, after: wp.array, reach: float, anew: bool = False) -> int:
        """How many they are; ``write`` with the same comes next, or none of them is wanted."""
        sides = self._sides()
        for boxed in {id(b): b for _, *both in sides for b in both}.values():
            boxed.put(self.kernels.bound, 0.5 * reach, before, after)
        for boxed in {id(second): second for _, _, second in sides}.values():
            boxed.plant(anew)
        for kind, first, second in sides:
            self._query(
                self.kernels.count_pairs,
                kind,
                first,
                second,
                (),
                (before, after),
                (self._counts[kind], self._found[kind]),
                reach,
            )
            wp.utils.array_scan(self._counts[kind], self._ends[kind], inclusive=True)
        last = self.device.reads(*(self._ends[kind][-1:] for kind, *_ in sides))
        self._totals = {kind: int(end[0]) for (kind, *_), end in zip(sides, last)}
        return sum(self._totals.values())

    def write(self, before: wp.array, after: wp.array, reach: float) -> bool:
        """The pairs that were numbered; True where arrays are new."""
        self.count, grown = sum(self._totals.values()), False
        if self.count > self.capacity:
            self._grow(2 * self.count)
            grown = True
        offset = 0
        for kind, first, second in self._sides():
            out = (self._ends[kind], self._found[kind], self.pairs, self.kinds, self.items)
            self._query(self.kernels.write_pairs, kind, first, second, (offset,), (before, after), out, reach)
            offset += self._totals[kind]
        return grown

    def _sides(self) -> list[tuple[int, Boxed, Boxed]]:
        sides = [(FACE, self.points, self.faces), (EDGE, self.edges, self.edges)]
        return [side for side in sides if side[1].count and side[2].count]

    def _query(
        self,
        kernel: wp.Kernel,
        kind: int,
        first: Boxed,
        second: Boxed,
        also: tuple,
        ways: tuple,
        out: tuple,
        reach: float,
    ) -> None:
        mesh = (
            kind,
            first.corners,
            second.corners,
            self.body,
            self.alone,
            self.left,
            self.welded,
            self.twin,
            self.rest,
            self.normals,
        )
        params = (self.near, float(reach), second.tree.id, *also)
        self.device.launch(kernel, first.count, *mesh, *params, *ways, first.lower, first.upper, *out, grain=64)

    def cells(self, nodes: np.ndarray) -> np.ndarray:
        """(count, 4 k) the nodes (points, k) of the four points of each pair."""
        return cells_of(self.pairs, self.count, nodes)
