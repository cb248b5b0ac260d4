"""Cells seen by more than their corners: each is cut into r³ subcells, clipped one by one, and put together again."""

from __future__ import annotations

from functools import cache

import numpy as np

from .fragments import CORNERS, POWERS, SNAP, Fragments, classes_of, fragments_of
from .sdf import Sdf


def refined_fragments(shape: Sdf, spacing: float, origin: np.ndarray, parts: int) -> tuple[np.ndarray, Fragments]:
    """(m, 3) index of each cell with material in one of its ``parts``³ subcells, x fastest, and its fragment.

    Cell (i, j, k) has its lowest corner at origin + h (i, j, k). The integrals are those of the subcells, exact where φ is
    linear across each of them: a wall of half a cell is seen, and edges are cut off within a subcell.
    """
    fine = classes_of(shape, spacing / parts, origin)
    first = np.rint((fine.origin - origin) / (spacing / parts)).astype(int)
    cells = np.unique((fine.active_cells + first)[:, ::-1] // parts, axis=0)[:, ::-1]  # sorted with x fastest
    steps = np.arange(parts + 1) / parts
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
    points = origin + spacing * (cells[:, None, None, None] + grid)
    phi = shape(points.reshape(-1, 3)).reshape(points.shape[:-1]) * (parts / spacing)
    phi = np.where(np.abs(phi) < SNAP, 0.0, phi)
    lower, move = _moves(parts)
    subcells = np.stack([phi[(slice(None), *(lower + corner).T)] for corner in CORNERS], axis=2)  # (m, r³, 8)
    pieces = fragments_of(subcells.reshape(-1, 8))
    integrals = np.einsum("skl,msl->mk", move, pieces.integrals.reshape(len(cells), parts**3, -1))
    whole = np.all(phi <= 0, axis=(1, 2, 3))
    integrals[whole] = 1 / np.prod(POWERS + 1, axis=1)
    owner, which = np.divmod(pieces.owner, parts**3)
    triangles = (lower[which][:, None] + pieces.triangles) / parts
    values = phi[(slice(None), *(parts * CORNERS).T)] / parts
    return cells, Fragments(values, integrals, owner, triangles, subcells)


@cache
def _moves(parts: int) -> tuple[np.ndarray, np.ndarray]:
    """(r³, 3) lowest corner of each subcell, x fastest, and (r³, 11, 11) its monomials in the cell's coordinates.

    With ξ = (s + η)/r along each axis, ∫ ξᵃ dξ³ is a sum of ∫ ηᵇ dη³, b ≤ a, for all the monomials that we keep.
    """
    lower = np.array([[i, j, k] for k in range(parts) for j in range(parts) for i in range(parts)])
    number = {tuple(p): n for n, p in enumerate(POWERS.tolist())}
    move = np.zeros((len(lower), len(POWERS), len(POWERS)))
    for row, s in enumerate(lower):
        axes = [[[1.0], [a, 1.0], [a * a, 2.0 * a, 1.0]] for a in s]
        for k, (p, q, r) in enumerate(POWERS):
            for a, x in enumerate(axes[0][p]):
                for b, y in enumerate(axes[1][q]):
                    for c, z in enumerate(axes[2][r]):
                        move[row, k, number[a, b, c]] += x * y * z / parts ** (p + q + r + 3)
    return lower, move
