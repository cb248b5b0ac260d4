"""One HTML file that replays a run: turn it, scrub it, colour it; no server and no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Sequence
from importlib import resources
from os import PathLike
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..progress import track
from ..simulate.run import Run
from . import colour as colours
from .atomic import write_text
from .frames import as_run, checked_view, picked, resampled, unit_of
from .legend import draw_legend
from .looks import Slice
from .palette import indexed, palette_of
from .picture import VIEW
from .shapes import CREASE, ground_of, is_rod, posed, rod_radius, vertex_values, vertices
from .slices import SliceStage
from .units import round_step

LIMIT = 512 * 2**20  # [bytes] before packing; more than this a browser tab may not hold
PANEL = (400, 300)  # [pixels] of a slice
SCRIPTS = ("data.js", "shaders.js", "scene.js", "app.js")


def page(
    run: Run, path: str | PathLike, colours: Sequence[str] | None = None, title: str = "Pliant", fps: float = 60.0,
    view: tuple[float, float] = VIEW, look: Slice | None = None,
) -> Path:  # fmt: skip
    """Write a self-contained HTML page that replays a run, and return its path.

    ``colours`` names the fields to take along (all by default); ``fps`` keeps at most that many frames a simulated
    second; ``view`` is (azimuth, elevation) [degrees]; ``look=Slice()`` adds a panel with that slice of every frame.
    Positions are kept to 1/65535 of the run's box, field values to 1/255 of their range.
    """
    run = as_run(run)
    if not isinstance(path, str | PathLike) or Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"page path is {str(path)!r}; expected a name ending in .html")
    if isinstance(colours, str):
        colours = (colours,)
    names = ["displacement", "speed", *run.fields] if colours is None else list(colours)
    frames = resampled(run, fps) if len(run) > 1 else picked(run, None)
    frames = np.unique(frames)
    if look is not None and not isinstance(look, Slice):
        raise InputError(f"look is {look!r}; expected Slice(…), or None: other looks are for pictures")
    about, data = packed(run, frames, list(dict.fromkeys(names)), checked_view(view), look)
    return write_text(path, _assembled(title, about, data))


def _bytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def packed(
    run: Run, frames: np.ndarray, names: list[str], view: tuple[float, float], look: Slice | None = None
) -> tuple[dict, bytes]:
    """Return what the page's script reads: a description, and the deflated arrays it points into."""
    sizes = [s.stop - s.start if is_rod(s) else len(s.parents) for s in run.skins]
    total = sum(sizes)
    need = len(frames) * (total * (6 + len(names)) + (PANEL[0] * PANEL[1] if look is not None else 0))
    if need > LIMIT:
        fewer = max(int(LIMIT / (need / len(frames))), 1)
        raise InputError(
            f"{len(frames)} frames of {total} vertices need {_bytes(need)}, more than {_bytes(LIMIT)}; "
            f"lower fps until at most {fewer} frames remain, or name fewer colours"
        )
    first = np.cumsum([0, *sizes])
    x = np.empty((len(frames), total, 3))
    for i, frame in enumerate(track(frames, "packing")):
        for skin, start, stop in zip(run.skins, first[:-1], first[1:]):
            x[i, start:stop] = vertices(run, skin, int(frame))
    if not total:
        raise InputError("no body of this run has a surface or edges; nothing to show")
    low, high = x.min(axis=(0, 1)), x.max(axis=(0, 1))
    high = np.where(high > low, high, low + 1e-9)
    sections: dict[str, bytes] = {"positions": _planes(np.rint((x - low) / (high - low) * 65535).astype(np.uint16))}
    fields = []
    for name in names:
        described, coded = _field(run, frames, name)
        fields.append(described)
        sections[f"field:{name}"] = coded
    extent = max(float(np.linalg.norm(high - low)), 1e-9)
    bodies = []
    for k, skin in enumerate(run.skins):
        hue = skin.colour or colours.body_colour(k)
        body = {"name": skin.name, "first": int(first[k]), "rod": is_rod(skin), "colour": hue, "rgb": _rgb(hue)}
        if is_rod(skin):
            source, cells, wires = np.zeros(0, int), np.asarray(skin.edges), np.zeros((0, 2), int)
            body["radius"] = rod_radius(run, skin, extent)
        else:
            source, cells, wires = split_creases(skin.of(run.rest), np.asarray(skin.triangles))
        bodies.append(body)
        for name, array in (("source", source), ("cells", cells), ("wires", wires)):
            sections[f"{name}:{k}"] = np.ascontiguousarray(array, dtype="<i4").tobytes()
    about = _surroundings(run, frames, x, extent, view, sections)
    about |= {
        "vertices": total, "times": run.times[frames].tolist(), "box": [low.tolist(), high.tolist()], "fields": fields,
        "bodies": bodies, "energies": {n: np.asarray(e)[frames].tolist() for n, e in run.energies.items()},
        "hues": list(colours.BODIES), "facts": _facts(run, frames, total),
    }  # fmt: skip
    about["slice"] = None if look is None else _panel(run, frames, look, sections)
    sections["scale"] = (colours.scale(256) * 255 + 0.5).astype(np.uint8).tobytes()
    about["sections"], offset = {}, 0
    for name, data in sections.items():
        about["sections"][name] = [offset, len(data)]
        offset += len(data)
    return about, zlib.compress(b"".join(sections.values()), 6)


