"""Sharp edges and corners of an isosurface (Kobbelt et al. 2001)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ..mesh.mesh import TriMesh, unique_rows
from .sdf import Sdf

SHARP = np.cos(np.radians(40.0))  # between normals of one triangle, from which it cuts off an edge
FLAT = 0.2  # singular value, of the largest, below which normals span no further direction
NEAR = 0.3  # a vertex moves onto an edge so near, in spacings
FAR = 1.2  # a new vertex lies no further from the triangle
ON = 0.02  # and so near to the surface
OFF = 0.1  # a vertex so near to the edge that a triangle cuts off is on it
NEARER = 0.25  # of the way from an edge to where its faces were looked at before
SAME = 1e-3  # vertices nearer than this are one
SHORT = 0.2  # edges shorter than this are collapsed
THIN = 0.05  # height over the longest side of a triangle, below which that side is flipped
FOLD = -0.98  # cosine between normals at an edge of the surface
ROUNDS = 10  # of collapses at most
PASSES = 2  # corners appear once there are edges
NEXT = [1, 2, 0]


def sharp_edged(mesh: TriMesh, sdf: Sdf, spacing: float) -> TriMesh:
    """The surface of a solid, of triangles of ``spacing`` [m], with vertices and edges on its sharp edges and corners.

    Where tangent planes at the corners of a triangle meet on the surface, a vertex moves there, or a new one splits the
    triangle, and edges between faces of the solid are flipped to lie along its edge. Concave edges stay as they are.
    """
    for _ in range(PASSES):
        after = _pass(mesh, sdf, spacing)
        if _folded(after):
            break
        mesh = after
    return mesh


def _folded(mesh: TriMesh) -> bool:
    """Whether two triangles at an edge lie nearly back to back; so do none of the plain surface."""
    T, normals = mesh.triangles, mesh.area_vectors / np.maximum(mesh.areas, 1e-300)[:, None]
    _, edge, count = unique_rows(np.sort(T[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1))
    order = np.argsort(edge, kind="stable")
    both = order[count[edge[order]] == 2].reshape(-1, 2) // 3
    return bool(np.any(np.einsum("ec,ec->e", normals[both[:, 0]], normals[both[:, 1]]) < FOLD))


def _pass(mesh: TriMesh, sdf: Sdf, spacing: float) -> TriMesh:
    X, T = mesh.vertices.copy(), mesh.triangles.astype(np.int64)
    feet, normals = _feet(sdf, X[T])
    some = np.flatnonzero(np.einsum("tkc,tjc->tkj", normals, normals).min(axis=(1, 2)) < SHARP)
    if not len(some):
        return mesh
    middle, out = X[T[some]].mean(axis=1), _area_vectors(X[T[some]])
    new, rank = _edge_points(sdf, middle, feet[some], normals[some])
    convex = np.einsum("tc,tc->t", new - middle, out) > -0.01 * spacing * np.linalg.norm(out, axis=1)
    above = np.einsum("tkjc,tkc->tkj", feet[some][:, None] - feet[some][:, :, None], normals[some])
    convex &= above.max(axis=(1, 2)) < 0.05 * spacing
    some, middle, new, rank = (each[convex] for each in (some, middle, new, rank))
    p, n = feet[some], normals[some]
    targets = [_edge_points(sdf, X[T[some, k]], p, n) for k in range(3)]
    kind = _moved(X, T[some], sdf, targets, spacing)
    apex = np.where(kind[T[some]] > 1, T[some], -1)  # (t, 3) corners on the edge that a triangle cuts off
    for k in range(3):
        at, faces = _edge_points(sdf, X[T[some, k]], p, n)
        apex[np.linalg.norm(at - X[T[some, k]], axis=1) > OFF * spacing, k] = -1
        apex[faces > kind[T[some, k]], k] = -1
    added = (apex.max(axis=1) < 0) & (rank > 1) & (np.linalg.norm(new - middle, axis=1) < FAR * spacing)
    added[added] = np.abs(sdf(new[added])) < ON * spacing
    tip = np.full(len(some), -1)
    tip[added] = len(X) + np.arange(np.count_nonzero(added))
    X, kind = np.concatenate([X, new[added]]), np.concatenate([kind, rank[added]])
    T = _welded(X, kind, spacing)[_flipped(X, T, some, apex, tip, n[:, :3])]
    X, T = _collapsed(X, T, kind, SHORT * spacing)
    return TriMesh(X, _without_flat(X, T))


def _edge_points(sdf: Sdf, at: np.ndarray, p: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(t, 3) points of the solid's edges nearest to ``at``, and how many faces meet there.

    The tangent planes of points p (t, 6, 3) with normals n meet there; each time the points are taken nearer to it.
    """
    for last in (False, False, True):
        inverse = np.linalg.pinv(n, rcond=FLAT)
        at = at + np.einsum("tck,tk->tc", inverse, np.einsum("tkc,tkc->tk", n, p - at[:, None]))
        if not last:
            nearer = at[:, None] + NEARER * (p - at[:, None])
            p, n = (each.reshape(p.shape) for each in foot_of(sdf, nearer.reshape(-1, 3)))
    return at, np.linalg.matrix_rank(n, tol=FLAT * np.linalg.norm(n, ord=2, axis=(1, 2)))


