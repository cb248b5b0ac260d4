"""Cuts of a triangle sheet by a blade.

A vertex that slides along an edge stays on the sheet, at rest and in motion, so that an even stretch keeps its energy and a flat
sheet its area. Those of the rim slide along it where it is straight. No triangle is made.
"""

from __future__ import annotations

import numpy as np

from ..geometry.mesh.mesh import TriMesh, unique_rows
from .blade import Blade
from .mesh_cut import Opened, off_blade
from .sides import ON, cover, crossings
from .split import joined, split

FLOOR = 0.15  # least quality of triangles after snapping; a regular one has 1
STRAIGHT = 1e-6  # least turn of a rim at a corner: sliding along less keeps the area
LOST = 1e-3  # of the area around a vertex: allowed change on a curved sheet
EASED = 0.6  # factor of a move that was too far
TRIES = 12  # moves that are still too far after these are not made
TURNS = 8  # times that triangles may change sides
CHIP = 2  # triangles too few for a separate part


def opened_sheet(
    mesh: TriMesh, blade: Blade, x: np.ndarray | None = None, fixed: np.ndarray | None = None,
    share: np.ndarray | None = None,
) -> Opened:  # fmt: skip
    """Cut a sheet whose vertices are at ``x`` (n, 3) [m], by default at rest; ``fixed`` (n,) vertices are not moved, others go
    a ``share`` (n,) of their way onto the blade."""
    x = mesh.vertices if x is None else x
    count, triangles = len(mesh.vertices), mesh.triangles
    height, _ = blade.heights(x)
    ends, shares = crossings(x, mesh.edges, height, blade)
    nodes, weights = np.repeat(np.arange(count)[:, None], 4, axis=1), np.tile([1.0, 0, 0, 0], (count, 1))
    if not len(ends):
        return Opened(mesh, np.arange(count), nodes, weights, 0, np.zeros((0, 2), int), 0.0, 0)
    longest = np.linalg.norm(x[ends[:, 0]] - x[ends[:, 1]], axis=1).max()
    height = np.where(np.abs(height) <= ON * longest, 0.0, height)
    side = _sides(triangles, height, cover(ends, shares, height >= 0))
    new, origin, edges, closed = _split(triangles, count, side)
    opening = np.zeros(count, bool)
    opening[edges] = True
    if fixed is not None:
        opening &= ~fixed
    moved, to, part = _snapped(mesh, ends, shares, opening, share)
    nodes[moved, 1], weights[moved, 0], weights[moved, 1] = to, 1 - part, part
    vertices = np.einsum("nk,nkc->nc", weights, mesh.vertices[nodes])
    away = off_blade(blade, weights, nodes, x, np.unique(edges))
    made = TriMesh(vertices[origin], new)
    return Opened(made, origin, nodes[origin], weights[origin], len(ends), edges, away, closed)


def _sides(triangles: np.ndarray, height: np.ndarray, on: np.ndarray) -> np.ndarray:
    """(m,) 1 of triangles above the blade, −1 below, 0 off the blade or past its ends; vertices ``on`` (n,) it have no side."""
    side = np.zeros(len(triangles), int)
    near = np.flatnonzero(on[triangles].any(axis=1))
    signs = np.where(on, 0, np.where(height >= 0, 1, -1))[triangles[near]]
    side[near] = np.sign(signs.max(axis=1) + signs.min(axis=1))
    flat = near[(signs == 0).all(axis=1)]
    side[flat] = np.where(height[triangles[flat]].sum(axis=1) >= 0, 1, -1)
    return side


