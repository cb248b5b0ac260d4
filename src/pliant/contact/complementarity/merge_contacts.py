"""Merge duplicate contacts that share place and normal.

A corner above a corner is near four edges and six faces of the other body, and each pair is a row. Their rows of W are the same
up to rounding, so that contact forces are not unique and converge slowly. One of each such group stays.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree


def drop_duplicates(
    first: np.ndarray, second: np.ndarray, normal: np.ndarray, rank: np.ndarray, near: float, turned: float
) -> np.ndarray:
    """The contacts to keep, in order: of those whose points ``first`` and ``second`` (c, 3) are within ``near`` [m] of each
    other's and whose normals (c, 3) within ``turned``, whichever side is called the first, that of the lowest ``rank`` (c,).

    Each dropped contact is within reach of one that stays: chains of near ones do not collapse.
    """
    pairs = cKDTree(0.5 * (first + second)).query_pairs(near, output_type="ndarray")
    i, j = pairs.T
    same = np.sign(np.einsum("ij,ij->i", normal[i], normal[j]))[:, None]
    other = np.where(same > 0, second[j], first[j])  # the point of j on the side of i's second
    apart = np.maximum(
        np.linalg.norm(second[i] - other, axis=1), np.linalg.norm(normal[i] - same * normal[j], axis=1) * near / turned
    )
    i, j = pairs[apart <= near].T
    keep = np.ones(len(first), bool)
    # of each pair the later one goes if the earlier one stays
    early, late = np.where(rank[i] < rank[j], (i, j), (j, i))
    order = np.argsort(rank[early], kind="stable")
    for one, another in zip(early[order], late[order], strict=True):
        if keep[one]:
            keep[another] = False
    return np.flatnonzero(keep)
