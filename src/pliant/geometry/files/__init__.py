"""Mesh and volume files, the format chosen by the suffix.

Readers keep the file's order of vertices and cells and repair nothing; each format's own page says what it drops.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable
from pathlib import Path

from ...arguments import checks
from ...arguments.atomic_files import whole_file
from ...errors import InputError, PliantWarning, did_you_mean
from ..distance.volume import Volume
from ..lattice.hex_mesh import HexMesh
from ..mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..mesh.up_axis import metres, sized, upright
from . import meshio_formats, npz
from .solids import msh, tetgen, veg, vtu
from .source import LIMIT, Source
from .surfaces import glb, gltf, obj, off, ply, stl, usd
from .volumes import dicom, mha, nhdr, nifti, nrrd, vti

Shape = TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud | Volume
FORMATS = {
    ".obj": obj, ".stl": stl, ".ply": ply, ".off": off, ".glb": glb, ".gltf": gltf, ".msh": msh, ".vtu": vtu,
    ".node": tetgen, ".ele": tetgen, ".veg": veg, ".npz": npz,
    ".nii": nifti, ".nii.gz": nifti, ".nrrd": nrrd, ".nhdr": nhdr, ".vti": vti, ".mha": mha, ".mhd": mha,
    ".dcm": dicom, **dict.fromkeys(usd.SUFFIXES, usd),
}  # fmt: skip
_NAMES = {
    TetMesh: "tets", HexMesh: "hexes", TriMesh: "triangles", EdgeMesh: "edges", PointCloud: "points", Volume: "voxels",
}  # fmt: skip
MEASURED = (
    ".nii",
    ".nii.gz",
    ".nrrd",
    ".nhdr",
    ".mha",
    ".mhd",
    *dicom.SUFFIXES,
    *usd.SUFFIXES,
)  # formats that say what their unit is
_HINTS = {"middles": "; or write mesh.linear(), its corners"}
_HINTS |= dict.fromkeys(("tets", "hexes"), "; or write mesh.boundary, its surface")


def read(
    path: str | os.PathLike[str],
    limit: float = LIMIT,
    up: str | None = None,
    unit: str | float | None = None,
    size: float | None = None,
) -> Shape:
    """Read a mesh or a Volume, as ``pliant.read`` says, which reads runs too."""
    if unit is not None:
        check_unit(path, unit)
    if up is not None and FORMATS.get(_suffix(named(path))) is usd:
        raise InputError(f"{path} says itself which axis is up; expected no up, or shape.rotated(…) after it is read")
    shape = _read(path, limit)
    if up is not None:
        shape = upright(shape, up, "y" if _suffix(named(path)) in (".glb", ".gltf") else "z")
    return sized(shape, unit, size)


def is_measured(path: str | os.PathLike[str]) -> bool:
    """Whether a file says what its unit is."""
    return _suffix(named(path)) in MEASURED or _is_dicom(named(path))


def stays_in(path: str | os.PathLike[str]) -> bool:
    """Whether what a file names is looked for in its folder alone: so it is but for USD, and what meshio reads."""
    return FORMATS.get(_suffix(named(path)), meshio_formats) not in (meshio_formats, usd) or _is_dicom(named(path))


def _is_dicom(file: Path) -> bool:
    """Whether a file or folder is one of DICOM, whose files often have no ending, or one that is a number."""
    return _suffix(file) not in FORMATS and dicom.recognised(file)


def check_unit(path: str | os.PathLike[str], unit: str | float) -> None:
    """Refuse what is no unit, and any unit of a file that says its own."""
    metres(unit)
    if is_measured(path):
        raise InputError(f"{path} says itself what its unit is; expected no unit, or a size")


def _read(path: str | os.PathLike[str], limit: float) -> Shape:
    """What a file holds, as it is there."""
    file, limit = named(path), checks.positive("limit", limit, "bytes")
    suffix = _suffix(file)
    if os.path.isdir(file):
        return dicom.read_folder(file, limit)
    if _is_dicom(file):
        return dicom.read(_bytes(file, limit))
    if suffix not in FORMATS:
        _check_foreign(file)
        return meshio_formats.read(_bytes(file, limit))
    if FORMATS[suffix] is tetgen:
        node, ele = (file if suffix == kind else _pair(file, kind) for kind in (".node", ".ele"))
        if not node.exists() and ele.exists():
            raise InputError(f"{ele}: its points are missing; expected {node.name} in the same folder")
        return tetgen.read(_bytes(node, limit), _bytes(ele, limit) if suffix == ".ele" or ele.exists() else None)
    if FORMATS[suffix] in (nhdr, glb, gltf, mha, obj, usd):
        return FORMATS[suffix].read(_bytes(file, limit), lambda name: _beside(file, name, limit))
    return FORMATS[suffix].read(_bytes(file, limit))


def write(mesh: Shape, path: str | os.PathLike[str], text: bool = False) -> None:
    """Write a mesh or a Volume so that it reads back exactly; the file appears whole or not at all.

    ``text``: write the readable form of the formats that have two (stl, ply, msh, vtu, nrrd). Binary STL and GLB have
    32-bit floats only; every other form keeps 64 bits. NRRD is in millimetres, so its lengths are rounded once in the
    last digit. What a format cannot hold is refused, never dropped.
    """
    file = named(path)
    checks.instance("what to write", mesh, tuple(_NAMES), "TetMesh, HexMesh, TriMesh, EdgeMesh, PointCloud or Volume")
    checks.flag("text", text)
    cells = next(cells for kind, cells in _NAMES.items() if isinstance(mesh, kind))
    if cells != "voxels" and not len(mesh.vertices):
        raise InputError(f"{file}: this {type(mesh).__name__} has no vertices; there is nothing to write")
    if cells not in ("points", "voxels") and not len(getattr(mesh, cells)):
        raise InputError(f"{file}: this {type(mesh).__name__} has no {cells}; write PointCloud(mesh.vertices) instead")
    suffix = _suffix(file)
    if suffix not in FORMATS:
        _check_foreign(file)
        if cells == "voxels":
            raise InputError(f"{file}: {suffix[1:]} cannot hold voxels; use npz or nrrd")
        if text:
            raise InputError(f"{file}: text=True is for stl, ply, msh, vtu and nrrd; meshio writes {suffix} in its one form")
        _put({file: lambda part: meshio_formats.write(mesh, file, part)})
        return
    _check_fits(mesh, cells, file, text)
    try:
        encoded = FORMATS[suffix].encode(mesh, text)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    if isinstance(encoded, bytes):
        encoded = {suffix: encoded}
    targets = {file if kind == suffix else _pair(file, kind): data for kind, data in encoded.items()}
    _put({target: lambda part, data=data: part.write_bytes(data) for target, data in targets.items()})


def named(path: object) -> Path:
    """A path that a caller gave, which must be one."""
    try:
        file = Path(os.fspath(path))  # type: ignore[arg-type]
        if "\0" in str(file):
            raise TypeError
    except (TypeError, ValueError):
        raise checks.refusal("path", path, "the name of a file") from None
    return file


def _suffix(file: Path) -> str:
    """The ending that names the format, in small letters: that of a packed NIfTI file has two parts."""
    return ".nii.gz" if file.name.lower().endswith(".nii.gz") else file.suffix.lower()


def _beside(file: Path, name: str, limit: float) -> Source:
    """The data file that a header names, which may be in its folder or below, nowhere else."""
    if Path(name).is_absolute() or ".." in Path(name).parts or not name.isprintable() or len(name) > 200:
        raise InputError(f"{file}: names the data file {name[:80]!r}; expected one in the same folder or below")
    try:
        return _bytes(file.parent / name, limit)
    except InputError as error:
        raise InputError(f"{file}: its data: {str(error)[:400]}") from None


def _pair(file: Path, suffix: str) -> Path:
    """The file beside a TetGen file, in the same case of letters."""
    return file.with_suffix(suffix.upper() if file.suffix.isupper() else suffix)


def _bytes(file: Path, limit: float = LIMIT) -> Source:
    """The whole of a regular file that is not empty."""
    try:
        if file.is_dir():
            raise InputError(f"{file} is a folder; expected a mesh file")
        if not file.exists():
            near = did_you_mean(file.name, os.listdir(file.parent) if file.parent.is_dir() else [])
            raise InputError(f"there is no file {file}{near}")
        if not file.is_file():
            raise InputError(f"{file} is a device or a pipe; expected a mesh file")
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    if not data:
        raise InputError(f"{file} is empty; expected a mesh")
    return Source(file, data, limit)


def _check_foreign(file: Path) -> None:
    """Refuse a suffix that neither we nor meshio know."""
    suffix, others = _suffix(file), meshio_formats.suffixes()
    if suffix in others:
        return
    known = ", ".join(kind[1:] for kind in FORMATS)
    more = " and what meshio knows" if others else "; installing pliant[io] adds those of meshio"
    given = f"suffix {file.suffix!r}" if suffix else "no suffix"
    raise InputError(f"{file} has {given}{did_you_mean(suffix, FORMATS)}; expected one of {known}{more}")


def _check_fits(mesh: Shape, cells: str, file: Path, text: bool) -> None:
    """Refuse what the format cannot hold, naming the formats that can."""
    suffix = _suffix(file)
    for part in (cells, "regions", "normals", "middles"):
        if part == cells or getattr(mesh, part, None) is not None:
            able = [kind[1:] for kind, module in FORMATS.items() if part in module.HOLDS and cells in module.HOLDS]
            if suffix[1:] not in able:
                hint = _HINTS.get(part, "")
                why = f"cannot hold {part}" if FORMATS[suffix].HOLDS else "is read but not written"
                raise InputError(f"{file}: {suffix[1:]} {why}; use {', '.join(able)}{hint}")
    names = mesh.groups.names if getattr(mesh, "groups", ()) else []
    if names and "groups" not in FORMATS[suffix].HOLDS:
        warnings.warn(
            f"{file}: {suffix[1:]} has no place for groups; {', '.join(map(repr, names))} are left out, npz and msh keep them",
            PliantWarning,
            stacklevel=5,
        )
    if text and suffix in (".npz", ".glb"):
        raise InputError(f"{file}: {suffix[1:]} has no text form; leave out text=True")
    if suffix == ".ele" and cells == "points":
        raise InputError(f"{file}: points alone go into a .node file; use {file.with_suffix('.node').name}")
    if suffix == ".node" and cells == "points" and _pair(file, ".ele").exists():
        other = _pair(file, ".ele").name
        raise InputError(f"{file}: {other} in its folder would be read as its tets; remove it or choose another name")


def _put(targets: dict[Path, Callable[[Path], object]]) -> None:
    """Write each target beside itself and rename all at the end, so that no part of a file is ever seen."""
    with contextlib.ExitStack() as stack:
        for part, put in [(stack.enter_context(whole_file(target, make=False)), put) for target, put in targets.items()]:
            put(part)
