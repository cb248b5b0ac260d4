"""Vectors over nodes: sums, dot products and updates whose result does not depend on the number of threads.

A sum is cut into chunks, each added up in order and in double precision, and the chunks are then added in order. A chunk
is a run of neighbours on the CPU, and every so-manieth item on a GPU, where neighbours are best read by neighbours.
Items may fall into groups that lie one after the other, the scenes of a batch: each has its own sum, and no chunk
belongs to two. A kernel that needs a sum adds up a row of what ``Sums`` returns, so no number has to visit the host.
"""

import numpy as np
import warp as wp

from .device import Device, Types, family

CHUNK = 256  # items of a chunk on the CPU
CHUNKS = 8192  # chunks at most on a GPU
FOLDS = 64  # sums that remain after the second pass


def chunk_functions(t: Types) -> tuple[wp.Function, wp.Function]:
    """First item of a chunk, and where it ends."""
    ints = wp.array(dtype=wp.int32)

    def first(c: int, chunks: int, hop: int, bounds: ints):
        """First item of chunk c; the group g = c/chunks holds the items bounds[g] … bounds[g+1]−1."""
        return bounds[c // chunks] + c % chunks * hop

    def beyond(c: int, chunks: int, hop: int, reach: int, bounds: ints):
        """End of chunk c, whose items are ``step`` apart and no more than ``reach`` away."""
        g = c // chunks
        return wp.min(bounds[g] + c % chunks * hop + reach, bounds[g + 1])

    return t.function("chunk_first", first), t.function("chunk_beyond", beyond)


@family
def vector_kernels(t):
    real, vec3 = t.real, t.vec3
    doubles, ints = wp.array2d(dtype=wp.float64), wp.array(dtype=wp.int32)

    first, beyond = chunk_functions(t)

    @t.kernel
    def sum_chunk(
        start: int, chunks: int, hop: int, step: int, reach: int, bounds: ints, a: wp.array(dtype=real), out: doubles
    ):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            total += wp.float64(a[i])
        out[c // chunks, c % chunks] = total

    @t.kernel
    def min_chunk(
        start: int, chunks: int, hop: int, step: int, reach: int, bounds: ints, a: wp.array(dtype=real), out: doubles
    ):
        """Least of a chunk, 1 at most."""
        c = start + wp.tid()
        least = wp.float64(1.0)
        for i in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            least = wp.min(least, wp.float64(a[i]))
        out[c // chunks, c % chunks] = least

    @t.kernel
    def dot_chunk(
        start: int,
        chunks: int,
        hop: int,
        step: int,
        reach: int,
        bounds: ints,
        a: wp.array(dtype=vec3),
        b: wp.array(dtype=vec3),
        out: doubles,
    ):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            u = a[i]
            v = b[i]
            total += (
                wp.float64(u[0]) * wp.float64(v[0])
                + wp.float64(u[1]) * wp.float64(v[1])
                + wp.float64(u[2]) * wp.float64(v[2])
            )
        out[c // chunks, c % chunks] = total

    @t.kernel
    def weighted_chunk(
        start: int,
        chunks: int,
        hop: int,
        step: int,
        reach: int,
        bounds: ints,
        w: wp.array(dtype=real),
        a: wp.array(dtype=vec3),
        b: wp.array(dtype=vec3),
        out: doubles,
    ):
        """Σ wᵢ |aᵢ − bᵢ|² of a chunk."""
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            d = a[i] - b[i]
            total += wp.float64(w[i]) * wp.float64(wp.dot(d, d))
        out[c // chunks, c % chunks] = total

    @t.kernel
    def max_chunk(
        start: int, chunks: int, hop: int, step: int, reach: int, bounds: ints, a: wp.array(dtype=vec3), out: doubles
    ):
        """Largest squared length of a chunk; NaN stays NaN."""
        c = start + wp.tid()
        most = wp.float64(0.0)
        for i in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            s = wp.float64(wp.dot(a[i], a[i]))
            if s > most or s != s:  # once NaN, nothing is larger
                most = s
        out[c // chunks, c % chunks] = most

    @t.kernel
    def fold(start: int, span: int, partial: doubles, out: doubles):
        """Add ``span`` neighbouring chunks of a group."""
        c = start + wp.tid()
        g = c // out.shape[1]
        f = c % out.shape[1]
        total = wp.float64(0.0)
        for i in range(f * span, wp.min((f + 1) * span, partial.shape[1])):
            total += partial[g, i]
        out[g, f] = total

    @t.kernel
    def fold_least(start: int, span: int, partial: doubles, out: doubles):
        c = start + wp.tid()
        g = c // out.shape[1]
        f = c % out.shape[1]
        least = wp.float64(1.0)
        for i in range(f * span, wp.min((f + 1) * span, partial.shape[1])):
            least = wp.min(least, partial[g, i])
        out[g, f] = least

    @t.kernel
    def fold_largest(start: int, span: int, partial: doubles, out: doubles):
        c = start + wp.tid()
        g = c // out.shape[1]
        f = c % out.shape[1]
        most = wp.float64(0.0)
        for i in range(f * span, wp.min((f + 1) * span, partial.shape[1])):
            s = partial[g, i]
            if s > most or s != s:
                most = s
        out[g, f] = most

    @t.kernel
    def add_sum(start: int, scale: wp.float64, parts: doubles, out: doubles):
        """out[g] += (s, |s|) with s = scale times the sum of group g."""
        g = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(parts.shape[1]):
            total += parts[g, i]
        total *= scale
        out[g, 0] = out[g, 0] + total
        out[g, 1] = out[g, 1] + wp.abs(total)

    @t.kernel
    def add_root(start: int, parts: doubles, out: doubles):
        """out[g, 1] += the square root of the sum of group g."""
        g = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(parts.shape[1]):
            total += parts[g, i]
        out[g, 1] = out[g, 1] + wp.sqrt(total)

    @t.kernel
    def take_least(start: int, parts: doubles, out: doubles):
        """out[g, 0] = the least of it and of group g."""
        g = start + wp.tid()
        least = out[g, 0]
        for i in range(parts.shape[1]):
            least = wp.min(least, parts[g, i])
        out[g, 0] = least

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

    return locals()


class Sums:
    """Sums over the items of each group; group g holds the items bounds[g] … bounds[g+1]−1."""

    def __init__(self, device: Device, bounds: np.ndarray):
        self.device, self.kernels = device, vector_kernels(device.precision)
        self.groups, longest = len(bounds) - 1, max(int(np.diff(bounds).max()), 1)
        if device.is_cpu:
            self.chunks = -(-longest // CHUNK)
            self.layout = (self.chunks, CHUNK, 1, CHUNK)  # chunks of a group, hop, step, reach
        else:
            self.chunks = min(max(CHUNKS // self.groups, 1), longest)
            self.layout = (self.chunks, 1, self.chunks, longest)
        self.bounds = device.array(bounds, wp.int32)
        self._held: dict[int, wp.array] = {}

    def _buffer(self, width: int) -> wp.array:
        if width not in self._held:
            self._held[width] = self.device.zeros((self.groups, width), wp.float64)
        return self._held[width]

    def parts(self, kernel: wp.Kernel, *arrays: wp.array, scalars: tuple = ()) -> wp.array:
        """(groups, parts) numbers that ``kernel`` finds in the chunks; good until the next are asked for."""
        partial = self._buffer(self.chunks)
        self.device.launch(
            kernel, self.groups * self.chunks, *self.layout, self.bounds, *scalars, *arrays, partial, grain=16
        )
        if self.device.is_cpu or self.chunks <= FOLDS:
            return partial
        folded = self._buffer(FOLDS)
        folds = {self.kernels.min_chunk: self.kernels.fold_least, self.kernels.max_chunk: self.kernels.fold_largest}
        fold = folds.get(kernel, self.kernels.fold)
        self.device.launch(fold, self.groups * FOLDS, -(-self.chunks // FOLDS), partial, folded)
        return folded

    def add_to(self, out: wp.array, scale: float, kernel: wp.Kernel, *arrays: wp.array) -> None:
        """out[g] += (s, |s|) with s = scale times the sum that ``kernel`` finds."""
        parts = self.parts(kernel, *arrays)
        self.device.launch(self.kernels.add_sum, self.groups, float(scale), parts, out)

    def least(self, out: wp.array, values: wp.array) -> None:
        """out[g, 0] = the least of it and of the values of group g; none is taken to exceed 1."""
        parts = self.parts(self.kernels.min_chunk, values)
        self.device.launch(self.kernels.take_least, self.groups, parts, out)


class Vectors:
    """Operations on (n,) arrays of vec3 on one device; ``bounds`` cuts the nodes into groups."""

    def __init__(self, device: Device, count: int, bounds: np.ndarray | None = None):
        self.device, self.count = device, count
        self.kernels = vector_kernels(device.precision)
        self.sums = Sums(device, np.array([0, count]) if bounds is None else bounds)

    def new(self) -> wp.array:
        return self.device.zeros(self.count, self.device.types.vec3)

    def dot(self, a: wp.array, b: wp.array) -> float:
        return float(self.sums.parts(self.kernels.dot_chunk, a, b).numpy().sum())

    def dots(self, a: wp.array, b: wp.array) -> wp.array:
        """The dot product of each group as a row of parts to be added up, with no word to the host."""
        return self.sums.parts(self.kernels.dot_chunk, a, b)

    def norm(self, a: wp.array) -> float:
        return float(np.sqrt(self.dot(a, a)))

    def largest(self, a: wp.array) -> float:
        """Length of the longest entry; NaN if any entry is."""
        return float(np.sqrt(self.sums.parts(self.kernels.max_chunk, a).numpy().max()))

    def move(self, x: wp.array, a: float, d: wp.array, out: wp.array) -> None:
        """out = x + a d."""
        self.device.launch(self.kernels.move, self.count, x, float(a), d, out)

    def mix(self, a: float, x: wp.array, b: float, y: wp.array, out: wp.array) -> None:
        """out = a x + b y."""
        self.device.launch(self.kernels.mix, self.count, float(a), x, float(b), y, out)

    def copy(self, source: wp.array, out: wp.array) -> None:
        wp.copy(out, source)