def _panel(run: Run, frames: np.ndarray, look: Slice, sections: dict[str, bytes]) -> dict:
    """Draw the slice of every frame in 255 colours, and add it to ``sections`` as differences between frames."""
    stage = SliceStage(run, frames, None, PANEL, look, 2, None)
    images = []
    for frame in track(frames, "slicing"):
        image = stage.render(int(frame))
        draw_legend(image, stage.colour, stage.unit, stage.limits, stage.largest)
        images.append((np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))
    palette = palette_of(images)
    coded = np.stack([indexed(image, palette) for image in images])
    change = coded.copy()
    change[1:] -= coded[:-1]
    sections["slice"], sections["slice:palette"] = change.tobytes(), palette.astype(np.uint8).tobytes()
    return {"size": list(PANEL), "title": f"{stage.colour} on a plane"}


def _rgb(text: str) -> list[float]:
    return [round(v, 5) for v in colours.parsed(text).tolist()]


def _planes(values: np.ndarray) -> bytes:
    """Code uint16 frames as the difference to the frame before, low bytes first: it packs to a fraction."""
    change = values.copy()
    change[1:] -= values[:-1]
    return (change & 255).astype(np.uint8).tobytes() + (change >> 8).astype(np.uint8).tobytes()


def _field(run: Run, frames: np.ndarray, name: str) -> tuple[dict, bytes]:
    """Return a field's name, unit and range, and its coded values at the vertices."""
    values = run.values(name)
    shown = np.stack([np.concatenate([vertex_values(s, values[f]) for s in run.skins]) for f in frames])
    low, high = ends_of(shown, name)
    coded = np.rint(np.clip(np.nan_to_num((shown - low) / (high - low)), 0, 1) * 255).astype(np.uint8)
    change = coded.copy()
    change[1:] -= coded[:-1]
    return {"name": name, "unit": unit_of(run, name), "low": low, "high": high}, change.tobytes()


def ends_of(shown: np.ndarray, name: str) -> tuple[float, float]:
    """Where the colour scale of a field begins and ends, for its values at the vertices in all frames."""
    finite = shown[np.isfinite(shown)]
    if not len(finite):
        raise InputError(f"field {name!r} has no finite value on the surface; name other colours")
    low, high = float(finite.min()), float(np.percentile(finite, 99.8))
    if low >= 0 and name != "height":
        low = 0.0
    return low, high if high > low else low + (abs(low) or 1.0)


