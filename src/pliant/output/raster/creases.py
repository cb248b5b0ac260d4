"""Creases of a surface: sharper edges are drawn sharp."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

CREASE = 40.0  # [degrees] a sharper edge is drawn sharp
FLAT = 1e-6  # area over the square of its longest side, below which a triangle has none


def split_creases(x: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Double the vertices along creases, so that normals averaged at a vertex keep the crease sharp.

    Returns the vertex each new one comes from, the triangles and the edges in new numbers.
    """
    if not len(triangles):
        return np.zeros(0, int), triangles, np.zeros((0, 2), int)
    count, x = len(triangles), np.asarray(x, float)  # areas of flat triangles are not 0 / 0 there
    corner = np.arange(3 * count).reshape(count, 3)
    area = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
    unit = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-300)
    ends = np.concatenate([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    sides = np.concatenate([corner[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    swap = ends[:, 0] > ends[:, 1]
    ends[swap], sides[swap] = ends[swap][:, ::-1], sides[swap][:, ::-1]
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, sides = ends[order], sides[order]
    shared = np.flatnonzero((ends[1:] == ends[:-1]).all(axis=1))
    one, other = sides[shared], sides[shared + 1]
    flat = (unit[one[:, 0] // 3] * unit[other[:, 0] // 3]).sum(axis=1) >= np.cos(np.deg2rad(CREASE))
    a, b = one[flat].ravel(), other[flat].ravel()
    links = coo_array((np.ones(len(a)), (a, b)), shape=(3 * count, 3 * count))
    number, group = connected_components(links, directed=False)
    group, number = _with_neighbours(group, number, area, x, triangles)
    source = np.empty(number, int)
    source[group] = triangles.ravel()
    new = np.concatenate([[True], (ends[1:] != ends[:-1]).any(axis=1)])
    return source, group.reshape(count, 3), group[sides[new]]


def _with_neighbours(
    group: np.ndarray, number: int, area: np.ndarray, x: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, int]:
    """The same groups of corners, but those of triangles without area, which have no normal, go with others at their vertices."""
    sides = np.linalg.norm(x[triangles] - x[np.roll(triangles, 1, axis=1)], axis=2).max(axis=1)
    thin = np.repeat(np.linalg.norm(area, axis=1) <= FLAT * sides**2, 3)
    if not thin.any() or thin.all():
        return group, number
    vertex = triangles.ravel()
    other = np.full(vertex.max() + 1, -1)
    other[vertex[~thin]] = group[~thin]
    found = other[vertex]
    group = np.where(thin & (found >= 0), found, group)
    kept, group = np.unique(group, return_inverse=True)
    return group, len(kept)
