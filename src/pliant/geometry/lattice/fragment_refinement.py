"""Refined cut cells: those near the surface are split into r³ subcells, which are clipped and put together again."""

from __future__ import annotations

from functools import cache

import numpy as np

from .fragment_survey import PARTS, Survey
from .fragments import CORNERS, POWERS, SNAP, Fragments, fragments_of


def refined_fragments(survey: Survey, parts: int, every: bool = False) -> tuple[np.ndarray, Fragments]:
    """(m, 3) index of each cell with material in one of its ``parts``³ subcells, x fastest, and its fragment.

    The integrals are those of the subcells, exact where φ is linear across each of them: a wall of half a cell is seen,
    and edges are cut off within a subcell. ``every`` takes along the cells near the surface that seem to be empty.
    """
    step = PARTS // parts
    phi = survey.phi[:, ::step, ::step, ::step] * parts  # in units of a subcell
    phi = np.where(np.abs(phi) < SNAP, 0.0, phi)
    reached = np.flatnonzero((phi < 0).any(axis=(1, 2, 3)) | every)
    cells = np.concatenate([survey.filled, survey.near[reached]])
    order = np.lexsort(cells.T)  # x fastest
    values, integrals = np.full((len(cells), 8), -1.0), np.zeros((len(cells), len(POWERS)))
    integrals[: len(survey.filled)] = 1 / np.prod(POWERS + 1, axis=1)
    phi = phi[reached]
    values[len(survey.filled) :] = phi[(slice(None), *(parts * CORNERS).T)] / parts
    lower, move = _moves(parts)
    subcells = np.stack([phi[(slice(None), *(lower + corner).T)] for corner in CORNERS], axis=2)  # (b, r³, 8)
    pieces = fragments_of(subcells.reshape(-1, 8))
    own = np.einsum("skl,msl->mk", move, pieces.integrals.reshape(len(phi), parts**3, -1))
    own[np.all(phi <= 0, axis=(1, 2, 3))] = 1 / np.prod(POWERS + 1, axis=1)
    integrals[len(survey.filled) :] = own
    owner, which = np.divmod(pieces.owner, parts**3)
    triangles = (lower[which][:, None] + pieces.triangles) / parts
    number, rows = np.argsort(order), order - len(survey.filled)
    owner = number[owner + len(survey.filled)]
    by_cell = np.argsort(owner, kind="stable")
    return cells[order], Fragments(
        values[order], integrals[order], owner[by_cell], triangles[by_cell], subcells, np.where(rows < 0, -1, rows)
    )


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
