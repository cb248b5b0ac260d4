"""Vectors over nodes: sums, dot products and updates whose result does not depend on the number of threads.

Sums run over chunks of CHUNK items, each added up in order and in double precision; the host adds the chunks.
"""

import numpy as np
import warp as wp

from .device import Device, family

CHUNK = 256


@family
def vector_kernels(t):
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    chunk = CHUNK

    @t.kernel
    def sum_chunk(start: int, a: wp.array(dtype=real), out: wp.array(dtype=wp.float64)):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * chunk, wp.min((c + 1) * chunk, a.shape[0])):
            total += wp.float64(a[i])
        out[c] = total

    @t.kernel
    def min_chunk(start: int, a: wp.array(dtype=real), out: wp.array(dtype=wp.float64)):
        c = start + wp.tid()
        least = wp.float64(a[c * chunk])
        for i in range(c * chunk, wp.min((c + 1) * chunk, a.shape[0])):
            least = wp.min(least, wp.float64(a[i]))
        out[c] = least

    @t.kernel
    def dot_chunk(start: int, a: wp.array(dtype=vec3), b: wp.array(dtype=vec3), out: wp.array(dtype=wp.float64)):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * chunk, wp.min((c + 1) * chunk, a.shape[0])):
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
        w: wp.array(dtype=real),
        a: wp.array(dtype=vec3),
        b: wp.array(dtype=vec3),
        out: wp.array(dtype=wp.float64),
    ):
        """Σ wᵢ |aᵢ − bᵢ|² of a chunk."""
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(c * chunk, wp.min((c + 1) * chunk, a.shape[0])):
            d = a[i] - b[i]
            total += wp.float64(w[i]) * wp.float64(wp.dot(d, d))
        out[c] = total

    @t.kernel
    def max_chunk(start: int, a: wp.array(dtype=vec3), out: wp.array(dtype=wp.float64)):
        """Largest squared length of a chunk; NaN stays NaN."""
        c = start + wp.tid()
        most = wp.float64(0.0)
        for i in range(c * chunk, wp.min((c + 1) * chunk, a.shape[0])):
            s = wp.float64(wp.dot(a[i], a[i]))
            if not (s <= most):
                most = s
        out[c] = most

    @t.kernel
    def fill(start: int, value: vec3, out: wp.array(dtype=vec3)):
        out[start + wp.tid()] = value

    @t.kernel
    def move(start: int, x: wp.array(dtype=vec3), a: real, d: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """out = x + a d."""
        i = start + wp.tid()
        out[i] = x[i] + a * d[i]

    @t.kernel
    def mix(
        start: int, a: real, x: wp.array(dtype=vec3), b: real, y: wp.array(dtype=vec3), out: wp.array(dtype=vec3)
    ):
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

    def _chunks(self, kernel: wp.Kernel, length: int, *arrays: wp.array) -> np.ndarray:
        chunks = -(-length // CHUNK)
        if chunks not in self._partial:
            self._partial[chunks] = self.device.zeros(chunks, wp.float64)
        partial = self._partial[chunks]
        self.device.launch(kernel, chunks, *arrays, partial, grain=16)
        return partial.numpy()

    def dot(self, a: wp.array, b: wp.array) -> float:
        return float(self._chunks(self.kernels.dot_chunk, self.count, a, b).sum())

    def norm(self, a: wp.array) -> float:
        return float(np.sqrt(self.dot(a, a)))

    def largest(self, a: wp.array) -> float:
        """Length of the longest entry; NaN if any entry is."""
        return float(np.sqrt(self._chunks(self.kernels.max_chunk, self.count, a).max()))

    def distance2(self, weight: wp.array, a: wp.array, b: wp.array) -> float:
        """Σ w |a − b|²."""
        return float(self._chunks(self.kernels.weighted_chunk, self.count, weight, a, b).sum())

    def total(self, values: wp.array) -> float:
        """Sum of scalars, in double precision."""
        return float(self._chunks(self.kernels.sum_chunk, values.shape[0], values).sum())

    def least(self, values: wp.array) -> float:
        return float(self._chunks(self.kernels.min_chunk, values.shape[0], values).min())

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
