"""Which frames of which run: checks shared by everything that draws or writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import checks
from ..errors import InputError, first_few
from ..geometry.hex_mesh import HexMesh
from ..geometry.mesh import EdgeMesh, TetMesh, TriMesh
from ..simulate.body import Body, Scene
from ..simulate.fields import check
from ..simulate.modes import Modes
from ..simulate.run import Chapter, Run, Skin
from ..simulate.simulation import Simulation
from ..simulate.still import still

Drawable = Run | TriMesh | TetMesh | HexMesh | EdgeMesh | Body | Scene | Simulation | Modes


def as_run(thing: Drawable, colour: str | None = None) -> Run:
    """Return ``thing`` as a run that can be drawn, coloured by a field where there is one, or say why it cannot."""
    return checked(run_of(thing, colour))


def run_of(thing: Drawable, colour: str | None = None) -> Run:
    """Return ``thing`` as a run, whatever its numbers: a mesh becomes one frame at rest, a simulation one as it stands."""
    if isinstance(thing, Run):
        return thing
    if isinstance(thing, Simulation):
        if not isinstance(colour, str) or colour in ("displacement", "speed", "height"):
            return thing.frame(fields=())
        check(thing.world, (colour,), "colour=…")
        return thing.frame(fields=(colour,))
    if isinstance(thing, Body | Scene):
        return still(thing, colour if isinstance(colour, str) else None)
    if isinstance(thing, Modes):
        return thing.side_by_side()
    cells = {}
    if isinstance(thing, TriMesh):
        triangles, parents = thing.triangles, np.arange(len(thing.vertices))
        cells = {"looks": thing.looks}
    elif isinstance(thing, TetMesh | HexMesh):
        triangles, parents = thing.boundary.triangles, thing.boundary_vertices
        cells = {"tets": thing.cells} if isinstance(thing, TetMesh) else {"hexes": thing.hexes}
    elif isinstance(thing, EdgeMesh):
        triangles, parents = np.zeros((0, 3), np.int32), np.arange(len(thing.vertices))
        cells = {"edges": thing.edges}
    else:
        raise InputError(
            f"cannot draw or write a {type(thing).__name__}; expected a Run, a Simulation, a Scene, a Body or a mesh"
        )
    x = np.asarray(thing.vertices)
    skin = Skin("mesh", 0, len(x), triangles, parents[:, None], np.ones((len(parents), 1)), **cells)
    return Run.single(np.zeros(1), x[None], np.zeros_like(x)[None], x, (skin,))


def checked(run: Run) -> Run:
    """Return ``run`` if its parts fit together and are finite, or say what does not."""
    fitting(run)
    bad = np.flatnonzero(~finite_frames(run))
    if len(bad):
        where = f"{len(bad)} of {len(run.times)} frames hold positions that are not finite"
        raise InputError(f"{where}, first at {first_few(bad)}")
    return run


def fitting(run: Run) -> Run:
    """Return ``run`` if its parts have the shapes that belong together, or say which have not."""
    if not len(run.times):
        raise InputError("this run has no frames; run the simulation for at least one step first")
    if len(run.chapters) == 1 and len(run.chapters[0]) != len(run.times):
        chapter = run.chapters[0]
        expected = (len(run.times), len(chapter.rest), 3)
        raise InputError(f"run.positions has shape {chapter.positions.shape}; expected {expected}")
    if int(run.starts[-1]) != len(run.times) or not all(map(len, run.chapters)):
        counts = [len(chapter) for chapter in run.chapters]
        raise InputError(f"the chapters of this run have {counts} frames; expected {len(run.times)} in all, none empty")
    for chapter in run.chapters:
        _fitting(chapter)
    for name, values in run.energies.items():
        if np.shape(values) != (len(run.times),):
            raise InputError(
                f"energy {name!r} has shape {np.shape(values)}; expected {(len(run.times),)}, one per frame"
            )
    for prop in run.props:
        shape = prop.poses.shape
        if shape != (len(run.times), 4, 4):
            raise InputError(f"obstacle {prop.name!r} has poses of shape {shape}; expected {(len(run.times), 4, 4)}")
    return run


def _fitting(chapter: Chapter) -> None:
    n = len(chapter.rest)
    if not chapter.skins:
        raise InputError("this run has no bodies; nothing to draw or write")
    expected = (len(chapter), n, 3)
    for name in ("positions", "velocities"):
        if getattr(chapter, name).shape != expected:
            raise InputError(f"run.{name} has shape {getattr(chapter, name).shape}; expected {expected}")
    for name, values in chapter.fields.items():
        if np.shape(values) != expected[:2]:
            raise InputError(f"field {name!r} has shape {np.shape(values)}; expected {expected[:2]}, frames × nodes")
    for skin in chapter.skins:
        if not 0 <= skin.start <= skin.stop <= n:
            raise InputError(f"body {skin.name!r} has rows {skin.start}…{skin.stop}; expected rows within 0…{n}")


def finite_frames(run: Run) -> np.ndarray:
    """(frames,) whether all positions of a frame are finite."""
    return np.concatenate([np.isfinite(chapter.positions).all(axis=(1, 2)) for chapter in run.chapters])


def in_one_chapter(run: Run, frames: np.ndarray, what: str) -> int:
    """The chapter of all the frames, for a format that holds one mesh; else a sentence that names ``what``."""
    chapters = sorted({run.chapter_of(int(frame)) for frame in frames})
    if len(chapters) > 1:
        first, stop = int(run.starts[chapters[0]]), int(run.starts[chapters[0] + 1])
        raise InputError(
            f"{what} moves one mesh, and the bodies of this run change at t = {run.times[stop]:g} s; choose frames "
            f"of one chapter, such as frames=range({first}, {stop}), or write .usd, .glb, .pvd or .ply"
        )
    return chapters[0]


def picked(run: Run, frames: int | slice | Sequence[int] | None) -> np.ndarray:
    """Return frame numbers from 0 up: all (None), one, a slice, or a list; −1 counts from the end."""
    count = len(run)
    if frames is None:
        return np.arange(count)
    if isinstance(frames, slice):
        chosen = np.arange(count)[frames]
    else:
        try:
            chosen = np.atleast_1d(np.asarray(frames))
        except Exception:  # rows that differ in length, and whatever the methods of a stranger's class raise
            chosen = np.full(1, np.nan)
        if chosen.ndim != 1 or not (np.issubdtype(chosen.dtype, np.integer) or not chosen.size):
            raise checks.refusal("frames", frames, "whole numbers, a slice or None")
        bad = chosen[(chosen < -count) | (chosen >= count)]
        if len(bad):
            raise InputError(f"no frame {first_few(bad)} in this run; it has {count}, numbered 0…{count - 1}")
        chosen = chosen % count
    if not len(chosen):
        raise InputError("no frames were chosen; expected at least one")
    return chosen.astype(int)


def checked_view(view: tuple[float, float]) -> tuple[float, float]:
    """Return (azimuth, elevation) [degrees], or say why they cannot be used."""
    try:
        azimuth, elevation = (float(v) for v in view)
    except (TypeError, ValueError):
        azimuth = elevation = np.nan
    if not (np.isfinite(azimuth) and abs(elevation) < 90):
        raise InputError(f"view is {view!r}; expected (azimuth, elevation) [degrees], elevation between −90 and 90")
    return azimuth, elevation


def resampled(run: Run, fps: float) -> np.ndarray:
    """Return the frame nearest to each tick of a clock of ``fps`` [1/s] over the run's time."""
    fps = checks.number("fps", fps, 1e-6, 1e6, "a positive number of frames per second, at most a million")
    times = np.asarray(run.times, dtype=float)
    ticks = np.arange(times[0], times[-1] + 0.5 / fps, 1.0 / fps)
    after = np.clip(np.searchsorted(times, ticks), 1, max(len(times) - 1, 1))
    after = np.minimum(after, len(times) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(ticks - times[before] <= times[after] - ticks, before, after)


def unit_of(run: Run, name: str) -> str:
    """Unit of a field or of an energy, or "" where it has none."""
    return "J" if name in run.energies else run.UNITS.get(name, "")
