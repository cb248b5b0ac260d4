"""Linear tetrahedra: constant F, one quadrature point."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from .. import checks
from ..errors import InputError, first_few
from ..geometry.distance import MeshDistance
from ..geometry.held import HeldSurface
from ..geometry.mesh import TetMesh, TriMesh
from ..geometry.near import tet_gradients
from ..geometry.sdf import Sdf
from .base import Made
from .inlay import Inlay, in_tets
from .surface import Binding, Mixture, nearby

CANDIDATES = 24  # tets that are tried for each point


@dataclass(frozen=True, eq=False)
class OfSome:
    """Values (m, …) in an array that nobody writes on, but of some rows others."""

    first: np.ndarray
    number: np.ndarray | None = None  # (m,) of each row among the others, −1 where it is the first
    others: np.ndarray | None = None

    def with_rows(self, rows: np.ndarray, values: np.ndarray) -> OfSome:
        """The same with other values (k, …) of some rows."""
        if self.number is None or len(self.others) + len(rows) > len(self.first) // 4:
            number, others, first = np.full(len(self.first), -1, np.int32), values, self.every()
        else:
            number, others, first = self.number.copy(), np.concatenate([self.others, values]), self.first
        number[rows] = len(others) - len(rows) + np.arange(len(rows))
        return OfSome(first, number, others)

    def at(self, rows: np.ndarray) -> np.ndarray:
        """Values of some rows."""
        values = self.first[rows]
        if self.number is not None:
            number = self.number[rows]
            own = number >= 0
            values[own] = self.others[number[own]]
        return values

    def every(self) -> np.ndarray:
        return self.first if self.number is None else self.at(np.arange(len(self.first)))


@dataclass(frozen=True, eq=False)
class Tets(Made):
    """Solid elements from a TetMesh. Inverted or flat tets are refused, never dropped."""

    mesh: TetMesh

    has_inside = True
    found_from = -1e-12  # least barycentric coordinate of a point from which no other tet is tried
    locks_from = 0.48  # on bars four tets across; each must keep its volume, and few shapes do

    def __post_init__(self):
        self._arrays()
        super().__post_init__()

    def _arrays(self) -> None:
        mesh = checks.instance("mesh of Tets", self.mesh, TetMesh, "a TetMesh; see tetrahedralise() for surfaces")
        if mesh.middles is not None:
            raise InputError(
                "Tets have four nodes each, those of this mesh ten; use QuadraticTets(mesh) or mesh.linear()"
            )
        bad = np.flatnonzero(mesh.volumes <= 0)
        if len(bad):
            raise InputError(
                f"{len(bad)} of {len(mesh.tets)} tets are inverted or flat, first at {first_few(bad)}; "
                "swap two vertices of each inverted one, and remove the flat ones"
            )
        gradients = tet_gradients(mesh.vertices, mesh.tets)
        self._derive(rest=mesh.vertices, nodes=mesh.tets, gradients=gradients, weights=mesh.volumes[:, None])

    def changed(self, mesh: TetMesh, touched: np.ndarray, gradients: np.ndarray) -> Tets:
        """The same tets on a mesh in which only some (k,) have another shape, with the ``gradients`` (k, 1, 4, 3) of these; the
        others are not computed again, and all are put together when somebody asks for them."""
        other = object.__new__(Tets)
        for each in fields(self):
            if each.name != "gradients":
                object.__setattr__(other, each.name, getattr(self, each.name))
        object.__setattr__(other, "mesh", mesh)
        other._derive(rest=mesh.vertices, nodes=mesh.tets, weights=mesh.volumes[:, None])
        other.__dict__.update(volumes=mesh.volumes, _own=self._of_some.with_rows(touched, gradients))
        return other

    @property
    def _of_some(self) -> OfSome:
        """Gradients of before cuts, and those of tets that have another shape since."""
        return self.__dict__.get("_own") or OfSome(self.gradients)

    def __getattr__(self, name: str) -> Any:
        if name != "gradients" or "_own" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self.__dict__.setdefault("gradients", self._own.every())

    def gradients_at(self, rows: np.ndarray) -> np.ndarray:
        return self.gradients[rows] if "gradients" in self.__dict__ else self._own.at(rows)

    @property
    def tets(self) -> np.ndarray:
        """(m, 4) corners of each tetrahedron."""
        return self.nodes

    @cached_property
    def surface_faces(self) -> np.ndarray:
        return self.mesh.boundary_triangles

    @cached_property
    def outline(self) -> Binding:
        """The nodes of its boundary; its triangles are numbered among them."""
        return self._at_nodes(self.mesh.boundary_vertices, self.mesh.boundary.triangles)

    def embedded(self, points: np.ndarray) -> Mixture:
        """(s, k) nodes and weights of the tet that holds each point, or of the nearest tet outside."""
        tets, lam = self._holding(points)
        return self.nodes[tets], self._weights(points, tets, lam)

    def _candidates(self, points: np.ndarray) -> np.ndarray:
        """(s, c) tets that may hold each point: those with the nearest centroids."""
        tree = cKDTree(self.rest[self.nodes[:, :4]].mean(axis=1))
        return tree.query(points, k=min(CANDIDATES, self.count))[1].reshape(len(points), -1)

    def _holding(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(s,) the tet that holds each point, or the nearest one, and (s, 4) barycentric coordinates of the point in it."""
        near = self._candidates(points)
        best, places = np.full(len(points), -np.inf), np.zeros((len(points), 4))
        choice, left = np.zeros(len(points), np.int64), np.arange(len(points))
        for column in near.T:
            tets = column[left]
            lam = self._places(points[left], tets)
            inside = lam.min(axis=1)
            better = inside > best[left] + 1e-12
            at = left[better]
            best[at], places[at], choice[at] = inside[better], lam[better], tets[better]
            left = left[best[left] < self.found_from]
        return choice, places

    def _places(self, points: np.ndarray, tets: np.ndarray) -> np.ndarray:
        """(s, 4) barycentric coordinates of each point in its tet."""
        offset = points - self.rest[self.nodes[tets, 3]]
        first = np.einsum("mkc,mc->mk", self.gradients_at(tets)[:, 0, :3], offset)
        return np.column_stack([first, 1 - first.sum(axis=1)])

    def _weights(self, points: np.ndarray, tets: np.ndarray, lam: np.ndarray) -> np.ndarray:
        """(s, k) weights of the nodes of each tet, from the place λ of the point in it."""
        return lam

    def locate(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        tets, lam = self._holding(points)
        away, out = np.zeros(len(points)), np.flatnonzero(lam.min(axis=1) < -1e-9)
        if len(out):
            away[out] = MeshDistance(self.mesh.boundary)(points[out])
        return self.nodes[tets], self._weights(points, tets, lam), away

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        nodes, weights, away = self.locate(points)
        nearby(points, away, 0.5 * self._edges_of(nodes), what, "half a cell")
        return nodes, weights

    def carriers(self, points: np.ndarray, what: str) -> Mixture:
        nodes, weights, away = self.locate(points)
        nearby(points, away, 2 * self._edges_of(nodes), what, "two edges of a tet")
        return nodes, weights

    def _edges_of(self, nodes: np.ndarray) -> np.ndarray:
        """(s,) edge of a regular tet as large as each of the tets (s, k) [m]."""
        sides = self.rest[nodes[:, 1:4]] - self.rest[nodes[:, :1]]
        return np.cbrt(np.sqrt(2.0) * np.abs(np.linalg.det(sides)))

    def filling(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(s, 4) nodes of straight tets that fill it, (s,) the element of each, and (s, k, 3) ∇N of that at its centroid."""
        return self.nodes, np.arange(self.count), self.gradients[:, 0]

    def inlaid(self, shape: Sdf) -> Inlay | None:
        return in_tets(self, shape)

    def held(self, mesh: TriMesh) -> HeldSurface:
        """A surface whose vertices know the tets that carry them."""
        if isinstance(mesh, HeldSurface):
            return mesh
        return HeldSurface(mesh.vertices, mesh.triangles, self._holding(mesh.vertices)[0], looks=mesh.looks)

    def bind(self, mesh: TriMesh) -> Binding:
        if isinstance(mesh, HeldSurface):
            lam = self._places(mesh.vertices, mesh.holders)
            return self._bound(mesh, self.nodes[mesh.holders], self._weights(mesh.vertices, mesh.holders, lam))
        return self._bound(mesh, *self.carriers(mesh.vertices, "surface of a tet body"))

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return self.outline if mesh is None else self.bind(mesh)
