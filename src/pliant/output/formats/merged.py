"""All bodies of a run as one mesh, for formats that hold one."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...simulate.run import Run
from ..shapes import is_rod, vertex_values, vertices


class Merged:
    """The vertices that draw every body, one after the other, and the triangles and edges between them."""

    def __init__(self, run: Run):
        self.run = run
        sizes = [s.stop - s.start if is_rod(s) else len(s.parents) for s in run.skins]
        self.starts = np.cumsum([0, *sizes])  # first vertex of each body, and the total

    @cached_property
    def triangles(self) -> list[np.ndarray]:
        """Triangles of each body in merged vertex numbers; none for rods."""
        return [np.asarray(s.triangles, np.int64).reshape(-1, 3) + v for s, v in zip(self.run.skins, self.starts)]

    @cached_property
    def edges(self) -> list[np.ndarray]:
        """Edges of each rod in merged vertex numbers; none for bodies with triangles."""
        none = np.zeros((0, 2), np.int64)
        return [np.asarray(s.edges, np.int64) + v if is_rod(s) else none for s, v in zip(self.run.skins, self.starts)]

    def places(self, frame: int | None) -> np.ndarray:
        """(v, 3) places [m] in a frame, or at rest for None."""
        run = self.run
        if frame is not None:
            return np.concatenate([vertices(run, s, frame) for s in run.skins])
        return np.concatenate([run.rest[s.start : s.stop] if is_rod(s) else s.of(run.rest) for s in run.skins])

    def values(self, name: str, frame: int) -> np.ndarray:
        """(v,) a scalar field in a frame."""
        field = self.run.values(name)[frame]
        return np.concatenate([vertex_values(s, field) for s in self.run.skins])
