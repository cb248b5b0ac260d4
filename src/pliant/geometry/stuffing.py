"""Tetrahedra that fill a solid, with a report of what they missed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .inspect import dihedral_angles
from .mesh import TetMesh, TriMesh
from .sdf import Sdf
from .stuffing_fill import stuffed
from .stuffing_survey import lost_pieces, surface_samples, volume_of


def tetrahedralise(shape: TriMesh | Sdf, edge: float, grading: float = 1.0) -> TetMesh:
    """Fill a solid with tetrahedra whose dihedral angles all lie between 10.7° and 164.8°.

    Sharp edges and corners of the solid are rounded off over about one ``edge``, and parts thinner than that may
    vanish: ``stuffing_report`` counts what was lost. A surface may have holes and flipped faces.

    Args:
        shape: a surface around the solid, or its signed distance [m].
        edge: length of the longer lattice edges [m]; the shorter are 0.87 times as long.
        grading: how many times longer edges may become inside, away from the surface; rounded down to 1, 2, 4, 8 ….
    """
    edge, levels = _checked(edge, grading)
    found = stuffed(shape, edge, levels)
    used = np.zeros(found.lattice.size + len(found.cuts.edges), dtype=bool)
    used[found.tets] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    return TetMesh(found.positions(np.flatnonzero(used)), number[found.tets])


@dataclass(frozen=True, eq=False)
class StuffingReport:
    """How well tetrahedra fill a solid, and what of it they lost."""

    edge: float  # asked for [m]
    tets: int
    shape_volume: float  # [m³]
    mesh_volume: float  # [m³]
    dihedral_range: tuple[float, float]  # smallest and largest angle [degrees]
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
        found = []
        if abs(self.volume_error) > 0.02:
            found.append(f"the volume of the mesh is off by {self.volume_error:+.1%}; use a shorter edge")
        if len(self.missed):
            where = ", ".join("({:.3g}, {:.3g}, {:.3g})".format(*p) for p in self.missed[:3])
            found.append(
                f"{len(self.missed)} of {self.samples} points of the surface are farther than one edge "
                f"({self.edge:g} m) from the mesh, so thin parts vanished, first at {where} m; use a shorter edge"
            )
        if len(self.lost):
            where = ", ".join("({:.3g}, {:.3g}, {:.3g})".format(*p) for p in self.lost[:3])
            found.append(
                f"{len(self.lost)} of {self.pieces} separate pieces or cavities are lost, first at {where} m; "
                "use a shorter edge"
            )
        return tuple(found)

    def __str__(self) -> str:
        low, high = self.dihedral_range
        head = (
            f"{self.tets} tets, volume {self.mesh_volume:.6g} m³ of {self.shape_volume:.6g} m³ "
            f"({self.volume_error:+.2%}), dihedral angles {low:.1f}° to {high:.1f}°"
        )
        return "\n".join([head, *(f"warning: {text}" for text in self.warnings)])


def stuffing_report(shape: TriMesh | Sdf, mesh: TetMesh, edge: float) -> StuffingReport:
    """Compare tetrahedra with the solid they were made for.

    Args:
        shape: what was given to ``tetrahedralise``.
        mesh: what it returned.
        edge: the edge that was asked for [m]; parts of the surface farther than this from the mesh count as missed.
    """
    from .distance import MeshDistance

    edge, _ = _checked(edge, 1.0)
    if not len(mesh.tets):
        raise InputError("the mesh has no tets; expected what tetrahedralise returned")
    samples, surface = surface_samples(shape, edge)
    away = np.abs(MeshDistance(mesh.boundary)(samples))
    pieces, lost = lost_pieces(surface, mesh.boundary.vertices)
    smallest, largest, _ = dihedral_angles(mesh.vertices, mesh.tets)
    return StuffingReport(
        edge, len(mesh.tets), volume_of(shape, edge), mesh.volume,
        (float(smallest.min()), float(largest.max())), len(samples), samples[away > edge], pieces, lost,
    )  # fmt: skip


def _checked(edge: float, grading: float) -> tuple[float, int]:
    for name, value, least in (("edge", edge, 0.0), ("grading", grading, 1.0)):
        good = isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and np.isfinite(value)
        if not good or value < least or value == 0:
            wanted = "a positive number of metres" if name == "edge" else "a number of at least 1"
            raise InputError(f"{name} is {value!r}; expected {wanted}")
    return float(edge), int(np.floor(np.log2(grading) + 1e-9))
