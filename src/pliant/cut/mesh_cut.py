"""Cuts of a tetrahedral mesh by a blade (sheets: sheet_cut.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..geometry.mesh.mesh import TetMesh, TriMesh
from ..geometry.mesh.vertex_cells import tet_gradients
from . import face_native
from .blade import Blade
from .sides import Sides, sides
from .snap import between_regions, snap
from .split import components, parts, pinched, split

TURNS = 8  # times that tets may change sides
CHIP = 4  # tets too few for a separate part
CRUMB = 16  # cells of a piece, and a tenth of all, up to which it is a crumb


@dataclass(frozen=True, eq=False)
class Opened:
    """A mesh after a cut: the same tets or triangles in the same order, on more vertices, and the origin of each vertex."""

    mesh: TetMesh | TriMesh
    origin: np.ndarray  # (n,) vertex before the cut of each one after it; the old ones come first
    nodes: np.ndarray  # (n, 4) vertices before the cut
    weights: np.ndarray  # (n, 4) their weights in each vertex, at rest and in motion
    crossed: int  # edges that the blade crossed
    faces: np.ndarray  # (b, 3) faces that were opened, or (b, 2) edges of a sheet, in vertices before the cut
    away: float  # largest distance of a vertex of the opened faces from the blade [m]
    closed: int  # faces along the blade that stay closed, as the mesh is too coarse to open them
    sides: Sides | None = None  # of the blade that made it
    touched: np.ndarray | None = None  # (k,) tets that changed shape, None if unknown
    afresh: str = ""  # why a simulation laid its scene out afresh for it, nothing where it was made in place

    def __repr__(self) -> str:
        left = f", {self.closed} left closed" if self.closed else ""
        solid = isinstance(self.mesh, TetMesh)
        what = f"{len(self.cells)} {'tets' if solid else 'triangles'}, {len(self.faces)} {'faces' if solid else 'edges'}"
        crumbs = f", crumbs that came off: {len(self.crumbs)}" if len(self.crumbs) else ""
        return f"Opened({what} opened{left}, {self.new} new vertices{crumbs})"

    @property
    def cells(self) -> np.ndarray:
        """(m, k) its tets or triangles."""
        return self.mesh.tets if isinstance(self.mesh, TetMesh) else self.mesh.triangles

    @property
    def new(self) -> int:
        """Number of new vertices."""
        return len(self.origin) - int(self.origin.max()) - 1 if len(self.origin) else 0

    @cached_property
    def crumbs(self) -> np.ndarray:
        """(c,) the number of cells of each crumb along the opened faces: a piece of at most 16, and a tenth of all."""
        cells = self.cells
        piece = components(cells, len(self.origin))
        sizes = np.bincount(piece[cells[:, 0]], minlength=int(piece.max(initial=-1)) + 1)
        along = np.unique(piece[np.isin(self.origin, self.faces)])
        return sizes[along[(sizes[along] > 0) & (sizes[along] <= min(CRUMB, len(cells) // 10))]]

    @cached_property
    def moved(self) -> np.ndarray:
        """(n,) vertices that moved at rest."""
        return self.weights[:, 0] != 1

    @cached_property
    def gradients(self) -> np.ndarray:
        """(k, 1, 4, 3) ∇N of the tets that changed shape [1/m]."""
        return tet_gradients(self.mesh.vertices, self.mesh.tets[self.touched])

    def carried(self, values: np.ndarray) -> np.ndarray:
        """(n, …) values at the vertices after the cut, of those before."""
        carried, moved = np.concatenate([values, values[self.origin[len(values) :]]]), np.flatnonzero(self.moved)
        carried[moved] = self.carried_to(moved, values)
        return carried

    def carried_to(self, some: np.ndarray, values: np.ndarray) -> np.ndarray:
        """(s, …) ``carried`` at some vertices."""
        nodes, weights = self.nodes[some], self.weights[some]
        carried, moved = values[nodes[:, 0]], np.flatnonzero(weights[:, 0] != 1)
        carried[moved] = np.einsum("nk,nk...->n...", weights[moved], values[nodes[moved]])
        return carried


def opened(
    mesh: TetMesh, blade: Blade, x: np.ndarray | None = None, fixed: np.ndarray | None = None,
    share: np.ndarray | None = None,
) -> Opened:  # fmt: skip
    """Cut a mesh whose vertices are at ``x`` (n, 3) [m], by default at rest; ``fixed`` (n,) vertices are not moved.

    Vertices near the blade are moved onto it in the rest shape, or a ``share`` (n,) of the way, and the faces between its sides
    are opened. No tet is made.
    """
    x = mesh.vertices if x is None else x
    where, count = sides(mesh, x, blade), len(mesh.vertices)
    if not len(where.faces):
        return _same(mesh, where, 0)
    tets, origin, where, closed, near = _split(mesh, where)
    if not len(where.faces):
        return _same(mesh, where, closed)
    opening = np.flatnonzero(where.around)
    stays = between_regions(mesh, near, opening)
    snapped = snap(mesh, where.height, opening, stays if fixed is None else stays | fixed[opening], near, share)
    nodes, weights = _unmixed(origin)
    nodes[snapped.moved], weights[snapped.moved] = snapped.nodes, snapped.weights
    away = off_blade(blade, weights, nodes, x, opening)
    vertices = np.empty((len(origin), 3))
    vertices[:count] = mesh.vertices
    vertices[snapped.moved] = snapped.places
    for each in (vertices, nodes, weights):
        each[count:] = each[origin[count:]]
    made, touched = mesh.changed(vertices, tets, _outer(mesh, tets, where), snapped.moved, near)
    return Opened(made, origin, nodes, weights, where.crossed, where.faces, away, closed, where, touched)


def _unmixed(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 4) vertices and weights without interpolation: the first has all weight."""
    nodes, weights = np.empty((len(vertices), 4), int), np.zeros((len(vertices), 4))
    for column in nodes.T:
        column[:] = vertices
    weights[:, 0] = 1.0
    return nodes, weights


