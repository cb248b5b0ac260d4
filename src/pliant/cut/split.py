"""Splitting of a mesh at opened facets, by doubled vertices."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..geometry.mesh.mesh import FACES, unique_rows
from ..geometry.mesh.vertex_cells import rows_at
from . import face_native


def facets_of(elements: np.ndarray) -> np.ndarray:
    """(m, k, k − 1) vertices of each element but one, in ascending order."""
    k = elements.shape[1]
    return np.sort(np.stack([np.delete(elements, j, axis=1) for j in range(k)], axis=1), axis=2)


def split(
    elements: np.ndarray, count: int, facets: np.ndarray, below: np.ndarray | None = None, near: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(m, k) elements with the facets (b, k − 1) open, and (n,) the old vertex of each new one, which come after ``count``.

    Corners of elements at one vertex are connected by closed facets that the elements share; separate components
    become separate vertices, so no point contact is left. A vertex at the end of a slit, whose elements
    are still connected around it, stays one (Zeng 2023, section 5.1.4). Of each vertex a part with elements that are not
    ``below`` (c,) keeps the number. ``near`` are all elements at vertices of the facets, if known.
    """
    if not len(facets):
        return elements, np.arange(count)
    hit = np.zeros(count, bool)
    hit[facets] = True
    near = rows_at(elements, hit) if near is None else near
    local, under = elements[near], np.zeros(len(near), bool)
    if below is not None:
        flags = np.zeros(len(elements), bool)
        flags[below] = True
        under = flags[near]
    at, of_corner, lower = (_hanging if local.shape[1] == 4 else _hanging_flat)(local, facets, under)
    vertex = local.ravel()[at]
    order = np.lexsort((at, lower, vertex))
    fresh = np.concatenate([[False], vertex[order][1:] == vertex[order][:-1]]) & hit[vertex[order]]
    number = vertex.copy()
    number[order[fresh]] = count + np.arange(fresh.sum())
    new = elements.copy()
    new[near] = number[of_corner].reshape(local.shape)
    return new, np.concatenate([np.arange(count), vertex[order[fresh]]])


def _hanging(tets: np.ndarray, facets: np.ndarray, under: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(p,) the first corner of each part of those of tets (m, 4), (4 m,) the part of each corner, and (p,) whether all tets of a
    part are ``under`` (m,); ``facets`` are open."""
    size = 1 << max(4, int(8 * len(tets) + 2 * len(facets)).bit_length())
    table, found = np.full(size, -1, np.int32), np.zeros(1, np.int64)
    part, begin, lower = np.empty(tets.size, np.int32), np.empty(tets.size, np.int32), np.empty(tets.size, bool)
    opened = np.sort(facets, axis=1).astype(np.int32)
    given = np.ascontiguousarray(tets, np.int32)
    face_native.hanging(given, len(given), opened, len(opened), under, size - 1, table, part, begin, lower, found)
    return begin[: found[0]], part, lower[: found[0]]


def _hanging_flat(triangles: np.ndarray, facets: np.ndarray, under: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for triangles (m, 3), or any elements, whose facets have one vertex less."""
    k = triangles.shape[1]
    sides = facets_of(triangles).reshape(-1, k - 1)
    _, inverse, _ = unique_rows(np.concatenate([sides, np.sort(facets, axis=1)]))
    is_open = np.zeros(inverse.max() + 1, bool)
    is_open[inverse[len(sides) :]] = True
    inverse = inverse[: len(sides)]
    order = np.argsort(inverse, kind="stable")
    same = np.flatnonzero((inverse[order][1:] == inverse[order][:-1]) & ~is_open[inverse[order][1:]])
    first, second = order[same] // k, order[same + 1] // k
    shared = sides[order[same]]
    rows = k * first[:, None] + np.argmax(triangles[first][:, None, :] == shared[:, :, None], axis=2)
    columns = k * second[:, None] + np.argmax(triangles[second][:, None, :] == shared[:, :, None], axis=2)
    at, of_corner = joined(rows, columns, triangles.size)
    lower = np.ones(len(at), bool)
    np.minimum.at(lower, of_corner, np.repeat(under, k))
    return at, of_corner, lower


def parts(tets: np.ndarray) -> np.ndarray:
    """(m,) number of the part that each tet belongs to; parts share no vertex."""
    part = joined(np.repeat(tets[:, 0], 3), tets[:, 1:], int(tets.max()) + 1)[1]
    return np.unique(part[tets[:, 0]], return_inverse=True)[1]


def joined(first: np.ndarray, second: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(p,) the first item of each component of a graph of pairs, ascending, and (count,) the component of each item."""
    part, found = np.empty(count, np.int32), np.zeros(1, np.int64)
    pairs = [np.ascontiguousarray(each, np.int32).ravel() for each in (first, second)]
    face_native.joined(*pairs, len(pairs[0]), count, part, found)
    begins = np.empty(int(found[0]), int)
    begins[part[::-1]] = np.arange(count)[::-1]
    return begins, part


def components(cells: np.ndarray, count: int) -> np.ndarray:
    """(count,) the connected component of each vertex of cells (m, k), numbered by their first vertices.

    SciPy finds them until a first cut has compiled the faster loop.
    """
    first, others = np.repeat(cells[:, 0], cells.shape[1] - 1), cells[:, 1:].ravel()
    if face_native.ROUTINES.ready:
        return joined(first, others, count)[1]
    graph = sparse.coo_array((np.ones(len(first), bool), (first, others)), shape=(count, count))
    return connected_components(graph, directed=False)[1]


def _single(tets: np.ndarray) -> np.ndarray:
    """(f, 3) corners, numbered through all tets, of the boundary faces."""
    size = 1 << max(4, int(8 * len(tets)).bit_length())
    table, alone, found = np.full(size, -1, np.int32), np.empty(4 * len(tets), bool), np.zeros(1, np.int64)
    faces = np.empty(4 * len(tets) + 1, np.int32)
    face_native.single(np.ascontiguousarray(tets, np.int32), len(tets), size - 1, table, alone, faces, found)
    faces = faces[: found[0]]
    return 4 * (faces // 4)[:, None] + FACES[faces % 4]


def pinched(tets: np.ndarray, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) edges and (p,) vertices among ``near`` (n,) at which the surface of a mesh is not manifold, from all its tets there.

    An edge has more than two faces there, or the faces at a vertex make more than one fan.
    """
    outer = tets.reshape(-1)[_single(tets)]
    size = 1 << max(4, int(6 * len(outer)).bit_length())
    table, found = np.full(size, -1, np.int32), np.zeros(1, np.int64)
    times, part, edges = (np.empty(3 * len(outer), np.int32) for _ in range(3))
    fans = np.zeros(len(near), np.int32)
    face_native.fans(outer, len(outer), size - 1, table, times, part, fans, edges, found)
    edges = edges[: 2 * found[0]].reshape(-1, 2)
    return edges[near[edges].all(axis=1)], np.flatnonzero((fans > 1) & near)
