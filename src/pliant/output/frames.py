"""Which frames of which run: checks shared by everything that draws or writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arguments import checks
from ..errors import InputError, first_few
from ..geometry.lattice.hex_mesh import HexMesh
from ..geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ..simulate.modes import Modes
from ..simulate.record.nodal_fields import check
from ..simulate.record.run import Run, Skin
from ..simulate.rest_frame import still
from ..simulate.scene.body import Body, Scene
from ..simulate.simulation import Simulation

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
    """Return ``run`` if it has frames and bodies, or say which it has not."""
    if not len(run.times):
        raise InputError("this run has no frames; run the simulation for at least one step first")
    if not all(chapter.skins for chapter in run.chapters):
        raise InputError("this run has no bodies; nothing to draw or write")
    return run


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
