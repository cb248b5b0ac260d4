"""A sparse factorisation of the assembled matrix: for slender or quasi-static bodies where iterations crawl."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp
from scipy import sparse
from scipy.sparse.linalg import splu

from .system import LinearResult, System


@dataclass(frozen=True)
class Direct:
    """SciPy's sparse LU in symmetric mode, on the host; good up to some ten thousand nodes."""

    assembled = True

    def solve(self, system: System, b: wp.array, x: wp.array, tolerance: float) -> LinearResult:
        """Solve A x = b; ``tolerance`` plays no part."""
        pattern = system.pattern
        n = pattern.count
        blocks = pattern.values.numpy().astype(np.float64)
        matrix = sparse.bsr_matrix((blocks, pattern.columns, pattern.row_start), shape=(3 * n, 3 * n)).tocsc()
        free = np.flatnonzero(system.free.numpy().reshape(-1) > 0)
        right = b.numpy().reshape(-1)[free].astype(np.float64)
        reduced = matrix[free][:, free]
        try:
            factor = splu(
                reduced.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
            )
            found = factor.solve(right)
        except RuntimeError:  # exactly singular
            return LinearResult(0, float("inf"))
        full = np.zeros(3 * n)
        full[free] = found
        x.assign(full.reshape(n, 3).astype(system.device.types.numpy))
        size = np.linalg.norm(right)
        residual = float(np.linalg.norm(reduced @ found - right) / size) if size > 0 else 0.0
        return LinearResult(1, residual, negative=bool(found @ right < 0))
