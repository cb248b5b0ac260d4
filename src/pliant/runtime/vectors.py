"""Vectors over nodes: reproducible sums, dot products and updates.

A sum is cut into chunks, each added up in order and in double precision, and the chunks are then added in order. A
chunk is a run of neighbours on the CPU, and every n-th item on a GPU, where neighbours are best read by
neighbours and a block of threads adds up its chunks before it writes. Items may fall into groups that lie one after the
other, the scenes of a batch: each has its own sum, and no chunk belongs to two. A kernel that needs a sum adds up a row
of what ``Sums`` returns, so no number has to visit the host.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from .block_reduce import least_of_block, sum_of_block
from .device import Device, Types, family
from .kernel_structs import filled

CHUNK = 256  # items of a chunk on the CPU
BLOCKS = 132  # blocks of chunks on a GPU


@wp.struct
class Chunks:
    """How items are cut: group g holds the items bounds[g] … bounds[g+1]−1, in ``count`` chunks that begin ``hop`` apart."""

    count: wp.int32
    hop: wp.int32
    step: wp.int32
    reach: wp.int32
    bounds: wp.array(dtype=wp.int32)


def sum_functions(t: Types) -> SimpleNamespace:
    """Device functions for kernels that make sums and for those that use them.

    A block of threads adds up what its chunks of_block, in a fixed order; on the CPU a block is one thread.
    """
    doubles = wp.array2d(dtype=wp.float64)

    def first(c: int, cut: Chunks):
        """First item of chunk c."""
        return cut.bounds[c // cut.count] + c % cut.count * cut.hop

    def beyond(c: int, cut: Chunks):
        """End of chunk c, whose items are no more than ``reach`` away from the first."""
        g = c // cut.count
        return wp.min(cut.bounds[g] + c % cut.count * cut.hop + cut.reach, cut.bounds[g + 1])

    def deposit(c: int, cut: Chunks, total: wp.float64, out: doubles):
        """Leave the sum over the block of chunk c."""
        of_block = sum_of_block(total)
        if c % wp.block_dim() == 0:
            out[c // cut.count, c % cut.count // wp.block_dim()] = of_block

    def deposit_least(c: int, cut: Chunks, least: wp.float64, out: doubles):
        of_block = least_of_block(least)
        if c % wp.block_dim() == 0:
            out[c // cut.count, c % cut.count // wp.block_dim()] = of_block

    def row_sum(parts: doubles, thread: int):
        """Sum of the parts of group thread/block; every thread of the block must ask."""
        total = wp.float64(0.0)
        for i in range(thread % wp.block_dim(), parts.shape[1], wp.block_dim()):
            total += parts[thread // wp.block_dim(), i]
        return sum_of_block(total)

    def row_least(parts: doubles, thread: int):
        least = wp.float64(1.0)
        for i in range(thread % wp.block_dim(), parts.shape[1], wp.block_dim()):
            least = wp.min(least, parts[thread // wp.block_dim(), i])
        return least_of_block(least)

    functions = (first, beyond, deposit, deposit_least, row_sum, row_least)
    return SimpleNamespace(**{f.__name__: t.function(f.__name__, f) for f in functions})


@family
def vector_kernels(t):
    return {**_chunk_kernels(t), **_sum_kernels(t), **_update_kernels(t)}


def _chunk_kernels(t: Types) -> dict:
    """What makes the parts of sums, chunk by chunk."""
    real, vec3, position, doubles, of = t.real, t.vec3, t.position, wp.array2d(dtype=wp.float64), sum_functions(t)
    first, beyond = of.first, of.beyond

    @t.kernel
    def sum_chunk(start: int, cut: Chunks, a: wp.array(dtype=real), out: doubles):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            total += wp.float64(a[i])
        of.deposit(c, cut, total, out)

    @t.kernel
    def min_chunk(start: int, cut: Chunks, a: wp.array(dtype=real), out: doubles):
        """Least of a chunk, 1 at most."""
        c = start + wp.tid()
        least = wp.float64(1.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            least = wp.min(least, wp.float64(a[i]))
        of.deposit_least(c, cut, least, out)

    @t.kernel_of({"a": vec3, "b": vec3}, {"a": position, "b": position}, {"a": vec3, "b": position})
    def dot_chunk(start: int, cut: Chunks, a: wp.array(dtype=Any), b: wp.array(dtype=Any), out: doubles):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            u = a[i]
            v = b[i]
            total += (
                wp.float64(u[0]) * wp.float64(v[0]) + wp.float64(u[1]) * wp.float64(v[1]) + wp.float64(u[2]) * wp.float64(v[2])
            )
        of.deposit(c, cut, total, out)

    @t.kernel_of({"a": vec3, "b": vec3}, {"a": position, "b": position})
    def weighted_chunk(
        start: int, cut: Chunks, w: wp.array(dtype=real), a: wp.array(dtype=Any), b: wp.array(dtype=Any), out: doubles
    ):
        """Σ wᵢ |aᵢ − bᵢ|² of a chunk."""
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            d = vec3(a[i] - b[i])
            total += wp.float64(w[i]) * wp.float64(wp.dot(d, d))
        of.deposit(c, cut, total, out)

    @t.kernel
    def longest_chunk(start: int, cut: Chunks, a: wp.array(dtype=vec3), out: doubles):
        """Least −|a|² of a chunk, at most 0."""
        c = start + wp.tid()
        least = wp.float64(0.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            u = a[i]
            x, y, z = wp.float64(u[0]), wp.float64(u[1]), wp.float64(u[2])
            least = wp.min(least, -(x * x + y * y + z * z))
        of.deposit_least(c, cut, least, out)

    return locals()


def _sum_kernels(t: Types) -> dict:
    """What uses sums, launched with a block of threads for each group."""
    doubles, of = wp.array2d(dtype=wp.float64), sum_functions(t)

    @t.kernel
    def add_sum(start: int, scale: wp.float64, parts: doubles, out: doubles):
        """out[g] += (s, |s|) with s = scale times the sum of group g."""
        i = start + wp.tid()
        total = scale * of.row_sum(parts, i)
        if i % wp.block_dim() == 0:
            g = i // wp.block_dim()
            out[g, 0] = out[g, 0] + total
            out[g, 1] = out[g, 1] + wp.abs(total)

    @t.kernel
    def take_least(start: int, parts: doubles, out: doubles):
        """out[g, 0] = the least of it and of group g."""
        i = start + wp.tid()
        least = of.row_least(parts, i)
        if i % wp.block_dim() == 0:
            g = i // wp.block_dim()
            out[g, 0] = wp.min(out[g, 0], least)

    @t.kernel
    def put_longest(start: int, column: int, parts: doubles, out: doubles):
        """out[g, column] = the largest |a| of group g."""
        i = start + wp.tid()
        least = of.row_least(parts, i)
        if i % wp.block_dim() == 0:
            out[i // wp.block_dim(), column] = wp.sqrt(-wp.min(least, wp.float64(0.0)))

    return locals()


def _update_kernels(t: Types) -> dict:
    real, vec3, position = t.real, t.vec3, t.position

    @t.kernel
    def move(start: int, x: wp.array(dtype=vec3), a: real, d: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """out = x + a d."""
        i = start + wp.tid()
        out[i] = x[i] + a * d[i]

    @t.kernel
    def mix(start: int, a: real, x: wp.array(dtype=vec3), b: real, y: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """out = a x + b y."""
        i = start + wp.tid()
        out[i] = a * x[i] + b * y[i]

    kinds = [[position] * p + [vec3] * (4 - p) for p in range(5)]  # positions come first

    @t.kernel_of(*({f"s{i}": kind for i, kind in enumerate(row)} | {"out": out} for row in kinds for out in (position, vec3)))
    def combine(
        start: int,
        # params: coefficients; nothing is read where one is 0
        c0: wp.float64, c1: wp.float64, c2: wp.float64, c3: wp.float64,
        # in:
        s0: wp.array(dtype=Any), s1: wp.array(dtype=Any), s2: wp.array(dtype=Any), s3: wp.array(dtype=Any),
        # out:
        out: wp.array(dtype=Any),
    ):  # fmt: skip
        """out = c₀s₀ + c₁s₁ + c₂s₂ + c₃s₃, added one after the other, and rounded once."""
        i = start + wp.tid()
        total = c0 * position(s0[i])
        if c1 != wp.float64(0.0):
            total += c1 * position(s1[i])
        if c2 != wp.float64(0.0):
            total += c2 * position(s2[i])
        if c3 != wp.float64(0.0):
            total += c3 * position(s3[i])
        out[i] = out.dtype(total)

    @t.kernel
    def advance(start: int, x: wp.array(dtype=position), a: wp.float64, d: wp.array(dtype=vec3), out: wp.array(dtype=position)):
        """out = x + a d."""
        i = start + wp.tid()
        out[i] = x[i] + a * position(d[i])

    @t.kernel
    def apart(
        start: int,
        a: wp.float64,
        x: wp.array(dtype=position),
        b: wp.float64,
        y: wp.array(dtype=position),
        out: wp.array(dtype=vec3),
    ):
        """out = a x + b y, in which positions cancel."""
        i = start + wp.tid()
        out[i] = vec3(a * x[i] + b * y[i])

    @t.kernel
    def round_vectors(start: int, exact: wp.array(dtype=position), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = vec3(exact[i])

    return locals()


class Sums:
    """Sums over the items of each group; group g holds the items bounds[g] … bounds[g+1]−1."""

    def __init__(self, device: Device, bounds: np.ndarray, known: wp.array | None = None):
        """``known`` holds the bounds where they change, never by more than they are apart in ``bounds``."""
        self.device, self.kernels = device, vector_kernels(device.precision)
        self.groups, longest = len(bounds) - 1, max(int(np.diff(bounds).max()), 1)
        if device.is_cpu:
            self.chunks = -(-longest // CHUNK)
            layout = {"hop": CHUNK, "step": 1, "reach": CHUNK}
        else:  # whole blocks of chunks, enough to fill the device; as many with rows to spare as without, to the last bit
            self.chunks = device.block * -(-BLOCKS // self.groups)
            layout = {"hop": 1, "step": self.chunks, "reach": longest}
        self.bounds = device.array(bounds, wp.int32) if known is None else known
        self._cut = filled(Chunks, count=self.chunks, bounds=self.bounds, **layout)
        self._parts = device.zeros((self.groups, self.chunks // device.block), wp.float64)
        self.read = device.reader(self._parts)  # of the parts on the host

    def parts(self, kernel: wp.Kernel, *arrays: wp.array, scalars: tuple = ()) -> wp.array:
        """(groups, parts) numbers that ``kernel`` finds in the chunks; valid until the next call."""
        arguments = (self._cut, *scalars, *arrays, self._parts)
        self.device.launch(kernel, self.groups * self.chunks, *arguments, grain=2)
        return self._parts

    def use(self, kernel: wp.Kernel, *arguments: Any) -> None:
        """Run a kernel that adds up rows of parts, with a block of threads for each group."""
        self.device.launch(kernel, self.groups * self.device.block, *arguments)

    def add_to(self, out: wp.array, scale: float, kernel: wp.Kernel, *arrays: wp.array) -> None:
        """out[g] += (s, |s|) with s = scale times the sum that ``kernel`` finds."""
        parts = self.parts(kernel, *arrays)
        self.use(self.kernels.add_sum, float(scale), parts, out)

    def least(self, out: wp.array, values: wp.array) -> None:
        """out[g, 0] = the least of it and of the values of group g; none is taken to exceed 1."""
        parts = self.parts(self.kernels.min_chunk, values)
        self.use(self.kernels.take_least, parts, out)

    def longest(self, out: wp.array, vectors: wp.array, column: int = 0) -> None:
        """out[g, column] = the largest length of a vector of group g; a vector that is not a number does not count."""
        parts = self.parts(self.kernels.longest_chunk, vectors)
        self.use(self.kernels.put_longest, column, parts, out)


class Vectors:
    """Operations on (n,) arrays of vec3 on one device; ``bounds`` cuts the nodes into groups."""

    def __init__(self, device: Device, count: int, bounds: np.ndarray | None = None):
        self.device, self.count = device, count
        self.kernels = vector_kernels(device.precision)
        self.sums = Sums(device, np.array([0, count]) if bounds is None else bounds)

    def new(self) -> wp.array:
        return self.device.zeros(self.count, self.device.types.vec3)

    def positions(self) -> wp.array:
        """Room for positions, which are double in either precision."""
        return self.device.zeros(self.count, self.device.types.position)

    def dot(self, a: wp.array, b: wp.array) -> float:
        self.sums.parts(self.kernels.dot_chunk, a, b)
        return float(self.sums.read().sum())

    def longest(self, a: wp.array) -> float:
        """The largest |a| of all groups."""
        self.sums.parts(self.kernels.longest_chunk, a)
        return float(np.sqrt(max(-self.sums.read().min(), 0.0)))

    def dots(self, a: wp.array, b: wp.array) -> wp.array:
        """The dot product of each group as a row of parts to be added up, without synchronising with the host."""
        return self.sums.parts(self.kernels.dot_chunk, a, b)

    def move(self, x: wp.array, a: float, d: wp.array, out: wp.array) -> None:
        """out = x + a d."""
        self.device.launch(self.kernels.move, self.count, x, float(a), d, out)

    def mix(self, a: float, x: wp.array, b: float, y: wp.array, out: wp.array) -> None:
        """out = a x + b y."""
        self.device.launch(self.kernels.mix, self.count, float(a), x, float(b), y, out)

    def combine(self, terms: Sequence[tuple[float, wp.array]], out: wp.array) -> None:
        """out = Σ c s over the terms (c, s), positions first, added one after the other in double precision; no s may be
        ``out``."""
        if not terms:
            self.device.clear(out)
        elif len(terms) == 1 and terms[0][0] == 1.0:
            self.device.copy(terms[0][1], out)
        else:
            more = [[(1.0, out), *terms[i : i + 3]] for i in range(4, len(terms), 3)]
            for part in ([*terms[:4]], *more):
                part += [(0.0, part[-1][1])] * (4 - len(part))
                coefficients, arrays = zip(*part)
                self.device.launch(self.kernels.combine, self.count, *map(float, coefficients), *arrays, out)

    def advance(self, x: wp.array, a: float, d: wp.array, out: wp.array) -> None:
        """out = x + a d for positions x and out."""
        self.device.launch(self.kernels.advance, self.count, x, float(a), d, out)

    def apart(self, x: wp.array, y: wp.array, out: wp.array, scale: float = 1.0) -> None:
        """out = scale (x − y), the vector between positions."""
        self.device.launch(self.kernels.apart, self.count, float(scale), x, -float(scale), y, out)

    def copy(self, source: wp.array, out: wp.array) -> None:
        self.device.copy(source, out)
