"""A sparse n×n matrix of numbers that acts on the three coordinates of every node alike."""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, family


@family
def scalar_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def residual(
        start: int,
        # params:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        values: wp.array(dtype=wp.float64),
        # in:
        b: wp.array(dtype=vec3),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """b − A x, summed in double precision: the terms of a row nearly cancel wherever the body is far from the origin."""
        i = start + wp.tid()
        total = wp.vec3d(wp.float64(b[i][0]), wp.float64(b[i][1]), wp.float64(b[i][2]))
        for e in range(rows[i], rows[i + 1]):
            at = x[columns[e]]
            total -= values[e] * wp.vec3d(wp.float64(at[0]), wp.float64(at[1]), wp.float64(at[2]))
        out[i] = vec3(real(total[0]), real(total[1]), real(total[2]))

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
        self.device.launch(kernel, self.count, self.rows, self.columns, self.values, b, x, out, grain=1024)
