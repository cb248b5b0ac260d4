"""``read``: a mesh, a volume, or an exported run, whichever a file holds."""

from __future__ import annotations

import os
from typing import Any

from ..errors import InputError
from ..geometry import files
from ..geometry.files import LIMIT
from .formats.npz import holds_run, read_run


def read(
    path: str | os.PathLike[str],
    limit: float = LIMIT,
    up: str | None = None,
    unit: str | float | None = None,
    size: float | None = None,
) -> Any:
    """Read a mesh (a TetMesh, HexMesh, TriMesh, EdgeMesh or PointCloud, whichever the file holds), a Volume, or a Run.

    Meshes: obj, stl, ply, off, glb and gltf (glTF 2.0), usd, usda, usdc and usdz (extra ``pliant[usd]``),
    msh (Gmsh 1, 2.2, 4.1), vtu, node/ele (TetGen; either finds the
    other), veg (Vega), npz (ours), and what meshio knows where it is installed. Vertices and cells come in file order,
    in the file's units. Only OBJ, PLY, OFF and USD polygons are cut into triangles, only STL and glTF corners are joined,
    where bit-identical, and only glTF, which is y up, and USD, which says its axis
    and unit, are brought to z up and metres. Volumes come from nii, nii.gz (NIfTI-1 and 2), nrrd,
    nhdr, mha, mhd, a DICOM series by its folder or one of its files (extra ``pliant[dicom]``) (lengths in mm, scaled to metres),
    vti (as it is) and npz. Runs come from the npz that ``export`` writes; their
    reports are plain namespaces then. ``limit``: bytes of memory that a packed file may take, or 20 times its size if
    that is more. ``up`` is the axis of the file that points up, such as "y", and is turned to z; ``unit`` is what 1 in the
    file is, "mm", "cm", "m", "in", "ft" or a number of metres; or ``size`` [m] is to be the longest side.
    """
    file = files.named(path)
    if file.suffix.lower() == ".npz" and holds_run(file):
        if (up, unit, size) != (None, None, None):
            raise InputError(f"{file} holds a run; up, unit and size are for meshes and volumes")
        return read_run(file, limit)
    return files.read(file, limit, up, unit, size)
