"""A scalar matrix factored once and applied to the three coordinates of every node."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse.linalg import splu

from ..device import Device
from ..errors import InputError


class Prefactored:
    """A⁻¹ on (n,) vec3 arrays, for a symmetric positive definite n×n matrix A that changes rarely."""

    def __init__(self, device: Device, matrix: sparse.csr_matrix):
        self.device = device
        self.refactor(matrix)

    def refactor(self, matrix: sparse.csr_matrix) -> None:
        """Factor other values."""
        try:
            self._lu = splu(
                matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            )
        except RuntimeError:
            raise InputError(
                "the matrix of the quasi-Newton method is singular: a body without mass in the step (quasi-static) must be "
                "held by pins or attachments"
            ) from None

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b."""
        found = self._lu.solve(b.numpy().astype(np.float64))
        out.assign(found.astype(self.device.types.numpy))
