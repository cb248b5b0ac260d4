"""The surface of a lattice body as triangles, each in one cell: what loads, pressure and clamps are integrated over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..geometry.fragments import CORNERS, shape_functions, triangle_weights
from ..geometry.fragments_faces import FACES, outer_faces
from .quadrature import Corners

if TYPE_CHECKING:
    from .lattice import Lattice


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


def cut_surface(lattice: Lattice) -> Patches:
    """The cut surface itself; that of dropped slivers hangs on the nearest cells."""
    own, lost = lattice.fragments, lattice.slivers
    corners, shares = lattice.in_space(own.owner, own.triangles), triangle_weights(own.triangles) * lattice.spacing**2
    away = lattice.sliver_lowest[lost.owner][:, None] + lattice.spacing * lost.triangles
    cells, xi = lattice.located(away.mean(axis=1))
    xi = np.clip(xi, 0.0, 1.0)
    area = 0.5 * np.linalg.norm(np.cross(away[:, 1] - away[:, 0], away[:, 2] - away[:, 0]), axis=1)
    shares = np.concatenate([shares, area[:, None] * shape_functions(xi)])
    corners = np.concatenate([corners, away])
    return Patches(corners, np.concatenate([own.owner, cells]), shares, corners.mean(axis=1))


def material_boundary(lattice: Lattice) -> Patches:
    """The closed surface of the material in the cells kept: the cut surface in them, and the faces they share with slivers.

    A face to a sliver is asked for at the middle of the surface in that sliver.
    """
    own, lost, h = lattice.fragments, lattice.slivers, lattice.spacing
    corners = lattice.in_space(own.owner, own.triangles)
    sliver, face, xi = outer_faces(lost)
    there = np.rint((lattice.lowest - lattice.lowest[0]) / h).astype(int)
    across = np.rint((lattice.sliver_lowest - lattice.lowest[0]) / h).astype(int)[sliver] + FACES[face]
    cells = _row_numbers(there, across)
    kept = cells >= 0
    sliver, cells = sliver[kept], cells[kept]
    closing = (lattice.sliver_lowest[sliver][:, None] + h * xi[kept])[:, [0, 2, 1]]  # outward for the neighbour
    size = np.linalg.norm(lost.area_vectors, axis=1)
    middle = np.stack([np.bincount(lost.owner, size * x, len(lost.values)) for x in lost.triangles.mean(axis=1).T], axis=1)
    middle = middle / np.maximum(np.bincount(lost.owner, size, len(lost.values)), 1e-300)[:, None]
    every = np.concatenate([own.owner, cells])
    inside = np.concatenate([own.triangles, (closing - lattice.lowest[cells][:, None]) / h])
    return Patches(
        np.concatenate([corners, closing]),
        every,
        triangle_weights(inside) * h**2,
        np.concatenate([corners.mean(axis=1), (lattice.sliver_lowest + h * middle)[sliver]]),
    )


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """q quadrature points on each of m parts of the surface, a part being in one cell."""

    cells: np.ndarray  # (m,)
    xi: np.ndarray  # (m, q, 3) in the cell's coordinates
    positions: np.ndarray  # (m, q, 3) [m]
    area_vectors: np.ndarray  # (m, q, 3) outward, to weigh tractions with [m²]
    areas: np.ndarray  # (m, q) to weigh scalars with [m²]


# six points on a triangle, exact to degree four (Cowper 1973): barycentric places and weights
_A, _B, _WA = 0.44594849091596488632, 0.09157621350977074346, 0.22338158967801146570
_PLACES = np.array([np.roll([1 - 2 * c, c, c], i) for c in (_A, _B) for i in range(3)])
_WEIGHTS = np.repeat([_WA, 1 / 3 - _WA], 3)


def surface_points(lattice: Lattice, chosen: np.ndarray) -> SurfacePoints:
    """Points on the chosen triangles of ``lattice.boundary``: six on each; for Corners() the corners of each cell.

    At the corners a cell's surface counts with ∫ N_i and ∫ N_i n (Weiß 2018, §4.4.1.3).
    """
    surface, h = lattice.boundary, lattice.spacing
    cells, vectors = surface.cells[chosen], surface.area_vectors[chosen]
    if not isinstance(lattice.quadrature, Corners):
        positions = np.einsum("gk,tkc->tgc", _PLACES, surface.corners[chosen])
        xi = (positions - lattice.lowest[cells][:, None]) / h
        areas = surface.areas[chosen][:, None] * _WEIGHTS
        return SurfacePoints(cells, xi, positions, vectors[:, None] * _WEIGHTS[:, None], areas)
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
