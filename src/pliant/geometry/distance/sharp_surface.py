"""Sharp-edged surfaces of solids for drawing."""

from __future__ import annotations

import numpy as np

from ..mesh.mesh import TriMesh
from .sdf import Sdf
from .sharp_edges import foot_of

# of the mean of n nᵀ over the triangles at a vertex: less in a direction means that they say nothing about it
FLAT = 0.05
ROUNDS = 2


def sharpened(mesh: TriMesh, sdf: Sdf, reach: float) -> TriMesh:
    """The surface of a solid with vertices moved, each by ``reach`` [m] at most a round, onto the planes that touch the solid at
    the triangles around them (Ohtake & Belyaev 2002): onto an edge where these are of two kinds, into a corner where of three.

    To be drawn: triangles along edges may get as thin as a line.
    """
    x, corners = np.array(mesh.vertices), mesh.triangles.ravel()
    count = np.maximum(np.bincount(corners, minlength=len(x)), 1)
    for _ in range(ROUNDS):
        touched, _ = foot_of(sdf, x[mesh.triangles].mean(axis=1))
        normal = np.repeat(foot_of(sdf, touched)[1], 3, axis=0)
        away = np.einsum("nc,nc->n", normal, np.repeat(touched, 3, axis=0) - x[corners])
        # min Σ (n · (p − x))² over the triangles of a vertex, and of those the p that is nearest
        squares = _summed(corners, normal[:, :, None] * normal[:, None, :], len(x)) / count[:, None, None]
        pull = _summed(corners, normal * away[:, None], len(x)) / count[:, None]
        values, axes = np.linalg.eigh(squares)
        along = np.where(values > FLAT, np.einsum("nij,ni->nj", axes, pull) / np.maximum(values, FLAT), 0.0)
        move = np.einsum("nij,nj->ni", axes, along)
        far = np.maximum(np.linalg.norm(move, axis=1), reach)
        x += move * (reach / far)[:, None]
    return TriMesh(x, mesh.triangles)


def _summed(corners: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count, …) sums of values by the vertex they belong to."""
    out = np.zeros((count, *values.shape[1:]))
    np.add.at(out, corners, values)
    return out
