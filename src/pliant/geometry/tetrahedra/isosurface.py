"""The surface of a signed distance as triangles, to draw it and to measure it."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ...arguments import checks
from ...errors import InputError
from ..distance.sdf import Sdf
from ..distance.sharp_edges import sharp_edged
from ..mesh.mesh import TriMesh, unique_rows
from .stuffing_fill import stuffed

PARTS = (1, 2, 4)  # triangles along a side of a cell that contact may have
VOLUME = 0.05  # by which the volume inside them may differ from that of the solid


def surface(sdf: Sdf, spacing: float) -> TriMesh:
    """Triangles on the surface of a solid: closed, outward, none thinner than the lattice allows.

    Sharp edges are cut off within one ``spacing``; where the solid is thinner than that, more than two triangles may
    meet at an edge.

    Args:
        sdf: a bounded solid.
        spacing: length of a triangle's longer sides, about [m].
    """
    checks.instance("sdf", sdf, Sdf, "an Sdf, such as pliant.sphere(0.1)")
    stuffing = stuffed(sdf, checks.length("spacing", spacing), 0)
    tets = stuffing.tets
    outer = np.ones(stuffing.lattice.size + len(stuffing.cuts.edges), dtype=bool)  # cut points lie on the surface
    outer[: stuffing.lattice.size] = stuffing.sign == 0
    tets = tets[np.count_nonzero(outer[tets], axis=1) >= 3]
    faces = tets[:, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]].reshape(-1, 3)
    faces = faces[outer[faces].all(axis=1)]
    first, _, count = unique_rows(np.sort(faces, axis=1))
    points, triangles = np.unique(faces[np.sort(first[count == 1])], return_inverse=True)
    return TriMesh(stuffing.positions(points), triangles.reshape(-1, 3))


def contact_surface(sdf: Sdf, spacing: float, volume: float, points: np.ndarray) -> TriMesh:
    """The coarsest closed surface of a solid of ``volume`` [m³] that loses no part of it, else the finest.

    It encloses the volume within ``VOLUME`` and has a vertex near all ``points`` (p, 3) of the surface. ``spacing`` [m] is
    that of the coarsest, a quarter of it that of the finest. Convex edges are sharp.
    """
    for parts in PARTS:
        edge = spacing / parts
        try:
            plain = surface(sdf, edge)
        except InputError:  # thinner than such triangles
            if parts == PARTS[-1]:
                raise
            continue
        mesh = sharp_edged(plain, sdf, edge)
        mesh = mesh if _closed(mesh) else plain
        whole = abs(mesh.volume - volume) <= VOLUME * volume and _closed(mesh)
        if whole and cKDTree(mesh.vertices).query(points)[0].max(initial=0.0) <= edge:
            break
    return mesh


def _closed(mesh: TriMesh) -> bool:
    """Whether every edge has two triangles."""
    edges = np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    return bool(np.all(unique_rows(edges)[2] == 2))
