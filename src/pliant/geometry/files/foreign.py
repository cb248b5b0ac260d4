"""Formats that Pliant does not know itself, through meshio where it is installed (extra ``[io]``)."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import numpy as np

from ...errors import InputError
from ..hex_mesh import HexMesh
from ..mesh import EdgeMesh, PointCloud, TetMesh, TriMesh

_NOUNS = {"tetra": TetMesh, "tetra10": TetMesh, "hexahedron": HexMesh, "triangle": TriMesh, "line": EdgeMesh}


def suffixes() -> list[str]:
    """The suffixes meshio knows; none where it is not installed."""
    try:
        import meshio
    except ImportError:
        return []
    return sorted(meshio.extension_to_filetypes)


def _quietly(path: Path, verb: str, call):
    """Call meshio, which prints and exits where others raise; hand its complaint on as one error."""
    import meshio

    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(meshio)
    except (Exception, SystemExit) as error:  # meshio's parsers raise whatever their libraries do
        why = " ".join((printed.getvalue() or str(error)).split())[:160]
        raise InputError(f"{path}: meshio could not {verb} it ({why or type(error).__name__})") from None


def read(path: Path) -> TetMesh | TriMesh | EdgeMesh | PointCloud:
    """Read a file through meshio; the cells of the highest dimension make the mesh, lower ones are dropped."""
    mesh = _quietly(path, "read", lambda meshio: meshio.read(path))
    points = np.asarray(mesh.points, dtype=float)
    if points.ndim == 2 and points.shape[1] == 2:
        points = np.concatenate([points, np.zeros((len(points), 1))], axis=1)  # flat formats lie in z = 0
    top = max((block.dim for block in mesh.cells if len(block.data)), default=0)
    try:
        if top == 0:
            return PointCloud(points)
        mine = [block for block in mesh.cells if block.dim == top and len(block.data)]
        wrong = sorted({block.type for block in mine} - _NOUNS.keys())
        if wrong:
            known = "tetra, tetra10, hexahedron, triangle or line"
            raise InputError(f"holds cells of type {', '.join(wrong)}; expected {known}")
        kinds = sorted({block.type for block in mine})
        if len(kinds) > 1:
            raise InputError(f"holds cells of type {' and '.join(kinds)}; expected one of them")
        cells = np.concatenate([block.data for block in mine])
        if kinds == ["tetra10"]:
            return TetMesh(points, cells[:, :4], middles=cells[:, 4:])
        return _NOUNS[kinds[0]](points, cells)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


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
    _quietly(
        path,
        "write",
        lambda meshio: meshio.write(
            part, meshio.Mesh(mesh.vertices, cells), file_format=meshio.extension_to_filetypes[path.suffix.lower()][0]
        ),
    )
