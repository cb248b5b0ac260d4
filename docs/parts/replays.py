"""Examples that move on the pages: small stored replays, which the site shows in frames, and small moving pictures.

``python docs/make.py replays`` runs the examples at the viewer's real-time settings and writes both. The site's pages are made
of what is stored, with the viewer's script of now: nothing is simulated for them.
"""

from __future__ import annotations

import json
import lzma
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.cli.view import library
from pliant.simulate.record.run import Prop
from pliant.view.pages.playback import Playback
from pliant.view.pages.replay_page import assembled, packed

from . import DOCS, PICTURES

STORED = DOCS / "replays"
FPS = 30.0  # frames a second that are stored
MARK = re.compile(r"^<!-- replay: (\w+) -->$", re.MULTILINE)  # where a page shows one


@dataclass(frozen=True)
class Shown:
    """How an example is shown: for how long [s], from where [degrees], and its moving picture's frames a second and size."""

    seconds: float
    view: tuple[float, float]
    fps: float = 15.0
    size: tuple[int, int] = (360, 270)


CHOSEN = {
    "bowl_of_jelly": Shown(1.6, (-60, 35)),
    "cloth_over_ball": Shown(1.2, (-60, 20), fps=12.5),
    "gripper": Shown(3.3, (-35, 18), fps=8.0, size=(300, 225)),
    "torn_flag": Shown(1.2, (-60, 15)),
    "twisting_bar": Shown(2.2, (-68, 22), fps=10.0, size=(320, 200)),
}


def title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def picture(name: str) -> Path:
    """Where the moving picture of an example is."""
    return PICTURES / f"{name}_moving.png"


def made(name: str, seconds: float | None = None) -> pl.Run:
    """An example at real-time settings."""
    maker = library()[name]
    return maker.quick().run(seconds or CHOSEN[name].seconds, frames_per_second=FPS, on_step=maker.control)


def store(name: str, run: pl.Run, folder: Path = STORED) -> Path:
    """Keep what a page needs of a run: positions and stresses, coded as pages code them, and obstacles to 1/16,384."""
    shown = Playback(replace(run, props=tuple(map(_rounded, run.props))), title(name), sampled=len(run))
    about, data = packed(shown, list(run.field_names), CHOSEN[name].view)
    for chapter in about["chapters"]:
        chapter["scene"]["replay"]["facts"] = []  # how long it took here
    path = folder / f"{name}.xz"
    path.write_bytes(lzma.compress(json.dumps(about).encode() + b"\n" + zlib.decompress(data), preset=9 | lzma.PRESET_EXTREME))
    return path


def _rounded(prop: Prop) -> Prop:
    """Vertices on a grid of a power of two: their last bits are zeros, which take no room."""
    grid = 2.0 ** (np.ceil(np.log2(np.ptp(prop.mesh.vertices, axis=0).max())) - 14)
    return replace(prop, mesh=pl.TriMesh(np.rint(prop.mesh.vertices / grid) * grid, prop.mesh.triangles))


def page(name: str, folder: Path = STORED) -> str:
    """The page that replays what is stored."""
    about, _, data = lzma.decompress((folder / f"{name}.xz").read_bytes()).partition(b"\n")
    return assembled(title(name), json.loads(about), zlib.compress(data, 6))


def write_pages(site: Path, names: Iterable[str] = tuple(CHOSEN)) -> None:
    """Pages of what is stored, below the site."""
    (site / "replays").mkdir(parents=True, exist_ok=True)
    for name in names:
        (site / "replays" / f"{name}.html").write_text(page(name), encoding="utf-8")


def framed(text: str, up: str) -> str:
    """Markdown in which every mark is a frame with the replay; ``up`` leads to the root of the site."""

    def frame(mark: re.Match) -> str:
        source = f"{up}replays/{mark[1]}.html"
        return (
            f'<iframe class="replay" src="{source}" title="{title(mark[1])}, to be turned and played" loading="lazy"></iframe>\n'
            f'<p class="replay"><a href="{source}">The replay on a page of its own</a></p>'
        )

    return MARK.sub(frame, text)


def write(name: str) -> None:
    """Run an example; store its replay, and draw its moving picture."""
    run, how = made(name), CHOSEN[name]
    stored = store(name, run)
    drawn = pl.animation(run, picture(name), fps=how.fps, view=how.view, size=how.size, samples=2)
    print(f"{name}: {stored.stat().st_size / 1e3:.0f} kB stored, {drawn.stat().st_size / 1e3:.0f} kB drawn", flush=True)
