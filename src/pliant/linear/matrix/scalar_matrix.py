"""A sparse n×n matrix of numbers that acts on the three coordinates of every node alike."""

from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...runtime.device import Device, family
from .gather import gather_kernels


@family
def scalar_kernels(t):
    vec3, position = t.vec3, t.position

    @t.kernel_of({"x": vec3}, {"x": position})
    def residual(
        start: int,
        # params:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        values: wp.array(dtype=wp.float64),
        # in:
        b: wp.array(dtype=vec3),
        x: wp.array(dtype=Any),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """b − A x, summed in double precision: terms of a row nearly cancel where the body is far from the origin."""
        i = start + wp.tid()
        total = position(b[i])
        for e in range(rows[i], rows[i + 1]):
            total -= values[e] * position(x[columns[e]])
        out[i] = vec3(total)

    return locals()


class ScalarMatrix:
    """A on a device, for products with (n,) vec3 arrays."""

    def __init__(self, device: Device, matrix: sparse.csr_matrix):
        self.device, self.count = device, matrix.shape[0]
        self.rows = device.array(matrix.indptr.astype(np.int32), wp.int32)
        self.columns = device.array(matrix.indices.astype(np.int32), wp.int32)
        self.values = device.array(matrix.data, wp.float64)

    def residual(self, b: wp.array, x: wp.array, out: wp.array) -> None:
        """out = b − A x."""
        kernel = scalar_kernels(self.device.precision).residual
        self.device.launch(kernel, self.count, self.rows, self.columns, self.values, b, x, out, grain=256)


class ScalarBlocks:
    """A block matrix each of whose blocks is a number times I₃: a ninth of the memory, and half of the time of a product."""

    def __init__(self, device: Device, matrix: sparse.csr_matrix):
        self.device, self.count = device, matrix.shape[0]
        self.rows = device.array(matrix.indptr, wp.int32)
        self.columns = device.array(matrix.indices, wp.int32)
        self.values = device.array(matrix.data, device.types.real)

    def assign(self, values: np.ndarray) -> None:
        """Take other values for the same entries."""
        self.values.assign(values.astype(self.device.types.numpy))

    def multiply(self, scale: float, x: wp.array, out: wp.array) -> None:
        """out += scale A x."""
        kernel, mesh = gather_kernels(self.device.precision).add_product, (self.rows, self.columns)
        self.device.launch(kernel, self.count, *mesh, float(scale), self.values, x, out, grain=256)
