"""Pair stiffness in a block matrix: positions, sorting, sums.

Entry (a w + f) w + s is the block of nodes f and s of the w = 4 k nodes of pair ``order[a]``, one of the active ones. The entries
of a place in the matrix are added up in the order of the pairs, so that results do not depend on threads; arrays stay as pairs
come and go.
"""

import functools
from typing import Any

import warp as wp

from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types, family
from ...runtime.kernel_structs import filled
from .normal_curvature import curved_function, curved_struct
from .point_pairs import GRAIN, padded, pair_kernels


def place_function(t: Types) -> wp.Function:
    """A device function that finds blocks in a matrix."""
    ints = wp.array(dtype=wp.int32)

    def place_of(row: int, column: int, rows: ints, columns: ints) -> int:
        """Where the block of two nodes is in the matrix, −1 if it has none; columns rise within a row."""
        low = rows[row]
        high = rows[row + 1] - 1
        while low < high:
            middle = (low + high) // 2
            if columns[middle] < column:
                low = middle + 1
            else:
                high = middle
        place = int(-1)
        if low == high and columns[low] == column:
            place = low
        return place

    return t.function("place_of", place_of)


@alone
@functools.cache
def lists_struct(precision: str) -> Any:
    t = Types(precision, "coupling_structs")
    ints = wp.array(dtype=wp.int32)

    @functools.partial(wp.struct, module=t.module)
    class Lists:
        nodes: wp.array2d(dtype=wp.int32)  # of points, and their weights
        mixture: wp.array2d(dtype=t.real)
        places: ints
        entries: ints  # in the order of their places
        starts: ints  # of places: where their entries begin and end in that order
        ends: ints
        missing: ints  # 1 where the matrix has no place for one

    return Lists


