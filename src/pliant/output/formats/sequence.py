"""PLY and OBJ: one file a frame, the surfaces of all bodies; PLY carries every field as a vertex property."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ...arguments.atomic_files import whole_folder, write_bytes
from ...arguments.progress import track
from ...errors import InputError
from ...geometry.mesh.mesh_looks import NONE, Finish
from ...simulate.record.run import Run, Skin
from .drawn_objects import Seams, file_name, normals, pictures, pieces
from .merged_mesh import Merged, Paint


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


def obj(merged: Merged, frame: int | None, joined: bool = False, library: str | None = None) -> bytes:
    """Return an OBJ file of one frame, or of the rest shape for None: an object for each body, lines for rods.

    Faces are as they were drawn, with texture points and, where not all is smooth, normals; objects of a body have their own
    names. ``joined``: one object, as a point cache needs it, in which all these are groups. ``library``: the file of materials.
    """
    places = merged.places(frame)
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in places.tolist()]
    if joined:
        lines.insert(0, "o bodies")
    if library is not None:
        lines.insert(0, f"mtllib {library}")
    group, seen = "g " if joined else "o ", [0, 0]  # texture points and normals so far
    for skin, triangles, edges, start in zip(merged.skins, merged.triangles, merged.edges, merged.starts):
        if skin.looks is None:
            lines.append(group + "_".join(skin.name.split()))
            lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
            lines += [f"l {a} {b}" for a, b in (edges + 1).tolist()]
        else:
            lines += _drawn(skin, places[start : start + len(skin.parents)], int(start), group, seen)
    return ("# Pliant, metres, z up\n" + "\n".join(lines) + "\n").encode("utf-8")


def _drawn(skin: Skin, x: np.ndarray, start: int, group: str, seen: list[int]) -> list[str]:
    """Lines of a body with looks, whose first vertex is number ``start``; ``seen`` counts on."""
    looks, lines = skin.looks, []
    corner = [[str(v) for v in (looks.corners + 1 + start).tolist()]]
    if looks.uv is not None:
        used, own = np.unique(looks.uv, axis=0, return_inverse=True)
        lines += [f"vt {u:.9g} {v:.9g}" for u, v in used.tolist()]
        corner.append([str(n) for n in (own.ravel() + 1 + seen[0]).tolist()])
        seen[0] += len(used)
    if looks.smooth is not None:
        (seams,) = [Seams(piece) for piece in pieces(replace(skin, looks=replace(looks, part=None)))]
        found = normals(x[seams.groups], seams.group_triangles)
        lines += [f"vn {a:.6f} {b:.6f} {c:.6f}" for a, b, c in found.tolist()]
        own = np.zeros(len(looks.corners), int)
        own[looks.fans] = seams.group_triangles
        corner += [[""] * len(own)] * (looks.uv is None)
        corner.append([str(n) for n in (own + 1 + seen[1]).tolist()])
        seen[1] += len(found)
    words = ["/".join(parts) for parts in zip(*corner)]
    now: list[str | None] = [None, None]
    for face, (first, size) in enumerate(zip(looks.starts.tolist(), looks.sizes.tolist())):
        part = looks.part[face] if looks.part is not None else NONE
        finish = looks.finish[face] if looks.finish is not None else NONE
        name = group + "_".join((skin.name if part == NONE else looks.parts[part]).split())
        if name != now[0]:
            lines.append(name)
        if finish != NONE and now[1] != f"usemtl {finish}":
            lines.append(f"usemtl {material_name(looks.finishes[finish])}")
        now = [name, f"usemtl {finish}" if finish != NONE else now[1]]
        lines.append("f " + " ".join(words[first : first + size]))
    return lines


def material_name(finish: Finish) -> str:
    """The name of a material as OBJ has it, without blanks."""
    return "_".join(finish.name.split()) or "material"


def library(skins: Iterable[Skin]) -> bytes | None:
    """An MTL file of all materials of bodies; None where there are none."""
    finishes = [finish for skin in skins if skin.looks is not None for finish in skin.looks.finishes]
    lines = ["# Pliant"]
    for finish in {material_name(finish): finish for finish in finishes}.values():
        red, green, blue, opacity = finish.colour
        lines += [f"newmtl {material_name(finish)}", f"Kd {red:.6g} {green:.6g} {blue:.6g}", f"d {opacity:.6g}"]
        lines += [f"Pr {finish.roughness:.6g}", f"Pm {finish.metallic:.6g}"]
        lines += [f"map_Kd {file_name(finish)}"] if file_name(finish) else []
    return ("\n".join(lines) + "\n").encode("utf-8") if finishes else None


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
    encode, beside = partial(ply, paint=paint), {}
    if path.suffix.lower() == ".obj":
        skins = [skin for chapter in run.chapters for skin in chapter.skins]
        materials, stem = library(skins), path.stem.split("{")[0].rstrip("_-. ") or "run"
        beside = {} if materials is None else {f"{stem}.mtl": materials, **pictures(skins)}
        encode = partial(obj, library=None if materials is None else f"{stem}.mtl")
    if len(frames) == 1:
        for name, data in beside.items():
            write_bytes(path.with_name(name), data)
        write_bytes(path.with_name(names[0]), encode(merged[run.chapter_of(int(frames[0]))], int(frames[0])))
        return
    with whole_folder(path.parent) as folder:
        for name, data in beside.items():
            (folder / name).write_bytes(data)
        for frame, name in track(list(zip(frames, names)), f"writing {path.suffix[1:]}"):
            (folder / name).write_bytes(encode(merged[run.chapter_of(int(frame))], int(frame)))
