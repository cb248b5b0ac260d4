"""Plane cuts through tets and triangles."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from ...geometry.lattice.hex_mesh import ORDER
from ...geometry.mesh.tet10 import EIGHT, FACES, FOUR
from ...simulate.record.run import Skin

# six tets of a cell, one for each way along its edges from corner 0 to corner 7; corners x fastest
CUBE = np.array([(0, a, a | b, 7) for a, b, _ in permutations((1, 2, 4))])
_FACES = np.array([[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])


def tets_of(skin: Skin) -> np.ndarray:
    """(m, 4) body node numbers of the tets that fill a body, eight for one of ten nodes; none for sheets and rods."""
    if skin.tets is not None:
        tets = np.asarray(skin.tets)
        return tets if tets.shape[1] == 4 else tets[:, EIGHT].reshape(-1, 4)
    return _cubes(skin)[:, CUBE].reshape(-1, 4)


def _cubes(skin: Skin) -> np.ndarray:
    """(m, 8) body node numbers of cells with eight corners, x fastest; none for bodies without."""
    if skin.hexes is not None:
        return np.asarray(skin.hexes)[:, ORDER]
    return np.zeros((0, 8), int) if skin.solid is None else skin.solid.cells


def faces_of(skin: Skin) -> np.ndarray:
    """(m, 3) body node numbers of triangles on the faces of a body's elements."""
    if skin.tets is not None:
        tets = np.asarray(skin.tets)
        faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] if tets.shape[1] == 4 else FACES[:, FOUR].reshape(-1, 3)
        every = tets[:, faces].reshape(-1, 3)
        return np.unique(np.sort(every, axis=1), axis=0)
    quads = _cubes(skin)[:, _FACES].reshape(-1, 4)
    quads = quads[np.unique(np.sort(quads, axis=1), axis=0, return_index=True)[1]]
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)


def cut_tets(tets: np.ndarray, height: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(t, 3, c) values at the corners of the triangles in which ``height`` (n,) is 0, of nodal values (n, c)."""
    order = np.argsort(height[tets], axis=1, kind="stable")
    nodes = np.take_along_axis(tets, order, axis=1)
    below = np.count_nonzero(height[nodes] < 0, axis=1)
    pieces = []
    for count, corners in ((1, [(0, 1, 0, 2, 0, 3)]), (3, [(0, 3, 1, 3, 2, 3)]), (2, [(0, 2, 0, 3, 1, 3), (0, 2, 1, 3, 1, 2)])):
        own = nodes[below == count]
        for edges in corners:
            pieces.append(
                np.stack([_crossing(own[:, edges[i]], own[:, edges[i + 1]], height, values) for i in (0, 2, 4)], axis=1)
            )
    return np.concatenate(pieces)


def cut_triangles(triangles: np.ndarray, height: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(l, 2, c) values at the ends of the lines in which ``height`` (n,) is 0 on triangles, of vertex values (n, c)."""
    order = np.argsort(height[triangles], axis=1, kind="stable")
    nodes = np.take_along_axis(triangles, order, axis=1)
    below = np.count_nonzero(height[nodes] < 0, axis=1)
    pieces = []
    for count, lone, others in ((1, 0, (1, 2)), (2, 2, (0, 1))):
        own = nodes[below == count]
        pieces.append(np.stack([_crossing(own[:, lone], own[:, o], height, values) for o in others], axis=1))
    return np.concatenate(pieces)


def _crossing(a: np.ndarray, b: np.ndarray, height: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values where the height is 0 between nodes on either side."""
    along = height[a] / (height[a] - height[b])
    return values[a] + along[:, None] * (values[b] - values[a])


def ribbons(lines: np.ndarray, width: float) -> np.ndarray:
    """(2 l, 3, 2) triangles that cover lines (l, 2, 2) with a stroke of that width."""
    along = lines[:, 1] - lines[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(length > 1e-12, along / np.maximum(length, 1e-12), [[1.0, 0.0]])
    side, more = 0.5 * width * along[:, ::-1] * [-1.0, 1.0], 0.35 * width * along
    a, b = lines[:, 0] - more, lines[:, 1] + more
    quads = np.stack([a - side, b - side, b + side, a + side], axis=1)
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 2)
