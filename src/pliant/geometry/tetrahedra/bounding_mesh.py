"""Bounding mesh: coarse tets around a surface (Stuart et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ..mesh.embedded_surface import HeldSurface
from ..mesh.mesh import TetMesh, TriMesh
from ..mesh.solid_moments import SolidMoments, solid_moments
from .bounding_fill import filled
from .bounding_fit import fitted
from .bounding_lattice import Degenerate, Reached, reached, windings
from .bounding_parts import Parts, parted
from .bounding_pieces import Pieces, pieces_of

ATTEMPTS = 6  # places of the lattice that are tried, see Degenerate
CLOSE = 1e-9  # of the whole, to which volumes, centres and areas must agree


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Tets around a surface, the surface held by them, and how much of each the solid fills."""

    mesh: TetMesh
    surface: HeldSurface
    moments: np.ndarray  # (m, 4) ∫ λ_i over the solid in each tet [m³]


def enclosed(surface: TriMesh, cells: int, fit: int) -> Enclosure:
    """Tets of a lattice that the solid reaches into, their boundary drawn in, once for each part that they hold.

    What comes out is measured: every triangle lies in the tets, every vertex in the one that holds it, and the filled
    parts add up to the volume and the centre of the solid. A lattice for which they do not is moved a little.
    """
    what = solid_moments(surface, "bounding_tets(surface=…)")
    loose = np.setdiff1d(np.arange(len(surface.vertices)), surface.triangles)
    if len(loose):
        raise InputError(
            f"bounding_tets(surface=…): {len(loose)} of {len(surface.vertices)} vertices, first {loose[:5].tolist()}, belong to "
            "no triangle; remove them"
        )
    shifts = np.random.default_rng(0).uniform(-1, 1, (ATTEMPTS, 3))
    why = ""
    for shift in shifts:
        try:
            start = reached(surface, cells, shift)
            X = fitted(start, surface, fit)
            pieces = pieces_of(X, start.tets, surface, start.size)
            windings(pieces, start.tets, len(X), start.inside)
        except Degenerate:
            why = "it meets edges of the tets in points that cannot be told apart"
            continue
        parts = parted(start.tets, start.inside, pieces, surface.triangles)
        result = _gathered(surface, start, X, pieces, parts)
        why = _fault(result, surface, what, X, start, pieces)
        if not why:
            return result
    raise InputError(
        f"bounding_tets(cells={cells}): {ATTEMPTS} places of the lattice were tried, and with the last {why}; take another "
        "number of cells, and see inspect(surface)"
    )


def _gathered(surface: TriMesh, start: Reached, X: np.ndarray, pieces: Pieces, parts: Parts) -> Enclosure:
    mesh = TetMesh(X[parts.source], parts.nodes)
    share = filled(pieces, parts.pieces, parts.inside[:, 0], np.full(len(parts.of), -1.0))
    rows, corners = np.nonzero(pieces.whole.min(axis=2) >= -1e-12)
    vertex, depth = surface.triangles[pieces.faces[rows], corners], pieces.whole[rows, corners].min(axis=1)
    order = np.lexsort([-depth, vertex])
    found, first = np.unique(vertex[order], return_index=True)
    holders = np.full(len(surface.vertices), -1)
    holders[found] = parts.pieces[rows[order[first]]]
    held = HeldSurface(surface.vertices, surface.triangles, holders, looks=surface.looks)
    return Enclosure(mesh, held, share * 6 * mesh.volumes[:, None])


def _fault(result: Enclosure, surface: TriMesh, what: SolidMoments, X: np.ndarray, start: Reached, pieces: Pieces) -> str:
    """What is wrong with the tets, or nothing."""
    lost = np.count_nonzero(result.surface.holders < 0)
    if lost:
        return f"{lost} vertices lie in no tet"
    corners = X[start.tets[pieces.tets]]
    points = np.einsum("pwk,pki->pwi", pieces.corners, corners)
    then = np.take_along_axis(points, pieces.after[..., None], 1)
    middle = points[:, :1]
    vectors = (np.cross(points - middle, then - middle) * pieces.valid[..., None]).sum(axis=1) / 2
    covered = np.bincount(pieces.faces, np.linalg.norm(vectors, axis=1), len(surface.triangles))
    out = np.count_nonzero(surface.areas - covered > CLOSE * surface.areas.sum())
    if out:
        return f"{out} triangles lie outside in part"
    volume = result.moments.sum()
    size = float(np.ptp(surface.vertices, axis=0).max())
    centre = np.einsum("mk,mki->i", result.moments, result.mesh.vertices[result.mesh.tets]) / volume
    away = np.abs(centre - what.centre).max() * volume
    if max(abs(volume - what.volume), away / size) > CLOSE * size**3:
        return f"the tets are filled by {volume:.6g} m³ of {what.volume:.6g} m³"
    if np.any(result.moments < -CLOSE * result.mesh.volumes[:, None]):
        return "a tet is filled by less than nothing, as where a surface runs through itself or is turned inside out"
    return ""
