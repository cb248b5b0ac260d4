"""All bodies of a run as one mesh, for formats that hold one."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...simulate.record.run import Run
from ..colours import colour as colours
from ..raster.frame_shapes import is_rod, vertex_count, vertex_values, vertices


class Paint:
    """Colours for the values of a field, on one scale from the least to the largest in the frames given."""

    def __init__(self, run: Run, name: str, frames: np.ndarray):
        ends = np.array([(v.min(), v.max()) for v in (run.moment(int(f)).values(name) for f in frames)])
        self.run, self.name = run, name
        self.low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
        self.span = high - self.low or 1.0
        self.scale = colours.scale()

    def colours(self, frame: int) -> np.ndarray:
        """(n, 3) sRGB in 0…1 of all nodes in a frame."""
        at = (self.run.moment(frame).values(self.name) - self.low) / self.span
        return self.scale[np.rint(np.clip(at, 0.0, 1.0) * (len(self.scale) - 1)).astype(int)]


class Merged:
    """The vertices that draw every body of a chapter, one after the other, and the triangles and edges between them."""

    def __init__(self, run: Run, chapter: int = 0):
        self.run, self.chapter = run, run.chapters[chapter]
        self.skins = self.chapter.skins
        self.starts = np.cumsum([0, *map(vertex_count, self.skins)])  # first vertex of each body, and the total

    @cached_property
    def triangles(self) -> list[np.ndarray]:
        """Triangles of each body in merged vertex numbers; none for rods."""
        return [np.asarray(s.triangles, np.int64).reshape(-1, 3) + v for s, v in zip(self.skins, self.starts)]

    @cached_property
    def edges(self) -> list[np.ndarray]:
        """Edges of each rod in merged vertex numbers; none for bodies with triangles."""
        none = np.zeros((0, 2), np.int64)
        return [np.asarray(s.edges, np.int64) + v if is_rod(s) else none for s, v in zip(self.skins, self.starts)]

    def places(self, frame: int | None) -> np.ndarray:
        """(v, 3) places [m] in a frame of the run, or at rest for None."""
        x = self.chapter.rest if frame is None else self.run.moment(frame).x
        return np.concatenate([vertices(s, x) for s in self.skins])

    def values(self, name: str, frame: int) -> np.ndarray:
        """(v,) a scalar field in a frame."""
        return self.carried(self.run.moment(frame).values(name))

    def carried(self, values: np.ndarray) -> np.ndarray:
        """(v,) or (v, 3) nodal values, (n,) or (n, 3), at the vertices."""
        return np.concatenate([vertex_values(s, values) for s in self.skins])
