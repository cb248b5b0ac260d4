"""Block preconditioner of mixed systems: nodes and cells.

K = [A αBᵀ; αB −α²W/κ] is spectrally close to diag(Â, α²Ŝ) where Â ≈ A and Ŝ ≈ S = B A⁻¹ Bᵀ + W/κ. Cells with one
pressure each are not inf-sup stable: the finer the lattice, the less force have pressures that alternate from cell
to cell, so S is not like W/μ, and the iterations of that choice grow with the resolution. In the frequencies of a
regular lattice, S is N/a with N = B D⁻¹ Bᵀ, D = diag Â, and a the symbol of D⁻¹Â: like N where p alternates, and like
W/k where p is smooth, which is where the mean over the cells around each node sees it. Hence

    Ŝ = B D⁻¹ Bᵀ + Rᵀ V/k R + W/κ,    R p the mean of p around each node that is not held, V the node's share of the
    volume,

which is sparse, is exact for cells whose nodes are all held, and in tests bounds S from both sides by factors that do
not depend on the number of cells, nor on how they are cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...runtime.device import Device
from ..cholesky.factor import Factor
from ..factor.free_factor import renewed
from ..factor.scalar_factor import Prefactored
from .saddle_point import Pair, Pairs

LEAST = 1e-9  # of W/k, for cells held only by an infinite κ


@dataclass(frozen=True)
class Block:
    """Two sparse factors, made once at rest: the shear stiffness's Laplacian and the pressures' Schur complement."""


@dataclass(frozen=True, eq=False)
class Coupling:
    """Cells and their nodes: the data of Ŝ."""

    nodes: np.ndarray  # (m, k) nodes of each cell
    divergence: np.ndarray  # (m, k, 3) W ∂M̄/∂x at rest [m²]
    volumes: np.ndarray  # (m,) W [m³]
    stiffness: np.ndarray  # (m,) k [Pa]
    soft: np.ndarray  # (m,) 1/κ [1/Pa]
    centres: np.ndarray  # (m, 3) for the elimination order [m]

    def schur(self, diagonal: np.ndarray, moves: np.ndarray) -> sparse.csr_matrix:
        """Ŝ (m, m) for the diagonal (n,) of Â and the components (n, 3) that move."""
        m, k = self.nodes.shape
        shape, rows = (m, len(diagonal)), np.repeat(np.arange(m), k)

        def spread(values: np.ndarray, keep: np.ndarray) -> sparse.csr_matrix:
            held = values.reshape(-1) * keep[self.nodes.reshape(-1)]
            return sparse.csr_matrix((held, (rows, self.nodes.reshape(-1))), shape=shape)

        total = sparse.diags(self.volumes * (self.soft + LEAST / self.stiffness)).tocsr()
        for axis in range(3):
            B = spread(self.divergence[:, :, axis], moves[:, axis])
            total = total + B @ sparse.diags(1.0 / diagonal) @ B.T
        share = np.repeat((self.volumes / k)[:, None], k, axis=1)
        V = np.bincount(self.nodes.reshape(-1), share.reshape(-1), len(diagonal))
        R = spread(share / np.sqrt(self.stiffness)[:, None], moves.any(axis=1))
        total = total + R @ sparse.diags(1.0 / np.where(V > 0, V, 1.0)) @ R.T
        return (0.5 * (total + total.T)).tocsr()


class BlockFactor:
    """M⁻¹ of one system: the factors of ``matrix`` Â (n, n) and ``schur`` α²Ŝ (m, m)."""

    def __init__(self, device: Device, pairs: Pairs, positions: np.ndarray | None, centres: np.ndarray):
        self.device, self.pairs, self.positions, self.centres = device, pairs, positions, centres
        self.nodes: Prefactored | None = None
        self.cells: Factor | None = None

    def take(self, matrix: sparse.csr_matrix, schur: sparse.csr_matrix, moves: np.ndarray) -> None:
        """Factorise; a known pattern is not analysed again."""
        device = self.device
        if self.nodes is None:
            self.nodes = Prefactored(device, matrix, moves, positions=self.positions)
        else:
            self.nodes.refactor(matrix, moves)
        self.cells = renewed(self.cells, schur, device, self.centres)

    def apply(self, r: Pair, z: Pair) -> None:
        """z = M⁻¹ r; r is 0 where nodes are held, and so is z."""
        self.nodes.solve(r.x, z.x)
        self.cells.solve_device(r.p, z.p)
