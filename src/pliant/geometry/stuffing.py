"""Tetrahedra that fill a solid; ``inspect(mesh, of=shape)`` says what they missed."""

from __future__ import annotations

import numpy as np

from .. import checks
from .mesh import TetMesh, TriMesh
from .sdf import Sdf
from .stuffing_fill import stuffed


def tetrahedralise(shape: TriMesh | Sdf, edge: float, grading: float = 1.0) -> TetMesh:
    """Fill a solid with tetrahedra whose dihedral angles all lie between 10.7° and 164.8°.

    Sharp edges and corners of the solid are rounded off over about one ``edge``, and parts thinner than that may
    vanish: ``inspect(mesh, of=shape)`` counts what was lost. A surface may have holes and flipped faces.

    Args:
        shape: a surface around the solid, or its signed distance [m].
        edge: length of the longer lattice edges [m]; the shorter are 0.87 times as long.
        grading: how many times longer edges may become inside, away from the surface; rounded down to 1, 2, 4, 8 ….
    """
    edge, levels = _checked(edge, grading)
    stuffing = stuffed(shape, edge, levels)
    used = np.zeros(stuffing.lattice.size + len(stuffing.cuts.edges), dtype=bool)
    used[stuffing.tets] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    return TetMesh(stuffing.positions(np.flatnonzero(used)), number[stuffing.tets])


def _checked(edge: float, grading: float) -> tuple[float, int]:
    edge = checks.length("edge", edge)
    return edge, int(np.floor(np.log2(checks.number("grading", grading, 1.0, 1e9, "a number of at least 1")) + 1e-9))
