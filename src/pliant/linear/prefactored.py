"""A scalar matrix factored once and applied to the three coordinates of every node."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from .cholesky.factor import factorise
from .cholesky.symbolic import analyse


class Prefactored:
    """A⁻¹ on (n,) vec3 arrays, for a symmetric positive definite n×n matrix A whose values change rarely.

    ``positions`` (n, 3) of the nodes guide the elimination order; without them it comes from the graph alone.
    """

    def __init__(self, device: Device, matrix: sparse.csr_matrix, positions: np.ndarray | None = None):
        self.device, self.positions = device, positions
        self._analyse(matrix)

    def _analyse(self, matrix: sparse.csr_matrix) -> None:
        self._pattern = (matrix.indptr, matrix.indices)
        analysis = analyse(matrix, positions=self.positions)
        self.factor = factorise(
            analysis, matrix, precision=self.device.precision, device=self.device.name, threads=self.device.threads
        )
        self.factorisations = 1

    def refactor(self, matrix: sparse.csr_matrix) -> None:
        """Take other values; a pattern that has changed as well is analysed anew."""
        if all(np.array_equal(a, b) for a, b in zip(self._pattern, (matrix.indptr, matrix.indices))):
            self.factor.refactor(matrix)
            self.factorisations += 1
        else:
            self._analyse(matrix)

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b."""
        self.factor.solve_device(b, out)
