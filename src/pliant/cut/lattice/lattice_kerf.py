"""Contact surface of a cut lattice, with a thin kerf.

Manifold's boolean difference (the library manifold3d) keeps it closed, whatever was cut before.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ...geometry.lattice.cut_cells import Carved
from ...geometry.lattice.fragments import shape_functions, shape_gradients
from ...geometry.mesh.embedded_surface import HeldSurface
from ...geometry.mesh.mesh import TriMesh
from ..blade import Blade
from ..split import components as pieces_of
from .lattice_cut import Parted, components
from .lattice_surface import embedded, sums_of_corners

WIDTH = 0.01  # of a cell: how wide a kerf is
NEAREST = 8  # cut faces and old cells searched for a point of the kerf
CELLS = 24  # copies searched for the carrier of a point
AROUND = 1.1  # of a cell: points this close to the blade are carried by their own side
WITHIN = 0.02  # of a cell: depth inside the material at which a point is located in cells
SHARPEST = 0.1  # 1 + cosine between the normals of two pieces of a path: sharper bends are mitred as this one
TURNS = 8  # of Newton's method for the local coordinates of a point in a cell


def less_kerf(
    surface: HeldSurface, before: Carved, x: np.ndarray, blade: Blade, done: Parted, spacing: float
) -> HeldSurface | None:
    """The surface after a cut of the cells that carry it, whose nodes were at ``x`` (n, 3) [m]; None where it is not closed."""
    now = embedded(before, surface.holders, surface.vertices, x, spacing)
    made = _difference(np.column_stack([now, surface.vertices]), surface.triangles, kerf(blade, now, spacing))
    if made is None:
        return None
    known, on_skin, triangles = made
    places = _Places(before, x, done, spacing)
    known[~on_skin, 3:] = places.in_cells(known[~on_skin, :3])
    held = places.heirs(surface, now, known)
    held[~on_skin] = places.of_cut(known[~on_skin, :3], blade)
    held = places.carriers(known[:, 3:], triangles, blade.heights(known[:, :3])[0], held)
    return HeldSurface(places.at_rest(known, held), triangles, held)


def _difference(known: np.ndarray, triangles: np.ndarray, slab: TriMesh) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Vertices (s, 6), which of them are of the surface, and triangles (f, 3) of closed pieces less a slab.

    Vertices have current and rest positions; those of the slab only have no rest position. Pieces that are not
    connected are cut one by one, since they may overlap. None where one is not closed.
    """
    from manifold3d import Error, Manifold, Mesh64

    marked = np.column_stack([slab.vertices, np.zeros((len(slab.vertices), 4))])
    cutter = Manifold(Mesh64(marked, slab.triangles.astype(np.uint64)))
    twin = _welded(known[:, 3:], triangles)
    piece, found, first = pieces_of(twin[triangles], len(known))[twin[triangles[:, 0]]], [], 0
    for k in np.unique(piece):
        numbers, own = np.unique(triangles[piece == k], return_inverse=True)
        other = np.flatnonzero(np.isin(twin[numbers], numbers) & (twin[numbers] != numbers))
        same = other.astype(np.uint64), np.searchsorted(numbers, twin[numbers[other]]).astype(np.uint64)
        given = np.column_stack([known[numbers], np.ones(len(numbers))])
        solid = Manifold(Mesh64(given, own.reshape(-1, 3).astype(np.uint64), *same))
        if solid.status() != Error.NoError:
            return None
        made = (solid - cutter).to_mesh64()
        if not len(made.tri_verts):
            continue
        vertices, on_skin = made.vert_properties[:, :6], made.vert_properties[:, 6] > 0.5
        one = np.arange(len(vertices))
        one[np.array(made.merge_from_vert, int)] = np.array(made.merge_to_vert, int)
        skin_of = one.copy()  # of coincident vertices the one of the skin, which has a rest position
        skin_of[one[on_skin]] = np.flatnonzero(on_skin)
        used, numbers = np.unique(skin_of[one[made.tri_verts.astype(int)]], return_inverse=True)
        found.append((vertices[used], on_skin[used], numbers.reshape(-1, 3) + first))
        first += len(used)
    return tuple(np.concatenate(each) for each in zip(*found)) if found else None


def kerf(blade: Blade, points: np.ndarray, spacing: float) -> TriMesh:
    """The slab that a blade takes away, with vertices about ``spacing`` [m] apart where ``points`` (n, 3) are near."""
    along, across = np.diff(blade._flat, axis=0), blade._across
    length = np.linalg.norm(along, axis=1)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    both = np.concatenate([normal[:1], normal]), np.concatenate([normal, normal[-1:]])
    mitre = (both[0] + both[1]) / np.maximum(1 + np.einsum("kc,kc->k", *both), SHARPEST)[:, None]
    passed, into = np.concatenate([[0.0], np.cumsum(length)]), np.array(blade.into)
    top, (travelled, deep) = blade.path @ into, blade.unrolled(points).T
    at = _grid(passed, travelled.min(), travelled.max(), spacing)
    tops = np.interp(at, passed, top)
    down = _grid(np.array([0.0, blade.depth]), deep.min() - tops.max(), deep.max() - tops.min(), spacing)
    middle, away = (np.stack([np.interp(at, passed, c) for c in each.T], axis=1) for each in (blade._flat, mitre))
    sides = [middle + 0.5 * side * WIDTH * spacing * away for side in (1, -1)]
    flat = np.stack(sides)[:, :, None] @ across  # (2, s, 1, 3)
    vertices = flat + (tops[None, :, None] + down)[..., None] * into
    return TriMesh(vertices.reshape(-1, 3), _slab_faces(len(at), len(down)))


