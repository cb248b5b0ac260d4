"""Pictures of a run: one moment, film strip, or animation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..arguments import checks
from ..arguments.atomic_files import write_bytes
from ..arguments.progress import track
from ..errors import InputError, did_you_mean
from ..geometry.distance.sdf import Sdf
from ..geometry.distance.volume import Volume
from ..simulate.record.run import Run
from .colours.label_colours import draw_names
from .colours.legend import PALE, draw_caption, draw_legend
from .colours.palette import indexed, palette_of
from .colours.png import apng, png
from .frames import Drawable, as_run, picked, resampled
from .raycast import RayRenderer
from .render_looks import RayCast, Slice
from .slices import SliceRenderer
from .surface_pictures import SurfaceRenderer, check_limits

VIEW = (-58.0, 18.0)  # azimuth and elevation [degrees] of the eye


_Path = Path if TYPE_CHECKING else type(Path())  # the class of this system, which alone has heirs in Python 3.11


class Drawn(_Path):
    """The path of a picture, which a notebook shows as the picture."""

    def _repr_png_(self) -> bytes | None:
        return self.read_bytes() if self.suffix.lower() in (".png", ".apng") and self.is_file() else None


def _suffix(path: str | PathLike[str], known: tuple[str, ...]) -> None:
    suffix = Path(path).suffix.lower() if isinstance(path, str | PathLike) else ""
    if suffix not in known:
        hint = did_you_mean(suffix, known)
        raise InputError(f"picture path is {str(path)!r}{hint}; expected a name ending in {' or '.join(known)}")


def _bytes(image: np.ndarray) -> np.ndarray:
    return (np.clip(image, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _renderer(
    thing: Run | Sdf | Volume, frames: np.ndarray, colour: str | None, size: tuple[int, int], view: tuple[float, float],
    samples: int, wire: bool, limits: tuple[float, float] | None, look: Slice | RayCast | None, names: bool = False,
) -> SurfaceRenderer | SliceRenderer | RayRenderer:  # fmt: skip
    """What draws the frames: surfaces in a room, a slice, or rays through a distance."""
    checks.flag("names", names)
    if limits is not None:
        check_limits(limits)
    if names and (look is not None or colour is not None):
        raise InputError("names=True is for surfaces with one hue per body; leave out colour and look")
    if isinstance(look, Slice):
        if wire:
            raise InputError("wire=True is for surfaces; use Slice(cells=True) to see the elements that a slice cuts")
        return SliceRenderer(thing, frames, colour, size, look, samples, limits)
    if isinstance(look, RayCast):
        if colour is not None or wire or limits is not None:
            raise InputError("a RayCast has one hue per body; colour, wire and limits are for surfaces and slices")
        return RayRenderer(thing, frames, size, view, look, samples)
    if look is not None:
        raise InputError(f"look is {look!r}; expected Slice(…), RayCast(…), or None for surfaces")
    return SurfaceRenderer(thing, frames, colour, size, view, samples, wire, limits, names)


def _finish(
    image: np.ndarray, stage: SurfaceRenderer | SliceRenderer | RayRenderer, title: str | None, time: float | None
) -> np.ndarray:
    if getattr(stage, "labels", ()):
        draw_names(image, stage.labels)
    elif stage.colour is not None:
        draw_legend(image, stage.colour, stage.unit, stage.limits, stage.largest)
    elif isinstance(stage, SurfaceRenderer) and stage.names:
        draw_names(image, stage.named[0], "body")
    draw_caption(image, title, time)
    return image


def picture(
    run: Drawable | Sdf | Volume, path: str | PathLike[str], frame: int = -1,
    colour: str | None = None,
    size: tuple[int, int] = (1280, 960), view: tuple[float, float] = VIEW, samples: int = 2, wire: bool = False,
    limits: tuple[float, float] | None = None, title: str | None = None, look: Slice | RayCast | None = None,
    names: bool = False,
) -> Drawn:  # fmt: skip
    """Draw one frame of a run, a simulation, a scene, a body, a mesh, a solid or a volume as a PNG file and return its path.

    ``colour`` names a field ("displacement", "stress", "speed", …; of a simulation, a scene or a body also "young" and other
    parameters of its materials) or is None for one hue per body; one with values on both sides of 0, or of 1 for "volume
    ratio", is blue below and red above it. ``limits`` are the ends of its scale in SI units; ``size`` is in pixels; ``view`` is
    (azimuth, elevation) [degrees]; ``samples`` per pixel and direction smooth the edges; ``wire`` draws the triangles' edges.
    ``look=Slice()`` draws what a plane cuts, of a run its "distance" unless ``colour`` names a field; ``look=RayCast()`` the
    distance itself. A solid is drawn by rays and a volume as a slice by default, one of up to 24 labels in flat colours.
    ``names`` writes those of the bodies beside their colours.
    """
    _suffix(path, (".png",))
    checks.text("title", title, optional=True)
    if isinstance(run, Sdf | Volume):
        look = look if look is not None else RayCast() if isinstance(run, Sdf) else Slice()
        stage = _renderer(run, np.zeros(1, int), colour, size, view, samples, wire, limits, look, names)
        return Drawn(write_bytes(path, png(_bytes(_finish(stage.render(0), stage, title, None)))))
    run = as_run(run, None if isinstance(look, Slice) and colour == "distance" else colour)
    frames = picked(run, frame)
    if len(frames) != 1:
        raise InputError(f"frame is {frame!r}; expected one frame number, or use filmstrip for several")
    stage = _renderer(run, frames, colour, size, view, samples, wire, limits, look, names)
    image = _finish(stage.render(frames[0]), stage, title, run.times[frames[0]] if len(run) > 1 else None)
    return Drawn(write_bytes(path, png(_bytes(image))))


def image_of(run: Drawable, size: tuple[int, int], view: tuple[float, float] = VIEW) -> np.ndarray:
    """The last frame as an array (height, width, 3) of bytes, one hue per body."""
    run = as_run(run)
    frames = picked(run, -1)
    return _bytes(_renderer(run, frames, None, size, view, 2, False, None, None).render(frames[0]))


def filmstrip(
    run: Run, path: str | PathLike[str], frames: int | Sequence[int] = 4, colour: str | None = None,
    size: tuple[int, int] = (480, 480), view: tuple[float, float] = VIEW, samples: int = 2, wire: bool = False,
    limits: tuple[float, float] | None = None, look: Slice | RayCast | None = None,
) -> Drawn:  # fmt: skip
    """Draw several moments of a run side by side in one PNG file and return its path.

    ``frames`` is how many, spread evenly over the run, or which; ``size`` is that of one moment in pixels. The camera
    and the colour scale are the same in all; see ``picture`` for the rest.
    """
    _suffix(path, (".png",))
    run = as_run(run)
    if isinstance(frames, int | np.integer):
        if not 1 <= frames <= 64:
            raise InputError(f"frames is {frames}; expected from 1 to 64 moments")
        frames = np.unique(np.linspace(0, len(run) - 1, frames).round().astype(int))
    chosen = picked(run, frames)
    stage = _renderer(run, chosen, colour, size, view, samples, wire, limits, look)
    panels = []
    for i, frame in enumerate(track(chosen, "drawing")):
        image = stage.render(frame)
        draw_caption(image, None, run.times[frame])
        if stage.colour is not None and i == len(chosen) - 1:
            draw_legend(image, stage.colour, stage.unit, stage.limits, stage.largest)
        if i:
            image[:, 0] = 0.8 * image[:, 0] + 0.2 * PALE
        panels.append(image)
    return Drawn(write_bytes(path, png(_bytes(np.concatenate(panels, axis=1)))))


def animation(
    run: Run, path: str | PathLike[str], fps: float = 20.0, colour: str | None = None, size: tuple[int, int] = (480, 360),
    view: tuple[float, float] = VIEW, samples: int = 3, wire: bool = False,
    limits: tuple[float, float] | None = None, title: str | None = None, look: Slice | RayCast | None = None,
) -> Drawn:  # fmt: skip
    """Draw a run as an animated PNG that plays in real time for ever, and return its path.

    ``fps`` is in pictures per simulated second; any browser plays the file, and any other program shows the first
    frame. It has 255 colours and stores only what changes; see ``picture`` for the rest.
    """
    _suffix(path, (".png", ".apng"))
    images = list(moving(run, fps, colour, size, view, samples, wire, limits, title, look))
    palette = palette_of(images)
    return Drawn(write_bytes(path, apng(np.stack([indexed(i, palette) for i in track(images, "packing")]), palette, fps)))


def moving(
    run: Run, fps: float, colour: str | None, size: tuple[int, int], view: tuple[float, float], samples: int, wire: bool,
    limits: tuple[float, float] | None, title: str | None, look: Slice | RayCast | None,
) -> Iterator[np.ndarray]:  # fmt: skip
    """The pictures of a moving one, as (height, width, 3) bytes; see ``animation``."""
    checks.text("title", title, optional=True)
    run = as_run(run)
    chosen = resampled(run, fps)
    if len(chosen) < 2:
        lasts = f"this run lasts {run.times[-1] - run.times[0]:g} s"
        raise InputError(f"{lasts}, less than two pictures at {fps:g} per second; raise fps")
    stage = _renderer(run, chosen, colour, size, view, samples, wire, limits, look)
    return (_bytes(_finish(stage.render(f), stage, title, run.times[f])) for f in track(chosen, "drawing"))
