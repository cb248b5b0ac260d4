"""Synthetic scans and depth images of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arguments import checks
from ...errors import InputError
from ...simulate.record.run import Run
from .clouds import Clouds
from .depth_images import Camera, DepthImages
from .observation_set import cubic
from .surface_places import Surfaces

MOST = 100_000  # frames


def photographed(
    run: Run, camera: Camera, frames_per_second: float, noise: float = 0.0, holes: float = 0.0, seed: int = 0, start: float = 0.0
) -> DepthImages:
    """The depth images of a camera of a run, from ``start`` [s] on.

    ``noise`` is the standard deviation of each depth [m], ``holes`` the share of pixels that are lost. Between frames of the run
    surfaces follow the cubic through positions and velocities.
    """
    checks.instance("photographed(camera=…)", camera, Camera, "a Camera")
    surfaces, times, moments = _moments("photographed", run, frames_per_second, start)
    noise, holes, rng = _checked("photographed", noise, holes, seed)
    images = np.stack([_image(surfaces, x, camera) for x in moments])
    images += rng.normal(size=images.shape) * noise
    images[rng.random(images.shape) < holes] = np.nan
    return DepthImages(images, camera, times, sigma=noise or None)


def scanned(
    run: Run,
    cameras: Sequence[Camera],
    frames_per_second: float,
    noise: float = 0.0,
    holes: float = 0.0,
    seed: int = 0,
    start: float = 0.0,
) -> Clouds:
    """The points seen by several depth cameras of a run together, from ``start`` [s] on.

    ``noise`` [m] is the standard deviation of each coordinate of each point, ``holes`` the share of points that are lost.
    """
    if not isinstance(cameras, list | tuple) or not cameras or not all(isinstance(c, Camera) for c in cameras):
        raise InputError(f"scanned(cameras={checks.shown(cameras)}): expected a list of Camera")
    surfaces, times, moments = _moments("scanned", run, frames_per_second, start)
    noise, holes, rng = _checked("scanned", noise, holes, seed)
    frames = []
    for x in moments:
        points = np.concatenate([camera.points(_image(surfaces, x, camera)) for camera in cameras])
        points = points[rng.random(len(points)) >= holes]
        frames.append(points + rng.normal(size=points.shape) * noise)
    return Clouds(frames, times, noise=noise, sigma=noise or None)


def _moments(what: str, run: Run, frames_per_second: float, start: float) -> tuple[Surfaces, np.ndarray, list[np.ndarray]]:
    """The surfaces of a run, times at a frame rate, and the positions of all nodes then."""
    checks.instance(f"{what}(run=…)", run, Run, "a Run, as sim.run(seconds) returns")
    pace = checks.positive(f"{what}(frames_per_second=…)", frames_per_second)
    start = checks.number(f"{what}(start=…)", start, expected="a finite number of seconds")
    clock = np.asarray(run.times)
    last = clock[-1] + 1e-9
    if len(clock) < 2 or not clock[0] - 1e-9 <= start <= last:
        raise InputError(f"{what}(start={start:g}): the run is from {clock[0]:g} s to {clock[-1]:g} s")
    if len({len(chapter.rest) for chapter in run.chapters}) > 1 or len(run.chapters) > 1:
        raise InputError(f"{what}: the run has {len(run.chapters)} chapters; expected one whose bodies keep their nodes")
    skins = [skin for skin in run.skins if len(skin.triangles)]
    if not skins:
        raise InputError(f"{what}: no body of the run has a surface of triangles; expected a solid or a sheet")
    surfaces = Surfaces(skins, run.positions.shape[1])
    if (last - start) * pace > MOST:
        raise InputError(f"{what}(frames_per_second={pace:g}): expected at most {MOST} frames in {last - start:.3g} s")
    times = start + np.arange(int((last - start) * pace) + 1) / pace
    moments = []
    for time in times:
        k = int(np.clip(np.searchsorted(clock, time) - 1, 0, len(clock) - 2))
        step = clock[k + 1] - clock[k]
        weights, _ = cubic(float(np.clip((time - clock[k]) / step, 0, 1)), step)
        x = sum(w * q[k + i] for i in (0, 1) for w, q in zip(weights[i], (run.positions, run.velocities)))
        moments.append(x)
    return surfaces, times, moments


def _checked(what: str, noise: float, holes: float, seed: int) -> tuple[float, float, np.random.Generator]:
    noise = checks.number(f"{what}(noise=…)", noise, 0.0, expected="a number of metres of at least 0")
    if not 0 <= checks.real(holes) < 1:
        raise InputError(f"{what}(holes={checks.shown(holes)}): expected a share from 0 to below 1")
    return noise, float(holes), np.random.default_rng(checks.whole(f"{what}(seed=…)", seed, 0))


def _image(surfaces: Surfaces, x: np.ndarray, camera: Camera) -> np.ndarray:
    """(height, width) depths, NaN where there is nothing."""
    ways = camera.ways
    faces, depth = surfaces.hit(x, np.broadcast_to(camera.eye, ways.shape), ways)
    return np.where((faces >= 0) & (depth > 0), depth, np.nan).reshape(camera.size[::-1])
