"""Lattice of cubic cells around a solid, cut at its surface."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError, PliantWarning
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.fragment_refinement import refined_fragments
from ...geometry.lattice.fragment_survey import Survey, surveyed
from ...geometry.lattice.fragments import CORNERS, Fragments, fragments_of, sampled_integrals, shape_gradients
from ...geometry.mesh.mesh import TriMesh
from ...geometry.tetrahedra.isosurface import contact_surface, surface
from ..base import Made
from ..embedded_surface import Binding, Mixture, facing_areas, nearby
from ..inlay import Inlay, in_lattice
from ..quadrature import Averaged, Moments, Placed, Quadrature
from .lattice_cells import Cells
from .lattice_embedding import Embedding, Trilinear
from .surface_patches import Patches, SurfacePoints, cut_surface, material_boundary, surface_points

DRAWN = 100_000  # squares of subcells on the surface above which it is drawn more coarsely
KEPT = 0.97  # share of the solid's volume below which a lattice warns
SLIVER = 0.02  # cells filled less than this are dropped (Patterson et al. 2012, §3.1)


@dataclass(frozen=True, eq=False)
class Lattice(Made):
    """Solid elements on the cells of a lattice that a solid reaches into; no mesh is needed.

    Nodes lie at ``origin`` + ``spacing`` (i, j, k) [m]. The boundary cells are filled in part: their energy is
    integrated by ``quadrature``, their mass exactly. ``volume=Averaged()`` is for nearly incompressible bodies,
    ``embedding=Tricubic()`` draws a smoother surface. Parts of the solid that share a cell move as one. ``refine`` is
    how many subcells the solid is looked at with along each side of a cell, 1, 2 or 4: more cost time at setting up,
    and nothing after. None takes as many as the solid's own volume and its thin parts ask for; what is still lost is
    said in a warning.
    """

    shape: Sdf
    spacing: float
    quadrature: Quadrature = None
    origin: Vector | None = None
    volume: Averaged | None = None
    embedding: Embedding = None
    refine: int | None = None
    refinement: int = field(init=False, repr=False)  # subcells along each side of a cell that were taken
    kept: float = field(init=False, repr=False)  # volume of the cells kept, over that of the solid
    fragments: Fragments = field(init=False, repr=False)  # of the cells kept
    placed: Placed = field(init=False, repr=False)  # quadrature points
    lowest: np.ndarray = field(init=False, repr=False)  # (m, 3) position of each cell's corner 0 [m]
    dropped: int = field(init=False, repr=False)  # slivers left out
    slivers: Fragments = field(init=False, repr=False)  # their material
    sliver_lowest: np.ndarray = field(init=False, repr=False)  # (d, 3) position of their corner 0 [m]

    has_inside = True
    has_cut = True
    pressed_inside = True

    def __post_init__(self):
        quadrature = Moments() if self.quadrature is None else self.quadrature
        embedding = Trilinear() if self.embedding is None else self.embedding
        start = _checked(self, quadrature, embedding)
        shape, h = self.shape, float(self.spacing)
        survey = surveyed(shape, h, start)
        refine = survey.refinement() if self.refine is None else int(self.refine)
        first, cells, fragments = _cut(survey, refine, bool(quadrature.samples))
        if quadrature.samples:
            fragments = _sampled(fragments, shape, first + h * cells, h, quadrature.samples)
        kept = fragments.volumes >= SLIVER
        if not kept.any():
            size = shape.bounds[1] - shape.bounds[0]
            raise InputError(
                f"no cell of {h:g} m is filled by {SLIVER:.0%} of a solid of {size[0]:.3g} × {size[1]:.3g} × "
                f"{size[2]:.3g} m; "
                f"try spacing={max(0.25 * float(size.min()), 1e-3 * h):.2g}"
            )
        slivers, away = fragments.of(np.flatnonzero(~kept)), first + h * cells[~kept]
        cells, fragments = cells[kept], fragments.of(np.flatnonzero(kept))
        nodes, at = _numbered(cells)
        placed = quadrature.place(fragments)
        rest = first + h * at
        self._derive(rest=rest, nodes=nodes, gradients=shape_gradients(placed.xi) / h, weights=placed.weights * h**3)
        self._derive(places=2 * placed.xi - 1, edges=np.full(len(nodes), h))
        self._derive(quadrature=quadrature, embedding=embedding, spacing=h, refinement=refine)
        self._derive(origin=None if self.origin is None else tuple(start.tolist()))
        self._derive(fragments=fragments, placed=placed, lowest=rest[nodes[:, 0]], slivers=slivers, sliver_lowest=away)
        self._derive(dropped=int(np.count_nonzero(~kept)), kept=_kept(fragments, survey))
        super().__post_init__()
        if self.kept < KEPT:
            warnings.warn(_lost(self), PliantWarning, stacklevel=4)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: ∫ ρ N_i over the material, for any quadrature."""
        share = np.broadcast_to(density, self.count)[:, None] * self.fragments.corner_weights * self.spacing**3
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        return (gradient[self.nodes] * self.fragments.corner_weights).sum(axis=1) * self.spacing**3

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) part of the surface that each node stands for [m²], 0 inside.

        ∫ N_i over the surface in each cell; that of dropped slivers goes to the nearest cell.
        """
        return np.bincount(self.nodes[self.cut.cells].ravel(), self.cut.shares.ravel(), len(self.rest))

    @cached_property
    def cells(self) -> Cells:
        """Its cells as places for points."""
        return Cells(self.nodes, self.lowest, self.spacing, len(self.rest))

    @cached_property
    def cut(self) -> Patches:
        """The surface inside the cells, as triangles that ride on them; loads are spread over it."""
        return cut_surface(self.cells, self.fragments, self.slivers, self.sliver_lowest)

    @cached_property
    def boundary(self) -> Patches:
        """The closed surface of the material kept: ``cut``, with faces of cells where slivers were dropped."""
        return material_boundary(self.cells, self.fragments, self.slivers, self.sliver_lowest)

    def boundary_points(self, chosen: np.ndarray) -> SurfacePoints:
        """Quadrature points on the chosen triangles of ``boundary``."""
        return surface_points(self.boundary, self.cells, chosen, self.quadrature.at_corners)

    @property
    def locks_from(self) -> float | None:
        """On bars four cells across: each point must keep its volume, unless the mean does, or there is but one."""
        return None if self.volume is not None or self.stabilised else 0.46

    @property
    def stabilised(self) -> bool:
        return self.quadrature.stabilised

    def load_places(self) -> tuple[np.ndarray, str]:
        return self.cut.centres, "triangle of the surface"

    def clamp_places(self) -> tuple[np.ndarray, str]:
        return self.boundary.centres, "triangle of the surface"

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        """Nodes and ∫ N_i of the chosen triangles of the cut surface [m²]."""
        return self.nodes[self.cut.cells[chosen]], self.cut.shares[chosen]

    @cached_property
    def outline(self) -> Binding:
        """Where it touches others: the vertices and faces of ``contact_surface``."""
        mesh = self.contact_surface
        return replace(self.bind(mesh), lengths=facing_areas(mesh.triangles, mesh.vertices) / self.spacing)

    @cached_property
    def contact_surface(self) -> TriMesh:
        """The closed surface that touches others [m], of triangles about as large as the cells."""
        return contact_surface(self.shape, self.spacing, float(self.volumes.sum()) / self.kept, self.cut.centres)

    @cached_property
    def widths(self) -> np.ndarray:
        return np.full(len(self.rest), self.spacing)

    @cached_property
    def depth(self) -> np.ndarray:
        """(n,) signed distance of each node from the surface, negative inside [m]."""
        return self.shape(self.rest)

    @cached_property
    def surface(self) -> TriMesh:
        """The solid's surface, to draw and to grab [m]; as fine as the subcells, if that is not too fine to draw."""
        parts = self.refinement
        while parts > 1 and self.cut.areas.sum() * (parts / self.spacing) ** 2 > DRAWN:
            parts //= 2
        return surface(self.shape, self.spacing / parts)

    def embedded(self, points: np.ndarray, within: bool = False) -> Mixture:
        """(s, 8) nodes and trilinear weights of the cell that holds each point, or of the nearest cell where none does.

        Outside its cell a point takes weights below 0, or with ``within`` those of the cell's nearest point.
        """
        return self.cells.embedded(points, within)

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(s,) the cell that holds each point, or the nearest one, and (s, 3) ξ of the point in it."""
        return self.cells.located(points)

    def locate(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return *self.embedded(points), self.cells.distances(points)

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        nearby(points, self.shape(points), 0.5 * self.spacing, what, "half a cell")
        return self.embedded(points)

    def inlaid(self, shape: Sdf) -> Inlay | None:
        return in_lattice(self, shape)

    def grip(self, nodes: np.ndarray, weights: np.ndarray) -> Mixture:
        """At most the eight nodes of a cell, however wide the embedding."""
        if len(nodes) <= 8:
            return nodes, weights
        nodes, weights = self.embedded((weights @ self.rest[nodes])[None])
        return nodes[0], weights[0]

    def bind(self, mesh: TriMesh) -> Binding:
        self._near(mesh)
        return super().bind(mesh)

    def _near(self, mesh: TriMesh) -> None:
        away = self.cells.distances(mesh.vertices)
        nearby(mesh.vertices, away, self.spacing, "surface of a lattice", "a cell")

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        mesh = self.surface if mesh is None else mesh
        self._near(mesh)
        return self._bound(mesh, *self.embedding.mixtures(self.cells, mesh.vertices))


def _checked(lattice: Lattice, quadrature: Quadrature, embedding: Embedding) -> np.ndarray:
    """(3,) where the lattice begins [m]; arguments that do not fit are refused."""
    shape, spacing, volume, origin, refine = (
        getattr(lattice, name) for name in ("shape", "spacing", "volume", "origin", "refine")
    )
    if not isinstance(shape, Sdf):
        raise InputError(f"Lattice needs an Sdf, got {type(shape).__name__}; see sdf.from_mesh() for surfaces")
    checks.length("Lattice(spacing=…)", spacing)
    if not isinstance(quadrature, Quadrature):
        raise InputError(f"Lattice(quadrature={quadrature!r}): expected Moments(), Gauss(), Corners() or Centre()")
    if volume is not None and not isinstance(volume, Averaged):
        raise InputError(f"Lattice(volume={volume!r}): expected Averaged(), or None")
    if not isinstance(embedding, Embedding):
        raise InputError(f"Lattice(embedding={embedding!r}): expected Trilinear() or Tricubic()")
    start = checks.floats((0.0, 0.0, 0.0) if origin is None else origin)
    if start.shape != (3,) or not np.all(np.isfinite(start)):
        raise InputError(f"Lattice(origin={origin!r}): expected three finite numbers in metres")
    if isinstance(refine, bool) or not (refine is None or (isinstance(refine, int) and refine in (1, 2, 4))):
        raise InputError(f"Lattice(refine={refine!r}): expected 1, 2 or 4 subcells along each side of a cell, or None to choose")
    return start


def _kept(fragments: Fragments, survey: Survey) -> float:
    """Volume of the cells over that of the solid, which is measured more closely where much seems to be lost."""
    volume = float(fragments.volumes.sum())
    kept = volume / survey.volume
    return kept if kept > KEPT + 0.01 else volume / survey.closer_volume()


def _lost(lattice: Lattice) -> str:
    """What a lattice that keeps too little of its solid says."""
    finer = "refine=None or 4, or " if lattice.refinement < 4 else ""
    return (
        f"Lattice(spacing={lattice.spacing:g}) keeps {lattice.kept:.1%} of the solid's volume: parts thinner than a "
        f"cell are lost; expected {KEPT:.0%} at least: take {finer}a smaller spacing"
    )


def _cut(survey: Survey, refine: int, every: bool) -> tuple[np.ndarray, np.ndarray, Fragments]:
    """Position of corner 0 of cell (0, 0, 0) [m], (m, 3) the cells with material, none below 0, and their fragments."""
    if refine > 1 or every:
        cells, fragments = refined_fragments(survey, refine, every)
        least = cells.min(axis=0) if len(cells) else np.zeros(3, int)
        return survey.origin + survey.spacing * least, cells - least, fragments
    classes = survey.classes
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
