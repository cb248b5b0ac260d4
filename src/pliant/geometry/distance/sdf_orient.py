"""Turn the triangles of a broken surface so that they agree on which side is outside."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ..mesh.mesh import TriMesh

SMALL = 0.01  # a piece below this part of the whole area is judged by its surroundings
PAIRS = 4_000_000  # point–triangle pairs held at once
NEAR = 512  # triangles around a small piece by which it is judged; what is farther hardly changes across it


def oriented_triangles(mesh: TriMesh) -> tuple[np.ndarray, np.ndarray]:
    """Triangles with an area, turned consistently outward, and their numbers in the mesh.

    Across each edge of two triangles the turn is carried over; the larger area of a piece decides which way it was
    meant. A piece that is inside out and inside no other is turned as a whole. A small piece, such as a triangle
    whose neighbours are missing, is turned against the growth of the winding number of the large ones.
    """
    scale = np.ptp(mesh.vertices, axis=0).max() if len(mesh.vertices) else 0.0
    kept = np.flatnonzero(mesh.areas > 1e-14 * scale**2)
    triangles = mesh.triangles[kept].astype(np.int64)
    if not len(triangles):
        return triangles, kept
    welded = np.unique(mesh.vertices, axis=0, return_inverse=True)[1].reshape(-1)[triangles]
    piece, flip, _ = _agreed(welded)
    areas = mesh.areas[kept]
    turned = np.bincount(piece, weights=areas * flip) > 0.5 * np.bincount(piece, weights=areas)
    flip ^= turned[piece]
    triangles[flip] = triangles[flip][:, ::-1]
    wrong = _inside_out(mesh.vertices[triangles], piece, areas)
    triangles[wrong] = triangles[wrong][:, ::-1]
    return triangles, kept


def pieces_of(vertices: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m,) connected piece of each triangle, and (p,) which pieces are closed: every edge has two triangles."""
    welded = np.unique(vertices, axis=0, return_inverse=True)[1].reshape(-1)[triangles]
    piece, _, joined = _agreed(welded)
    return piece, np.bincount(piece, weights=joined) == 3 * np.bincount(piece)


def _agreed(triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(m,) connected piece of each triangle, (m,) which to flip so that pieces agree, (m,) how many sides are joined.

    Each triangle stands twice in a graph, as it is and flipped; agreeing neighbours are joined. A piece that can be
    oriented falls into two mirrored halves. One that cannot (a Möbius strip) is left as it is.
    """
    count = len(triangles)
    ends = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    face, up = np.repeat(np.arange(count), 3), ends[:, 0] < ends[:, 1]
    low, high = ends.min(axis=1), ends.max(axis=1)
    order = np.lexsort((high, low))
    low, high, face, up = low[order], high[order], face[order], up[order]
    new = np.flatnonzero(np.concatenate([[True], (low[1:] != low[:-1]) | (high[1:] != high[:-1])]))
    pair = new[np.diff(np.append(new, len(low))) == 2]  # edges of one or of three triangles say nothing
    a, b, same = face[pair], face[pair + 1], up[pair] == up[pair + 1]
    first = np.concatenate([a, a + count])
    second = np.concatenate([b + count * same, b + count * ~same])
    graph = coo_matrix((np.ones(len(first), dtype=np.int8), (first, second)), shape=(2 * count, 2 * count))
    half = connected_components(graph, directed=False)[1]
    graph = coo_matrix((np.ones(len(a), dtype=np.int8), (a, b)), shape=(count, count))
    pieces, piece = connected_components(graph, directed=False)
    leader = np.full(pieces, count)
    np.minimum.at(leader, piece, np.arange(count))
    flip = (half[:count] != half[leader][piece]) & (half[:count] != half[count:])
    return piece, flip, np.bincount(np.concatenate([a, b]), minlength=count)


def _inside_out(corners: np.ndarray, piece: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """(m,) triangles of pieces that still face the wrong way."""
    pieces = piece.max() + 1
    area = np.bincount(piece, weights=areas, minlength=pieces)
    small = (area < SMALL * area.sum())[piece]
    middles = corners.mean(axis=1)
    wrong = np.zeros(pieces, dtype=bool)
    centre = np.stack([np.bincount(piece, weights=areas * middles[:, i], minlength=pieces) for i in range(3)], axis=1)
    centre /= area[:, None]
    volume = np.bincount(piece, weights=np.linalg.det(corners - centre[piece][:, None]), minlength=pieces)
    large = np.flatnonzero(~small)
    for p in np.unique(piece[large]):
        if volume[p] < 0:
            others = corners[large[piece[large] != p]]
            wrong[p] = abs(_winding(middles[np.flatnonzero(piece == p)[:1]], others)[0]) < 0.5
    corners = np.where(wrong[piece][:, None, None], corners[:, ::-1], corners)
    tiny = np.flatnonzero(small)
    if len(tiny) and len(large):
        normal = np.cross(corners[tiny, 1] - corners[tiny, 0], corners[tiny, 2] - corners[tiny, 0])
        step = 0.5 * normal / np.sqrt(np.linalg.norm(normal, axis=1, keepdims=True))
        k = min(NEAR, len(large))
        near = cKDTree(middles[large]).query(middles[tiny], k)[1].reshape(len(tiny), k)
        ahead, behind = (_winding(middles[tiny] + s * step, corners[large], near) for s in (1.0, -1.0))
        growth = np.bincount(piece[tiny], weights=areas[tiny] * (ahead - behind), minlength=pieces)
        wrong |= growth > 0.05 * area  # far from the large pieces the field is flat, and the given turn stands
    return wrong[piece]


def _winding(points: np.ndarray, corners: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
    """(n,) winding number of (m, 3, 3) triangles, or of those in ``near`` (n, k), around (n, 3) points.

    It is the sum of their solid angles over 4π.
    """
    total = np.zeros(len(points))
    block = max(1, PAIRS // max(1, len(corners) if near is None else near.shape[1]))
    for begin in range(0, len(points), block):
        chosen = corners[None] if near is None else corners[near[begin : begin + block]]
        a, b, c = np.moveaxis(chosen - points[begin : begin + block, None, None], 2, 0)
        la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
        top = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ijk,ijk->ij", u, v) for u, v in ((a, b), (b, c), (c, a)))
        angle = 2.0 * np.arctan2(top, la * lb * lc + ab * lc + bc * la + ca * lb)
        total[begin : begin + block] = angle.sum(axis=1)
    return total / (4.0 * np.pi)
