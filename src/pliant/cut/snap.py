"""Vertices moved onto a blade, in the rest shape, no further than the tets around them stay well shaped.

A bounded projection: each vertex goes down the gradient of the blade's height, those of the outer surface along it, so that
the solid and its volume stay what they are; where a tet would become worse than ``FLOOR``, less far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.mesh import FACES, TetMesh, unique_rows
from ..geometry.near import cells_at, rows_at
from . import native

FLOOR = 0.15  # quality below which no tet is brought; a regular one has 1
CREASE = 0.05  # share of the squared normals around a vertex from which they forbid a direction: a crease of about 25°
STEEP = 0.3  # share of the slope of the height that must be left along a surface for a vertex to slide on it
EASED = 0.6  # what is left of a move that was too far
TRIES = 12  # moves that are still too far after these are not made
ROUNDS = 3
ARRIVED = 1e-9  # of its height at first: a vertex that is so near to the blade is on it


@dataclass(frozen=True, eq=False)
class Snapped:
    """New rest positions, and the place of each moved vertex in a tet of the mesh before."""

    vertices: np.ndarray  # (n, 3) [m]
    moved: np.ndarray  # (k,) vertices
    nodes: np.ndarray  # (k, 4) corners of the tet around each new place
    weights: np.ndarray  # (k, 4) barycentric coordinates there


def quality(X: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """(m,) 6√2 V / l³ of tets (m, 4) among vertices X (n, 3), l being the root mean square of its edges: 1 of a regular one, 0 of
    a flat one."""
    out = np.empty(len(tets))
    native.quality(X, tets, len(tets), out)
    return out


def snap(
    mesh: TetMesh, height: np.ndarray, on: np.ndarray, fixed: np.ndarray, share: np.ndarray | None = None
) -> Snapped:
    """Move the vertices ``on`` (k,) towards height 0, or a ``share`` (n,) of the way; those that are ``fixed`` (n,) stay."""
    X = mesh.vertices.copy()
    reach = height if share is None else share * height
    movers = on[~fixed[on] & (reach[on] != 0)]
    chosen = np.zeros(len(X), bool)
    chosen[movers] = True
    near = rows_at(mesh.tets, chosen)
    tets = np.ascontiguousarray(mesh.tets[near])
    before = quality(X, tets)
    least = np.minimum(before, FLOOR)
    slope = _slopes(X, tets, height, len(X))
    outer = np.zeros(len(X), bool)
    outer[mesh.boundary_vertices] = True
    left, fresh = reach.copy(), np.ones(len(X), bool)
    for _ in range(ROUNDS):  # those that were in the way have moved meanwhile
        some = movers[fresh[movers] & (np.abs(left[movers]) > ARRIVED * np.abs(reach[movers]))]
        if not len(some):
            break
        earlier = X.copy()
        _slide(X, tets, least, mesh, some[outer[some]], slope, left)
        _fall(X, tets, least, some[~outer[some]], slope, left)
        fresh = np.zeros(len(X), bool)  # around what has moved; all others would do again what they did
        fresh[tets[rows_at(tets, np.any(earlier != X, axis=1))]] = True
        left[movers] = reach[movers] + np.einsum("nc,nc->n", slope[movers], X[movers] - mesh.vertices[movers])
    moved = movers[np.any(X[movers] != mesh.vertices[movers], axis=1)]
    return Snapped(X, moved, *_places(mesh.vertices, tets, moved, X[moved]))


def _slopes(X: np.ndarray, tets: np.ndarray, height: np.ndarray, count: int) -> np.ndarray:
    """(n, 3) gradient of the height at rest, at each vertex the mean over its tets by volume."""
    total, weight = np.zeros((count, 3)), np.zeros(count)
    native.slopes(X, tets, len(tets), height, total, weight)
    return total / np.maximum(weight, 1e-300)[:, None]


def _fall(
    X: np.ndarray, tets: np.ndarray, least: np.ndarray, movers: np.ndarray, slope: np.ndarray, height: np.ndarray
) -> None:
    """Move vertices inside the solid, all at once; those of tets that become too bad go less far."""
    if not len(movers):
        return
    g = slope[movers]
    move = -(height[movers] / np.maximum(np.einsum("nc,nc->n", g, g), 1e-300))[:, None] * g
    share, start = np.ones(len(movers)), X[movers].copy()
    number = np.full(len(X), -1)
    number[movers] = np.arange(len(movers))
    own = number[tets]
    tries = 0
    while True:
        X[movers] = start + share[:, None] * move
        bad = quality(X, tets) < least
        back = np.unique(own[bad])
        back = back[back >= 0]
        back = back[share[back] > 0]
        if not len(back):
            return
        tries += 1
        share[back] *= EASED if tries <= TRIES else 0.0


def _slide(
    X: np.ndarray, tets: np.ndarray, least: np.ndarray, mesh: TetMesh, movers: np.ndarray, slope: np.ndarray,
    height: np.ndarray,
) -> None:  # fmt: skip
    """Move vertices of the outer surface along it, one after the other, without changing the volume inside.

    The volume is linear in one vertex, with the gradient ⅓ Σ of the area vectors around it: moves across that keep it.
    """
    if not len(movers):
        return
    around = cells_at(mesh.boundary_triangles, movers, len(X))
    solids = cells_at(tets, movers, len(X))
    numbers, settings = movers.astype(np.int32), np.array([CREASE, STEEP, EASED])
    where = (mesh.boundary_triangles, *around, tets, *solids)
    native.slide(X, numbers, len(numbers), *where, least, slope, height, settings, TRIES)


def _places(X: np.ndarray, tets: np.ndarray, vertices: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k, 4) corners of the tet around each vertex that holds its new place best, and barycentric coordinates there."""
    starts, every = cells_at(tets, vertices, len(X))
    of = np.repeat(np.arange(len(vertices)), np.diff(starts))
    corners = X[tets[every]]
    sides = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
    rest = np.linalg.solve(sides, (places[of] - corners[:, 0])[:, :, None])[:, :, 0]
    lam = np.concatenate([1 - rest.sum(axis=1, keepdims=True), rest], axis=1)
    order = np.lexsort((np.arange(len(of)), -lam.min(axis=1).round(12), of))
    best = order[np.searchsorted(of[order], np.arange(len(vertices)))]
    return tets[every[best]], lam[best]


def region_vertices(mesh: TetMesh) -> np.ndarray:
    """(n,) whether a vertex is between two regions, which a move would make lighter or heavier."""
    between = np.zeros(len(mesh.vertices), bool)
    if mesh.regions is not None:
        faces = np.sort(mesh.tets[:, FACES].reshape(-1, 3), axis=1)
        first, inverse, _ = unique_rows(faces)
        region = np.repeat(mesh.regions, 4)
        odd = region != region[first][inverse]
        between[faces[odd]] = True
    return between
