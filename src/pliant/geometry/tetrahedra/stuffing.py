"""Tetrahedra that fill a solid; ``inspect(mesh, of=shape)`` says what they missed."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from ...arguments import checks
from ...errors import InputError, PliantWarning
from ..distance.sdf import Sdf
from ..mesh.mesh import TetMesh, TriMesh
from .fill_error import Likeness, likeness
from .stuffing_fill import solid_of, stuffed

USUAL = 12  # tets along the longest side
TIMES = (1, 2, 4)  # how much finer, where thin parts vanish
MISSED = 2e-3  # of the points of a surface that may be farther than an edge from the tets


def tetrahedralise(shape: TriMesh | Sdf, edge: float | None = None, grading: float = 1.0) -> TetMesh:
    """Fill a solid with tetrahedra whose dihedral angles all lie between 10.7° and 164.8°.

    Sharp edges and corners of the solid are rounded off over about one ``edge``, and parts thinner than that may
    vanish: ``inspect(mesh, of=shape)`` counts what was lost. A surface may have holes and flipped faces.

    Args:
        shape: a surface around the solid, or its signed distance [m].
        edge: length of the longer lattice edges [m]; the shorter are 0.87 times as long. By default a twelfth of the longest
            side, or half or a quarter of that where more of thin parts is kept so; what is lost even so is warned of.
        grading: how many times longer edges may become inside, away from the surface; rounded down to 1, 2, 4, 8 ….
    """
    if edge is not None:
        return _filled(shape, edge, _levels(grading))
    found = fitting(shape, grading=grading)
    for sentence in found.lost:
        warnings.warn(sentence.replace("use a shorter edge", f"edge={0.5 * found.edge:.2g} may keep them"), PliantWarning, 2)
    return found.mesh


class Fitting(NamedTuple):
    """Tets, the length of their edges [m], how well they fill the solid, and whether they are finer than usual."""

    mesh: TetMesh
    edge: float
    found: Likeness
    finer: bool

    @property
    def missed(self) -> float:
        """The part of the points of the surface that is farther than an edge from the tets."""
        return len(self.found.missed) / max(self.found.samples, 1)

    @property
    def keeps_all(self) -> bool:
        return self.missed < MISSED and not len(self.found.lost)

    @property
    def lost(self) -> list[str]:
        """A sentence about thin parts that vanished, and one about pieces that were lost."""
        return [s for s in self.found.warnings if "use a shorter edge" in s and ("vanished" in s or "lost" in s)]


def fitting(shape: TriMesh | Sdf, edge: float | None = None, grading: float = 1.0) -> Fitting:
    """Fill a solid with tets of an ``edge`` [m], or of the longest of three that keeps its thin parts, or else most of them."""
    bounds = shape.bounds if isinstance(shape, TriMesh) else solid_of(shape)[1]
    levels = _levels(grading)
    long = float(np.ptp(bounds, axis=0).max())
    if not np.isfinite(long):
        raise InputError("the solid has no end, so no edge can be found for it; expected one with a box around it, or edge=…")
    if edge is not None:
        mesh = _filled(shape, edge, levels)
        return Fitting(mesh, edge, likeness(mesh, shape), False)
    found: list[Fitting] = []
    for times in TIMES:
        try:
            mesh = _filled(shape, long / (USUAL * times), levels)
        except InputError:
            if times == TIMES[-1] and not found:
                raise
            continue
        found.append(Fitting(mesh, long / (USUAL * times), likeness(mesh, shape), times != TIMES[0]))
        if found[-1].keeps_all:
            return found[-1]
    return min(found, key=lambda fit: (len(fit.found.lost), fit.missed))  # points are missed by the edge of the tets themselves


def _filled(shape: TriMesh | Sdf, edge: float, levels: int) -> TetMesh:
    stuffing = stuffed(shape, checks.length("edge", edge), levels)
    used = np.zeros(stuffing.lattice.size + len(stuffing.cuts.edges), dtype=bool)
    used[stuffing.tets] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    return TetMesh(stuffing.positions(np.flatnonzero(used)), number[stuffing.tets])


def _levels(grading: float) -> int:
    return int(np.floor(np.log2(checks.number("grading", grading, 1.0, 1e9, "a number of at least 1")) + 1e-9))
