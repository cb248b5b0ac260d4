"""Inverse A⁻¹ over the free degrees of freedom."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...runtime.device import Device
from ..cholesky.factor import Factor, prepare
from ..cholesky.factor_update import grown
from ..cholesky.symbolic.symbolic_factor import Analysis, Order, analyse
from ..matrix.operator import columns_of, unknowns


class FreeFactor:
    """The Cholesky factor of a matrix whose rows and columns of held unknowns are those of the identity.

    ``free`` (n,) is 1, or True, for unknowns that may change. Held ones have no inverse: their rows and columns are 0.
    """

    factor: Factor
    free: np.ndarray

    def columns(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B for B (n, k)."""
        return self.free[:, None] * self.corrected(self.factor.solve(self.free[:, None] * B))

    def solve_many(self, B: np.ndarray) -> np.ndarray:
        """A⁻¹ B for B (n, k), which is checked."""
        return self.columns(columns_of(B, self.factor.analysis.count))

    def partial(self, rows: np.ndarray) -> np.ndarray:
        """(m, m) entries of A⁻¹ between some unknowns, which are checked."""
        return self.entries(unknowns(rows, self.factor.analysis.count))

    def entries(self, rows: np.ndarray) -> np.ndarray:
        """(m, m) entries of A⁻¹ between the distinct unknowns ``rows`` (m,)."""
        inverse, moves = np.zeros((len(rows), len(rows))), np.flatnonzero(self.free[rows])
        if len(moves):
            wanted = rows[moves]
            whole = self.factor.solve_partial(wanted, np.eye(len(wanted)), wanted)
            inverse[np.ix_(moves, moves)] = whole - self.taken_off(wanted)
        return inverse

    # --- terms added to the matrix since its factorisation; none, except in subclasses

    def corrected(self, X: np.ndarray) -> np.ndarray:
        """Solutions X (n, k) of the factor, corrected to those of the whole matrix."""
        return X

    def taken_off(self, rows: np.ndarray) -> np.ndarray | float:
        """(m, m) decrease of A⁻¹ by the added terms between a few unknowns."""
        return 0.0


def renewed(
    factor: Factor | None,
    matrix: sparse.csr_matrix,
    device: Device,
    positions: np.ndarray | None = None,
    order: Order | None = None,
    alone: bool = False,
    analysis: Analysis | None = None,
    inverse: bool = False,
    earlier: tuple[Factor, np.ndarray] | None = None,
) -> Factor:
    """The factor of ``matrix`` on a device: ``factor`` with other values where the pattern is its own, else another.

    ``positions`` (n, 3) of the unknowns guide the elimination order, unless an ``order`` is given, or the
    ``analysis``. ``alone`` factorises on the calling thread. ``inverse``: with S = L⁻¹, where there is no ``factor`` yet.
    ``earlier``: an unused factor, and (n,) the origin of each unknown in it: its unchanged part is
    reused.
    """
    if factor is not None and has_pattern(factor, matrix):
        factor.refactor(matrix)
        return factor
    if earlier is not None and order is not None:
        made = grown(earlier[0], matrix, order, earlier[1])
        if made is not None:
            return made
    if analysis is None:
        analysis = analyse(matrix, positions=positions, order=order)
    made = prepare(analysis, device.precision, device.name, device.threads, True, 1 if alone else None)
    made = made.inverted() if inverse else made
    made.take(analysis.pattern.lower_values(matrix))
    return made


def has_pattern(factor: Factor, matrix: sparse.csr_matrix) -> bool:
    """Whether the entries of ``matrix`` are the analysed ones, in their order."""
    pattern = factor.analysis.pattern
    same = matrix.shape[0] == pattern.count and matrix.nnz == len(pattern.rows)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return same and np.array_equal(rows, pattern.rows) and np.array_equal(matrix.indices, pattern.cols)