def _same(mesh: TetMesh, where: Sides, closed: int) -> Opened:
    """The result for a mesh that stays whole."""
    origin = np.arange(len(mesh.vertices))
    none = np.zeros(0, np.int32)
    return Opened(mesh, origin, *_unmixed(origin), where.crossed, where.faces, 0.0, closed, where, none)


def _outer(mesh: TetMesh, tets: np.ndarray, where: Sides) -> np.ndarray:
    """(f,) outer faces after a cut: the old ones, and both sides of opened faces with a doubled vertex."""
    between, faces = (np.ascontiguousarray(each, np.int32) for each in (where.between, where.faces))
    new, found = np.empty(between.size, np.int64), np.zeros(1, np.int64)
    face_native.parted(mesh.tets, tets, between, faces, len(faces), new, found)
    new = np.sort(new[: found[0]])
    every = np.empty(len(mesh.outer) + len(new), np.int64)
    face_native.merged(mesh.outer, len(mesh.outer), new, len(new), every, found)
    return every[: found[0]]


def _split(mesh: TetMesh, where: Sides) -> tuple[np.ndarray, np.ndarray, Sides, int, np.ndarray]:
    """Open the faces between the sides so that the surface stays manifold; also how many were closed again,
    and (k,) the tets at those that were opened.

    At a non-manifold vertex the side with fewer tets changes sides; elsewhere faces stay closed. Chips of a few
    tets, detached where a blade follows an earlier cut, stay attached.
    """
    closed, turns, count = 0, 0, len(mesh.vertices)
    while True:
        near = where.ring(mesh.tets)
        tets, origin = split(mesh.tets, count, where.faces, where.between[:, 1], near)
        edges, vertices = pinched(tets[near], where.around[origin])
        edges, vertices = origin[edges], np.unique(origin[vertices]) if len(vertices) else vertices
        doubled = np.isin(vertices, origin[count:]) if len(vertices) else np.zeros(0, bool)
        chips = _chips(mesh.tets, tets, near, where.between)
        if turns < TURNS and (doubled.any() or len(chips)):
            where, turns = where.turned(mesh.tets, vertices[doubled], chips), turns + 1
            continue
        if not len(vertices) and not len(edges):
            return tets, origin, where, closed, near
        kept = ~np.isin(where.faces, vertices).any(axis=1)
        for edge in edges:
            kept &= np.isin(where.faces, edge).sum(axis=1) < 2
        if kept.all():
            return tets, origin, where, closed, near
        closed += int((~kept).sum())
        where = replace(where, between=where.between[kept], faces=where.faces[kept])


def _chips(before: np.ndarray, after: np.ndarray, near: np.ndarray, between: np.ndarray) -> np.ndarray:
    """Tets of detached parts with very few tets, from the tets (m, 4) before and after faces ``between`` (b, 2) opened, of
    which those ``near`` (k,) hold all at the faces."""
    around = np.bincount(after[near].ravel())  # tets at each vertex of a part; more where some are not in ``near``
    if (around[after[between.ravel()]] > CHIP).any(axis=1).all():
        return np.zeros(0, int)
    size = [np.bincount(part)[part] for part in (parts(before), parts(after))]
    return np.flatnonzero((size[1] <= CHIP) & (size[0] > CHIP))


def off_blade(blade: Blade, weights: np.ndarray, nodes: np.ndarray, x: np.ndarray, vertices: np.ndarray) -> float:
    """Largest distance of some interpolated vertices from a blade [m]."""
    places = np.einsum("nk,nkc->nc", weights[vertices], x[nodes[vertices]])
    return float(np.abs(blade.distances(places)).max()) if len(vertices) else 0.0
