"""A run that came from a file: every array of the kind and shape that drawing and writing take for granted."""

from __future__ import annotations

import re

import numpy as np

from ...arguments.checks import FAR
from ...errors import InputError
from ...simulate.record.run import Run, Skin


def check_run(run: Run) -> None:
    """Refuse a run whose parts are not numbers, not finite, or name nodes that are not there."""
    frames = len(run.times)
    _reals("times", run.times, (frames,))
    if np.any(np.diff(run.times) < 0):
        raise InputError("times go back; expected them to rise from frame to frame")
    _reals("step_seconds", run.step_seconds, (len(run.step_seconds),))
    if not 0 <= run.dt < np.inf:
        raise InputError(f"dt is {run.dt!r}; expected a number of seconds")
    for name, values in run.energies.items():
        _reals(f"energy {name!r}", values, (frames,), finite=False)
    for name, values in run.wrenches.items():
        _reals(f"forces on {name!r}", values, (frames, 3, 3), finite=False)
    for prop in run.props:
        _reals(f"poses of obstacle {prop.name!r}", prop.poses, (frames, 4, 4))
    for chapter in run.chapters:
        shape = (len(chapter), len(chapter.rest))
        _reals("rest", chapter.rest, (shape[1], 3))
        _reals("positions", chapter.positions, (*shape, 3), finite=False)  # those of a failed step are told by frame
        _reals("velocities", chapter.velocities, (*shape, 3))
        for name, values in chapter.fields.items():
            _reals(f"field {name!r}", values, shape, finite=False)
        for skin in chapter.skins:
            _check_skin(skin, shape[1])


def _reals(name: str, values: np.ndarray, shape: tuple[int, ...], finite: bool = True) -> None:
    if values.dtype.kind != "f" or values.shape != shape:
        raise InputError(f"{name}: {values.dtype} of shape {values.shape}; expected floats of shape {shape}")
    if finite and not np.isfinite(values).all():
        raise InputError(f"{name}: not all finite")
    if np.any(np.abs(values) >= FAR):
        raise InputError(f"{name}: numbers of {FAR:g} and more; expected smaller ones")


def _check_skin(skin: Skin, count: int) -> None:
    if not 0 <= skin.start <= skin.stop <= count:
        raise InputError(f"body {skin.name!r} has rows {skin.start}…{skin.stop}; expected rows within 0…{count}")
    if skin.colour is not None and not (isinstance(skin.colour, str) and re.fullmatch("#[0-9a-fA-F]{6}", skin.colour)):
        raise InputError(f"colour of body {skin.name!r} is {str(skin.colour)[:40]!r}; expected one such as '#3366cc'")
    if skin.triangles is None or skin.parents is None or skin.weights is None:
        raise InputError(f"body {skin.name!r} has no surface; expected triangles, parents and weights")
    nodes, surface = skin.stop - skin.start, len(skin.parents) if skin.parents.ndim else 0
    limits = {
        "triangles": (3, surface), "parents": (None, nodes), "tets": ((4, 10), nodes), "hexes": (8, nodes),
        "edges": (2, nodes),
    }  # fmt: skip
    for name, (width, limit) in limits.items():
        cells = getattr(skin, name)
        if cells is None:
            continue
        if (
            cells.ndim != 2
            or (width and cells.shape[1] not in np.atleast_1d(width))
            or not np.issubdtype(cells.dtype, np.integer)
        ):
            raise InputError(f"{name} of body {skin.name!r} have shape {cells.shape}; expected rows of numbers")
        if cells.size and (cells.min() < 0 or cells.max() >= limit):
            raise InputError(f"{name} of body {skin.name!r} name a vertex outside 0…{limit - 1}")
    if skin.looks is not None and not skin.looks.fits(skin.triangles):
        raise InputError(f"looks of body {skin.name!r} have other faces than its triangles")
    if skin.solid is not None and (skin.solid.cells.max() >= nodes or len(skin.solid.band.active) != nodes):
        raise InputError(f"cells of body {skin.name!r} name a node outside 0…{nodes - 1}")
    _reals(f"weights of body {skin.name!r}", skin.weights, skin.parents.shape)
