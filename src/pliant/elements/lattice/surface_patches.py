"""Surface patches of a lattice body, for loads and holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.lattice.fragment_faces import FACES, outer_faces
from ...geometry.lattice.fragments import CORNERS, Fragments, shape_functions, triangle_weights
from ...geometry.mesh.tet10 import FACE_POINTS, FACE_WEIGHTS
from .lattice_cells import Cells


@dataclass(frozen=True, eq=False)
class Patches:
    """t triangles, counter-clockwise from outside. Conditions on the surface are asked about ``centres``."""

    corners: np.ndarray  # (t, 3, 3) [m]
    cells: np.ndarray  # (t,) the cell that each hangs on
    shares: np.ndarray  # (t, 8) ∫ N_i over the triangle [m²], for the nodes of its cell
    centres: np.ndarray  # (t, 3) [m]

    @cached_property
    def area_vectors(self) -> np.ndarray:
        """(t, 3) outward normal times area [m²]."""
        p = self.corners
        return 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])

    @cached_property
    def areas(self) -> np.ndarray:
        """(t,) [m²]."""
        return np.linalg.norm(self.area_vectors, axis=1)


def cut_surface(lattice: Cells, own: Fragments, lost: Fragments, lost_lowest: np.ndarray) -> Patches:
    """The cut surface of fragments ``own`` of the cells; that of slivers ``lost``, dropped, hangs on the nearest cells.

    ``lost_lowest`` (d, 3) is where the slivers' cells begin [m].
    """
    corners, shares = lattice.in_space(own.owner, own.triangles), triangle_weights(own.triangles) * lattice.spacing**2
    away = lost_lowest[lost.owner][:, None] + lattice.spacing * lost.triangles
    cells, xi = lattice.located(away.mean(axis=1))
    xi = np.clip(xi, 0.0, 1.0)
    area = 0.5 * np.linalg.norm(np.cross(away[:, 1] - away[:, 0], away[:, 2] - away[:, 0]), axis=1)
    shares = np.concatenate([shares, area[:, None] * shape_functions(xi)])
    corners = np.concatenate([corners, away])
    return Patches(corners, np.concatenate([own.owner, cells]), shares, corners.mean(axis=1))


def material_boundary(lattice: Cells, own: Fragments, lost: Fragments, lost_lowest: np.ndarray) -> Patches:
    """The closed surface of the material in the kept cells: the cut surface in them, and faces shared with slivers.

    A face to a sliver is asked for at the middle of the surface in that sliver.
    """
    h = lattice.spacing
    corners = lattice.in_space(own.owner, own.triangles)
    sliver, face, xi = outer_faces(lost)
    there = np.rint((lattice.lowest - lattice.lowest[0]) / h).astype(int)
    across = np.rint((lost_lowest - lattice.lowest[0]) / h).astype(int)[sliver] + FACES[face]
    cells = _row_numbers(there, across)
    kept = cells >= 0
    sliver, cells = sliver[kept], cells[kept]
    closing = (lost_lowest[sliver][:, None] + h * xi[kept])[:, [0, 2, 1]]  # outward for the neighbour
    size = np.linalg.norm(lost.area_vectors, axis=1)
    middle = np.stack([np.bincount(lost.owner, size * x, len(lost.values)) for x in lost.triangles.mean(axis=1).T], axis=1)
    middle = middle / np.maximum(np.bincount(lost.owner, size, len(lost.values)), 1e-300)[:, None]
    every = np.concatenate([own.owner, cells])
    inside = np.concatenate([own.triangles, (closing - lattice.lowest[cells][:, None]) / h])
    return Patches(
        np.concatenate([corners, closing]),
        every,
        triangle_weights(inside) * h**2,
        np.concatenate([corners.mean(axis=1), (lost_lowest + h * middle)[sliver]]),
    )


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """q quadrature points on each of m parts of the surface, a part being in one cell."""

    cells: np.ndarray  # (m,)
    xi: np.ndarray  # (m, q, 3) in the cell's coordinates
    positions: np.ndarray  # (m, q, 3) [m]
    area_vectors: np.ndarray  # (m, q, 3) outward, to weigh tractions with [m²]
    areas: np.ndarray  # (m, q) to weigh scalars with [m²]


def surface_points(surface: Patches, lattice: Cells, chosen: np.ndarray, at_corners: bool) -> SurfacePoints:
    """Points on the chosen triangles of a closed surface: six on each, or ``at_corners`` of each cell.

    At the corners a cell's surface counts with ∫ N_i and ∫ N_i n (Weiß 2018, §4.4.1.3).
    """
    h = lattice.spacing
    cells, vectors = surface.cells[chosen], surface.area_vectors[chosen]
    if not at_corners:
        positions = np.einsum("gk,tkc->tgc", FACE_POINTS, surface.corners[chosen])
        xi = (positions - lattice.lowest[cells][:, None]) / h
        areas = surface.areas[chosen][:, None] * FACE_WEIGHTS
        return SurfacePoints(cells, xi, positions, vectors[:, None] * FACE_WEIGHTS[:, None], areas)
    normal = vectors / np.maximum(surface.areas[chosen], 1e-300)[:, None]
    cells, owner = np.unique(cells, return_inverse=True)
    areas, totals = np.zeros((len(cells), 8)), np.zeros((len(cells), 8, 3))
    np.add.at(areas, owner, surface.shares[chosen])
    np.add.at(totals, owner, surface.shares[chosen][:, :, None] * normal[:, None])
    xi = np.broadcast_to(CORNERS.astype(float), (len(cells), 8, 3))
    return SurfacePoints(cells, xi, lattice.in_space(cells, xi), totals, areas)


def _row_numbers(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Number of each row in a table of different whole-number rows, −1 where it is not there."""
    both = np.concatenate([table, rows])
    low = both.min(axis=0)
    flat = np.ravel_multi_index((both - low).T, both.max(axis=0) - low + 1)
    known, wanted = flat[: len(table)], flat[len(table) :]
    order = np.argsort(known)
    at = order[np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)]
    return np.where(known[at] == wanted, at, -1)
