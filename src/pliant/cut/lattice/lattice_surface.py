"""Surface of a lattice, split and closed along a blade."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ...geometry.lattice.cut_cells import Carved
from ...geometry.lattice.fragments import shape_functions
from ...geometry.mesh.embedded_surface import HeldSurface
from ...geometry.mesh.mesh import edges_of, unique_rows
from ..blade import Blade
from ..embedded_surface_cut import NEAR, cut_edges, fans, refined, triangle_sides
from .lattice_cut import Parted, components

REACH = 0.6  # of a cell's diagonal: greatest distance of a surface cut from separated material
SAME = 1e-6  # of a cell: tolerance for welding corners of cut faces


def cut_skin(surface: HeldSurface, before: Carved, x: np.ndarray, blade: Blade, done: Parted, spacing: float) -> HeldSurface:
    """The surface after a cut of the cells that carry it, whose nodes were at ``x`` (n, 3) [m]."""
    holders, X, triangles = surface.holders, surface.vertices, surface.triangles.astype(int)
    now, corners = embedded(before, holders, X, x, spacing), x[before.nodes[holders]]
    size = np.linalg.norm(corners[:, 7] - corners[:, 0], axis=1).mean()
    tree = cKDTree(done.faces.mean(axis=1))

    def near(points: np.ndarray) -> np.ndarray:
        return tree.query(points)[0] <= REACH * size

    label = _labels(now, triangles, blade)
    X, now, label, triangles, ends = refined(X, now, label, triangles, blade, near)
    first = np.concatenate([holders, holders[ends[:, 0]]])
    side = triangle_sides(label[triangles], now[triangles], blade)
    pairs, cuts = cut_edges(now, label, triangles, side, blade, near)
    numbers, origin, wanted = fans(triangles, side, pairs, cuts, len(X))
    wanted = np.where(wanted == 0, label[origin], wanted)
    wanted[~near(now[origin])] = 0
    triangles, X, old = numbers.reshape(-1, 3), X[origin], first[origin]
    held = _held(done, X, triangles, old, wanted, spacing)
    X, triangles, held = _with_caps(done, X, triangles, held, SAME * spacing)
    return _on_one_part(done.carved, X, triangles, held)


def _labels(now: np.ndarray, triangles: np.ndarray, blade: Blade) -> np.ndarray:
    """(s,) sides of vertices, 0 where they are so close to the blade that triangles would become slivers."""
    edges = edges_of(triangles)
    shortest = np.full(len(now), np.inf)
    length = np.linalg.norm(now[edges[:, 0]] - now[edges[:, 1]], axis=1)
    np.minimum.at(shortest, edges.ravel(), np.repeat(length, 2))
    height = blade.heights(now)[0]
    return np.where(np.abs(height) <= NEAR * shortest, 0, np.sign(height)).astype(int)


def _held(done: Parted, X: np.ndarray, triangles: np.ndarray, old: np.ndarray, wanted: np.ndarray, spacing: float) -> np.ndarray:
    """(s,) the copy that carries each vertex, ``old`` (s,) being its old cell: the one whose material is nearest to a point
    inside of it, among the copies of the cells of all triangles around it."""
    p = X[triangles]
    normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    count = np.maximum(np.bincount(triangles.ravel(), minlength=len(X)), 1)[:, None]
    middle, out = (sums_of_corners(triangles, each, len(X)) / count for each in (p.mean(axis=1), normal))
    out /= np.maximum(np.linalg.norm(out, axis=1), 1e-300)[:, None]
    probe = X + 0.1 * (middle - X) - 0.02 * spacing * out
    # old cells of the triangles around each vertex
    rows = np.repeat(triangles.ravel(), 3)
    cells = old[np.repeat(triangles, 3, axis=0)].ravel()
    both = np.unique(np.stack([rows, cells], axis=1), axis=0)
    start = np.searchsorted(done.heirs[:, 0], both[:, 1])
    many = np.searchsorted(done.heirs[:, 0], both[:, 1], "right") - start
    row = np.repeat(both[:, 0], many)
    at = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many) + np.repeat(start, many)
    copy = done.heirs[at, 1]
    far = done.carved.away(copy, (probe[row] - done.carved.lowest[copy]) / spacing)
    far = far + 10.0 * (done.sides[at] * wanted[row] < 0) + 1e-6 * (done.heirs[at, 0] != old[row])
    order = np.lexsort((far, row))
    used, begin = np.unique(row[order], return_index=True)
    held = np.zeros(len(X), int)
    held[used] = copy[order[begin]]
    return held


def sums_of_corners(triangles: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """(count, 3) sums at each vertex of values (f, 3) of its triangles."""
    return np.stack([np.bincount(triangles.ravel(), np.repeat(c, 3), count) for c in values.T], axis=1)


def embedded(cells: Carved, holders: np.ndarray, X: np.ndarray, x: np.ndarray, spacing: float) -> np.ndarray:
    """(s, 3) current positions of rest points X (s, 3) in cells with nodes at x (n, 3) [m]."""
    weights = shape_functions((X - cells.lowest[holders]) / spacing)
    return np.einsum("sk,skc->sc", weights, x[cells.nodes[holders]])


def _with_caps(
    done: Parted, X: np.ndarray, triangles: np.ndarray, held: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The surface and the faces of the cut, whose corners within ``size`` [m] on one side are one vertex."""
    caps = done.caps
    places = caps.triangles.reshape(-1, 3)
    key = np.column_stack([np.rint((places - X.min(axis=0)) / size), np.repeat(caps.sides, 3)])
    first, number, _ = unique_rows(key.astype(np.int64))
    made = number.reshape(-1, 3)
    made = made[(made != np.roll(made, 1, axis=1)).all(axis=1)]
    made = made[np.sort(unique_rows(np.sort(made, axis=1))[0])]
    return (
        np.concatenate([X, places[first]]),
        np.concatenate([triangles, made + len(X)]),
        np.concatenate([held, np.repeat(caps.cells, 3)[first]]),
    )


def _on_one_part(carved: Carved, X: np.ndarray, triangles: np.ndarray, held: np.ndarray) -> HeldSurface:
    """The surface with every triangle carried by one part of the lattice, that of most of its corners: none is stretched
    between separating parts."""
    part = components(carved.nodes, len(carved.rest))
    own = part[held[triangles]]
    most = np.where(own[:, 1] == own[:, 2], own[:, 1], own[:, 0])
    triangle, corner = np.nonzero(own != most[:, None])
    if len(triangle):
        key = np.stack([triangles[triangle, corner], most[triangle]], axis=1)
        first, number, _ = unique_rows(key)
        beside = triangles[triangle, np.argmax(own[triangle] == most[triangle, None], axis=1)][first]
        triangles = triangles.copy()
        triangles[triangle, corner] = len(X) + number
        X, held = np.concatenate([X, X[key[first, 0]]]), np.concatenate([held, held[beside]])
    used, number = np.unique(triangles, return_inverse=True)
    return HeldSurface(X[used], number.reshape(-1, 3), held[used])
