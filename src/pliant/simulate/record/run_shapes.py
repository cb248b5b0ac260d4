"""Shapes of the arrays of a run: those that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arguments import checks
from ...errors import InputError

if TYPE_CHECKING:
    from .run import Chapter, Run


def check_chapter(chapter: Chapter) -> None:
    """Refuse a chapter whose arrays hold no numbers or have shapes that do not belong together."""
    n = _rows("run.rest", chapter.rest, (None, 3))[0]
    frames = _rows("run.positions", chapter.positions, (None, n, 3))[0]
    _rows("run.velocities", chapter.velocities, (frames, n, 3))
    checks.instance("run.fields", chapter.fields, dict, "arrays by their names")
    for name, values in chapter.fields.items():
        _rows(f"field {name!r}", values, (frames, n), ", frames × nodes")
    for skin in chapter.skins:
        if not 0 <= skin.start <= skin.stop <= n:
            raise InputError(f"body {skin.name!r} has rows {skin.start}…{skin.stop}; expected rows within 0…{n}")


def check_run(run: Run) -> None:
    """Refuse a run whose arrays hold no numbers or have other frames than its times."""
    (frames,) = _rows("Run(times=…)", run.times, (None,))
    _rows("Run(step_seconds=…)", run.step_seconds, (None,))
    if len(run.chapters) == 1 and len(run.chapters[0]) != frames:
        shape = np.shape(run.chapters[0].positions)
        raise InputError(f"run.positions has shape {shape}; expected {(frames, *shape[1:])}")
    if int(run.starts[-1]) != frames or not all(map(len, run.chapters)):
        counts = [len(chapter) for chapter in run.chapters]
        raise InputError(f"the chapters of this run have {counts} frames; expected {frames} in all, none empty")
    for name, values in run.energies.items():
        _rows(f"energy {name!r}", values, (frames,), ", one per frame")
    for name, values in run.wrenches.items():
        _rows(f"forces on {name!r}", values, (frames, 3, 3))
    for prop in run.props:
        _rows(f"poses of obstacle {prop.name!r}", prop.poses, (frames, 4, 4))


def _rows(what: str, values: object, shape: tuple[int | None, ...], more: str = "") -> tuple[int, ...]:
    """The shape of an array of numbers, which is ``shape`` but for any number where that has None."""
    try:
        array = np.asarray(values) if isinstance(values, np.ndarray | list | tuple) else None
    except ValueError:  # rows that differ in length
        array = None
    wanted = "(" + ", ".join("any" if size is None else str(size) for size in shape) + ("," * (len(shape) == 1)) + ")"
    if array is None or array.dtype.kind not in "fiu":
        given = checks.kind(values) if array is None else f"an array of {array.dtype}"
        raise InputError(f"{what} is {given}; expected numbers of shape {wanted}{more}")
    if array.ndim != len(shape) or any(size not in (None, own) for size, own in zip(shape, array.shape)):
        raise InputError(f"{what} has shape {array.shape}; expected {wanted}{more}")
    return array.shape
