"""Hexahedra of any shape: trilinear, 2×2×2 Gauss points, with the volume of whole cells kept on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arguments import checks
from ..errors import InputError, first_few
from ..geometry.distance.mesh_distance import MeshDistance
from ..geometry.distance.sdf import Sdf
from ..geometry.lattice.fragments import shape_functions, shape_gradients
from ..geometry.lattice.hex_mesh import GAUSS, ORDER, HexMesh
from ..geometry.mesh.mesh import TriMesh
from .base import Made
from .embedded_surface import Binding, Mixture, nearby
from .hex_points import CellPlaces
from .inlay import Inlay, in_hexes
from .quadrature import Averaged

RECOVERY = np.linalg.inv(shape_functions(GAUSS))  # (8, 8) what a trilinear function is at the nodes, from the points


@dataclass(frozen=True, eq=False)
class Hexes(Made):
    """Solid elements from a HexMesh, whose cells may have any shape that is not folded over.

    They bend better than tets of the same nodes. ``volume=Averaged()`` is for nearly incompressible bodies. Cells with
    det ∂X/∂ξ ≤ 0 at a corner or a Gauss point are refused, never dropped.
    """

    mesh: HexMesh
    volume: Averaged | None = None

    has_inside = True
    pressed_inside = True
    unlocked = "Hexes(…, volume=Averaged()) with Newton()"

    def __post_init__(self):
        mesh = checks.instance("mesh of Hexes", self.mesh, HexMesh, "a HexMesh; see meshes.hex_box() for boxes")
        if self.volume is not None:
            checks.instance("Hexes(volume=…)", self.volume, Averaged, "Averaged(), or None").check_finite("Hexes")
        bad = np.flatnonzero(mesh.least_jacobians <= 0)
        if len(bad):
            raise InputError(_folded(mesh, bad))
        J = mesh.jacobians(GAUSS)
        gradients = np.einsum("qia,mqac->mqic", shape_gradients(GAUSS), np.linalg.inv(J))
        nodes, weights = mesh.hexes[:, ORDER], np.linalg.det(J) / 8
        self._derive(rest=mesh.vertices, nodes=nodes, gradients=gradients, weights=weights, recovery=RECOVERY)
        super().__post_init__()

    @property
    def hexes(self) -> np.ndarray:
        """(m, 8) nodes of each, around the bottom and then around the top."""
        return self.mesh.hexes

    @property
    def locks_from(self) -> float | None:
        """On bars four cells across, as on a lattice."""
        return None if self.volume is not None else 0.46

    @cached_property
    def whole_cells(self) -> np.ndarray:
        return np.ones(self.count, np.int32)

    @cached_property
    def corner_weights(self) -> np.ndarray:
        """(m, 8) ∫ N_i over each cell [m³], which det ∂X/∂ξ > 0 makes positive."""
        return self.weights @ shape_functions(GAUSS)

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: ∫ ρ N_i."""
        share = np.broadcast_to(density, self.count)[:, None] * self.corner_weights
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        return (gradient[self.nodes] * self.corner_weights).sum(axis=1)

    @cached_property
    def surface_faces(self) -> np.ndarray:
        return self.mesh.boundary_triangles

    @cached_property
    def quad_shares(self) -> np.ndarray:
        """(f, 4) ∫ N_i over the faces of the boundary [m²]: bilinear, with 2×2 Gauss points."""
        return quad_shares(self.rest[self.mesh.boundary_quads])

    @cached_property
    def areas(self) -> np.ndarray:
        return np.bincount(self.mesh.boundary_quads.ravel(), self.quad_shares.ravel(), len(self.rest))

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        quads = self.mesh.boundary_quads
        loaded = np.isin(quads, chosen).all(axis=1)
        return quads[loaded], self.quad_shares[loaded]

    @cached_property
    def outline(self) -> Binding:
        """The nodes of its boundary; its triangles are numbered among them."""
        return self._at_nodes(self.mesh.boundary_vertices, self.mesh.boundary.triangles)

    @cached_property
    def places_in_cells(self) -> CellPlaces:
        """Its cells as places for points."""
        return CellPlaces(self.rest[self.nodes])

    def embedded(self, points: np.ndarray) -> Mixture:
        """(s, 8) nodes and trilinear weights of the cell that holds each point, or of the nearest one, which goes on linearly."""
        cell, weights, _ = self.places_in_cells.weights(points)
        return self.nodes[cell], weights

    def locate(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        cell, weights, gap = self.places_in_cells.weights(points)
        away, out = np.zeros(len(points)), np.flatnonzero(gap > 0)
        if len(out):
            away[out] = np.abs(MeshDistance(self.mesh.boundary)(points[out]))
        return self.nodes[cell], weights, away

    def bind_points(self, points: np.ndarray, what: str) -> Mixture:
        nodes, weights, away = self.locate(points)
        nearby(points, away, 0.5 * self._edges_of(nodes), what, "half a cell")
        return nodes, weights

    def carriers(self, points: np.ndarray, what: str) -> Mixture:
        nodes, weights, away = self.locate(points)
        nearby(points, away, 2 * self._edges_of(nodes), what, "two edges of a cell")
        return nodes, weights

    def _edges_of(self, nodes: np.ndarray) -> np.ndarray:
        """(s,) half the longest diagonal of each of the cells (s, 8) [m]: the edge of a cube, nearly."""
        corner = self.rest[nodes]
        return np.max([np.linalg.norm(corner[:, c] - corner[:, 7 - c], axis=1) for c in range(4)], axis=0) / np.sqrt(3)

    def bind(self, mesh: TriMesh) -> Binding:
        return self._bound(mesh, *self.carriers(mesh.vertices, "surface of a hexahedral body"))

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return self.outline if mesh is None else self.bind(mesh)

    def inlaid(self, shape: Sdf) -> Inlay | None:
        return in_hexes(self, shape)


def quad_shares(corners: np.ndarray) -> np.ndarray:
    """(f, 4) ∫ N_i over bilinear faces with corners (f, 4, 3), which go around [m²]."""
    shares = np.zeros(corners.shape[:2])
    for u, v in np.array([(0, 0), (0, 1), (1, 0), (1, 1)]) / np.sqrt(3) + 0.5 * (1 - 1 / np.sqrt(3)):
        N = np.array([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])
        along = np.einsum("i,fic->fc", [v - 1, 1 - v, v, -v], corners)
        across = np.einsum("i,fic->fc", [u - 1, -u, u, 1 - u], corners)
        shares += 0.25 * np.linalg.norm(np.cross(along, across), axis=1)[:, None] * N
    return shares


def _folded(mesh: HexMesh, bad: np.ndarray) -> str:
    """What Hexes says of cells that are turned inside out or folded over."""
    flipped = np.count_nonzero(mesh.volumes[bad] <= 0)
    worst = bad[np.argmin(mesh.least_jacobians[bad])]
    turned = f", {flipped} of them inside out" if flipped else ""
    return (
        f"{len(bad)} of {len(mesh.hexes)} hexahedra are folded over (det ∂X/∂ξ ≤ 0 at a corner or a Gauss point){turned}, "
        f"first at {first_few(bad)}, the worst is {worst} at {mesh.vertices[mesh.hexes[worst]].mean(axis=0).round(6).tolist()}; "
        "expected nodes that go around the bottom and then around the top, counter-clockwise from above, as in VTK and Gmsh"
    )
