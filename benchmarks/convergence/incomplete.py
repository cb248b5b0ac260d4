"""Conjugate gradients with a preconditioner, and the incomplete Cholesky factor without fill, in NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

Apply = Callable[[np.ndarray], np.ndarray]


def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Σ ab, by NumPy's own loop: BLAS would wake threads that get in the way of the kernels' own."""
    return float(np.einsum("i,i->", a.reshape(-1), b.reshape(-1)))


def conjugate_gradients(
    matrix: sparse.spmatrix, b: np.ndarray, precondition: Apply, iterations: int, tolerance: float = 0.0
) -> np.ndarray:
    """So many iterations on A x = b from x = 0; negative curvature ends them with what was found (Gast et al. 2015)."""
    x, r = np.zeros_like(b), b.copy()
    z = precondition(r)
    p, rz = z.copy(), dot(r, z)
    goal = tolerance**2 * rz
    for _ in range(iterations):
        if not rz > goal:
            break
        q = matrix @ p
        curvature = dot(p, q)
        if curvature <= 0:
            return x if x.any() else z  # the preconditioned gradient descends where nothing better is known
        step = rz / curvature
        x += step * p
        r -= step * q
        z = precondition(r)
        rz, before = dot(r, z), rz
        p = z + rz / before * p
    return x


class Jacobi:
    """The inverse of the 3×3 diagonal blocks, or of the diagonal of a scalar matrix."""

    def __init__(self, matrix: sparse.spmatrix):
        if isinstance(matrix, sparse.bsr_matrix):
            rows = np.repeat(np.arange(len(matrix.indptr) - 1), np.diff(matrix.indptr))
            self.blocks = np.linalg.inv(matrix.data[rows == matrix.indices])
        else:
            self.blocks = 1 / matrix.diagonal()[:, None]

    def __call__(self, r: np.ndarray) -> np.ndarray:
        if self.blocks.ndim == 2:
            return self.blocks * r
        return np.einsum("nij,nj->ni", self.blocks, r.reshape(-1, 3)).reshape(r.shape)


class IncompleteCholesky:
    """M = L Lᵀ with L kept to the pattern of A's lower triangle; the diagonal is raised until every pivot is positive.

    Made column by column in NumPy; its two triangular solves are SuperLU's, in the order given and without fill.
    """

    def __init__(self, matrix: sparse.spmatrix):
        lower = sparse.tril(matrix, format="csc")
        lower.sort_indices()
        self.shift = 0.0
        while (values := _zero_fill(lower, self.shift)) is None:
            self.shift = max(1e-3, 2 * self.shift)
        self.factor = sparse.csc_matrix((values, lower.indices, lower.indptr), lower.shape)
        options = {"SymmetricMode": True}
        self.triangle = splu(self.factor, permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options)

    def __call__(self, r: np.ndarray) -> np.ndarray:
        return self.triangle.solve(self.triangle.solve(r), "T")


def _zero_fill(lower: sparse.csc_matrix, shift: float) -> np.ndarray | None:
    """Values of the factor, or None where a pivot is not positive; ``shift`` raises the diagonal by its share."""
    n, starts, rows = lower.shape[0], lower.indptr, lower.indices.astype(np.int64)
    values = lower.data.copy()
    values[starts[:-1]] *= 1 + shift
    keys = np.repeat(np.arange(n), np.diff(starts)) * n + rows  # column by column, rows ascending: sorted
    for j in range(n):
        first, last = starts[j], starts[j + 1]
        if not values[first] > 0:
            return None
        values[first] = np.sqrt(values[first])
        below = rows[first + 1 : last]
        column = values[first + 1 : last] = values[first + 1 : last] / values[first]
        wanted = (below[None, :] * n + below[:, None]).ravel()  # entry (row, column) of the update by this column
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        kept = (keys[at] == wanted) & np.tril(np.ones((len(below),) * 2, bool)).ravel()
        values[at[kept]] -= np.outer(column, column).ravel()[kept]
    return values
