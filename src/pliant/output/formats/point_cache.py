"""Point caches, PC2 and MDD, that Blender's Mesh Cache modifier plays, and the mesh they move as an OBJ beside them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from ...arguments.atomic_files import whole_file, write_bytes
from ...arguments.progress import track
from ...simulate.record.run import Run
from ..frames import in_one_chapter
from .drawn_objects import pictures
from .merged_mesh import Merged
from .sequence import library, obj


def _pc2(points: int, times: np.ndarray) -> bytes:
    """The head of a PC2 file, little-endian: a sample for each frame from 0 up."""
    return struct.pack("<12siiffi", b"POINTCACHE2\0", 1, points, 0.0, 1.0, len(times))


def _mdd(points: int, times: np.ndarray) -> bytes:
    """The head of an MDD file, big-endian: frames, points and the time of each frame [s]."""
    return struct.pack(">ii", len(times), points) + times.astype(">f4").tobytes()


_KINDS = {".pc2": (_pc2, "<f4"), ".mdd": (_mdd, ">f4")}


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write the vertices of all bodies in every frame, and the rest shape as ``.obj`` beside it, with its materials.

    A body drawn by a surface from a file has the vertices of that file, in its order, so the cache fits the object it came from.

    In Blender import the OBJ with Y forward and Z up, then add a Mesh Cache modifier that reads the cache. MDD holds
    the time of every frame; PC2 numbers them.
    """
    merged = Merged(run, in_one_chapter(run, frames, path.suffix))
    head, kind = _KINDS[path.suffix.lower()]
    materials = library(merged.skins)
    if materials is not None:
        for name, data in {path.with_suffix(".mtl").name: materials, **pictures(merged.skins)}.items():
            write_bytes(path.with_name(name), data)
    with whole_file(path.with_suffix(".obj")) as mesh, whole_file(path) as cache:
        mesh.write_bytes(obj(merged, None, True, None if materials is None else path.with_suffix(".mtl").name))
        with open(cache, "wb") as file:
            file.write(head(int(merged.starts[-1]), run.times[frames]))
            for frame in track(frames, f"writing {path.suffix[1:]}"):
                file.write(merged.places(int(frame)).astype(kind).tobytes())
