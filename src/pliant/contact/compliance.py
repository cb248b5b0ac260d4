"""How contacts give way to forces: W = J A⁻¹ Jᵀ, by solves with all of A or along the paths of the unknowns they reach.

J has c rows of a few nodes, many of which several contacts share. With the k unknowns that any row reaches, J = H I for a
compressed H (c, k) and unit vectors I, and W = H (I A⁻¹ Iᵀ) Hᵀ: only the part of the inverse between these unknowns is needed,
which does not change with directions, and only grows with new unknowns while the factor of A stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import checks
from ..linear.cholesky.paths import PathInverse
from .rows import Rows

AT_ONCE = 64  # right-hand sides of a solve


@dataclass(frozen=True)
class Solves:
    """W by a solve with the whole factor for each row: the plain way, by which others are judged."""

    def matrix(self, kept: dict[str, Any], inverse: Any, rows: Rows) -> np.ndarray:
        """W (3c, 3c) with the operator ``inverse``; ``kept`` is what stays from call to call, {} at first."""
        J = rows.jacobian()
        W = np.empty((J.shape[0], J.shape[0]))
        for first in range(0, J.shape[0], AT_ONCE):
            some = slice(first, first + AT_ONCE)
            W[:, some] = J @ inverse.solve_many(J[some].T.toarray())
        return 0.5 * (W + W.T)


@dataclass(frozen=True)
class Isolated:
    """W from the inverse between the unknowns that contacts reach, along their paths in the elimination tree (Zeng 2023, §4.2).

    ``reuse``: what is known of that inverse is kept while the factor stays as it is, and only new unknowns are added.
    """

    reuse: bool = True

    def __post_init__(self):
        checks.flag("Isolated(reuse=…)", self.reuse)

    def matrix(self, kept: dict[str, Any], inverse: Any, rows: Rows) -> np.ndarray:
        """W (3c, 3c) with the operator ``inverse``; ``kept`` is what stays from call to call, {} at first."""
        J = rows.jacobian()
        unknowns = np.unique(J.indices)
        known = kept.get("inverse")
        if known is None or not self.reuse or known.version != (id(inverse), inverse.version):
            known = kept["inverse"] = PathInverse(inverse)
        H = J[:, unknowns]
        W = H @ (H @ known.between(unknowns)).T
        return 0.5 * (W + W.T)