def _feet(sdf: Sdf, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(t, 6, 3) points of the surface near the corners and the middles of the sides of triangles p (t, 3, 3), and normals."""
    inside = 0.9 * np.concatenate([p, 0.5 * (p + p[:, NEXT])], axis=1) + 0.1 * p.mean(axis=1, keepdims=True)
    return tuple(each.reshape(inside.shape) for each in foot_of(sdf, inside.reshape(-1, 3)))


def foot_of(sdf: Sdf, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) the surface near points (n, 3), and (n, 3) its unit normals."""
    normal = sdf.gradient(points)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    return points - sdf(points)[:, None] * normal, normal


def _moved(X: np.ndarray, T: np.ndarray, sdf: Sdf, targets: list, spacing: float) -> np.ndarray:
    """(n,) 2 of vertices that were moved onto an edge near by, 3 onto a corner, 1 of others; X (n, 3) is changed."""
    vertex, (target, rank) = T.T.ravel(), (np.concatenate(each) for each in zip(*targets))
    away = np.linalg.norm(target - X[vertex], axis=1)
    good = np.flatnonzero((away < NEAR * spacing) & (rank > 1))
    good = good[np.abs(sdf(target[good])) < ON * spacing]
    good = good[np.lexsort((away[good], -rank[good]))]
    found, first = np.unique(vertex[good], return_index=True)
    kind = np.ones(len(X), int)
    X[found], kind[found] = target[good[first]], rank[good[first]]
    return kind


def _flipped(X: np.ndarray, T: np.ndarray, some: np.ndarray, apex: np.ndarray, tip: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The triangles with ``some`` split at ``tip`` where there is one, and sides across an edge between two flipped.

    Side k of a triangle goes from its corner k; opposite lies the tip, or the corner ``apex`` if that is on the edge.
    """
    across = np.einsum("tkc,tkc->tk", n, n[:, NEXT]) < SHARP
    split = tip >= 0
    kept = np.ones(len(T), bool)
    kept[some[split]] = False
    corner = T[some]
    opposite = np.where(split[:, None], tip[:, None], apex[:, [2, 0, 1]])
    sides = np.stack([corner, corner[:, NEXT], opposite], axis=2)  # (t, 3, 3) triangle on each side
    free = across & (opposite >= 0) & (split[:, None] | ((apex < 0) & (apex[:, NEXT] < 0)))
    t, k = np.nonzero(free)
    _, group, count = unique_rows(np.sort(sides[t, k, :2], axis=1))
    order = np.argsort(group, kind="stable")
    order = order[count[group[order]] == 2].reshape(-1, 2)
    one, other = (sides[t[order[:, i]], k[order[:, i]]] for i in (0, 1))
    a, b, q = one[:, 0], one[:, 1], other[:, 2]
    halves = np.stack([np.stack([a, q, one[:, 2]], axis=1), np.stack([q, b, one[:, 2]], axis=1)], axis=1)
    ends = np.stack([n[t[order[:, 0]], k[order[:, 0]]], n[t[order[:, 0]], (k[order[:, 0]] + 1) % 3]], axis=1)
    v = np.cross(X[halves[:, :, 1]] - X[halves[:, :, 0]], X[halves[:, :, 2]] - X[halves[:, :, 0]])
    size = np.linalg.norm(v, axis=2)
    good = np.all((np.einsum("fhc,fhc->fh", v, ends) > 0.5 * size) & (size > 0), axis=1)
    good &= (other[:, 0] == b) & (one[:, 2] != q)
    done = order[good]
    gone = np.zeros((len(some), 3), bool)
    gone[t[done], k[done]] = True
    kept[some[~split & gone.any(axis=1)]] = False
    return np.concatenate([T[kept], sides[split[:, None] & ~gone], halves[good].reshape(-1, 3)])


def _welded(X: np.ndarray, kind: np.ndarray, spacing: float) -> np.ndarray:
    """(n,) number of each vertex: of those on edges and corners in one place that of one of them."""
    number, sharp = np.arange(len(X)), np.flatnonzero(kind > 1)
    place = np.rint((X[sharp] - X.min(axis=0)) / (SAME * spacing)).astype(np.int64)
    first, same, _ = unique_rows(place)
    number[sharp] = sharp[first[same]]
    return number


def _collapsed(X: np.ndarray, T: np.ndarray, kind: np.ndarray, short: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles without edges below ``short`` [m], as far as the surface stays closed and unfolded.

    Of two ends the one of higher ``kind`` stays where it is: corners before edges before faces.
    """
    for _ in range(ROUNDS):
        T = T[(T[:, NEXT] != T).all(axis=1)]
        _, same, count = unique_rows(np.sort(T, axis=1))
        T = T[count[same] == 1]  # two faces back to back enclose nothing
        edges = np.sort(T[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges = edges[unique_rows(edges)[0]]
        length = np.linalg.norm(X[edges[:, 0]] - X[edges[:, 1]], axis=1)
        joined = sparse.coo_array((np.ones(len(edges)), edges.T), shape=(len(X), len(X))).tocsr()
        joined = (joined + joined.T).tocsr()
        around = sparse.coo_array((np.ones(T.size), (T.ravel(), np.repeat(np.arange(len(T)), 3))), (len(X), len(T)))
        around, used, into = around.tocsr(), np.zeros(len(X), bool), np.arange(len(X))
        for i in np.flatnonzero(length < short)[np.argsort(length[length < short], kind="stable")]:
            stay, go = edges[i] if kind[edges[i, 0]] >= kind[edges[i, 1]] else edges[i, ::-1]
            ring, other = (joined.indices[joined.indptr[v] : joined.indptr[v + 1]] for v in (go, stay))
            both = np.union1d(ring, other)
            faces = T[around.indices[around.indptr[go] : around.indptr[go + 1]]]
            faces = faces[(faces != stay).all(axis=1)]
            before, after = (_area_vectors(X[each]) for each in (faces, np.where(faces == go, stay, faces)))
            turned = np.einsum("fc,fc->f", before, after)
            if used[both].any() or len(np.intersect1d(ring, other)) != 2 or np.any(turned <= 0):
                continue
            used[both], into[go] = True, stay
        if not used.any():
            break
        T = into[T]
        T = T[(T[:, NEXT] != T).all(axis=1)]
    points, numbers = np.unique(T, return_inverse=True)
    return X[points], numbers.reshape(-1, 3)


def _without_flat(X: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Triangles whose corners are nearly on a line, each with the neighbour on its longest side, divided the other way."""
    T = T.copy()
    for t in np.flatnonzero(_slender(X[T]) < THIN):
        k = int(np.argmax(np.linalg.norm(X[T[t]] - X[T[t][NEXT]], axis=1)))
        a, b, c = np.roll(T[t], -k)
        across = np.flatnonzero(((b == T) & (T[:, NEXT] == a)).any(axis=1))
        if len(across) != 1:
            continue
        d = int(T[across[0]].sum() - a - b)
        there = ((c == T) | (d == T)).sum(axis=1) == 2
        halves = np.array([[a, d, c], [d, b, c]])
        if not there.any() and _slender(X[halves]).min() > _slender(X[T[[t, across[0]]]]).min():
            T[t], T[across[0]] = halves
    return T


def _slender(p: np.ndarray) -> np.ndarray:
    """(t,) height of triangles p (t, 3, 3) over their longest side."""
    longest = np.linalg.norm(p - p[:, NEXT], axis=2).max(axis=1)
    return np.linalg.norm(_area_vectors(p), axis=1) / np.maximum(longest, 1e-300) ** 2


def _area_vectors(p: np.ndarray) -> np.ndarray:
    return np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