@family
def coupling_kernels(t):
    real, mat33 = t.real, t.mat33
    ints, quads = wp.array(dtype=wp.int32), wp.array(dtype=wp.vec4i)
    Lists, Curved = lists_struct(t.precision), curved_struct("f64")
    place_of, curved = place_function(t), curved_function(t)

    @t.kernel
    def list_entries(start: int, count: int, last: int, pairs: quads, order: ints, rows: ints, columns: ints, lists: Lists):
        """The place of each entry in the matrix; ``last``, after its entries, for what has none and nodes of weight 0."""
        e = start + wp.tid()
        if e < count:
            k = lists.nodes.shape[0]
            wide = 4 * k
            i = order[e // (wide * wide)]
            f = e // wide % wide
            s = e % wide
            p = pairs[i][f // k]
            q = pairs[i][s // k]
            place = last
            if lists.mixture[f % k, p] != real(0.0) and lists.mixture[s % k, q] != real(0.0):
                there = place_of(lists.nodes[f % k, p], lists.nodes[s % k, q], rows, columns)
                if there < 0:
                    lists.missing[0] = 1
                else:
                    place = there
            lists.places[e] = place
            lists.entries[e] = e

    @t.kernel
    def add_entries(
        start: int, pairs: quads, order: ints, lists: Lists, weight: wp.array(dtype=wp.vec4d),
        stiffness: wp.array(dtype=wp.mat33d), values: wp.array(dtype=mat33),
    ):  # fmt: skip
        n = start + wp.tid()
        if lists.starts[n] < lists.ends[n]:
            k = lists.mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(lists.starts[n], lists.ends[n]):
                e = lists.entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                one = weight[i][f // k] * wp.float64(lists.mixture[f % k, pairs[i][f // k]])
                other = weight[i][s // k] * wp.float64(lists.mixture[s % k, pairs[i][s // k]])
                total += (one * other) * stiffness[i]
            values[n] = values[n] + mat33(total)

    @t.kernel
    def add_curved(
        start: int, pairs: quads, order: ints, lists: Lists, weight: wp.array(dtype=wp.vec4d),
        normals: wp.array(dtype=wp.vec3d), how: Curved, values: wp.array(dtype=mat33),
    ):  # fmt: skip
        """The same, and how normals turn."""
        n = start + wp.tid()
        if lists.starts[n] < lists.ends[n]:
            k = lists.mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(lists.starts[n], lists.ends[n]):
                e = lists.entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                a, b, w = f // k, s // k, weight[i]
                share = wp.float64(lists.mixture[f % k, pairs[i][a]]) * wp.float64(lists.mixture[s % k, pairs[i][b]])
                total += share * (w[a] * w[b] * how.whole[i] + curved(a, b, w, how.across[i], normals[i], how.bend[i]))
            values[n] = values[n] + mat33(total)

    @t.kernel
    def add_whole(
        start: int, pairs: quads, order: ints, lists: Lists, blocks: wp.array2d(dtype=wp.mat33d),
        values: wp.array(dtype=mat33),
    ):  # fmt: skip
        """Block (a, b) of the four points of a pair is in row 4 a + b."""
        n = start + wp.tid()
        if lists.starts[n] < lists.ends[n]:
            k = lists.mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(lists.starts[n], lists.ends[n]):
                e = lists.entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                a, b = f // k, s // k
                share = wp.float64(lists.mixture[f % k, pairs[i][a]]) * wp.float64(lists.mixture[s % k, pairs[i][b]])
                total += share * blocks[4 * a + b, i]
            values[n] = values[n] + mat33(total)

    return locals()


class Coupling:
    """Blocks of pairs of points, whose nodes and weights are (k, points), in a matrix; with room for ``capacity`` active ones."""

    def __init__(self, device: Device, capacity: int, nodes: wp.array, mixture: wp.array):
        self.device, self.nodes, self.mixture = device, nodes, mixture
        self.each = (4 * nodes.shape[0]) ** 2
        self.kernels = coupling_kernels(device.precision)
        self.missing, self.pattern = device.zeros(1, wp.int32), None
        self.listed = False  # whether the entries are those of the pairs of now, as their owner says
        self._allocate(capacity)

    def _allocate(self, capacity: int) -> None:
        self.room = capacity * self.each
        self.places, self.entries = (self.device.zeros(2 * self.room, wp.int32) for _ in range(2))  # twice, for sorting
        if self.pattern is not None:
            self._bind()

    def attach(self, pattern: BlockMatrix) -> None:
        self.listed = False
        if pattern is not self.pattern:
            self.pattern = pattern
            self.starts, self.ends = (self.device.zeros(pattern.room + 1, wp.int32) for _ in range(2))
            self._bind()

    def _bind(self) -> None:
        given = (self.nodes, self.mixture, self.places, self.entries, self.starts, self.ends, self.missing)
        self.lists = filled(lists_struct(self.device.precision), *given)

    def find(self, pairs: wp.array, order: wp.array, count: int) -> bool:
        """List the entries of the first ``count`` pairs in ``order``; False where the matrix lacks a place for one."""
        self.listed = True
        self.starts.zero_()
        self.ends.zero_()
        if not count:
            return True
        size = count * self.each
        if size > self.room:
            self._allocate(2 * count)
        self.missing.zero_()
        where = (len(self.starts) - 1, pairs, order, self.pattern.device_rows, self.pattern.device_columns)
        launch = self.device.launch
        launch(self.kernels.list_entries, padded(size), size, *where, self.lists, grain=GRAIN)
        wp.utils.radix_sort_pairs(self.places, self.entries, size)
        marked = pair_kernels(self.device.precision).mark_starts
        launch(marked, padded(size), size, self.places, self.starts, self.ends, grain=GRAIN)
        return not self.device.read(self.missing)[0]

    def add_to(self, pairs: wp.array, order: wp.array, weight: wp.array, stiffness: wp.array) -> None:
        """values += the stiffness of the pairs that were listed."""
        given = (pairs, order, self.lists, weight, stiffness, self.pattern.values)
        self.device.launch(self.kernels.add_entries, self.pattern.room, *given, grain=GRAIN)

    def add_curved(self, pairs: wp.array, order: wp.array, weight: wp.array, normals: wp.array, curved: Any) -> None:
        """values += the same with how their normals turn (normal_curvature.py)."""
        given = (pairs, order, self.lists, weight, normals, curved, self.pattern.values)
        self.device.launch(self.kernels.add_curved, self.pattern.room, *given, grain=GRAIN)

    def add_whole(self, pairs: wp.array, order: wp.array, blocks: wp.array) -> None:
        """values += blocks (16, pairs) of the four points of each pair that was listed."""
        given = (pairs, order, self.lists, blocks, self.pattern.values)
        self.device.launch(self.kernels.add_whole, self.pattern.room, *given, grain=GRAIN)
