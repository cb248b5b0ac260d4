"""Formats that Pliant does not know itself, through meshio where it is installed (extra ``[io]``)."""

from __future__ import annotations

import contextlib
import io
import warnings
from pathlib import Path

import numpy as np

from ...errors import InputError
from ..mesh import EdgeMesh, PointCloud, TetMesh, TriMesh

_NOUNS = {"tetra": (3, TetMesh), "triangle": (2, TriMesh), "line": (1, EdgeMesh)}


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

    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(meshio)
    except (Exception, SystemExit) as error:  # meshio's parsers raise whatever their libraries do
        why = " ".join((said.getvalue() or str(error)).split())[:160]
        raise InputError(f"{path}: meshio could not {verb} it ({why or type(error).__name__})") from None


def read(path: Path) -> TetMesh | TriMesh | EdgeMesh | PointCloud:
    """Read a file through meshio; the cells of the highest dimension make the mesh, lower ones are dropped."""
    found = _quietly(path, "read", lambda meshio: meshio.read(path))
    points = np.asarray(found.points, dtype=float)
    if points.ndim == 2 and points.shape[1] == 2:
        points = np.concatenate([points, np.zeros((len(points), 1))], axis=1)  # flat formats lie in z = 0
    top = max((block.dim for block in found.cells if len(block.data)), default=0)
    try:
        if top == 0:
            return PointCloud(points)
        mine = [block for block in found.cells if block.dim == top and len(block.data)]
        wrong = sorted({block.type for block in mine} - _NOUNS.keys())
        if wrong:
            raise InputError(f"holds cells of type {', '.join(wrong)}; expected tetra, triangle or line")
        return _NOUNS[mine[0].type][1](points, np.concatenate([block.data for block in mine]))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def write(mesh: TetMesh | TriMesh | EdgeMesh | PointCloud, path: Path, part: Path) -> None:
    """Write a mesh through meshio to ``part``, in the format that ``path`` names; regions and normals are refused."""
    if getattr(mesh, "regions", None) is not None or getattr(mesh, "normals", None) is not None:
        raise InputError(f"{path}: {path.suffix} is written by meshio without regions or normals; use npz or vtu")
    names = {TetMesh: ("tetra", "tets"), TriMesh: ("triangle", "triangles"), EdgeMesh: ("line", "edges")}
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
