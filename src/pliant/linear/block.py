"""A preconditioner of mixed systems that is a factor over the nodes and a number for each cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device
from ..errors import InputError, positive
from .prefactored import Prefactored
from .saddle import Pair, Pairs


@dataclass(frozen=True)
class Block:
    """diag(Â, Ŝ): Â the constant matrix of the shear stiffness, factored once, Ŝ = α² W (1/κ + 1/(2μ ``weight``)).

    Â is the laplacian of the cells for each coordinate alike, with inertia, attachments and held nodes. Ŝ is what the
    inf–sup condition bounds α² B Â⁻¹ Bᵀ by, so the iterations hardly depend on the number of cells, on the cut ones among
    them, and on κ.
    """

    weight: float = 1.0

    def __post_init__(self):
        if not positive(self.weight):
            raise InputError(f"Block(weight={self.weight!r}): expected a positive number")


class BlockFactor:
    """M⁻¹ of one system: the factor of ``matrix`` (n, n) and the inverse (m,) of Ŝ."""

    def __init__(self, device: Device, pairs: Pairs, matrix: sparse.csr_matrix, moves: np.ndarray, positions: np.ndarray):
        self.device, self.pairs = device, pairs
        self.factor = Prefactored(device, matrix, moves, positions=positions)
        self.inverse = device.zeros(pairs.count, device.types.real)

    def refactor(self, matrix: sparse.csr_matrix, moves: np.ndarray) -> None:
        self.factor.refactor(matrix, moves)

    def set_cells(self, schur: np.ndarray) -> None:
        """Take Ŝ (m,)."""
        self.inverse.assign((1.0 / schur).astype(self.device.types.numpy))

    def apply(self, r: Pair, z: Pair) -> None:
        """z = M⁻¹ r; r is 0 where nodes are held, and so is z."""
        self.factor.solve(r.x, z.x)
        self.device.launch(self.pairs.kernels.multiply, self.pairs.count, self.inverse, r.p, z.p)


def identity(r: Pair, z: Pair) -> None:
    """No preconditioning."""
    wp.copy(z.x, r.x)
    wp.copy(z.p, r.p)
