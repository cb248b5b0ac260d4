"""PC2, the point cache that Blender's Mesh Cache modifier plays, and the mesh it moves as an OBJ beside it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from ...simulate.run import Run
from ..atomic import whole_file
from ..progress import track
from .merged import Merged
from .sequence import obj


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write the vertices of all bodies in every frame, and the rest shape as ``.obj`` beside it.

    In Blender import the OBJ with Y forward and Z up, then add a Mesh Cache modifier that reads the PC2.
    """
    merged = Merged(run)
    with whole_file(path.with_suffix(".obj")) as mesh, whole_file(path) as cache:
        mesh.write_bytes(obj(merged, None))
        with open(cache, "wb") as file:
            file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, merged.starts[-1], 0.0, 1.0, len(frames)))
            for frame in track(frames, "writing pc2"):
                file.write(merged.places(int(frame)).astype("<f4").tobytes())
