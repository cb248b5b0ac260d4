"""Looks of a surface that was cut: what its triangles had goes to the parts that are left of them."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from .mesh import TriMesh
from .mesh_looks import NONE, Looks

OFF = 0.1  # of its longest side, that the middle of a part may lie beside its triangle: vertices near a blade are moved onto it
BESIDE = 0.05  # weight that it may lie outside
NEAR = 24  # triangles that are looked at for each part
ALIKE = 0.5  # cosine between their normals, at least


def carried(before: TriMesh, vertices: np.ndarray, triangles: np.ndarray) -> Looks | None:
    """The looks of a surface whose triangles are those of ``before``, parts of them, and new faces between the parts.

    Texture points and colours are linear over a triangle, so that its parts have those of their places. New faces have no
    material; they shade as one, apart from what was there, and belong to the object beside them.
    """
    looks = before.looks
    if looks is None:
        return None
    old, new = before.vertices[before.triangles], vertices[triangles]  # (m, 3, 3), (n, 3, 3)
    source = _equal(old.reshape(-1, 9), new.reshape(-1, 9))
    gone = np.ones(len(old), bool)
    gone[source[source != NONE]] = False
    changed, rest = np.flatnonzero(gone), np.flatnonzero(source == NONE)
    beside = np.zeros(len(new), int)  # a triangle near to a new face
    some, weights = np.zeros(0, int), np.zeros((0, 3, 3))  # parts of triangles; of the corners of these at their own
    if len(changed) and len(rest):
        found, nearest = _holding(old[changed], new[rest])
        beside[rest] = changed[nearest]
        source[rest] = np.where(found == NONE, NONE, changed[found])
        some = rest[found != NONE]
        shares = np.clip(_places(old[source[some]][:, None], new[some]), 0.0, 1.0)
        weights = shares / shares.sum(axis=2, keepdims=True)
    fresh = source == NONE
    at = looks.fans[np.where(fresh, 0, source)]  # (n, 3) corners
    own = {}
    for name in ("uv", "colours"):
        values = getattr(looks, name)
        if values is not None:
            mixed = values[at]
            mixed[some] = np.einsum("nkj,njc->nkc", weights, mixed[some])
            mixed[fresh] = 0.0 if name == "uv" else values.mean(axis=0)
            own[name] = mixed.reshape(-1, values.shape[1])
    smooth = np.zeros(len(looks.corners), int) if looks.smooth is None else looks.smooth
    if looks.smooth is not None or fresh.any():
        shades = smooth[at]
        shades[some] = np.take_along_axis(shades[some], np.argmax(weights, axis=2), axis=1)
        own["smooth"] = np.where(fresh[:, None], smooth.max(initial=0) + 1, shades).ravel()
    face = looks.owners[np.where(fresh, beside, source)]
    if looks.finish is not None:
        own["finish"] = np.where(fresh, NONE, looks.finish[face])
    if looks.part is not None:
        own["part"] = looks.part[face]
    return Looks(np.full(len(triangles), 3), triangles.ravel(), **own, finishes=looks.finishes, parts=looks.parts)


def _equal(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """(n,) an old row (m, 9) that is the same as each new one (n, 9), −1 for none: of equal hash, then compared."""
    odd = np.random.default_rng(0).integers(1, 2**63, 9, dtype=np.uint64) | np.uint64(1)

    def hashed(rows: np.ndarray) -> np.ndarray:
        bits = np.ascontiguousarray(rows + 0.0).view(np.uint64)
        bits = (bits ^ (bits >> np.uint64(29))) * odd  # a sign is the last bit alone, which no multiple would spread
        return (bits ^ (bits >> np.uint64(32))).sum(axis=1, dtype=np.uint64)

    had, has = hashed(old), hashed(new)
    order = np.argsort(had, kind="stable")
    at = order[np.minimum(np.searchsorted(had, has, sorter=order), len(old) - 1)]
    return np.where(np.all(old[at] == new, axis=1), at, NONE)


def _holding(old: np.ndarray, parts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) which of some triangles (k, 3, 3) each of others (n, 3, 3) is a part of, −1 for none, and which is the nearest."""
    middle = parts.mean(axis=1)
    near = cKDTree(old.mean(axis=1)).query(middle, k=min(NEAR, len(old)))[1].reshape(len(parts), -1)
    some = old[near]  # (n, j, 3, 3)
    shares = _places(some, middle[:, None])
    clear = np.clip(shares, 0.0, 1.0)
    clear /= clear.sum(axis=2, keepdims=True)
    flat, inside = (np.einsum("njk,njkc->njc", weights, some) - middle[:, None] for weights in (shares, clear))
    away, off = np.linalg.norm(inside, axis=2), np.linalg.norm(flat, axis=2)
    longest = np.linalg.norm(np.roll(some, -1, axis=2) - some, axis=3).max(axis=2)
    alike = np.einsum("njc,nc->nj", _normals(some), _normals(parts))
    good = (off < OFF * longest) & (alike > ALIKE) & (shares.min(axis=2) > -BESIDE)
    rows = np.arange(len(parts))
    best = np.argmin(np.where(good, away, np.inf), axis=1)
    return np.where(good[rows, best], near[rows, best], NONE), near[rows, np.argmin(away, axis=1)]


def _places(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(…, 3) shares of the corners of triangles (…, 3, 3) in the points of their planes nearest to ``points`` (…, 3)."""
    a, b, c = triangles[..., 0, :], triangles[..., 1, :], triangles[..., 2, :]
    u, v, w = b - a, c - a, points - a
    uu, uv, vv = (u * u).sum(-1), (u * v).sum(-1), (v * v).sum(-1)
    wu, wv = (w * u).sum(-1), (w * v).sum(-1)
    area = np.maximum(uu * vv - uv * uv, 1e-300)
    s, t = (vv * wu - uv * wv) / area, (uu * wv - uv * wu) / area
    return np.stack([1 - s - t, s, t], axis=-1)


def _normals(triangles: np.ndarray) -> np.ndarray:
    cross = np.cross(triangles[..., 1, :] - triangles[..., 0, :], triangles[..., 2, :] - triangles[..., 0, :])
    return cross / np.maximum(np.linalg.norm(cross, axis=-1, keepdims=True), 1e-300)
