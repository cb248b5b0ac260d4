"""Linear tetrahedra: constant F, one quadrature point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arguments import checks
from ..errors import InputError, first_few
from ..geometry.distance.sdf import Sdf
from ..geometry.mesh.mesh import TetMesh, TriMesh
from ..geometry.mesh.vertex_cells import tet_gradients
from .embedded_surface import Binding
from .inlay import Inlay, in_tets
from .tet_points import PointsInTets


@dataclass(frozen=True, eq=False)
class Tets(PointsInTets):
    """Solid elements from a TetMesh. Inverted or flat tets are refused, never dropped."""

    has_inside = keeps_rows = True
    locks_from = 0.48  # on bars four tets across; each must keep its volume, and few shapes do

    def __post_init__(self):
        self._arrays()
        super().__post_init__()

    def _arrays(self) -> None:
        mesh = checks.instance("mesh of Tets", self.mesh, TetMesh, "a TetMesh; see tetrahedralise() for surfaces")
        if mesh.middles is not None:
            raise InputError("Tets have four nodes each, those of this mesh ten; use QuadraticTets(mesh) or mesh.linear()")
        bad = np.flatnonzero(mesh.volumes <= 0)
        if len(bad):
            raise InputError(
                f"{len(bad)} of {len(mesh.tets)} tets are inverted or flat, first at {first_few(bad)}; "
                "swap two vertices of each inverted one, and remove the flat ones"
            )
        self._derive(rest=mesh.vertices, nodes=mesh.tets, weights=mesh.volumes[:, None])

    @cached_property
    def gradients(self) -> np.ndarray:
        """(m, 1, 4, 3) ∇N [1/m], found when all are asked for: after a cut most often some are enough."""
        return tet_gradients(self.rest, self.nodes)

    def gradients_at(self, rows: np.ndarray) -> np.ndarray:
        return self.gradients[rows] if "gradients" in self.__dict__ else tet_gradients(self.rest, self.nodes[rows])

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

    def filling(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(s, 4) nodes of straight tets that fill it, (s,) the element of each, and (s, k, 3) ∇N of that at its centroid."""
        return self.nodes, np.arange(self.count), self.gradients[:, 0]

    def inlaid(self, shape: Sdf) -> Inlay | None:
        return in_tets(self, shape)

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return self.outline if mesh is None else self.bind(mesh)