def _grid(ends: np.ndarray, low: float, high: float, spacing: float) -> np.ndarray:
    """The ends of pieces and points between them, about ``spacing`` apart where they lie between ``low`` and ``high``."""
    count = max(int(np.ceil((high - low) / spacing)), 1)
    inner = np.linspace(low, high, count + 1)
    inner = inner[(inner > ends[0]) & (inner < ends[-1])]
    inner = inner[np.abs(inner[:, None] - ends).min(axis=1, initial=np.inf) > 0.3 * spacing]
    return np.sort(np.concatenate([ends, inner]))


def _slab_faces(long: int, deep: int) -> np.ndarray:
    """(f, 3) the closed surface of a slab of 2 × ``long`` × ``deep`` vertices, counter-clockwise from outside."""
    number = np.arange(2 * long * deep).reshape(2, long, deep)
    low = number[0].T, number[:, 0], number[:, :, 0].T
    high = number[1], number[:, -1].T, number[:, :, -1]
    quads = [np.stack([q[:-1, :-1], q[:-1, 1:], q[1:, 1:], q[1:, :-1]], axis=-1).reshape(-1, 4) for q in (*low, *high)]
    quads = np.concatenate(quads)
    return np.concatenate([quads[:, [0, 2, 1]], quads[:, [0, 3, 2]]])


