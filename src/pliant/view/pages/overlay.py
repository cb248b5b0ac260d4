"""A run with what was observed of it: points as small octahedra beside the bodies, for the same replay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arguments.typing_fields import Vector
from ...simulate.record.run import Run, Skin

MOST = 400  # points that are drawn in a frame
OBSERVED = "#14181f"  # no body is so dark
SHARE = 0.006  # of the size of the bodies: how large they are
_CORNERS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
_FACES = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])


def overlaid(run: Run, times: Vector, points: Sequence[np.ndarray], colour: str = OBSERVED) -> Run:
    """A copy of a run of one chapter with the ``points`` (n, 3) of the observed frame that is nearest in time, some of them."""
    chapter = run.chapters[0]
    draw = np.random.default_rng(0)
    count = min(MOST, max(len(p) for p in points))
    shown = [p[draw.choice(len(p), count, replace=len(p) < count)] for p in points]
    nearest = np.argmin(np.abs(np.asarray(times)[None, :] - run.times[:, None]), axis=1)
    size = SHARE * float(np.ptp(chapter.rest, axis=0).max())
    marks = np.stack([(shown[k][:, None, :] + size * _CORNERS).reshape(-1, 3) for k in nearest])
    start = chapter.positions.shape[1]
    stop = start + marks.shape[1]
    faces = (_FACES[None] + 6 * np.arange(count)[:, None, None]).reshape(-1, 3).astype(np.int32)
    parents = np.arange(stop - start)[:, None]
    skin = Skin("observed", start, stop, faces, parents, np.ones((stop - start, 1)), colour=colour)
    return Run.single(
        run.times,
        np.concatenate([chapter.positions, marks], axis=1),
        np.concatenate([chapter.velocities, np.zeros_like(marks)], axis=1),
        np.concatenate([chapter.rest, marks[0]]),
        (*chapter.skins, skin),
        run.props,
        dt=run.dt,
    )
