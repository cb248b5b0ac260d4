"""Boundary nodes of tets drawn in towards a surface, which they never touch (optimal Delaunay steps)."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..mesh.mesh import TetMesh, TriMesh, unique_rows
from .bounding_lattice import Reached

HALVINGS = 5
LEAST = 0.1  # of the volume of the smaller tets of a cube: none may become smaller
STILL = 0.01  # of a cell: shorter moves are left
CLEAR = 1e-3  # of a cell, at least so much is left between the tets' boundary and the surface
GROUP = 0.1  # of a cell: triangles that are near each other are looked at together
FEW = 32  # triangles that are looked at first: where a move is not free, most of them say so
_FACES = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])


class _Near:
    """Triangles (f, 3, 3) to find by place, in groups that lie in cubes of ``size`` [m]."""

    def __init__(self, corners: np.ndarray, size: float):
        middle = corners.mean(axis=1)
        cube = np.floor((middle - middle.min(axis=0)) / size).astype(np.int64)
        _, group, _ = unique_rows(cube)
        order = np.argsort(group, kind="stable")
        self.corners, self.middle = corners[order], middle[order]
        self.starts = np.searchsorted(group[order], np.arange(group.max() + 2))
        self.counts = np.diff(self.starts)
        self.centre = np.add.reduceat(self.middle, self.starts[:-1]) / self.counts[:, None]
        away = np.linalg.norm(self.corners - np.repeat(self.centre, self.counts, axis=0)[:, None], axis=2).max(axis=1)
        self.radius = np.maximum.reduceat(away, self.starts[:-1])
        self.reach = np.linalg.norm(self.corners - self.middle[:, None], axis=2).max(axis=1)
        self.tree, self.widest = cKDTree(self.centre), float(self.radius.max())

    def around(self, point: np.ndarray, radius: float) -> np.ndarray:
        """Numbers of the groups that may reach into a ball."""
        return np.array(self.tree.query_ball_point(point, radius + self.widest), np.int64)

    def met(self, groups: np.ndarray, faces: np.ndarray, there: np.ndarray, clear: float) -> bool:
        """Whether triangles of some groups come nearer than ``clear`` to what faces (k, 3, 3) sweep over as a corner moves."""
        tets = np.concatenate([faces, np.broadcast_to(there, (len(faces), 1, 3))], axis=1)
        normals = _normals(tets)
        axes = np.concatenate([np.broadcast_to(np.eye(3), (len(faces), 3, 3)), normals], axis=1)
        spans = axes @ tets.transpose(0, 2, 1)
        low, high = spans.min(axis=2), spans.max(axis=2)
        close = _within(self.centre[groups], self.radius[groups] + clear, axes, low, high)
        for tet, own, some, axis, least, most in zip(tets, normals, close, axes, low, high):
            if not some.any():
                continue
            rows = np.concatenate([np.arange(self.starts[g], self.starts[g + 1]) for g in groups[some]])
            here = _within(self.middle[rows], self.reach[rows] + clear, axis[None], least[None], most[None])[0]
            if here.any() and _touches(tet, own, self.corners[rows[here]], clear):
                return True
        return False


def _within(points: np.ndarray, wide: np.ndarray, axes: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(k, n) whether balls of radii ``wide`` about points (n, 3) reach between ``low`` and ``high`` along all of (k, a) axes."""
    along = points @ axes.transpose(0, 2, 1)
    return np.all((along > low[:, None] - wide[:, None]) & (along < high[:, None] + wide[:, None]), axis=2)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of many small arrays, for which np.cross takes long to begin."""
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    return np.stack([x, y, a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def _normals(tets: np.ndarray) -> np.ndarray:
    """(k, 4, 3) unit normals of the faces of tets, 0 of those without an area."""
    edges = tets[:, _FACES[:, 1:]] - tets[:, _FACES[:, :1]]
    normals = _cross(edges[:, :, 0], edges[:, :, 1])
    length = np.linalg.norm(normals, axis=2, keepdims=True)
    least = 1e-12 * np.abs(tets - tets[:, :1]).max(axis=(1, 2)) ** 2
    return normals / np.where(length > least[:, None, None], length, np.inf)


def circumcentres(p: np.ndarray) -> np.ndarray:
    """(m, 3) of tets (m, 4, 3): r₀ + (|e₁|² e₂×e₃ + |e₂|² e₃×e₁ + |e₃|² e₁×e₂) / (2 det[e₁ e₂ e₃])."""
    e1, e2, e3 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0], p[:, 3] - p[:, 0]
    c23, c31, c12 = _cross(e2, e3), _cross(e3, e1), _cross(e1, e2)
    squares = [np.einsum("mi,mi->m", e, e)[:, None] for e in (e1, e2, e3)]
    det = np.einsum("mi,mi->m", e1, c23)[:, None]
    return p[:, 0] + (squares[0] * c23 + squares[1] * c31 + squares[2] * c12) / (2 * det)


def fitted(start: Reached, surface: TriMesh, rounds: int) -> np.ndarray:
    """(n, 3) nodes after ``rounds`` of moving each boundary node to Σ V c / Σ V of its tets, c their circumcentres.

    A move is halved until no tet is too small and nothing that the boundary sweeps over meets the surface; a node for
    which five halvings do not suffice stays.
    """
    X, tets = start.X.copy(), start.tets
    mesh = TetMesh(X, tets)
    outer, nodes = mesh.boundary_triangles, mesh.boundary_vertices
    around, faces = _lists(tets, len(X)), _lists(outer, len(X))
    corners = surface.vertices[surface.triangles]
    near = _Near(corners, GROUP * start.size)
    least, clear = LEAST * start.size**3 / 6, CLEAR * start.size
    waits = np.zeros(len(X), bool)  # nodes that could not move, and none around them has since
    for _ in range(rounds):
        for node in nodes[~waits[nodes]].tolist():
            own, beside = tets[around[node]], outer[faces[node]]
            p = X[own]
            volume = _volumes(p)
            step = volume @ circumcentres(p) / volume.sum() - X[node]
            length = float(np.linalg.norm(step))
            if length > start.size:
                step, length = step * (start.size / length), start.size
            radius = max(length, float(np.linalg.norm(X[beside] - X[node], axis=2).max()))
            some = near.around(X[node], radius + clear)
            waits[node] = True
            for _ in range(HALVINGS + 1):
                if np.linalg.norm(step) < STILL * start.size:
                    break
                there = X[node] + step
                moved = np.where((own == node)[..., None], there, p)
                if _volumes(moved).min() >= least and not near.met(some, X[beside], there, clear):
                    X[node] = there
                    waits[own] = False
                    break
                step = step / 2
        if waits[nodes].all():
            break
    return X


def _touches(tet: np.ndarray, normals: np.ndarray, triangles: np.ndarray, clear: float) -> bool:
    """Whether no axis parts a tet, which may be flat, from one of the triangles by ``clear`` [m].

    The axes are the normals of the tet, those of the triangles, and edges of the one across edges of the other.
    """
    left = triangles[~_parted(np.broadcast_to(normals, (len(triangles), 4, 3)), tet, triangles, clear)]
    edges = np.array([tet[j] - tet[i] for i in range(4) for j in range(i)])
    for some in (left[:FEW], left[FEW:]):
        sides = some[:, [1, 2, 0]] - some
        across = _cross(edges[None, :, None], sides[:, None]).reshape(len(some), 18, 3)
        axes = np.concatenate([_cross(sides[:, :1], sides[:, 1:2]), across], axis=1)
        if not np.all(_parted(axes, tet, some, clear)):
            return True
    return False


def _parted(axes: np.ndarray, tet: np.ndarray, triangles: np.ndarray, clear: float) -> np.ndarray:
    """(f,) whether one of the axes (f, a, 3) of each triangle parts it from the tet."""
    length = np.linalg.norm(axes, axis=2, keepdims=True)
    axes = axes / np.where(length > 1e-12 * np.abs(tet - tet[0]).max() ** 2, length, np.inf)
    a, b = axes @ tet.T, axes @ triangles.transpose(0, 2, 1)
    gap = np.maximum(a.min(axis=2) - b.max(axis=2), b.min(axis=2) - a.max(axis=2))
    return gap.max(axis=1) > clear


def _volumes(p: np.ndarray) -> np.ndarray:
    return np.einsum("mi,mi->m", _cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0]) / 6


def _lists(cells: np.ndarray, count: int) -> list[np.ndarray]:
    """For each node, the cells around it."""
    flat = cells.ravel()
    order = np.argsort(flat, kind="stable")
    return np.split(order // cells.shape[1], np.searchsorted(flat[order], np.arange(1, count)))
