"""How much of each tet a solid fills, exactly: its boundary there as a signed sum of tets from one corner."""

from __future__ import annotations

import numpy as np

from .bounding_pieces import Pieces

EDGES = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])  # of a tet
OTHERS = np.array([[2, 3], [1, 3], [1, 2], [0, 3], [0, 2], [0, 1]])  # the two faces λ = 0 that meet in each


def crossings(pieces: Pieces, count: int, sign: np.ndarray) -> np.ndarray:
    """(m, 6) how often each edge of each tet, passed from its first end, runs into the solid, less how often out of it.

    ``sign`` (m,) is that of det D, see ``filled``.
    """
    found = np.zeros((count, 6))
    normal = np.cross(pieces.whole[:, 1, :3] - pieces.whole[:, 0, :3], pieces.whole[:, 2, :3] - pieces.whole[:, 0, :3])
    ends = np.concatenate([np.eye(3), np.zeros((1, 3))])
    for e, (faces, (a, b)) in enumerate(zip(OTHERS, EDGES)):
        bits = (1 << faces[0]) | (1 << faces[1])
        hit = ((pieces.marks & bits) == bits) & pieces.valid
        row = np.flatnonzero(hit.any(axis=1))
        into = -np.sign(normal[row] @ (ends[b] - ends[a])) * sign[pieces.tets[row]]
        found[:, e] = np.bincount(pieces.tets[row], into, count)
    return found


def filled(pieces: Pieces, owner: np.ndarray, inside: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """(c, 4) ∫ λ_i over the part of a solid in each of c tets, over six times the volume of the tet.

    ``owner`` (p,) is the tet of each piece, ``inside`` (c,) how often corner 0 lies in the part, ``sign`` (c,) that of
    det [X₀−X₃, X₁−X₃, X₂−X₃]. In y = (λ₀, λ₁, λ₂) the part is the sum of the cones from corner 3 over its boundary: the
    pieces of the surface and what of face 3 is inside. The latter is the sum of cones from corner 2 over its own
    boundary, the pieces' edges on face 3 and what of edge 01 is inside; and that is measured from corner 1, between the
    points where the surface crosses the edge.
    """
    total = np.zeros((len(inside), 4))  # ∫ 1 and ∫ y
    y, count = pieces.corners[..., :3], len(inside)
    e1, e2 = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])

    def add(rows: np.ndarray, p: np.ndarray, q: np.ndarray, r: np.ndarray, times: np.ndarray | float) -> None:
        """The tets 0, p, q, r, with the sign of their volume."""
        volume = np.einsum("ni,ni->n", p, np.cross(q, r)) / 6 * times
        whose = owner[rows]
        values = [volume, *(volume[:, None] * (p + q + r) / 4).T]
        for i, value in enumerate(values):
            total[:, i] += np.bincount(whose, value, count)

    for i in range(1, y.shape[1] - 1):
        rows = np.flatnonzero(pieces.counts > i + 1)
        add(rows, y[rows, 0], y[rows, i], y[rows, i + 1], 1.0)
    rows, corner = np.nonzero(pieces.along(3))
    after = pieces.after[rows, corner]
    p, q = y[rows, corner], y[rows, after]
    add(rows, np.broadcast_to(e2, p.shape), q, p, 1.0)
    for point, at, way in ((p, corner, 1.0), (q, after, -1.0)):
        ends = np.flatnonzero(pieces.marks[rows, at] >> 2 & 1)
        shape = (len(ends), 3)
        add(rows[ends], np.broadcast_to(e2, shape), point[ends], np.broadcast_to(e1, shape), way)
    total *= sign[:, None]
    total += inside[:, None] * np.array([1 / 6, 1 / 24, 1 / 24, 1 / 24])
    return np.column_stack([total[:, 1:], total[:, 0] - total[:, 1:].sum(axis=1)])
