"""Tets of several tissues at once: a mesh of some labels of a scan, each label a region of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arguments import checks
from ...errors import InputError
from ..distance.volume import Volume
from ..distance.volume_distance import from_volume
from ..mesh.mesh import TetMesh
from .stuffing import tetrahedralise


def from_labels(
    volume: Volume, labels: Sequence[int], edge: float | None = None, grading: float = 1.0, smooth: float | None = None
) -> TetMesh:
    """Fill several labels of a scan with tets that share their nodes; region i of the mesh is ``labels[i]``.

    A tet belongs to the label of the sample nearest to its middle, so that what divides two labels follows the tets, and
    only the outside is smooth. A label of which no tet is left is refused.

    Args:
        volume: the samples; lengths in metres.
        labels: values of the tissues, at least one.
        edge: length of the tets' edges [m], as in ``tetrahedralise``.
        grading: how many times longer edges may become inside, away from the outside.
        smooth: width of the smoothing of the outside in voxels, as in ``sdf.from_volume``.
    """
    checks.instance("volume", volume, Volume, "a Volume, such as pliant.read gives")
    volume.having(labels)
    mesh = tetrahedralise(from_volume(volume, label=labels, smooth=smooth), edge, grading)
    return TetMesh(mesh.vertices, mesh.tets, regions=regions(volume, mesh.vertices[mesh.tets].mean(axis=1), labels))


def regions(volume: Volume, points: np.ndarray, labels: Sequence[int]) -> np.ndarray:
    """(n,) place in ``labels`` of that which is nearest to each point [m]; every label must be nearest to some."""
    found = np.argmax(volume.at(points, labels)[:, None] == checks.floats(labels), axis=1)
    lost = [f"{label:g}" for i, label in enumerate(checks.floats(labels)) if not np.any(found == i)]
    if lost:
        raise InputError(
            f"label {lost[0]} is too thin for any of the {len(points)} elements; expected a shorter edge, or to leave it out"
        )
    return found
