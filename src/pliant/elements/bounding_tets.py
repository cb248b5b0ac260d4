"""Bounding tets around a detailed surface that is embedded in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ..arguments import checks
from ..arguments.typing_fields import Vector
from ..errors import InputError
from ..geometry.mesh.embedded_surface import HeldSurface
from ..geometry.mesh.mesh import TriMesh, edges_of, unique_rows
from ..geometry.mesh.surface_partition import Partition, partition
from ..geometry.tetrahedra.bounding_mesh import enclosed
from .embedded_surface import NONE, Binding, Mixture, nearby
from .tets import Tets

LEAST = 0.05  # share of its volume by which a tet resists at least, however little of it is filled
LIGHT = 1e-6  # share of a tet's volume that falls to each of its nodes at least: lighter ones would swing too fast
MOST_CELLS = 64
NEAREST = 8  # vertices of the surface whose tets are tried first for a point
ROUNDS = 50  # in which vertices may take over the tets of their neighbours


@dataclass(frozen=True, eq=False)
class BoundingTets(Tets):
    """Tets around a surface that is drawn, grabbed and touched in their place; ``bounding_tets`` makes them.

    Each vertex of the surface lies in the tet that holds it. ``moments`` (m, 4) are ∫ N_i over what is filled of each tet
    [m³]: nodes have these masses, none of them less than a millionth of a tet, and the energy of a tet is that of its filled
    volume, though never less than a twentieth of the whole. ``touching`` meets others in place of the surface.
    """

    surface: HeldSurface
    moments: np.ndarray = field(repr=False)
    touching: HeldSurface | None = None

    has_inside = keeps_rows = False
    pressed_inside = True

    def _arrays(self) -> None:
        surface = checks.instance("surface of BoundingTets", self.surface, HeldSurface, "the surface of bounding_tets(…)")
        super()._arrays()
        moments = checks.floats(self.moments)
        if moments.shape != self.nodes.shape or not np.all(np.isfinite(moments)):
            raise InputError(
                f"BoundingTets(moments=…) has shape {moments.shape}; expected {self.nodes.shape}, four numbers for each tet"
            )
        if surface.holders.min(initial=0) < 0 or surface.holders.max(initial=0) >= self.count:
            raise InputError(f"BoundingTets(surface=…): a vertex is held by no tet of {self.count}")
        if self.touching is not None:
            checks.instance("touching of BoundingTets", self.touching, HeldSurface, "that of bounding_tets(…), or None")
        self._derive(weights=np.maximum(moments.sum(axis=1), LEAST * self.mesh.volumes)[:, None])

    @property
    def ratio(self) -> float:
        """Volume of the tets over that inside the surface."""
        return float(self.mesh.volume / self.moments.sum())

    @cached_property
    def volumes(self) -> np.ndarray:
        """(m,) filled volume of each tet [m³]."""
        return self._shares.sum(axis=1)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: ∫ ρ N_i over what is filled."""
        share = np.broadcast_to(density, self.count)[:, None] * self._shares
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        return (gradient[self.nodes] * self._shares).sum(axis=1)

    @cached_property
    def _shares(self) -> np.ndarray:
        """(m, 4) volumes that fall to the nodes: the moments, none too small, and together what is filled."""
        shares = np.maximum(self.moments, LIGHT * self.mesh.volumes[:, None])
        return shares * (self.moments.sum() / shares.sum())

    @cached_property
    def cut(self) -> Partition:
        """What meets others, cut along the tets; copies in other places share it."""
        return self._alike.cut if hasattr(self, "_alike") else partition(self.touching or self.surface, self.mesh)

    def translated(self, offset: Vector) -> BoundingTets:
        """A copy moved by ``offset`` [m], which takes no time: nothing is fitted anew."""
        return self._placed(lambda mesh: mesh.translated(offset))

    def rotated(self, axis: Vector, degrees: float) -> BoundingTets:
        """A copy turned about an axis through the origin."""
        return self._placed(lambda mesh: mesh.rotated(axis, degrees))

    def _placed(self, move: Callable[[Any], Any]) -> BoundingTets:
        touching = None if self.touching is None else move(self.touching)
        other = replace(self, mesh=move(self.mesh), surface=move(self.surface), touching=touching)
        object.__setattr__(other, "_alike", self)
        return other

    @property
    def surface_faces(self) -> np.ndarray:
        """None: its surface is carried, and runs through its elements."""
        return NONE

    def _candidates(self, points: np.ndarray) -> np.ndarray:
        """First the tets that hold what of the surface is nearest: of those in one place, the others hold other parts."""
        near = cKDTree(self.surface.vertices).query(points, k=min(NEAREST, len(self.surface.vertices)))[1]
        return np.column_stack([self.surface.holders[near.reshape(len(points), -1)], super()._candidates(points)])

    @cached_property
    def outline(self) -> Binding:
        """The vertices that touch others: those of the surface, or of the simpler one that is there for this."""
        return self.riding if self.touching is None else self.bind(self.touching)

    @cached_property
    def riding(self) -> Binding:
        """The vertices of the surface."""
        return self.bind(self.surface)

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) part of the surface that each node stands for [m²]."""
        bound = self.riding
        return np.bincount(bound.nodes.ravel(), (bound.areas[:, None] * bound.weights).ravel(), len(self.rest))

    def load_places(self) -> tuple[np.ndarray, str]:
        return self.surface.vertices[self.surface.triangles].mean(axis=1), "triangle of the surface"

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        """(f, 12) nodes that carry the corners of the chosen triangles, and the area that falls to each [m²]."""
        corners, bound = self.surface.triangles[chosen], self.riding
        share = bound.weights[corners] * (self.surface.areas[chosen] / 3)[:, None, None]
        return bound.nodes[corners].reshape(len(corners), -1), share.reshape(len(corners), -1)

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return self.riding if mesh is None else self.bind(mesh)


def bounding_tets(surface: TriMesh, cells: int = 6, fit: int = 5, touching: TriMesh | None = None) -> BoundingTets:
    """Coarse tets strictly around a closed surface, which rides on them: a shape for ``Body``.

    Each vertex lies inside the tet that holds it and each triangle within the tets, which is checked. Parts that the surface
    keeps apart stay apart: a tet that holds two is there twice. Mass and stiffness follow what is filled of each tet, so that
    the body weighs what the surface encloses. Where a surface runs through itself, what it holds twice counts twice.

    Args:
        surface: closed, its triangles counter-clockwise seen from outside [m].
        cells: cubes along its longest side, 1 to 64; each is cut into five tets.
        fit: rounds in which the boundary of the tets is drawn in towards the surface, 0 to 50.
        touching: a simpler surface of the same solid that meets obstacles and other bodies in its place, which saves most of
            the time of a step; its vertices must lie in the tets, or hardly outside.
    """
    checks.instance("bounding_tets(surface=…)", surface, TriMesh, "a TriMesh, the closed surface of a solid")
    cells = checks.whole("bounding_tets(cells=…)", cells, 1, MOST_CELLS)
    fit = checks.whole("bounding_tets(fit=…)", fit, 0, 50)
    if touching is not None:
        checks.instance("bounding_tets(touching=…)", touching, TriMesh, "a TriMesh, a simpler surface of the same solid")
    found = enclosed(surface, cells, fit)
    tets = BoundingTets(found.mesh, found.surface, found.moments)
    if touching is None:
        return tets
    nodes, _, away = tets.locate(touching.vertices)
    nearby(touching.vertices, away, 0.25 * tets._edges_of(nodes), "bounding_tets(touching=…)", "a quarter of a tet's edge")
    return replace(tets, touching=_agreed(tets.held(touching), tets))


def _agreed(held: HeldSurface, tets: BoundingTets) -> HeldSurface:
    """The same with vertices in tets of one place held by that which hangs together best with the tets of their neighbours.

    What is nearest may be another part of the body, and a triangle with corners in both would be cut twice.
    """
    corners = tets.mesh.vertices[tets.mesh.tets].mean(axis=1)
    place = unique_rows(np.round(corners / (1e-6 * np.ptp(tets.mesh.vertices))).astype(np.int64))[1]
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(place.max() + 2))
    holders = held.holders.copy()
    doubtful = np.flatnonzero((np.diff(starts) > 1)[place[holders]])
    if not len(doubtful):
        return held
    edges = edges_of(held.triangles)
    pairs = np.concatenate([edges, edges[:, ::-1]])
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    first = np.searchsorted(pairs[:, 0], np.arange(len(held.vertices) + 1))
    for _ in range(ROUNDS):
        before = holders.copy()
        for v in doubtful:
            here = place[holders[v]]
            choices = order[starts[here] : starts[here + 1]]
            around = tets.mesh.tets[holders[pairs[first[v] : first[v + 1], 1]]]
            shared = [np.isin(around, tets.mesh.tets[tet]).sum() for tet in choices]
            best = choices[int(np.argmax(shared))]
            if max(shared) > shared[list(choices).index(holders[v])]:
                holders[v] = best
        if np.array_equal(holders, before):
            break
    return replace(held, holders=holders)
