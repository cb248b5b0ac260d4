"""The material of lattice cells as tetrahedra, for blades to pass through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...geometry.lattice.cut_cells import Carved
from ...geometry.lattice.fragments import CORNERS, POINTS, TETS
from ...geometry.mesh.mesh import unique_rows
from .clip import clip

FACES = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])  # of a tet, beyond each corner
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


@dataclass(frozen=True, eq=False)
class Soup:
    """Tets in cells, conforming inside each cell; cells share no vertices."""

    xi: np.ndarray  # (v, 3) places of the vertices in their cells
    of_vertex: np.ndarray  # (v,) the cell of each
    tets: np.ndarray  # (k, 4)
    of_tet: np.ndarray  # (k,)


def material(carved: Carved, cells: np.ndarray) -> Soup:
    """The material of some cells (c,), ascending."""
    own = carved.is_carved[cells]
    begin, end = np.searchsorted(carved.piece_of, [cells[own], cells[own] + 1])
    kept = np.concatenate([np.arange(a, b) for a, b in zip(begin, end)] or [np.zeros(0, int)])
    xi, owner = [carved.pieces[kept]], [carved.piece_of[kept]]
    plain = cells[~own]
    if carved.subcells is None:
        whole, refined = plain, plain[:0]
    else:
        whole, refined = plain[carved.rows[plain] < 0], plain[carved.rows[plain] >= 0]
    for some, values in ((whole, carved.values[whole][:, None]), (refined, None)):
        if values is None and len(some):
            values = carved.subcells[carved.rows[some]]
        if len(some):
            tets, of = _clipped(values)
            xi.append(tets)
            owner.append(some[of])
    return joined(np.concatenate(xi), np.concatenate(owner))


def joined(pieces: np.ndarray, owner: np.ndarray) -> Soup:
    """Tets (k, 4, 3) with corners of equal cell and position welded."""
    order = np.argsort(owner, kind="stable")
    pieces, owner = pieces[order], owner[order]
    points, of = pieces.reshape(-1, 3) + 0.0, np.repeat(owner, 4)
    bits = np.ascontiguousarray(points).view(np.uint64)
    key = of.astype(np.uint64) * _MIX[3]
    for axis in range(3):
        key = (key ^ bits[:, axis] ^ (key >> np.uint64(29))) * _MIX[axis]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return Soup(points[first], of[first], number.reshape(-1, 4), owner)


def _clipped(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k, 4, 3) tets that fill φ ≤ 0 in cells of (m, r³, 8) subcells, and the cell of each; as ``fragments_of`` clips them."""
    m, count, _ = values.shape
    parts = round(count ** (1 / 3))
    number = np.arange(count)
    lower = np.stack([number % parts, number // parts % parts, number // parts**2], axis=1)
    xi = (lower[:, None] + (POINTS @ CORNERS)[TETS].reshape(-1, 3)) / parts  # (r³, 24·4, 3)
    pieces = np.broadcast_to(xi.reshape(1, -1, 4, 3), (m, count * len(TETS), 4, 3)).reshape(-1, 4, 3)
    level = (values @ POINTS.T)[:, :, TETS].reshape(-1)
    soup = joined(pieces, np.repeat(np.arange(m), count * len(TETS)))
    f = np.zeros(len(soup.xi))
    f[soup.tets.ravel()] = level
    full = np.repeat(np.all(values <= 0, axis=2).ravel(), len(TETS))
    done = clip(soup.xi, soup.tets, f)
    kept = (done.side < 0) | full[done.parent]
    return done.points[done.tets[kept]], soup.of_tet[done.parent[kept]]


def neighbours(soup: Soup) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p, 2) tets that share a face and (p, 3) its vertices; and boundary faces, as 4 · tet + face."""
    faces = np.sort(soup.tets[:, FACES].reshape(-1, 3), axis=1)
    first, inverse, times = unique_rows(faces)
    order = np.argsort(inverse, kind="stable")
    twin = np.flatnonzero(inverse[order][1:] == inverse[order][:-1])
    pairs = np.stack([order[twin], order[twin + 1]], axis=1)
    return pairs // 4, faces[pairs[:, 0]], first[times == 1]
