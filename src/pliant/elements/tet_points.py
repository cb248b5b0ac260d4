"""Points in tetrahedra: which tet holds each, and what of its nodes it is mixed of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.spatial import cKDTree

from ..geometry.distance.mesh_distance import MeshDistance
from ..geometry.mesh.embedded_surface import HeldSurface
from ..geometry.mesh.mesh import TetMesh, TriMesh
from .base import Made
from .embedded_surface import Binding, Mixture, nearby

CANDIDATES = 24  # tets that are tried for each point


@dataclass(frozen=True, eq=False)
class PointsInTets(Made):
    """Elements of a TetMesh, in which points are found by their barycentric coordinates."""

    mesh: TetMesh

    found_from: ClassVar[float] = -1e-12  # least barycentric coordinate of a point from which no other tet is tried

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
