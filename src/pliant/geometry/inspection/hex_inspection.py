"""Inspection of hexahedra: folded and flat cells, skewed corners, misfits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import first_few
from ..lattice.fragments import CORNERS
from ..lattice.hex_mesh import EDGES, FACES, HexMesh
from ..mesh.mesh import unique_rows

if TYPE_CHECKING:
    from .mesh_inspection import Draft


def hexahedra(draft: Draft, mesh: HexMesh, X: np.ndarray, size: float, sliver_degrees: float, flat: float) -> None:
    """Volumes, corners and faces; ``X`` (n, 3) are the vertices of the mesh scaled to the size 1."""
    unit = HexMesh(X, mesh.hexes)
    volumes, least = unit.volumes, unit.least_jacobians
    longest = np.max([np.linalg.norm(X[mesh.hexes[:, a]] - X[mesh.hexes[:, b]], axis=1) for a, b in EDGES], axis=0)
    thin = np.abs(volumes) <= flat * longest**3
    draft.facts |= {"volume": float(volumes.sum()) * size**3, "inverted": 0, "flat": 0}
    folded = np.flatnonzero((least <= 0) & ~thin)
    draft.count(
        "inverted", folded, "hexahedron is folded over (det ∂X/∂ξ ≤ 0)", "hexahedra are folded over (det ∂X/∂ξ ≤ 0)",
        "reorder its nodes, or mesh again",
    )  # fmt: skip
    draft.count("flat", np.flatnonzero(thin), "hexahedron has no volume", "hexahedra have no volume", "mesh again")
    # the scaled Jacobian of a corner: 1 where its edges are at right angles, 0 where they lie in a plane
    J = unit.jacobians(CORNERS)
    lengths = np.linalg.norm(J, axis=2).prod(axis=2)
    scaled = np.divide(np.linalg.det(J), lengths, out=np.zeros_like(lengths), where=lengths > 0).min(axis=1)
    limit = np.sin(np.deg2rad(sliver_degrees))
    slivers = np.flatnonzero((scaled < limit) & (least > 0) & ~thin)
    skewed = f"a corner of scaled Jacobian below {limit:.3g}"
    draft.count(
        "slivers", slivers, f"hexahedron has {skewed}", f"hexahedra have {skewed}", "mesh again for a steadier simulation"
    )
    draft.notes.append(f"the scaled Jacobian at the corners is {scaled.min():.3g} at least, {scaled.mean():.3g} in the mean")
    faces = np.sort(mesh.hexes[:, FACES].reshape(-1, 4), axis=1)
    first, _, count = unique_rows(faces)
    draft.count(
        "non_manifold", np.sort(first[count > 2] // 6), "face belongs to more than two hexahedra, first seen in",
        "faces belong to more than two hexahedra, first seen in", "the solid overlaps itself there",
    )  # fmt: skip
    quads = unit.boundary_quads
    pairs = np.sort(quads[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 2), axis=1)
    once, _, shared = unique_rows(pairs)
    triangles = X[unit.boundary_triangles]
    area = np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1).sum() / 2
    draft.facts |= {"area": float(area) * size**2, "oriented": not len(folded), "watertight": bool((shared == 2).all())}
    if (shared > 2).any():
        pinched = pairs[np.sort(once[shared > 2])][:, 0]
        draft.notes.append(f"the solid touches itself along {len(pinched):,} edges, at vertices {first_few(pinched)}")
    if mesh.regions is not None:
        draft.facts["regions"] = len(np.unique(mesh.regions))
