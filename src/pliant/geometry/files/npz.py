"""Pliant's own file: a NumPy archive that keeps every shape and volume, exactly."""

from __future__ import annotations

import numpy as np

from ...arguments.atomic_files import Archive, packed, why
from ...errors import InputError
from ..distance.volume import Volume
from ..lattice.hex_mesh import HexMesh
from ..mesh.groups import Groups
from ..mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..mesh.mesh_looks import Looks
from .source import Source

HOLDS = ("tets", "hexes", "regions", "middles", "triangles", "edges", "points", "normals", "voxels", "groups")
_LOOKS = "looks_"  # what the names of their arrays begin with
_GROUPS = "groups_"
# Kind → its class and the arrays it is made of, in order; those after "?" may be missing.
_KINDS = {
    "TetMesh": (TetMesh, ("vertices", "tets", "?regions", "?middles")),
    "HexMesh": (HexMesh, ("vertices", "hexes", "?regions")),
    "TriMesh": (TriMesh, ("vertices", "triangles")),
    "EdgeMesh": (EdgeMesh, ("vertices", "edges")),
    "PointCloud": (PointCloud, ("vertices", "?normals")),
    "Volume": (Volume, ("values", "spacing", "?origin", "?axes")),
}


def read(source: Source) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud | Volume:
    """Read what ``write`` wrote, or a volume as ``values``, ``spacing``, ``origin``; other archives are refused."""
    try:
        return _read(source, Archive(source.data, source.claim))
    except InputError:
        raise
    except ValueError as error:
        raise source.error(str(error)) from None


def _read(source: Source, archive: Archive) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud | Volume:
    names = archive.names
    stored = archive.array("kind") if "kind" in names else None
    kind = str(stored) if stored is not None and stored.dtype.kind == "U" and stored.ndim == 0 else None
    if "kind" not in names and {"values", "spacing"} <= names.keys():
        kind = "Volume"
    if kind not in _KINDS:
        raise source.error(f"holds {', '.join(sorted(names)) or 'nothing'}; expected a mesh written by pliant")
    shape, wanted = _KINDS[kind]
    arrays = {}
    for name in wanted:
        plain = name.removeprefix("?")
        if plain in names:
            arrays[plain] = archive.array(plain)
        elif name == plain:
            raise source.error(f"has no array {plain!r}, which a {kind} needs")
    if any(array.ndim == 0 for name, array in arrays.items() if name != "spacing"):
        raise source.error(f"a {kind} whose arrays are single numbers")
    first, *others = arrays
    more: dict[str, object] = {name: arrays[name] for name in others}
    looks = {name.removeprefix(_LOOKS): archive.array(name) for name in names if name.startswith(_LOOKS)}
    if looks and shape is TriMesh:
        try:
            more["looks"] = Looks.from_arrays(looks)
        except (LookupError, TypeError, AttributeError, RecursionError) as error:
            raise source.error(f"its looks are damaged ({why(error)})") from None
    groups = {name.removeprefix(_GROUPS): archive.array(name) for name in names if name.startswith(_GROUPS)}
    if groups and hasattr(shape, "groups"):
        try:
            more["groups"] = Groups.from_arrays(groups)
        except (LookupError, TypeError, AttributeError) as error:
            raise source.error(f"its groups are damaged ({why(error)})") from None
    return source.build(shape, arrays[first], **more)


def encode(mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud | Volume, text: bool) -> bytes:
    """Write every array as it is in memory."""
    kind = type(mesh).__name__
    names = [name.removeprefix("?") for name in _KINDS[kind][1]]
    arrays = {name: getattr(mesh, name) for name in names if getattr(mesh, name) is not None}
    looks = getattr(mesh, "looks", None)
    own = {} if looks is None else {_LOOKS + name: array for name, array in looks.arrays().items()}
    own |= {_GROUPS + name: array for name, array in getattr(mesh, "groups", Groups()).arrays().items()}
    return packed({"kind": np.array(kind), **arrays, **own})
