"""Pliant's own file: a NumPy archive that keeps every shape and volume, exactly."""

from __future__ import annotations

import io
import math
import warnings
import zipfile

import numpy as np

from ...errors import InputError
from ..mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..volume import Volume
from .source import Source

HOLDS = ("tets", "regions", "triangles", "edges", "points", "normals", "voxels")
# Kind → its class and the arrays it is made of, in order; those after "?" may be missing.
_KINDS = {
    "TetMesh": (TetMesh, ("vertices", "tets", "?regions")),
    "TriMesh": (TriMesh, ("vertices", "triangles")),
    "EdgeMesh": (EdgeMesh, ("vertices", "edges")),
    "PointCloud": (PointCloud, ("vertices", "?normals")),
    "Volume": (Volume, ("values", "spacing", "?origin", "?axes")),
}
_RATIO = 1100  # deflate cannot expand further than this


def read(source: Source) -> TetMesh | TriMesh | EdgeMesh | PointCloud | Volume:
    """Read what ``write`` wrote, or a volume as ``values``, ``spacing``, ``origin``; other archives are refused."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        names = {name.removesuffix(".npy") for name in archive.namelist()}
    except Exception as error:  # zipfile raises many kinds on a damaged directory
        raise source.error(f"is not a whole .npz archive ({_why(error)})") from None
    found = _array(source, archive, "kind") if "kind" in names else None
    kind = str(found) if found is not None and found.dtype.kind == "U" and found.ndim == 0 else None
    if "kind" not in names and {"values", "spacing"} <= names:
        kind = "Volume"
    if kind not in _KINDS:
        raise source.error(f"holds {', '.join(sorted(names)) or 'nothing'}; expected a mesh written by pliant")
    shape, wanted = _KINDS[kind]
    arrays = {}
    for name in wanted:
        plain = name.removeprefix("?")
        if plain in names:
            arrays[plain] = _array(source, archive, plain)
        elif name == plain:
            raise source.error(f"has no array {plain!r}, which a {kind} needs")
    if any(array.ndim == 0 for name, array in arrays.items() if name != "spacing"):
        raise source.error(f"a {kind} whose arrays are single numbers")
    first, *others = arrays
    return source.build(shape, arrays[first], **{name: arrays[name] for name in others})


def _array(source: Source, archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """One array, whose header may not promise more than the archive holds."""
    try:
        info = archive.getinfo(f"{name}.npy")
        if info.file_size > _RATIO * len(source.data):
            raise source.error(f"array {name!r} claims {info.file_size} bytes, more than the file can hold")
        raw = archive.read(info)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a damaged header is Python text with odd escapes
            stream = io.BytesIO(raw)
            major, _ = np.lib.format.read_magic(stream)
            header = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = header(stream)
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise many kinds on damaged data
        raise source.error(f"array {name!r} is damaged ({_why(error)})") from None
    count, known = math.prod(shape), dtype.kind in "biufU" and dtype.itemsize > 0
    if not known or any(n < 0 for n in shape) or count * dtype.itemsize != len(raw) - stream.tell():
        raise source.error(f"array {name!r} does not match its header (shape {shape}, type {dtype})")
    flat = np.frombuffer(raw, dtype, count, stream.tell())
    return flat.reshape(shape, order="F" if fortran else "C")


def _why(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__


def encode(mesh: TetMesh | TriMesh | EdgeMesh | PointCloud | Volume, text: bool) -> bytes:
    """Write every array as it is in memory."""
    kind = type(mesh).__name__
    names = [name.removeprefix("?") for name in _KINDS[kind][1]]
    arrays = {name: getattr(mesh, name) for name in names if getattr(mesh, name) is not None}
    out = io.BytesIO()
    np.savez(out, kind=np.array(kind), **arrays)
    return out.getvalue()
