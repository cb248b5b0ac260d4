"""Vertex snapping onto a blade within bounds of tet quality.

A bounded projection: each vertex goes down the gradient of the blade's height, those of the outer surface along it, so that
the solid and its volume stay what they are: the volume is linear in one vertex, with the gradient ⅓ Σ of the area vectors around
it, and moves across that keep it. Where a tet would become worse than ``FLOOR``, they go less far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..geometry.mesh.mesh import FACES, TetMesh, unique_rows
from ..geometry.mesh.vertex_cells import cells_at, renumbered, rows_at
from . import snap_native

FLOOR = 0.15  # least quality of tets after snapping; a regular one has 1
CREASE = 0.05  # share of the squared normals around a vertex that blocks a direction: a crease of about 25°
STEEP = 0.3  # least share of the height's gradient along a surface for a vertex to slide on it
EASED = 0.6  # factor of a move that was too far
TRIES = 12  # moves that are still too far after these are not made
ROUNDS = 3
Lists = tuple[np.ndarray, np.ndarray]  # where each begins, and all of them
ARRIVED = 1e-9  # of its initial height: a vertex this close is on the blade


@dataclass(frozen=True, eq=False)
class Snapped:
    """Vertices with new rest positions, and the place of each in a tet of the old mesh."""

    moved: np.ndarray  # (k,) vertices
    places: np.ndarray  # (k, 3) where they are now [m]
    nodes: np.ndarray  # (k, 4) corners of the tet around each new place
    weights: np.ndarray  # (k, 4) barycentric coordinates there


@dataclass(frozen=True, eq=False)
class Patch:
    """Some tets of a mesh with their vertices renumbered in the same order."""

    nodes: np.ndarray  # (n,) their vertices in the mesh, ascending
    tets: np.ndarray  # (t, 4) among these
    faces: np.ndarray  # (f, 3) those that are outer faces of the mesh, counter-clockwise from outside


def patch(mesh: TetMesh, rows: np.ndarray) -> Patch:
    """The tets ``rows`` (t,), ascending, of a mesh."""
    nodes, tets = renumbered(mesh.tets[rows], len(mesh.vertices))
    sides, found = np.empty(4 * len(rows), np.int32), np.zeros(1, np.int64)
    snap_native.outside(mesh.outer, len(mesh.outer), rows, len(rows), sides, found)
    sides = sides[: found[0]]
    return Patch(nodes, tets, tets[(sides // 4)[:, None], FACES[sides % 4]])


def quality(X: np.ndarray, tets: np.ndarray) -> np.ndarray:
    """(m,) 6√2 V / l³ of tets (m, 4) among vertices X (n, 3), l being the root mean square of its edges: 1 of a regular one, 0 of
    a flat one."""
    out = np.empty(len(tets))
    snap_native.quality(X, tets, len(tets), out)
    return out


def snap(
    mesh: TetMesh, height: np.ndarray, on: np.ndarray, fixed: np.ndarray, rows: np.ndarray, share: np.ndarray | None = None
) -> Snapped:
    """Move the vertices ``on`` (k,) towards height 0, or a ``share`` (n,) of the way; those that are ``fixed`` (k,) stay.

    ``rows`` includes all tets with one of these.
    """
    movers = on[~fixed & (height[on] != 0)]
    if share is not None:
        movers = movers[share[movers] * height[movers] != 0]
    chosen = np.zeros(len(mesh.vertices), bool)
    chosen[movers] = True
    own = patch(mesh, rows_at(mesh.tets, chosen, rows))
    moved, places, nodes, weights = _snapped(mesh.vertices[own.nodes], own, height[own.nodes], chosen[own.nodes], share)
    return Snapped(own.nodes[moved], places, own.nodes[nodes], weights)


def _snapped(
    before: np.ndarray, own: Patch, height: np.ndarray, chosen: np.ndarray, share: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The moved vertices of a patch, their positions, and corners and weights of the tets around these."""
    X, tets, count = before.copy(), own.tets, len(before)
    reach = height if share is None else share[own.nodes] * height
    movers = np.flatnonzero(chosen).astype(np.int32)
    least = np.minimum(quality(X, tets), FLOOR)
    slope = _slopes(X, tets, height, count)
    outer, number, many = np.zeros(count, bool), np.full(count, -1, np.int32), len(movers)
    outer[own.faces], number[movers] = True, np.arange(many)
    around, solids = (cells_at(cells, movers, count) for cells in (own.faces, tets))
    vertices = (X, count, movers, outer[movers], many, number)
    settings = (np.array([CREASE, STEEP, EASED, ARRIVED]), TRIES, ROUNDS)
    flags = (np.empty(size, bool) for size in (count, many, many))
    room = (np.empty(size) for size in (many, 3 * many, 3 * many, 6 * count))
    mesh = (own.faces, *around, tets, len(tets), *solids)
    snap_native.settle(*vertices, *mesh, least, slope, reach, np.empty(count), *settings, *flags, *room)
    moved = np.flatnonzero(np.any(X[movers] != before[movers], axis=1))
    places = X[movers[moved]]
    return movers[moved], places, *_places(before, tets, places, moved, solids)


def _slopes(X: np.ndarray, tets: np.ndarray, height: np.ndarray, count: int) -> np.ndarray:
    """(n, 3) gradient of the height at rest, at each vertex the mean over its tets by volume."""
    total, weight = np.zeros((count, 3)), np.zeros(count)
    snap_native.slopes(X, tets, len(tets), height, total, weight)
    return total / np.maximum(weight, 1e-300)[:, None]


def _places(
    X: np.ndarray, tets: np.ndarray, places: np.ndarray, some: np.ndarray, solids: Lists
) -> tuple[np.ndarray, np.ndarray]:
    """(k, 4) corners of the tet that holds each place (k, 3) best, of those at ``some`` (k,) vertices with lists of them, and
    barycentric coordinates there."""
    best = np.empty(len(some), np.int32)
    snap_native.holding(X, tets, places, len(some), some.astype(np.int32), *solids, best)
    corners = X[tets[best]]
    sides = (corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1)
    rest = np.linalg.solve(sides, (places - corners[:, 0])[:, :, None])[:, :, 0]
    return tets[best], np.concatenate([1 - rest.sum(axis=1, keepdims=True), rest], axis=1)


def between_regions(mesh: TetMesh, rows: np.ndarray, vertices: np.ndarray) -> np.ndarray:
    """(k,) whether each of some vertices is between two regions, whose mass a move would change; all tets at them are
    among ``rows``."""
    between = np.zeros(len(mesh.vertices), bool)
    if mesh.regions is not None:
        faces = np.sort(mesh.tets[rows][:, FACES].reshape(-1, 3), axis=1)
        first, inverse, _ = unique_rows(faces)
        region = np.repeat(mesh.regions[rows], 4)
        odd = region != region[first][inverse]
        between[faces[odd]] = True
    return between[vertices]
