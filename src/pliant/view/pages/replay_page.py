"""Replay page: a run in one HTML file, without server."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import sys
import zlib
from collections.abc import Sequence
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arguments import checks
from ...arguments.atomic_files import write_text
from ...arguments.progress import track
from ...errors import InputError
from ...geometry.lattice.hex_mesh import HexMesh
from ...geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ...output.colours.legend import draw_legend
from ...output.colours.palette import indexed, palette_of
from ...output.frames import checked_view, picked, resampled, run_of
from ...output.picture import VIEW
from ...output.raster.frame_shapes import vertex_count
from ...output.render_looks import Slice
from ...output.slices import SliceRenderer
from ...simulate.record.run import Run
from ..scene.scene_description import described_field
from .playback import Playback

if TYPE_CHECKING:
    from ...inverse.fitting.fit_result import Fit
else:
    Fit = Any  # scene files read the annotations

LIMIT = 512 * 2**20  # [bytes] before packing; more than this a browser tab may not hold
PANEL = (400, 300)  # [pixels] of a slice

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '@HASH@'; base-uri 'none'; form-action 'none'">
<title>@TITLE@</title>
</head>
<body>
<main class="page">Unpacking …</main>
<script type="application/json" id="pliant-run">@ABOUT@</script>
<script type="application/octet-stream" id="pliant-data">@DATA@</script>
<script type="module">@SCRIPT@</script>
</body>
</html>
"""


def page(
    run: Run | TriMesh | TetMesh | HexMesh | EdgeMesh | Fit, path: str | PathLike[str], colours: Sequence[str] | None = None,
    title: str = "Pliant", fps: float = 60.0, view: tuple[float, float] = VIEW, look: Slice | None = None,
) -> Path:  # fmt: skip
    """Write a self-contained HTML page that replays a run, and return its path.

    ``colours`` names the fields to take along (all by default); ``fps`` keeps at most that many frames a simulated
    second; ``view`` is (azimuth, elevation) [degrees]; ``look=Slice()`` adds a panel with that slice of every frame.
    Positions are kept to 1/65535 of the box of their chapter, field values to 1/255 of their range. What is not finite
    is left out, and the page says so; a run of nothing else is refused. Of a Fit it is a report with a ``title``.
    """
    if "pliant.inverse.fitting.fit_result" in sys.modules:  # or else there is no Fit; most pages do without it and SciPy
        from ...inverse.fitting.fit_result import Fit

        if isinstance(run, Fit):
            from .fit_page import fit_page

            if (colours, fps, view, look) != (None, 60.0, VIEW, None):
                raise InputError("page(fit, …): colours, fps, view and look are for runs; expected a title, or nothing")
            return fit_page(run, path, checks.instance("title", title, str, "text"))
    run = run_of(run)
    if not isinstance(path, str | PathLike) or Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"page path is {str(path)!r}; expected a name ending in .html")
    if look is not None and not isinstance(look, Slice):
        raise InputError(f"look is {look!r}; expected Slice(…), or None: other looks are for pictures")
    checks.instance("title", title, str, "text")
    names = (colours,) if isinstance(colours, str) else colours
    if names is not None and not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        raise checks.refusal("colours", colours, "the names of fields, or None for all")
    frames = np.unique(resampled(run, fps) if len(run) > 1 else picked(run, None))
    shown = Playback(run.selected(frames) if len(frames) < len(run) else run, title, sampled=len(frames))
    about, data = packed(shown, None if names is None else list(dict.fromkeys(names)), checked_view(view), look)
    return write_text(path, assembled(title, about, data))


def packed(
    shown: Playback, names: list[str] | None, view: tuple[float, float], look: Slice | None = None
) -> tuple[dict[str, Any], bytes]:
    """Return what the page's script reads: a description, and the deflated arrays it points into."""
    run = shown.run
    for name in names or ():
        run.moment(0).values(name)  # an unknown field is told apart before anything is made
    fields = _fields(shown, list(shown.fields) if names is None else names)
    _check_size(run, len(fields), look)
    sections: dict[str, np.ndarray] = {}
    chapters = [_chapter(shown, k, [field["name"] for field in fields], sections) for k in range(len(run.chapters))]
    factor = run.real_time_factor
    for chapter in chapters:
        scene = chapter["scene"]
        scene["view"], scene["notes"] = list(view), shown.notes
        scene["fields"] = [{key: field[key] for key in ("name", "label", "unit", "two")} for field in fields]
        scene["replay"]["facts"] = [f"computed {factor:.2g}× real time"] if np.isfinite(factor) else []
    panel = None if look is None else _panel(run, look, sections)
    if shown.poses is not None:
        sections["poses"] = shown.poses[:, :, :3, :].astype(np.float32)
    about: dict[str, Any] = {
        "times": chapters[0]["scene"]["replay"]["times"], "fields": fields, "chapters": chapters, "slice": panel, "sections": {},
    }  # fmt: skip
    parts, offset = [], 0
    for name, array in sections.items():
        data = np.ascontiguousarray(array).tobytes()
        about["sections"][name] = [offset, array.dtype.str.lstrip("<|="), int(array.size)]
        parts.append(data)
        offset += len(data)
    return about, zlib.compress(b"".join(parts), 6)


