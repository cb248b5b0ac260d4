"""Which frames of which run: checks shared by everything that draws or writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError, first_few
from ..geometry.mesh import EdgeMesh, TetMesh, TriMesh
from ..simulate.run import Run, Skin


def as_run(thing: Run | TriMesh | TetMesh | EdgeMesh) -> Run:
    """Return ``thing`` as a run that can be drawn: a mesh becomes one frame at rest."""
    if isinstance(thing, Run):
        return checked(thing)
    edges = tets = None
    if isinstance(thing, TriMesh):
        triangles, parents = thing.triangles, np.arange(len(thing.vertices))
    elif isinstance(thing, TetMesh):
        triangles, parents, tets = thing.boundary.triangles, thing.boundary_vertices, thing.tets
    elif isinstance(thing, EdgeMesh):
        triangles, parents, edges = np.zeros((0, 3), np.int32), np.arange(len(thing.vertices)), thing.edges
    else:
        raise InputError(f"cannot draw or write a {type(thing).__name__}; expected a Run or a mesh")
    x = np.asarray(thing.vertices)
    skin = Skin("mesh", 0, len(x), triangles, parents[:, None], np.ones((len(parents), 1)), tets, edges)
    return checked(Run(np.zeros(1), x[None], np.zeros_like(x)[None], x, (skin,)))


def checked(run: Run) -> Run:
    """Return ``run`` if its parts fit together and are finite, or say what does not."""
    n = len(run.rest)
    if not len(run.times):
        raise InputError("this run has no frames; run the simulation for at least one step first")
    if not run.skins:
        raise InputError("this run has no bodies; nothing to draw or write")
    expected = (len(run.times), n, 3)
    for name in ("positions", "velocities"):
        if getattr(run, name).shape != expected:
            raise InputError(f"run.{name} has shape {getattr(run, name).shape}; expected {expected}")
    for name, values in run.fields.items():
        if np.shape(values) != expected[:2]:
            raise InputError(f"field {name!r} has shape {np.shape(values)}; expected {expected[:2]}, frames × nodes")
    for name, values in run.energies.items():
        if np.shape(values) != expected[:1]:
            raise InputError(f"energy {name!r} has shape {np.shape(values)}; expected {expected[:1]}, one per frame")
    bad = np.flatnonzero(~np.isfinite(run.positions).all(axis=(1, 2)))
    if len(bad):
        where = f"{len(bad)} of {len(run.times)} frames hold positions that are not finite"
        raise InputError(f"{where}, first at {first_few(bad)}")
    for skin in run.skins:
        if not 0 <= skin.start <= skin.stop <= n:
            raise InputError(f"body {skin.name!r} has rows {skin.start}…{skin.stop}; expected rows within 0…{n}")
    for prop in run.props:
        shape = prop.poses.shape
        if shape != (len(run.times), 4, 4):
            raise InputError(f"obstacle {prop.name!r} has poses of shape {shape}; expected {(len(run.times), 4, 4)}")
    return run


def picked(run: Run, frames: int | slice | Sequence[int] | None) -> np.ndarray:
    """Return frame numbers from 0 up: all (None), one, a slice, or a list; −1 counts from the end."""
    count = len(run)
    if frames is None:
        return np.arange(count)
    if isinstance(frames, slice):
        chosen = np.arange(count)[frames]
    else:
        chosen = np.atleast_1d(np.asarray(frames))
        if chosen.ndim != 1 or not (np.issubdtype(chosen.dtype, np.integer) or not chosen.size):
            raise InputError(f"frames is {frames!r}; expected whole numbers, a slice or None")
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
    if not np.isfinite(fps) or fps <= 0:
        raise InputError(f"fps is {fps!r}; expected a positive number of frames per second")
    times = np.asarray(run.times, dtype=float)
    ticks = np.arange(times[0], times[-1] + 0.5 / fps, 1.0 / fps)
    after = np.clip(np.searchsorted(times, ticks), 1, max(len(times) - 1, 1))
    after = np.minimum(after, len(times) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(ticks - times[before] <= times[after] - ticks, before, after)


def unit_of(run: Run, name: str) -> str:
    """Unit of a field or of an energy, or "" where it has none."""
    return "J" if name in run.energies else run.UNITS.get(name, "")
