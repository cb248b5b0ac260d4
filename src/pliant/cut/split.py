"""A mesh with some of its inner faces opened: vertices whose tets fall apart are doubled, no tet is made or lost."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..geometry.mesh import FACES, rows_of, unique_rows
from .sides import neighbours


def split(tets: np.ndarray, count: int, between: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 4) tets with the faces (b, 3) open, ``between`` their tets (b, 2), and (n,) the old vertex of each new one.

    Old vertices keep their numbers, with the tets above; new ones come after ``count``. A vertex at the end of a slit,
    whose tets still hang together around it, stays one (Zeng 2023, section 5.1.4).
    """
    origin = np.arange(count)
    if not len(faces):
        return tets, origin
    hit = np.zeros(count, bool)
    hit[faces] = True
    near = rows_of(hit[tets])
    local = tets[near]
    first, second = neighbours(local)
    pairs = np.sort(np.stack([near[first // 4], near[second // 4]], axis=1), axis=1)
    opened = _among(pairs, np.sort(between, axis=1))
    first, second = first[~opened], second[~opened]
    # a corner of a tet hangs together with that of its neighbour at the same vertex
    mine, corner = local[first // 4][np.arange(len(first))[:, None], FACES[first % 4]], FACES[first % 4]
    other = np.argmax(local[second // 4][:, None, :] == mine[:, :, None], axis=2)
    rows = (4 * (first // 4)[:, None] + corner).ravel()
    columns = (4 * (second // 4)[:, None] + other).ravel()
    size = 4 * len(local)
    graph = sparse.coo_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(size, size))
    part = connected_components(graph, directed=False)[1]
    vertex = local.ravel()
    kept = np.ones(size, int)
    below = np.zeros(len(tets), bool)
    below[between[:, 1]] = True
    kept[~np.repeat(below[near], 4)] = 0
    # of each vertex the part that has tets which are not below goes first, and keeps the number
    parts, of_part = np.unique(part, return_inverse=True)
    vertex_of = np.zeros(len(parts), int)
    vertex_of[of_part] = vertex
    lower = np.ones(len(parts), int)
    np.minimum.at(lower, of_part, kept)
    order = np.lexsort((np.arange(len(parts)), lower, vertex_of))
    fresh = np.concatenate([[False], vertex_of[order][1:] == vertex_of[order][:-1]]) & hit[vertex_of[order]]
    number = vertex_of.copy()
    number[order[fresh]] = count + np.arange(fresh.sum())
    new = tets.copy()
    new[near] = number[of_part].reshape(-1, 4)
    return new, np.concatenate([origin, vertex_of[order[fresh]]])


def parts(tets: np.ndarray) -> np.ndarray:
    """(m,) number of the part that each tet belongs to; parts share no vertex."""
    hub, spokes = np.repeat(tets[:, 0], 3), tets[:, 1:].ravel()
    count = int(tets.max()) + 1
    graph = sparse.coo_array((np.ones(len(hub), np.int8), (hub, spokes)), shape=(count, count))
    return np.unique(connected_components(graph, directed=False)[1][tets[:, 0]], return_inverse=True)[1]


def _among(pairs: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """(p,) whether a pair is one of the chosen."""
    _, inverse, _ = unique_rows(np.concatenate([pairs, chosen]))
    marked = np.zeros(inverse.max() + 1, bool)
    marked[inverse[len(pairs) :]] = True
    return marked[inverse[: len(pairs)]]


def pinched(tets: np.ndarray, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) edges and (p,) vertices among ``near`` (n,) at which the surface of a mesh touches itself.

    An edge has more than two faces there, or the faces at a vertex make more than one fan.
    """
    local = tets[rows_of(near[tets])]
    faces = local[:, FACES].reshape(-1, 3)
    first, _, count = unique_rows(np.sort(faces, axis=1))
    outer = faces[first[count == 1]]
    corners = np.arange(3 * len(outer)).reshape(-1, 3)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    pairs = outer.ravel()[corners]
    corners = np.where(pairs[:, :1] < pairs[:, 1:], corners, corners[:, ::-1])
    pairs = np.sort(pairs, axis=1)
    once, inverse, shared = unique_rows(pairs)
    edges = pairs[once[shared > 2]]
    order = np.argsort(inverse, kind="stable")
    next_to = np.flatnonzero(inverse[order][1:] == inverse[order][:-1])
    rows, columns = corners[order[next_to]].ravel(), corners[order[next_to + 1]].ravel()
    graph = sparse.coo_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(outer.size, outer.size))
    fan = connected_components(graph, directed=False)[1]
    fans = np.bincount(outer.ravel()[np.unique(fan, return_index=True)[1]], minlength=len(near))
    return edges[near[edges].all(axis=1)], np.flatnonzero((fans > 1) & near)
