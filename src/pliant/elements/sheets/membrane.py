"""Membrane triangles in plane stress, with plates for bending."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

import numpy as np

from ...arguments import checks
from ...errors import InputError, first_few
from ...geometry.mesh.mesh import TriMesh
from ..base import Made
from .plates import Operators


@dataclass(frozen=True, eq=False)
class Membrane(Made):
    """Sheet elements from a TriMesh and a thickness [m]; ``bending=False`` leaves the plates out.

    Bending is that of Kirchhoff's plate in every direction and on every mesh. Curved rest shapes keep their curvature but not the
    side it points to.
    """

    mesh: TriMesh
    thickness: float
    bending: bool = True

    def __post_init__(self):
        mesh = checks.instance("mesh of a Membrane", self.mesh, TriMesh, "a TriMesh")
        thickness = checks.length("Membrane(thickness=…)", self.thickness)
        checks.flag("Membrane(bending=…)", self.bending)
        bad = np.flatnonzero(mesh.areas <= 0)
        if len(bad):
            raise InputError(f"{len(bad)} of {len(mesh.triangles)} triangles have no area, first at {first_few(bad)}")
        X, tri = mesh.vertices, mesh.triangles
        # ∇Nᵢ = n × (opposite edge) / 2A lies in the triangle, so F has the rest normal as its null direction
        normal = mesh.area_vectors / mesh.areas[:, None]
        corner = X[tri]
        opposite = corner[:, [2, 0, 1]] - corner[:, [1, 2, 0]]
        gradients = np.cross(normal[:, None], opposite) / (2 * mesh.areas)[:, None, None]
        weights = (mesh.areas * thickness)[:, None]
        self._derive(rest=X, nodes=tri, gradients=gradients[:, None], weights=weights, dimension=2, faces=tri)
        self._derive(thickness=thickness, bending=bool(self.bending))
        super().__post_init__()

    def torn(self, mesh: TriMesh) -> Membrane:
        """The same triangles on a mesh in which some nodes were doubled, none of them moved: they are not computed again."""
        other = object.__new__(Membrane)
        for each in fields(self):
            object.__setattr__(other, each.name, getattr(self, each.name))
        object.__setattr__(other, "mesh", mesh)
        other._derive(rest=mesh.vertices, nodes=mesh.triangles, faces=mesh.triangles, _bent=self._bent)
        return other

    _bent: ClassVar[Operators | None] = None  # what was found last

    def bent(self, stiffness: np.ndarray, held: np.ndarray | None) -> Operators:
        """How its triangles bend, as ``plates`` has it; the last of them is kept."""
        known = self._bent
        found = Operators.of(self.mesh, stiffness, held) if known is None else known.followed(self.mesh, stiffness, held)
        self._derive(_bent=found)
        return found

    @cached_property
    def half_thickness(self) -> np.ndarray:
        return np.full(len(self.rest), 0.5 * self.thickness)

    @cached_property
    def normals(self) -> np.ndarray:
        return self.mesh.area_vectors / self.mesh.areas[:, None]
