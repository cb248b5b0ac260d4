"""PLY and OBJ: one file a frame, the surfaces of all bodies; PLY carries every field as a vertex property."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import numpy as np

from ...errors import InputError
from ...files import whole_folder, write_bytes
from ...progress import track
from ...simulate.run import Run
from .merged import Merged, Paint


def ply(merged: Merged, frame: int, paint: Paint | None = None) -> bytes:
    """Return a binary PLY file of one frame; fields become float properties in SI units, ``paint`` vertex colours."""
    run = merged.run
    names = ["x", "y", "z", "displacement", "speed", *run.field_names]
    columns = [*merged.places(frame).T, *(merged.values(n, frame) for n in names[3:])]
    keys = ["".join(c if c.isalnum() else "_" for c in n) for n in names]
    triangles, edges = np.concatenate(merged.triangles), np.concatenate(merged.edges)
    head = ["ply", "format binary_little_endian 1.0", f"comment t = {run.times[frame]:.9g} s, SI units, z up"]
    head += [f"element vertex {len(columns[0])}", *(f"property float {k}" for k in keys)]
    rows = np.zeros(len(columns[0]), dtype=[("value", "<f4", len(keys))] + ([("rgb", "u1", 3)] if paint else []))
    rows["value"] = np.stack(columns, axis=1)
    if paint:
        head += [f"property uchar {k}" for k in ("red", "green", "blue")]
        rows["rgb"] = np.rint(255 * np.clip(merged.carried(paint.colours(frame)), 0.0, 1.0))
    head += [f"element face {len(triangles)}", "property list uchar int vertex_indices"]
    if len(edges):
        head += [f"element edge {len(edges)}", "property int vertex1", "property int vertex2"]
    faces = np.empty(len(triangles), dtype=[("count", "u1"), ("corner", "<i4", 3)])
    faces["count"], faces["corner"] = 3, triangles
    body = rows.tobytes() + faces.tobytes() + edges.astype("<i4").tobytes()
    return ("\n".join([*head, "end_header"]) + "\n").encode("ascii", "replace") + body


def obj(merged: Merged, frame: int | None, joined: bool = False) -> bytes:
    """Return an OBJ file of one frame, or of the rest shape for None: an object for each body, lines for rods.

    ``joined``: one object, as a point cache needs it, in which the bodies are groups.
    """
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in merged.places(frame).tolist()]
    if joined:
        lines.insert(0, "o bodies")
    for skin, triangles, edges in zip(merged.skins, merged.triangles, merged.edges):
        lines.append(("g " if joined else "o ") + "_".join(skin.name.split()))
        lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
        lines += [f"l {a} {b}" for a, b in (edges + 1).tolist()]
    return ("# Pliant, metres, z up\n" + "\n".join(lines) + "\n").encode("utf-8")


def write(run: Run, frames: np.ndarray, path: Path, colour: str | None = None) -> None:
    """Write one file for each of ``frames``; PLY with vertices coloured by a field where one is named.

    ``path`` is a pattern (``out/frame_{:04d}.ply``), a folder (PLY files ``frame_0000.ply`` …), or a file name: that
    very file for one frame, and ``name_0000.ply`` … for several.
    """
    if not path.suffix:
        path = path / "frame_{:04d}.ply"
    elif "{" not in path.name and len(frames) > 1:
        path = path.with_name(path.stem + "_{:04d}" + path.suffix)
    if colour is not None and path.suffix.lower() != ".ply":
        raise InputError(f"colour={colour!r}: {path.suffix} holds no colours; use .ply or .usd")
    try:
        names = [path.name.format(int(f)) for f in frames]
    except (ValueError, IndexError, KeyError, AttributeError):
        place = "one place for the frame number, such as frame_{:04d}.ply"
        raise InputError(f"file pattern is {path.name!r}; expected {place}") from None
    if len(set(names)) < len(names) or any(os.sep in n for n in names):
        raise InputError(f"file pattern {path.name!r} gives one name to several frames; use a place such as {{:04d}}")
    merged = [Merged(run, k) for k in range(len(run.chapters))]
    paint = Paint(run, colour, frames) if colour is not None else None
    encode = partial(ply, paint=paint) if path.suffix.lower() == ".ply" else obj
    if len(frames) == 1:
        write_bytes(path.with_name(names[0]), encode(merged[run.chapter_of(int(frames[0]))], int(frames[0])))
        return
    with whole_folder(path.parent) as folder:
        for frame, name in track(list(zip(frames, names)), f"writing {path.suffix[1:]}"):
            (folder / name).write_bytes(encode(merged[run.chapter_of(int(frame))], int(frame)))
