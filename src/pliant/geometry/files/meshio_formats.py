"""Formats that Pliant does not know itself, through meshio where it is installed (extra ``[io]``)."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
import warnings
from pathlib import Path

import numpy as np

from ...arguments.checks import shown
from ...errors import InputError, PliantWarning
from ..lattice.hex_mesh import HexMesh
from ..mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from .sandbox import apart
from .source import Source

_NOUNS = {"tetra": TetMesh, "tetra10": TetMesh, "hexahedron": HexMesh, "triangle": TriMesh, "line": EdgeMesh}
_INSIDE = {"xdmf": {"data_format": "XML"}}  # how a format keeps its data in the file itself


def suffixes() -> list[str]:
    """The suffixes meshio knows; none where it is not installed."""
    try:
        import meshio
    except ImportError:
        return []
    return sorted(meshio.extension_to_filetypes)


def _arrays(source: Source) -> dict[str, np.ndarray]:
    """The arrays that meshio finds in a file."""
    with np.load(io.BytesIO(apart(source, "meshio"))) as arrays:
        return dict(arrays)


def read(source: Source) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud:
    """Read a file through meshio; the cells of the highest dimension make the mesh, lower ones are dropped.

    So are sets of nodes and cells, of which a warning tells: what meshio makes of them may be those of other cells.
    """
    found = _arrays(source)
    names = [shown(name) for name in dict.fromkeys(found["names"].tolist())]
    if names:
        some = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        warnings.warn(
            f"{source.path}: its {len(names)} sets, {some}, are not taken over as groups; msh, vtu and npz keep names",
            PliantWarning,
            stacklevel=5,
        )
    points = found["points"]
    if points.ndim == 2 and points.shape[1] == 2:
        points = np.concatenate([points, np.zeros((len(points), 1))], axis=1)  # flat formats lie in z = 0
    kinds = sorted({str(kind) for kind in found["kinds"]})
    try:
        if not kinds:
            return PointCloud(points)
        if wrong := [kind for kind in kinds if kind not in _NOUNS]:
            known = "tetra, tetra10, hexahedron, triangle or line"
            raise InputError(f"holds cells of type {', '.join(wrong)}; expected {known}")
        if len(kinds) > 1:
            raise InputError(f"holds cells of type {' and '.join(kinds)}; expected one of them")
        cells = np.concatenate([found[f"cells {i}"] for i in range(len(found["kinds"]))])
        if kinds == ["tetra10"]:
            return TetMesh(points, cells[:, :4], middles=cells[:, 4:])
        return _NOUNS[kinds[0]](points, cells)
    except InputError as error:
        raise source.error(str(error)) from None


def write(mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud, path: Path, part: Path) -> None:
    """Write a mesh through meshio to ``part``, in the format that ``path`` names; regions and normals are refused."""
    if getattr(mesh, "regions", None) is not None or getattr(mesh, "normals", None) is not None:
        raise InputError(f"{path}: {path.suffix} is written by meshio without regions or normals; use npz or vtu")
    tets = "tetra" if getattr(mesh, "middles", None) is None else "tetra10"
    names = {
        TetMesh: (tets, "cells"), HexMesh: ("hexahedron", "hexes"), TriMesh: ("triangle", "triangles"),
        EdgeMesh: ("line", "edges"),
    }  # fmt: skip
    if isinstance(mesh, PointCloud):
        cells = [("vertex", np.arange(len(mesh.vertices))[:, None])]
    else:
        name, attribute = names[type(mesh)]
        cells = [(name, getattr(mesh, attribute))]
    import meshio

    kind, printed = meshio.extension_to_filetypes[path.suffix.lower()][0], io.StringIO()
    with tempfile.TemporaryDirectory(prefix="pliant-") as folder:
        whole = Path(folder, path.name)
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                meshio.write(whole, meshio.Mesh(mesh.vertices, cells), file_format=kind, **_INSIDE.get(kind, {}))
        except (Exception, SystemExit) as error:  # meshio prints and exits where others raise
            why = " ".join((printed.getvalue() or str(error)).split())[:160]
            raise InputError(f"{path}: meshio could not write it ({why or type(error).__name__})") from None
        if len(made := sorted(os.listdir(folder))) != 1:
            raise InputError(f"{path}: meshio writes {path.suffix} as {len(made)} files; use vtu or npz, which are one")
        shutil.copyfile(whole, part)
