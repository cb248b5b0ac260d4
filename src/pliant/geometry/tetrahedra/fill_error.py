"""Fill error: how far tets differ from their solid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ..distance.mesh_distance import MeshDistance
from ..distance.sdf import Sdf
from ..mesh.mesh import TetMesh, TriMesh
from .stuffing_survey import lost_pieces, surface_samples, volume_of


@dataclass(frozen=True, eq=False)
class Likeness:
    """How well tetrahedra fill a solid, and what of it they lost."""

    edge: float  # of the mesh at its surface, about [m]
    shape_volume: float  # [m³]
    mesh_volume: float  # [m³]
    samples: int  # points on the surface of the solid that were looked at
    missed: np.ndarray  # (k, 3) those farther than one edge from the surface of the mesh [m]
    pieces: int  # closed surfaces of the solid, cavities too
    lost: np.ndarray  # (l, 3) centres of those that no part of the mesh follows [m]

    @property
    def volume_error(self) -> float:
        """Relative to the volume of the solid; negative where the mesh is smaller."""
        return self.mesh_volume / self.shape_volume - 1.0

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each thing that may matter; empty where all is well."""
        sentences = []
        if abs(self.volume_error) > 0.02:
            sentences.append(f"the volume of the mesh is off by {self.volume_error:+.1%}; use a shorter edge")
        if len(self.missed):
            where = ", ".join("({:.3g}, {:.3g}, {:.3g})".format(*p) for p in self.missed[:3])
            sentences.append(
                f"{len(self.missed)} of {self.samples} points of the surface are farther than one edge "
                f"({self.edge:g} m) from the mesh, so thin parts vanished, first at {where} m; use a shorter edge"
            )
        if len(self.lost):
            where = ", ".join("({:.3g}, {:.3g}, {:.3g})".format(*p) for p in self.lost[:3])
            sentences.append(
                f"{len(self.lost)} of {self.pieces} separate pieces or cavities are lost, first at {where} m; use a shorter edge"
            )
        return tuple(sentences)


def likeness(mesh: TetMesh, shape: TriMesh | Sdf) -> Likeness:
    """Compare tetrahedra with a solid; parts of it farther from them than their own edge count as missed."""
    checks.instance("of", shape, (TriMesh, Sdf), "the TriMesh or Sdf that was filled")
    corners = mesh.vertices[mesh.boundary_triangles]
    edge = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1).mean())
    samples, surface = surface_samples(shape, edge)
    away = np.abs(MeshDistance(mesh.boundary)(samples))
    pieces, lost = lost_pieces(surface, mesh.boundary.vertices)
    return Likeness(edge, volume_of(shape, edge), mesh.volume, len(samples), samples[away > edge], pieces, lost)
