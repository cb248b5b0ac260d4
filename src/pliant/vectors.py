"""Vectors over nodes: sums, dot products and updates whose result does not depend on the number of threads.

A sum is cut into chunks, each added up in order and in double precision, and the chunks are then added in order. A chunk
is a run of neighbours on the CPU, and every so-manieth item on a GPU, where neighbours are best read by neighbours.
"""

import numpy as np
import warp as wp

from .device import Device, family

CHUNK = 256  # items of a chunk on the CPU
CHUNKS = 8192  # chunks at most on a GPU
FOLDS = 64  # sums that remain after the second pass


@family
def vector_kernels(t):
    real, vec3 = t.real, t.vec3
    doubles = wp.array(dtype=wp.float64)

    # chunk c holds the items c·hop, c·hop + step, …, span of them

    @t.kernel
    def sum_chunk(start: int, hop: int, step: int, span: int, a: wp.array(dtype=real), out: doubles):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * hop, wp.min(c * hop + step * span, a.shape[0]), step):
            total += wp.float64(a[i])
        out[c] = total

    @t.kernel
    def min_chunk(start: int, hop: int, step: int, span: int, a: wp.array(dtype=real), out: doubles):
        c = start + wp.tid()
        least = wp.float64(a[c * hop])
        for i in range(c * hop, wp.min(c * hop + step * span, a.shape[0]), step):
            least = wp.min(least, wp.float64(a[i]))
        out[c] = least

    @t.kernel
    def dot_chunk(
        start: int, hop: int, step: int, span: int, a: wp.array(dtype=vec3), b: wp.array(dtype=vec3), out: doubles
    ):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * hop, wp.min(c * hop + step * span, a.shape[0]), step):
            u = a[i]
            v = b[i]
            total += (
                wp.float64(u[0]) * wp.float64(v[0])
                + wp.float64(u[1]) * wp.float64(v[1])
                + wp.float64(u[2]) * wp.float64(v[2])
            )
        out[c] = total

    @t.kernel
    def weighted_chunk(
        start: int,
        hop: int,
        step: int,
        span: int,
        w: wp.array(dtype=real),
        a: wp.array(dtype=vec3),
        b: wp.array(dtype=vec3),
        out: doubles,
    ):
        """Σ wᵢ |aᵢ − bᵢ|² of a chunk."""
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * hop, wp.min(c * hop + step * span, a.shape[0]), step):
            d = a[i] - b[i]
            total += wp.float64(w[i]) * wp.float64(wp.dot(d, d))
        out[c] = total

    @t.kernel
    def max_chunk(start: int, hop: int, step: int, span: int, a: wp.array(dtype=vec3), out: doubles):
        """Largest squared length of a chunk; NaN stays NaN."""
        c = start + wp.tid()
        most = wp.float64(0.0)
        for i in range(c * hop, wp.min(c * hop + step * span, a.shape[0]), step):
            s = wp.float64(wp.dot(a[i], a[i]))
            if s > most or s != s:  # once NaN, nothing is larger
                most = s
        out[c] = most

    @t.kernel
    def fold(start: int, span: int, partial: doubles, out: doubles):
        """Add ``span`` neighbouring chunks."""
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * span, wp.min((c + 1) * span, partial.shape[0])):
            total += partial[i]
        out[c] = total

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


class Vectors:
    """Operations on (n,) arrays of vec3 on one device."""

    def __init__(self, device: Device, count: int):
        self.device, self.count = device, count
        self.kernels = vector_kernels(device.precision)
        self._partial: dict[int, wp.array] = {}

    def new(self) -> wp.array:
        return self.device.zeros(self.count, self.device.types.vec3)

    def _layout(self, length: int) -> tuple[int, int, int, int]:
        """Number of chunks, and hop, step and span of each."""
        if self.device.is_cpu:
            return -(-length // CHUNK), CHUNK, 1, CHUNK
        chunks = min(CHUNKS, length)
        return chunks, 1, chunks, -(-length // chunks)

    def _chunks(self, kernel: wp.Kernel, length: int, *arrays: wp.array) -> wp.array:
        chunks, hop, step, span = self._layout(length)
        if chunks not in self._partial:
            self._partial[chunks] = self.device.zeros(chunks, wp.float64)
        partial = self._partial[chunks]
        self.device.launch(kernel, chunks, hop, step, span, *arrays, partial, grain=16)
        return partial

    def dot(self, a: wp.array, b: wp.array) -> float:
        return float(self._chunks(self.kernels.dot_chunk, self.count, a, b).numpy().sum())

    def dot_on_device(self, a: wp.array, b: wp.array, folded: wp.array) -> None:
        """The dot product as FOLDS sums in ``folded``, with no word to the host."""
        partial = self._chunks(self.kernels.dot_chunk, self.count, a, b)
        self.device.launch(self.kernels.fold, FOLDS, -(-partial.shape[0] // FOLDS), partial, folded)

    def norm(self, a: wp.array) -> float:
        return float(np.sqrt(self.dot(a, a)))

    def largest(self, a: wp.array) -> float:
        """Length of the longest entry; NaN if any entry is."""
        return float(np.sqrt(self._chunks(self.kernels.max_chunk, self.count, a).numpy().max()))

    def distance2(self, weight: wp.array, a: wp.array, b: wp.array) -> float:
        """Σ w |a − b|²."""
        return float(self._chunks(self.kernels.weighted_chunk, self.count, weight, a, b).numpy().sum())

    def total(self, values: wp.array) -> float:
        """Sum of scalars, in double precision."""
        return float(self._chunks(self.kernels.sum_chunk, values.shape[0], values).numpy().sum())

    def least(self, values: wp.array) -> float:
        return float(self._chunks(self.kernels.min_chunk, values.shape[0], values).numpy().min())

    def move(self, x: wp.array, a: float, d: wp.array, out: wp.array) -> None:
        """out = x + a d."""
        self.device.launch(self.kernels.move, self.count, x, float(a), d, out)

    def mix(self, a: float, x: wp.array, b: float, y: wp.array, out: wp.array) -> None:
        """out = a x + b y."""
        self.device.launch(self.kernels.mix, self.count, float(a), x, float(b), y, out)

    def zero(self, out: wp.array) -> None:
        out.zero_()

    def copy(self, source: wp.array, out: wp.array) -> None:
        wp.copy(out, source)
