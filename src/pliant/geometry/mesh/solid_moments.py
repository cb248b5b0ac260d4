"""Volume, centre and second moments of the solid inside a closed surface, as sums over its triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from .mesh import TriMesh, unique_rows

FLAT = 1e-9  # of the cube of its size: a solid with no more volume has none


@dataclass(frozen=True, eq=False)
class SolidMoments:
    """∫ 1, ∫ x / ∫ 1 and ∫ (x − c)(x − c)ᵀ over a solid [m³, m, m⁵]."""

    volume: float
    centre: np.ndarray  # (3,) c
    second: np.ndarray  # (3, 3)

    @property
    def inertia(self) -> np.ndarray:
        """(3, 3) tensor of inertia about the centre for a density of 1 kg/m³ [kg m²]."""
        return np.trace(self.second) * np.eye(3) - self.second


def solid_moments(mesh: TriMesh, what: str = "mesh") -> SolidMoments:
    """The moments of the solid that a surface encloses; one that is open, or has its inside out, is refused.

    The tets between a point and each triangle, with the sign of their volume, add up to the solid. Of one with corners 0, a,
    b, c and s = a + b + c: ∫ x = V s/4, ∫ x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20.
    """
    _check_closed(mesh, what)
    origin = mesh.vertices[mesh.triangles].mean(axis=(0, 1))
    corners = mesh.vertices[mesh.triangles] - origin
    volumes = np.linalg.det(corners) / 6.0
    volume, size = float(volumes.sum()), float(np.ptp(mesh.vertices, axis=0).max())
    if volume < -FLAT * size**3:
        raise InputError(
            f"{what}: its triangles face inwards, so that it encloses {volume:.3g} m³; swap two corners of every triangle"
        )
    sums = corners.sum(axis=1)
    centre = volumes @ sums / (4 * volume) if volume > FLAT * size**3 else np.zeros(3)
    squares = np.einsum("m,mki,mkj->ij", volumes, corners, corners) + np.einsum("m,mi,mj->ij", volumes, sums, sums)
    second = squares / 20.0 - volume * np.outer(centre, centre)
    if volume <= FLAT * size**3 or np.linalg.eigvalsh(second)[0] <= 0:
        raise InputError(f"{what} encloses no volume ({volume:.3g} m³ at a size of {size:.3g} m); expected a solid")
    return SolidMoments(volume, centre + origin, second)


def _check_closed(mesh: TriMesh, what: str) -> None:
    """Every edge must be passed as often one way as the other."""
    if not len(mesh.triangles):
        raise InputError(f"{what} has no triangles; expected a closed surface")
    ways = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ends, sign = np.sort(ways, axis=1), np.where(ways[:, 0] < ways[:, 1], 1, -1)
    first, inverse, _ = unique_rows(ends)
    bad = np.flatnonzero(np.bincount(inverse, sign, len(first)))
    if len(bad):
        places = mesh.vertices[ends[first[bad[0]]]].mean(axis=0).round(6).tolist()
        raise InputError(
            f"{what} is not closed: {len(bad)} of its {len(first)} edges, first near {places}, have triangles on one side only, "
            "or two that face opposite ways; expected a surface with an inside: see inspect(mesh), or take sdf.from_mesh(mesh, …)"
        )