def _fields(shown: Playback, names: list[str]) -> list[dict[str, Any]]:
    """Name, unit and range of each field; one without a range is left out, and noted."""
    fields = []
    for name in names:
        try:
            low, high = shown.ends(name)
        except InputError as error:
            shown.notes.append(f"{str(error).split(';')[0].capitalize()}, so it is left out.")
            continue
        unit = shown.fields.get(name, Run.UNITS.get(name, ""))
        fields.append(described_field(name, unit) | {"low": low, "high": high})
    return fields


def _check_size(run: Run, fields: int, look: Slice | None) -> None:
    sizes = [sum(map(vertex_count, chapter.skins)) for chapter in run.chapters]
    need = sum(len(c) * size * (6 + fields) for c, size in zip(run.chapters, sizes))
    need += len(run) * PANEL[0] * PANEL[1] if look is not None else 0
    if need > LIMIT:
        fewer = max(int(LIMIT / (need / len(run))), 1)
        raise InputError(
            f"{len(run)} frames of {max(sizes)} vertices need {_bytes(need)}, more than {_bytes(LIMIT)}; "
            f"lower fps until at most {fewer} frames remain, or name fewer colours"
        )


def _chapter(shown: Playback, k: int, names: list[str], sections: dict[str, np.ndarray]) -> dict[str, Any]:
    """Describe a chapter and add its arrays: its scene, coded positions and coded values of each field."""
    run = shown.run
    begin, end = (int(i) for i in run.starts[k : k + 2])
    frames = range(begin, end)
    x = np.stack([shown.surface(frame) for frame in track(frames, "packing")]).astype(float)
    low, high = x.min(axis=(0, 1)), x.max(axis=(0, 1))
    high = np.where(high > low, high, low + 1e-9)
    sections[f"positions {k}"] = _planes(np.rint((x - low) / (high - low) * 65535).astype(np.uint16))
    for name in names:
        first, last = shown.ends(name)
        values = np.stack([shown.values(name, frame) for frame in frames])
        coded = np.rint(np.clip((values - first) / (last - first), 0, 1) * 255).astype(np.uint8)
        sections[f"field {k} {name}"] = _changes(coded)
    scene, arrays = shown.scene(k)
    sections |= {f"scene {k} {name}": array for name, array in arrays.items()}
    count = x.shape[1]
    return {
        "first": begin, "count": end - begin, "vertices": count, "box": [low.tolist(), high.tolist()], "scene": scene,
    }  # fmt: skip


def _changes(values: np.ndarray) -> np.ndarray:
    """Each frame less the one before, in the numbers' own round: it packs to a fraction."""
    change = values.copy()
    change[1:] -= values[:-1]
    return change


def _planes(values: np.ndarray) -> np.ndarray:
    """Code uint16 frames as differences, low bytes of everything first."""
    change = _changes(values)
    return np.concatenate([(change & 255).astype(np.uint8).ravel(), (change >> 8).astype(np.uint8).ravel()])


def _panel(run: Run, look: Slice, sections: dict[str, np.ndarray]) -> dict[str, Any]:
    """Draw the slice of every frame in 255 colours, and add it to ``sections`` as differences between frames."""
    frames = np.arange(len(run))
    stage = SliceRenderer(run, frames, None, PANEL, look, 2, None)
    images = []
    for frame in track(frames, "slicing"):
        image = stage.render(int(frame))
        draw_legend(image, stage.colour, stage.unit, stage.limits, stage.largest)
        images.append((np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8))
    palette = palette_of(images)
    sections["slice"] = _changes(np.stack([indexed(image, palette) for image in images]).astype(np.uint8))
    sections["slice palette"] = palette.astype(np.uint8)
    return {"size": list(PANEL), "title": f"{stage.colour} on a plane"}


def _bytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def assembled(title: str, about: dict[str, Any], data: bytes) -> str:
    """Fill the template; only the viewer's own script may run, by its hash."""
    script = resources.files("pliant.view").joinpath("static", "app.js").read_text(encoding="utf-8")
    digest = "sha256-" + base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    coded = base64.b64encode(data).decode()
    size = len(json.dumps(about)) + len(coded) + len(script)
    for chapter in about["chapters"]:
        chapter["scene"]["replay"]["facts"].append(_bytes(size).replace(" ", "\u00a0"))
    # Inside a data block only "<" could end it early.
    described = json.dumps(about, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    fills = {"@TITLE@": html.escape(title), "@HASH@": digest, "@SCRIPT@": script, "@ABOUT@": described, "@DATA@": coded}
    # One pass over the template, so that nothing a title or a name holds is filled in again.
    return re.sub("|".join(fills), lambda match: fills[match.group()], TEMPLATE)