def _welded(X: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n,) the first of coincident vertices (at rest) on open borders; for all others their own number.

    Sides of an earlier cut coincide at rest too, but they are closed: they stay separate.
    """
    ends = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).astype(np.int64)
    open_ = ends[~np.isin(ends @ (len(X), 1), ends @ (1, len(X)))]
    border, twin = np.unique(open_), np.arange(len(X))
    if len(border):
        _, first, number = np.unique(X[border], axis=0, return_index=True, return_inverse=True)
        twin[border] = border[first[number.ravel()]]
    return twin


class _Places:
    """Rest positions of surface points after a cut, and the copies of cells that carry them."""

    def __init__(self, before: Carved, x: np.ndarray, done: Parted, spacing: float):
        self.before, self.x, self.done, self.spacing = before, x, done, spacing
        after = done.carved
        self.part = components(after.nodes, len(after.rest))
        self.side = np.zeros(len(after.nodes), int)
        self.side[done.heirs[:, 1]] = done.sides

    def of_cut(self, points: np.ndarray, blade: Blade) -> np.ndarray:
        """(p,) the copies on whose cut faces points of the kerf are, −1 where on none."""
        carrier, caps = np.full(len(points), -1), self.done.caps
        after, own = self.done.carved, np.repeat(caps.cells, 3)
        corners = embedded(after, own, caps.triangles.reshape(-1, 3), self.x[self.done.origin], self.spacing)
        corners, above = corners.reshape(-1, 3, 3), blade.heights(points)[0] > 0
        for side in (True, False):
            mine, of = np.flatnonzero(above == side), np.flatnonzero((caps.sides > 0) == side)
            if not len(mine) or not len(of):
                continue
            near = cKDTree(corners[of].mean(axis=1)).query(points[mine], k=min(NEAREST, len(of)))[1]
            near = of[near.reshape(len(mine), -1)]
            away = _away(corners[near], points[mine])
            face = near[np.arange(len(mine)), np.argmin(away, axis=1)]
            carrier[mine] = np.where(away.min(axis=1) < 0.5 * self.spacing, caps.cells[face], -1)
        return carrier

    def in_cells(self, points: np.ndarray) -> np.ndarray:
        """(p, 3) rest positions of points in the cells before the cut."""
        before, corners = self.before, self.x[self.before.nodes]
        if not len(points):
            return np.zeros((0, 3))
        near = cKDTree(corners.mean(axis=1)).query(points, k=min(NEAREST, len(corners)))[1].reshape(len(points), -1)
        xi = _inverted(corners[near], points[:, None], np.full((*near.shape, 3), 0.5))
        away = before.away(near.ravel(), xi.reshape(-1, 3)).reshape(near.shape)
        row, best = np.arange(len(points)), np.argmin(away, axis=1)
        cell = near[row, best]
        return before.lowest[cell] + self.spacing * xi[row, best]

    def at_rest(self, known: np.ndarray, held: np.ndarray) -> np.ndarray:
        """(s, 3) rest positions of vertices (s, 6) at which the copies ``held`` (s,) carry them to where they are: sides of a cut
        are a kerf apart now. Copies next to a vertex give another position where their cells are bent."""
        lowest, corners = self.done.carved.lowest[held], self.x[self.done.origin][self.done.carved.nodes[held]]
        before = (known[:, 3:] - lowest) / self.spacing
        both = np.stack([_inverted(corners, known[:, :3], before), before])
        left = np.linalg.norm(np.einsum("tsk,skc->tsc", shape_functions(both), corners) - known[:, :3], axis=2)
        return lowest + self.spacing * np.where((left[0] < left[1])[:, None], *both)

    def heirs(self, surface: HeldSurface, now: np.ndarray, known: np.ndarray) -> np.ndarray:
        """(s,) the copy that carries a vertex (s, 6) of the surface before the cut, where its cell has one; −1 elsewhere."""
        far, old = cKDTree(np.column_stack([now, surface.vertices])).query(known)
        cells, numbers, many = np.unique(self.done.heirs[:, 0], return_index=True, return_counts=True)
        heir = np.full(len(self.before.nodes), -1)
        heir[cells[many == 1]] = self.done.heirs[numbers[many == 1], 1]
        return np.where(far <= 1e-9 * self.spacing, heir[surface.holders[old]], -1)

    def carriers(self, X: np.ndarray, triangles: np.ndarray, height: np.ndarray, held: np.ndarray) -> np.ndarray:
        """(s,) the copies that carry vertices: ``held`` where it is not negative, else the one whose material is nearest to a
        point a little inside, on its side of the blade."""
        p = X[triangles]
        normal = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        out = sums_of_corners(triangles, normal, len(X))
        out /= np.maximum(np.linalg.norm(out, axis=1), 1e-300)[:, None]
        self.probe = X - WITHIN * self.spacing * out
        self.near_blade = np.where(np.abs(height) <= AROUND * self.spacing, np.sign(height), 0).astype(int)
        unknown = np.flatnonzero(held < 0)
        held = held.copy()
        held[unknown] = self._chosen(unknown, None)
        return self._by_piece(triangles, held)

    def _chosen(self, vertices: np.ndarray, part: int | None) -> np.ndarray:
        """(v,) the best copies for some vertices, of one part of the lattice where it is given."""
        if not len(vertices):
            return np.zeros(0, int)
        after, spacing, own = self.done.carved, self.spacing, np.arange(len(self.part))
        if part is not None:
            own = own[self.part == part]
        near = cKDTree(after.lowest[own] + 0.5 * spacing).query(self.probe[vertices], k=min(CELLS, len(own)))[1]
        copy = own[near.reshape(len(vertices), -1)]
        xi = (self.probe[vertices][:, None] - after.lowest[copy]) / spacing
        cost = after.away(copy.ravel(), xi.reshape(-1, 3)).reshape(copy.shape)
        cost += 10.0 * (self.side[copy] * self.near_blade[vertices][:, None] < 0)
        return copy[np.arange(len(vertices)), np.argmin(cost, axis=1)]

    def _by_piece(self, triangles: np.ndarray, held: np.ndarray) -> np.ndarray:
        """(s,) carriers: those of a closed piece all from one part of the lattice, that of most of them.

        A part with no piece keeps its vertices.
        """
        piece = pieces_of(triangles, len(held))
        votes = np.zeros((piece.max() + 1, self.part.max() + 1), int)
        np.add.at(votes, (piece, self.part[held]), 1)
        most = votes.argmax(axis=1)
        strayed = (self.part[held] != most[piece]) & np.isin(self.part[held], most)
        for part in np.unique(most[piece[strayed]]):
            own = np.flatnonzero(strayed & (most[piece] == part))
            held[own] = self._chosen(own, int(part))
        return held


def _inverted(corners: np.ndarray, points: np.ndarray, xi: np.ndarray) -> np.ndarray:
    """(…, 3) local coordinates ξ of points in cells with nodes ``corners`` (…, 8, 3), by Newton's method from ``xi``."""
    for _ in range(TURNS):
        left = np.einsum("...k,...kc->...c", shape_functions(xi), corners) - points
        slope = np.einsum("...ka,...kc->...ca", shape_gradients(xi), corners)
        xi = np.clip(xi - np.einsum("...ac,...c->...a", np.linalg.pinv(slope), left), -1.0, 2.0)
    return xi


def _away(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p, q) distances of points (p, 3) from the triangles (p, q, 3, 3) near them."""
    a, b, c = np.moveaxis(corners, 2, 0)
    u, v, w = b - a, c - a, points[:, None] - a
    uu, uv, vv, wu, wv = (np.einsum("pqc,pqc->pq", *both) for both in ((u, u), (u, v), (v, v), (w, u), (w, v)))
    det = np.maximum(uu * vv - uv * uv, 1e-300)
    shares = np.stack([(vv * wu - uv * wv) / det, (uu * wv - uv * wu) / det], axis=-1)
    shares = np.concatenate([1 - shares.sum(axis=-1, keepdims=True), shares], axis=-1).clip(0, 1)
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.linalg.norm(np.einsum("pqk,pqkc->pqc", shares, corners) - points[:, None], axis=2)