def split_creases(x: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Double the vertices along creases, so that normals averaged at a vertex keep the crease sharp.

    Returns the vertex each new one comes from, the triangles and the edges in new numbers.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(triangles):
        return np.zeros(0, int), triangles, np.zeros((0, 2), int)
    count = len(triangles)
    corner = np.arange(3 * count).reshape(count, 3)
    area = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
    unit = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-300)
    ends = np.concatenate([triangles[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    sides = np.concatenate([corner[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    swap = ends[:, 0] > ends[:, 1]
    ends[swap], sides[swap] = ends[swap][:, ::-1], sides[swap][:, ::-1]
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, sides = ends[order], sides[order]
    shared = np.flatnonzero((ends[1:] == ends[:-1]).all(axis=1))
    one, other = sides[shared], sides[shared + 1]
    flat = (unit[one[:, 0] // 3] * unit[other[:, 0] // 3]).sum(axis=1) >= np.cos(np.deg2rad(CREASE))
    a, b = one[flat].ravel(), other[flat].ravel()
    links = coo_array((np.ones(len(a)), (a, b)), shape=(3 * count, 3 * count))
    number, group = connected_components(links, directed=False)
    source = np.empty(number, int)
    source[group] = triangles.ravel()
    new = np.concatenate([[True], (ends[1:] != ends[:-1]).any(axis=1)])
    return source, group.reshape(count, 3), group[sides[new]]


def _surroundings(
    run: Run, frames: np.ndarray, x: np.ndarray, extent: float, view: tuple[float, float], sections: dict[str, bytes]
) -> dict:
    """Describe obstacles, floor and view, and add the obstacles' arrays to ``sections``."""
    ground, floor = ground_of(run, extent)
    low, high = x.min(axis=(0, 1)), x.max(axis=(0, 1))
    props = []
    for k, prop in enumerate(run.props):
        props.append({"name": prop.name, "ground": prop is ground, "rgb": _rgb(colours.OBSTACLE)})
        source, cells, _ = split_creases(prop.mesh.vertices, prop.mesh.triangles)
        corners = prop.mesh.vertices[source]
        normals = np.zeros_like(corners)
        for i in range(3):
            np.add.at(normals, cells[:, i], prop.mesh.area_vectors)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        poses = prop.poses[frames].transpose(0, 2, 1)  # columns first, as WebGL wants them
        poses = poses[:1] if np.allclose(poses, poses[0]) else poses
        arrays = {"vertices": corners, "normals": normals, "triangles": cells, "poses": poses}
        for name, array in arrays.items():
            kind = "<i4" if name == "triangles" else "<f4"
            sections[f"{name}:{k}"] = np.ascontiguousarray(array, dtype=kind).tobytes()
        placed = np.concatenate([posed(prop, int(f)) for f in frames[:: max(1, len(frames) // 16)]])
        if prop is not ground and len(placed) and np.ptp(placed, axis=0).max() < 2.5 * extent:
            low, high = np.minimum(low, placed.min(axis=0)), np.maximum(high, placed.max(axis=0))
    reach = 0.5 * max(float(np.linalg.norm(high - low)), 1e-9)
    return {
        "props": props, "hull": [low.tolist(), high.tolist()], "centre": (0.5 * (low + high)).tolist(), "reach": reach,
        "grid": ground is not None, "floor": floor if ground is not None else float(low[2] - 0.06 * reach),
        "spacing": round_step(reach / 4), "azimuth": float(np.deg2rad(view[0])),
        "elevation": float(np.deg2rad(view[1])),
    }  # fmt: skip


def _facts(run: Run, frames: np.ndarray, total: int) -> str:
    triangles = sum(len(s.triangles) for s in run.skins)
    parts = [f"{len(run.skins)} bodies" if len(run.skins) > 1 else "1 body"]
    parts += [f"{len(run.rest):,} nodes", f"{triangles:,} triangles" if triangles else f"{total:,} vertices"]
    parts.append(f"{len(frames)} frames" if len(frames) > 1 else "1 frame")
    factor = run.real_time_factor
    if np.isfinite(factor):
        parts.append(f"computed {factor:.2g}× real time")
    return " · ".join(parts)


def _assembled(title: str, about: dict, data: bytes) -> str:
    """Fill the template; only its own script and style may run, by their hashes."""
    folder = resources.files(__package__) / "page_template"
    text = {name: (folder / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", *SCRIPTS)}
    script = "(() => {\n\"use strict\";\n" + "\n".join(text[name] for name in SCRIPTS) + "\n})();"
    style = text["page.css"]

    def digest(part: str) -> str:
        return "sha256-" + base64.b64encode(hashlib.sha256(part.encode("utf-8")).digest()).decode()

    coded = base64.b64encode(data).decode()
    size = len(json.dumps(about)) + len(coded) + sum(len(part) for part in text.values())
    about = about | {"facts": f"{about['facts']} · {_bytes(size)}"}
    # Inside a data block only "<" could end it early.
    described = json.dumps(about, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    fills = {
        "@TITLE@": html.escape(title), "@SCRIPT_HASH@": digest(script), "@STYLE_HASH@": digest(style),
        "@STYLE@": style, "@SCRIPT@": script, "@ABOUT@": described, "@DATA@": coded,
    }  # fmt: skip
    # One pass over the template, so that nothing a title or a name holds is filled in again.
    return re.sub("|".join(fills), lambda found: fills[found.group()], text["page.html"])
