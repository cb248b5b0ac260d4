"""Solids of what a file holds, for ``pliant view``: tets in a surface, and regions where a scan has labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..common import label_options, placement_options

if TYPE_CHECKING:
    from ...geometry.distance.volume import Volume
    from ...geometry.mesh.mesh import TetMesh, TriMesh

FINENESS = 12  # tets along the longest side of a mesh


def skin(scan: Volume, tissues: Mapping[str, int], level: float | None) -> TriMesh:
    """The surface around some labels of a scan, all of them, or a level."""
    import numpy as np

    import pliant as pl

    if tissues:
        scan.having(list(tissues.values()))  # says which are there
    solid = pl.sdf.from_volume(scan, list(tissues.values()) or None, level)
    return pl.surface(solid, float(np.ptp(solid.bounds, axis=0).max()) / (3 * FINENESS))


def divided(mesh: TetMesh, scan: Volume, tissues: Mapping[str, int], say: Callable[[str], object]) -> TetMesh:
    """The mesh with a region for each label."""
    from dataclasses import replace

    from ...geometry.tetrahedra.label_tets import regions

    place = regions(scan, mesh.vertices[mesh.tets].mean(axis=1), list(tissues.values()))
    say("; ".join(label_options.counted(place, tissues, "tets")))
    return replace(mesh, regions=place)


def filled(shape: TriMesh, edge: float | None, say: Callable[[str], object]) -> TetMesh:
    """Tets in a surface: of the edge asked for, or as short as it takes to keep thin parts; what is lost is said."""
    from ...geometry.tetrahedra.stuffing import fitting

    with placement_options.as_options():
        fitted = fitting(shape, edge)
    for warning in fitted.lost:
        say(f"{warning.replace('use a shorter edge', f'--edge {0.5 * fitted.edge:.2g} may keep them')}")
    if fitted.finer:
        say(f"tets of {fitted.edge:.3g} m, finer than usual, as thin parts would vanish (--edge sets another)")
    return fitted.mesh
