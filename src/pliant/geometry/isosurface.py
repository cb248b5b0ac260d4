"""The surface of a signed distance as triangles, to draw it and to measure it."""

from __future__ import annotations

import numpy as np

from .. import checks
from .mesh import TriMesh, unique_rows
from .sdf import Sdf
from .stuffing_fill import stuffed


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
