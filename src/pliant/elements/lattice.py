"""Cubic cells of a regular lattice around a solid: trilinear, integrated over the material part only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from ..errors import InputError, floats, positive
from ..geometry.fragments import (
    CORNERS,
    Fragments,
    classes_of,
    fragments_of,
    sampled_integrals,
    shape_functions,
    shape_gradients,
)
from ..geometry.fragments_refined import refined_fragments
from ..geometry.isosurface import surface
from ..geometry.mesh import TriMesh
from ..geometry.sdf import Sdf
from .base import Elements
from .embedding import Embedding, Trilinear
from .patches import Patches, cut_surface, material_boundary
from .quadrature import Averaged, Moments, Placed, Quadrature

SLIVER = 0.02  # cells filled less than this are dropped (Patterson et al. 2012, §3.1)


class Lattice(Elements):
    """Solid elements on the cells of a lattice that a solid reaches into; no mesh is needed.

    Nodes lie at ``origin`` + ``spacing`` (i, j, k) [m]. The boundary cells are filled in part: their energy is integrated
    by ``quadrature``, their mass exactly. ``volume=Averaged()`` is for nearly incompressible bodies, ``embedding=Tricubic()``
    draws a smoother surface. Anything smaller than a cell may be missed, and parts of the solid that share a cell move as one.
    With ``refine`` = 2 or 4 the solid is looked at with 2³ or 4³ subcells in each cell: thin walls and edges are seen, at no
    cost after setting up.
    """

    fragments: Fragments  # of the cells kept
    placed: Placed  # quadrature points
    lowest: np.ndarray  # (m, 3) position of each cell's corner 0 [m]
    dropped: int  # slivers left out
    slivers: Fragments  # their material
    sliver_lowest: np.ndarray  # (d, 3) position of their corner 0 [m]

    def __init__(
        self,
        shape: Sdf,
        spacing: float,
        quadrature: Quadrature | None = None,
        origin: Sequence[float] | None = None,
        volume: Averaged | None = None,
        embedding: Embedding | None = None,
        refine: int = 1,
    ):
        quadrature = Moments() if quadrature is None else quadrature
        if not isinstance(shape, Sdf):
            raise InputError(f"Lattice needs an Sdf, got {type(shape).__name__}; see sdf_from_mesh() for surfaces")
        if not positive(spacing):
            raise InputError(f"Lattice(spacing={spacing!r}): expected a positive number of metres")
        if not isinstance(quadrature, Quadrature):
            raise InputError(f"Lattice(quadrature={quadrature!r}): expected Moments(), Gauss(), Corners() or Centre()")
        if volume is not None and not isinstance(volume, Averaged):
            raise InputError(f"Lattice(volume={volume!r}): expected Averaged(), or None")
        if embedding is not None and not isinstance(embedding, Embedding):
            raise InputError(f"Lattice(embedding={embedding!r}): expected Trilinear() or Tricubic()")
        start = floats((0.0, 0.0, 0.0) if origin is None else origin)
        if start.shape != (3,) or not np.all(np.isfinite(start)):
            raise InputError(f"Lattice(origin={origin!r}): expected three finite numbers in metres")
        if isinstance(refine, bool) or refine not in (1, 2, 4):
            raise InputError(f"Lattice(refine={refine!r}): expected 1, 2 or 4 subcells along each side of a cell")
        h = float(spacing)
        first, cells, fragments = _cut(shape, h, start, int(refine))
        if quadrature.samples:
            fragments = _sampled(fragments, shape, first + h * cells, h, quadrature.samples)
        kept = fragments.volumes >= SLIVER
        if not kept.any():
            size = shape.bounds[1] - shape.bounds[0]
            raise InputError(
                f"no cell of {h:g} m has a corner inside and is filled by {SLIVER:.0%} of a solid of {size[0]:.3g} × "
                f"{size[1]:.3g} × {size[2]:.3g} m; try spacing={max(0.25 * float(size.min()), 1e-3 * h):.2g}"
            )
        slivers, away = fragments.of(np.flatnonzero(~kept)), first + h * cells[~kept]
        cells, fragments = cells[kept], fragments.of(np.flatnonzero(kept))
        nodes, at = _numbered(cells)
        placed = quadrature.place(fragments)
        rest = first + h * at
        cubes = {"places": 2 * placed.xi - 1, "edges": np.full(len(nodes), h)}
        super().__init__(rest, nodes, shape_gradients(placed.xi) / h, placed.weights * h**3, **cubes)
        known = {
            "shape": shape, "spacing": h, "quadrature": quadrature, "origin": None if origin is None else tuple(start.tolist()),
            "fragments": fragments, "placed": placed, "lowest": rest[nodes[:, 0]], "dropped": int(np.count_nonzero(~kept)),
            "slivers": slivers, "sliver_lowest": away, "volume": volume,
            "embedding": Trilinear() if embedding is None else embedding, "refine": int(refine),
        }  # fmt: skip
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: ∫ ρ N_i over the material, for any quadrature."""
        share = np.broadcast_to(density, self.count)[:, None] * self.fragments.corner_weights * self.spacing**3
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) part of the surface that each node stands for [m²], 0 inside.

        ∫ N_i over the surface in each cell; that of dropped slivers goes to the nearest cell.
        """
        return np.bincount(self.nodes[self.cut.cells].ravel(), self.cut.shares.ravel(), len(self.rest))

    @cached_property
    def cut(self) -> Patches:
        """The surface inside the cells, as triangles that ride on them; loads are spread over it."""
        return cut_surface(self)

    @cached_property
    def boundary(self) -> Patches:
        """The closed surface of the material kept: ``cut``, with faces of cells where slivers were dropped."""
        return material_boundary(self)

    def in_space(self, cells: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """(t, c, 3) positions [m] of points ξ (t, c, 3) in the given cells (t,)."""
        return self.lowest[cells][:, None] + self.spacing * xi

    @cached_property
    def depth(self) -> np.ndarray:
        """(n,) signed distance of each node from the surface, negative inside [m]."""
        return self.shape(self.rest)

    @cached_property
    def surface(self) -> TriMesh:
        """The solid's surface, to be drawn and grabbed [m]."""
        return surface(self.shape, self.spacing)

    def embedded(self, points: np.ndarray, within: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """(s, 8) nodes and trilinear weights of the cell that holds each point, or of the nearest cell where none does.

        Outside its cell a point takes weights below 0, or with ``within`` those of the cell's nearest point.
        """
        cell, xi = self.located(points)
        return self.nodes[cell], shape_functions(np.clip(xi, 0.0, 1.0) if within else xi)

    @cached_property
    def _tree(self) -> cKDTree:
        """The middles of the cells."""
        return cKDTree(self.lowest + 0.5 * self.spacing)

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(s,) the cell that holds each point, or the nearest one, and (s, 3) ξ of the point in it."""
        middle = self.lowest + 0.5 * self.spacing
        few = min(16, self.count)
        near = self._tree.query(points, k=few)[1].reshape(len(points), few)
        away = np.maximum(np.abs(points[:, None] - middle[near]) - 0.5 * self.spacing, 0.0)
        cell = near[np.arange(len(points)), np.argmin(np.linalg.norm(away, axis=2), axis=1)]
        return cell, (points - self.lowest[cell]) / self.spacing


def _cut(shape: Sdf, h: float, origin: np.ndarray, refine: int) -> tuple[np.ndarray, np.ndarray, Fragments]:
    """Position of corner 0 of cell (0, 0, 0) [m], (m, 3) the cells with material, none below 0, and their fragments."""
    if refine > 1:
        cells, fragments = refined_fragments(shape, h, origin, refine)
        least = cells.min(axis=0) if len(cells) else np.zeros(3, int)
        return origin + h * least, cells - least, fragments
    classes = classes_of(shape, h, origin)
    cells = classes.active_cells
    return classes.origin, cells, fragments_of(classes.values(cells))


def _numbered(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 8) node numbers of the corners of cells, x fastest, and (n, 3) the lattice index of each node."""
    corners = (cells[:, None] + CORNERS).reshape(-1, 3)
    size = corners.max(axis=0) + 1
    flat = (corners[:, 2] * size[1] + corners[:, 1]) * size[0] + corners[:, 0]
    used, number = np.unique(flat, return_inverse=True)
    at = np.stack([used % size[0], used // size[0] % size[1], used // (size[0] * size[1])], axis=1)
    return number.reshape(-1, 8).astype(np.int32), at


def _sampled(fragments: Fragments, shape: Sdf, lowest: np.ndarray, h: float, samples: int) -> Fragments:
    """The same cells with the integrals of the solid itself by Monte Carlo: it need not be straight inside a cell."""
    xi = np.random.default_rng(0).random((samples, 3))
    near = np.flatnonzero(shape(lowest + 0.5 * h) > -0.5 * np.sqrt(3.0) * h)  # the others are filled for certain
    integrals = fragments.integrals.copy()
    for part in np.array_split(near, max(1, len(near) * samples // 4_000_000)):
        points = (lowest[part][:, None] + h * xi).reshape(-1, 3)
        inside = shape(points).reshape(len(part), samples) <= 0
        hollow = ~(inside.all(axis=1) & fragments.whole[part])
        integrals[part[hollow]] = sampled_integrals(inside[hollow], xi)
    return replace(fragments, integrals=integrals)