def _between(triangles: np.ndarray, side: np.ndarray) -> np.ndarray:
    """(b, 2) edges with triangles on both sides."""
    near = np.flatnonzero(side)
    pairs = np.sort(triangles[near][:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    first, inverse, _ = unique_rows(pairs)
    most, least = np.full(len(first), -1), np.full(len(first), 1)
    np.maximum.at(most, inverse, np.repeat(side[near], 3))
    np.minimum.at(least, inverse, np.repeat(side[near], 3))
    return pairs[first[(most > 0) & (least < 0)]]


def _split(triangles: np.ndarray, count: int, side: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Triangles on more vertices, the old vertex of each, the opened edges, and how many between the sides stayed closed.

    Chips of a triangle or two, detached where a blade follows the rim or an earlier cut, stay attached.
    """
    for turn in range(TURNS + 1):
        edges = _between(triangles, side)
        new, origin = split(triangles, count, edges, np.flatnonzero(side < 0))
        size = [np.bincount(part)[part] for part in (_parts(triangles, count), _parts(new, len(origin)))]
        chips = np.flatnonzero((size[1] <= CHIP) & (size[0] > CHIP) & (side != 0))
        if turn == TURNS or not len(chips):
            break
        side = side.copy()
        side[chips] *= -1
    doubled = np.zeros(count, bool)
    doubled[origin[count:]] = True
    came = doubled[edges].any(axis=1)
    return new, origin, edges[came], int((~came).sum())


def _parts(triangles: np.ndarray, count: int) -> np.ndarray:
    """(m,) the part that each triangle belongs to; parts share no vertex."""
    return joined(np.repeat(triangles[:, 0], 2), triangles[:, 1:], count)[1][triangles[:, 0]]


def _snapped(
    mesh: TriMesh, ends: np.ndarray, shares: np.ndarray, opening: np.ndarray, share: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,) vertices that move, their targets, and their fractions of the edge.

    Of the edges (e, 2) that the blade meets, ``shares`` of their length from each end, a vertex moves along the one where it is
    nearest to the blade.
    """
    along, turned = _rim(mesh)
    start, end, part = (np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]]), shares.T.ravel())
    outer = np.isin(start * len(opening) + end, along)
    may = opening[start] & ((turned[start] == 0) | (outer & (turned[start] == 1))) & (part > 0)
    start, end, part = start[may], end[may], part[may]
    order = np.lexsort((end, part, start))
    first = order[np.diff(start[order], prepend=-1) != 0]
    start, end, part = start[first], end[first], part[first]
    if share is not None:
        part = part * share[start]
    X, near = mesh.vertices, np.flatnonzero(np.isin(mesh.triangles, start).any(axis=1))
    triangles, number = mesh.triangles[near], np.full(len(mesh.vertices), -1)
    number[start] = np.arange(len(start))
    own, area, before = number[triangles], mesh.area_vectors[near], _quality(X[mesh.triangles[near]])
    least = np.minimum(before, FLOOR)
    part = part * _kept_area(X, triangles, own, (1 - part)[:, None] * X[start] + part[:, None] * X[end])
    for attempt in range(TRIES + 1):
        Y = X.copy()
        Y[start] = (1 - part)[:, None] * X[start] + part[:, None] * X[end]
        now = TriMesh(Y, triangles).area_vectors
        bad = (_quality(Y[triangles]) < least) | (np.einsum("ij,ij->i", now, area) <= 0)
        back = np.unique(own[bad])
        back = back[back >= 0]
        back = back[part[back] > 0]
        if not len(back):
            break
        part[back] *= EASED if attempt < TRIES - 1 else 0.0
    moves = part > 0
    return start[moves], end[moves], part[moves]


def _kept_area(X: np.ndarray, triangles: np.ndarray, own: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(k,) fraction of the way to ``places`` (k, 3) that each vertex, ``own`` (m, 3) among the corners, may move alone."""
    total, change = np.zeros(len(places)), np.zeros(len(places))
    sizes = TriMesh(X, triangles).areas
    for corner in range(3):
        rows = np.flatnonzero(own[:, corner] >= 0)
        Y = X[triangles[rows]]
        Y[:, corner] = places[own[rows, corner]]
        moved = 0.5 * np.linalg.norm(np.cross(Y[:, 1] - Y[:, 0], Y[:, 2] - Y[:, 0]), axis=1)
        np.add.at(total, own[rows, corner], sizes[rows])
        np.add.at(change, own[rows, corner], moved - sizes[rows])
    return np.minimum(1.0, LOST * total / np.maximum(np.abs(change), 1e-300))


def _rim(mesh: TriMesh) -> tuple[np.ndarray, np.ndarray]:
    """Boundary edges in both directions as one number each; and (n,) 0 of inner vertices, 1 on a straight rim, else 2."""
    count, pairs = len(mesh.vertices), np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    first, _, number = unique_rows(pairs)
    rim, many = pairs[first[number == 1]], pairs[first[number > 2]]
    both = np.concatenate([rim, rim[:, ::-1]]).astype(np.int64)
    way = mesh.vertices[both[:, 1]] - mesh.vertices[both[:, 0]]
    way /= np.linalg.norm(way, axis=1)[:, None]
    total = np.stack([np.bincount(both[:, 0], column, count) for column in way.T], axis=1)
    degree = np.bincount(both[:, 0], minlength=count)
    turned = np.where(degree == 0, 0, np.where((degree == 2) & (np.linalg.norm(total, axis=1) < STRAIGHT), 1, 2))
    turned[many] = 2
    return both[:, 0] * count + both[:, 1], turned


def _quality(corners: np.ndarray) -> np.ndarray:
    """(m,) 4√3 A / Σ l² of triangles (m, 3, 3): 1 of a regular one, 0 of a flat one."""
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    square = np.sum(a * a + b * b + (b - a) ** 2, axis=1)
    return 2 * np.sqrt(3.0) * np.linalg.norm(np.cross(a, b), axis=1) / np.maximum(square, 1e-300)
