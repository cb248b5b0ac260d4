"""Tractions that vary over a surface, integrated over the faces of any kind of element."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pliant as pl
from pliant.elements.base import Elements
from pliant.geometry.mesh import tet10

Traction = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (n, 3) places [m] and outward normals → (n, 3) [Pa]


def nodal_forces(elements: Elements, traction: Traction, chosen: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """(n, 3) ∫ t Nᵢ dA [N] over the faces whose middles are chosen."""
    nodes, N, X, vectors = _rule(elements, chosen)
    area = np.linalg.norm(vectors, axis=2)
    normal = vectors / np.maximum(area, 1e-300)[:, :, None]
    t = traction(X.reshape(-1, 3), normal.reshape(-1, 3)).reshape(X.shape)
    share = np.einsum("fq,fqk,fqc->fkc", area, np.broadcast_to(N, (*area.shape, nodes.shape[1])), t)
    return np.stack([np.bincount(nodes.ravel(), share[..., c].ravel(), len(elements.rest)) for c in range(3)], axis=1)


def _rule(elements: Elements, chosen: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, ...]:
    """(f, k) nodes, values of their functions at q points, (f, q, 3) places and (f, q, 3) area vectors outward [m²]."""
    if isinstance(elements, pl.Lattice):
        patches = elements.cut
        own = np.flatnonzero(chosen(patches.centres) & (patches.areas > 0))
        N = patches.shares[own] / patches.areas[own, None]
        return (
            elements.nodes[patches.cells[own]],
            N[:, None],
            patches.centres[own, None],
            patches.area_vectors[own, None],
        )
    if isinstance(elements, pl.Hexes):
        return _on_quads(elements, chosen)
    faces = elements.mesh.boundary_faces
    corners = elements.rest[faces[:, :3]].mean(axis=1)
    faces = faces[chosen(corners)]
    lam, weights = tet10.FACE_POINTS, tet10.FACE_WEIGHTS
    if faces.shape[1] == 3:
        N, slopes = lam, np.broadcast_to([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]], (len(lam), 3, 2))
    else:
        N, slopes = tet10.face_functions(lam), tet10.face_derivatives(lam)
    X = elements.rest[faces]
    tangents = np.einsum("fkc,qkd->fqdc", X, slopes)
    vectors = 0.5 * np.cross(tangents[:, :, 0], tangents[:, :, 1]) * weights[:, None]
    return faces, N, np.einsum("qk,fkc->fqc", N, X), vectors


def _on_quads(elements: pl.Hexes, chosen: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, ...]:
    """The same on bilinear faces, with 2 × 2 Gauss points."""
    faces = elements.mesh.boundary_quads
    faces = faces[chosen(elements.rest[faces].mean(axis=1))]
    u, v = 0.5 + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]).T / np.sqrt(12)
    N = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
    along = np.stack([v - 1, 1 - v, v, -v], axis=1)
    across = np.stack([u - 1, -u, u, 1 - u], axis=1)
    X = elements.rest[faces]
    tangents = (np.einsum("fkc,qk->fqc", X, slopes) for slopes in (along, across))
    return faces, N, np.einsum("qk,fkc->fqc", N, X), 0.25 * np.cross(*tangents)
