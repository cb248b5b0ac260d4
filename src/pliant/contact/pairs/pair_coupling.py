"""Pair stiffness in a block matrix: positions, sorting, sums.

Entry (a w + f) w + s is the block of nodes f and s of the w = 4 k nodes of pair ``order[a]``, one of the active ones. The entries
of a place in the matrix are added up in the order of the pairs, so that results do not depend on threads; arrays stay as pairs
come and go.
"""

import warp as wp

from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device, Types, family
from .normal_curvature import curved_function, mat43
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


@family
def coupling_kernels(t):
    real, mat33 = t.real, t.mat33
    ints, quads = wp.array(dtype=wp.int32), wp.array(dtype=wp.vec4i)
    lists, reals = wp.array2d(dtype=wp.int32), wp.array2d(dtype=t.real)

    place_of, curved = place_function(t), curved_function(t)

    @t.kernel
    def list_entries(
        start: int,
        count: int,
        # params: the place of what has none, after the entries of the matrix, whose arrays may have room for more
        last: int,
        # mesh: the nodes of points and their weights, and the matrix
        pairs: quads,
        order: ints,
        nodes: lists,
        mixture: reals,
        rows: ints,
        columns: ints,
        # out: the place of each entry, ``last`` for nodes of weight 0; 1 where the matrix has none
        places: ints,
        entries: ints,
        missing: ints,
    ):
        e = start + wp.tid()
        if e < count:
            k = nodes.shape[0]
            wide = 4 * k
            i = order[e // (wide * wide)]
            f = e // wide % wide
            s = e % wide
            p = pairs[i][f // k]
            q = pairs[i][s // k]
            place = last
            if mixture[f % k, p] != real(0.0) and mixture[s % k, q] != real(0.0):
                there = place_of(nodes[f % k, p], nodes[s % k, q], rows, columns)
                if there < 0:
                    missing[0] = 1
                else:
                    place = there
            places[e] = place
            entries[e] = e

    @t.kernel
    def add_entries(
        start: int,
        # mesh:
        pairs: quads,
        order: ints,
        mixture: reals,
        starts: ints,
        ends: ints,
        entries: ints,
        # in:
        weight: wp.array(dtype=wp.vec4d),
        stiffness: wp.array(dtype=wp.mat33d),
        # out:
        values: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        if starts[n] < ends[n]:
            k = mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(starts[n], ends[n]):
                e = entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                one = weight[i][f // k] * wp.float64(mixture[f % k, pairs[i][f // k]])
                other = weight[i][s // k] * wp.float64(mixture[s % k, pairs[i][s // k]])
                total += (one * other) * stiffness[i]
            values[n] = values[n] + mat33(total)

    @t.kernel
    def add_curved(
        start: int,
        # mesh:
        pairs: quads,
        order: ints,
        mixture: reals,
        starts: ints,
        ends: ints,
        entries: ints,
        # in: as above, and how normals turn
        weight: wp.array(dtype=wp.vec4d),
        stiffness: wp.array(dtype=wp.mat33d),
        normals: wp.array(dtype=wp.vec3d),
        across: wp.array(dtype=mat43),
        bend: wp.array(dtype=wp.vec2d),
        # out:
        values: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        if starts[n] < ends[n]:
            k = mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(starts[n], ends[n]):
                e = entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                a, b, w = f // k, s // k, weight[i]
                share = wp.float64(mixture[f % k, pairs[i][a]]) * wp.float64(mixture[s % k, pairs[i][b]])
                total += share * (w[a] * w[b] * stiffness[i] + curved(a, b, w, across[i], normals[i], bend[i]))
            values[n] = values[n] + mat33(total)

    @t.kernel
    def add_whole(
        start: int,
        # mesh: as above
        pairs: quads,
        order: ints,
        mixture: reals,
        starts: ints,
        ends: ints,
        entries: ints,
        # in: block (a, b) of the four points of a pair in row 4 a + b
        blocks: wp.array2d(dtype=wp.mat33d),
        # out:
        values: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        if starts[n] < ends[n]:
            k = mixture.shape[0]
            wide = 4 * k
            total = wp.mat33d()
            for at in range(starts[n], ends[n]):
                e = entries[at]
                i = order[e // (wide * wide)]
                f = e // wide % wide
                s = e % wide
                a, b = f // k, s // k
                share = wp.float64(mixture[f % k, pairs[i][a]]) * wp.float64(mixture[s % k, pairs[i][b]])
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

    def attach(self, pattern: BlockMatrix) -> None:
        self.pattern, self.listed = pattern, False
        self.starts, self.ends = (self.device.zeros(pattern.entries + 1, wp.int32) for _ in range(2))

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
        lists = (self.places, self.entries)
        self.missing.zero_()
        last = len(self.starts) - 1
        where = (self.nodes, self.mixture, self.pattern.device_rows, self.pattern.device_columns)
        launch, given = self.device.launch, (pairs, order, *where)
        launch(self.kernels.list_entries, padded(size), size, last, *given, *lists, self.missing, grain=GRAIN)
        wp.utils.radix_sort_pairs(*lists, size)
        marked = pair_kernels(self.device.precision).mark_starts
        launch(marked, padded(size), size, self.places, self.starts, self.ends, grain=GRAIN)
        return not self.device.read(self.missing)[0]

    def add_to(
        self, pairs: wp.array, order: wp.array, weight: wp.array, stiffness: wp.array, *curved: wp.array
    ) -> None:
        """values += the stiffness of the pairs that were listed, ``curved`` where it is told how normals turn."""
        lists = (self.starts, self.ends, self.entries)
        kernel = self.kernels.add_curved if curved else self.kernels.add_entries
        given = (weight, stiffness, *curved, self.pattern.values)
        self.device.launch(kernel, self.pattern.entries, pairs, order, self.mixture, *lists, *given, grain=GRAIN)

    def add_whole(self, pairs: wp.array, order: wp.array, blocks: wp.array) -> None:
        """values += blocks (16, pairs) of the four points of each pair that was listed."""
        given = (pairs, order, self.mixture, self.starts, self.ends, self.entries, blocks, self.pattern.values)
        self.device.launch(self.kernels.add_whole, self.pattern.entries, *given, grain=GRAIN)
