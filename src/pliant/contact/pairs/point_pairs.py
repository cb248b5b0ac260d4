"""Point pairs: four points with weights, and sums over them.

Entry 4 i + j is corner j of pair i. Every point adds up its own entries in the order of the pairs, so that results do not
depend on threads.
"""

import numpy as np
import warp as wp

from ...energy.capabilities import Fused
from ...runtime.device import Device, family
from ...runtime.vectors import Sums, vector_kernels
from .closest_points import FACE

GRAIN = 128
DIFFERENCE = 1e-6  # of a gap or size, over which gradients are compared: about the cube root of what doubles tell apart


@family
def pair_kernels(t):
    real, vec3, mat33 = (
        t.real,
        t.position,
        t.mat33,
    )  # points and pairs are in double precision, matrices of nodes are not
    points, blocks, ints = wp.array(dtype=vec3), wp.array(dtype=wp.mat33d), wp.array(dtype=wp.int32)
    quads, shares, corners = wp.array(dtype=wp.vec4i), wp.array(dtype=wp.vec4d), wp.array2d(dtype=vec3)

    @t.kernel
    def list_corners(start: int, count: int, pairs: quads, keys: ints, entries: ints):
        e = start + wp.tid()
        if e < 4 * count:
            keys[e] = pairs[e // 4][e % 4]
            entries[e] = e

    @t.kernel
    def mark_starts(start: int, count: int, keys: ints, starts: ints, ends: ints):
        """Where the entries of each key begin and end in a sorted list; the arrays hold 0 before."""
        e = start + wp.tid()
        if e < count:
            if e == 0 or keys[e - 1] != keys[e]:
                starts[keys[e]] = e
            if e == count - 1 or keys[e + 1] != keys[e]:
                ends[keys[e]] = e + 1

    @t.kernel
    def add_corners(start: int, starts: ints, ends: ints, entries: ints, given: corners, out: points):
        p = start + wp.tid()
        total = out[p]
        for i in range(starts[p], ends[p]):
            e = entries[i]
            total += given[e % 4, e // 4]
        out[p] = total

    @t.kernel
    def least_of_pairs(
        start: int, starts: ints, ends: ints, entries: ints, values: wp.array(dtype=wp.float64),
        out: wp.array(dtype=wp.float64),
    ):  # fmt: skip
        p = start + wp.tid()
        least = wp.float64(1.0)
        for i in range(starts[p], ends[p]):
            least = wp.min(least, values[entries[i] // 4])
        out[p] = least

    @t.kernel
    def add_blocks(
        start: int, starts: ints, ends: ints, entries: ints, weight: shares, stiffness: blocks,
        out: wp.array(dtype=mat33),
    ):  # fmt: skip
        """out += Σ w² K over the pairs of each point."""
        p = start + wp.tid()
        total = wp.mat33d()
        for i in range(starts[p], ends[p]):
            e = entries[i]
            w = weight[e // 4][e % 4]
            total += (w * w) * stiffness[e // 4]
        out[p] = out[p] + mat33(total)

    @t.kernel
    def round_blocks(start: int, stiffness: blocks, out: wp.array(dtype=mat33)):
        p = start + wp.tid()
        out[p] = mat33(stiffness[p])

    @t.kernel
    def multiply_pairs(start: int, count: int, pairs: quads, weight: shares, stiffness: blocks, d: points, product: corners):
        i = start + wp.tid()
        if i < count:
            q, w = pairs[i], weight[i]
            way = vec3()
            for j in range(4):
                way += w[j] * d[q[j]]
            way = stiffness[i] * way
            for j in range(4):
                product[j, i] = w[j] * way

    @t.kernel
    def grip_pairs(
        start: int, count: int,
        # mesh:
        pairs: quads, group: ints,
        # params: friction of groups of points
        grip: wp.array2d(dtype=wp.float64),
        # out: normal forces that become the most that friction holds
        press: wp.array(dtype=wp.float64),
    ):  # fmt: skip
        i = start + wp.tid()
        if i < count:
            q = pairs[i]
            press[i] = press[i] * wp.max(grip[group[q[0]], group[q[2]]], wp.float64(0.0))

    return locals()


def padded(count: int) -> int:
    """The next power of two: launches of so many are recorded a few times, not once for every number of pairs."""
    return 1 << max(count - 1, 63).bit_length()


class Gathered(Fused):
    """Part of energies whose ``_evaluate`` leaves what each contact has, for ``_add_value`` and ``_spread`` to add up."""

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        self._add_value(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._evaluate(x)
        self._spread(out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self.gradient(x, gradient)
        self._add_value(out)


class Pairs:
    """Room for ``capacity`` pairs of ``points`` points, of which the first ``count`` are there.

    Whoever fills them writes ``pairs``, ``weight`` and, for each use, ``value`` and ``given`` or ``stiffness``.
    """

    def __init__(self, device: Device, points: int, capacity: int):
        t, zeros = device.types, device.zeros
        self.device, self.points, self.capacity, self.count = device, points, capacity, 0
        self.kernels = pair_kernels(device.precision)
        self.pairs, self.weight = zeros(capacity, wp.vec4i), zeros(capacity, wp.vec4d)
        self.stiffness = zeros(capacity, wp.mat33d)  # positive semi-definite: the energy of a way d is ½ dᵀ K d
        self.value, self.given = zeros(capacity, wp.float64), zeros((4, capacity), t.position)
        self.product = zeros((4, capacity), t.position)  # of the tangent, which may need ``given`` for the next one
        self.starts, self.ends = zeros(points, wp.int32), zeros(points, wp.int32)
        self.keys, self.entries = zeros(8 * capacity, wp.int32), zeros(8 * capacity, wp.int32)  # twice, for sorting
        self.sums = Sums(device, np.array([0, capacity]))

    def sort(self, count: int) -> None:
        """The first ``count`` pairs are new: list their corners by point."""
        self.count = count
        self.starts.zero_()
        self.ends.zero_()
        if count:
            lists, size = (self.keys, self.entries), 4 * self.capacity
            self.device.launch(self.kernels.list_corners, size, count, self.pairs, *lists)
            wp.utils.radix_sort_pairs(*lists, 4 * count)
            self.device.launch(self.kernels.mark_starts, size, 4 * count, self.keys, self.starts, self.ends)

    def launch(self, kernel: wp.Kernel, *arguments) -> None:
        """Run a kernel on all pairs; on the room for them, so that their number is no part of what is recorded."""
        self.device.launch(kernel, self.capacity, self.count, self.pairs, *arguments, grain=GRAIN)

    def add_value(self, out: wp.array) -> None:
        """out[0] += the sum of ``value``, which must be 0 beyond the pairs."""
        self.sums.add_to(out, 1.0, vector_kernels("f64").sum_chunk, self.value)

    def take_least(self, values: wp.array, out: wp.array) -> None:
        """out[0, 0] = the least of it and of the values, which must be 1 beyond the pairs and no more there."""
        parts = self.sums.parts(vector_kernels("f64").min_chunk, values)
        self.sums.use(self.sums.kernels.take_least, parts, out)

    def spread(self, out: wp.array, given: wp.array | None = None) -> None:
        """out += what was ``given`` to the corners of each point."""
        lists, given = (self.starts, self.ends, self.entries), self.given if given is None else given
        self.device.launch(self.kernels.add_corners, self.points, *lists, given, out, grain=GRAIN)

    def least_at_points(self, values: wp.array, out: wp.array) -> None:
        """out = the least value of the pairs of each point, 1 at most."""
        lists = (self.starts, self.ends, self.entries)
        self.device.launch(self.kernels.least_of_pairs, self.points, *lists, values, out, grain=GRAIN)

    def multiply(self, d: wp.array, out: wp.array) -> None:
        """out += the stiffness of all pairs times d, both at points."""
        self.launch(self.kernels.multiply_pairs, self.weight, self.stiffness, d, self.product)
        self.spread(out, self.product)

    def add_diagonal(self, out: wp.array) -> None:
        """out += the blocks of each point with itself."""
        lists = (self.starts, self.ends, self.entries, self.weight, self.stiffness)
        self.device.launch(self.kernels.add_blocks, self.points, *lists, out, grain=GRAIN)

    def cells(self, nodes: np.ndarray) -> np.ndarray:
        """(count, 4 k) the nodes (points, k) of the four points of each pair."""
        return nodes[self.quads()].reshape(self.count, 4 * nodes.shape[1])

    def quads(self) -> np.ndarray:
        """(count, 4) the points of each pair."""
        return self.pairs.numpy()[: self.count]


def first_side(kinds: np.ndarray) -> np.ndarray:
    """(c, 4) 1 at the points of the first side of each pair: the point of a face, the first edge of two."""
    return (np.arange(4) < np.where(kinds == FACE, 1, 2)[:, None]).astype(float)


def places(names: np.ndarray, among: np.ndarray) -> np.ndarray:
    """(c,) where each of the ``names`` (c, 4) is in others, no two of which are the same; −1 for those that are not."""
    if names is among or np.array_equal(names, among):
        return np.arange(len(names))
    if not len(names) or not len(among):
        return np.full(len(names), -1)
    halves = np.ascontiguousarray(np.vstack([among, names]), np.int32).view(np.int64)
    first, second = (np.unique(half, return_inverse=True)[1] for half in halves.T)
    number = np.unique(first * (second.max() + 1) + second, return_inverse=True)[1]
    at = np.full(number.max() + 1, -1)
    at[number[: len(among)]] = np.arange(len(among))
    return at[number[len(among) :]]
