"""All bodies of a run as one mesh, for formats that hold one."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ...simulate.run import Run
from .. import colour as colours
from ..shapes import is_rod, vertex_values, vertices


def nodal(run: Run, name: str, frame: int) -> np.ndarray:
    """(n,) a scalar field in one frame; nothing of the size of the whole run is made."""
    one = slice(frame, frame + 1)
    fields = {key: values[one] for key, values in run.fields.items()}
    return replace(run, positions=run.positions[one], velocities=run.velocities[one], fields=fields).values(name)[0]


class Paint:
    """Colours for the values of a field, on one scale from the least to the largest in the frames given."""

    def __init__(self, run: Run, name: str, frames: np.ndarray):
        ends = np.array([(v.min(), v.max()) for v in (nodal(run, name, int(f)) for f in frames)])
        self.run, self.name = run, name
        self.low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
        self.span = high - self.low or 1.0
        self.scale = colours.scale()

    def colours(self, frame: int) -> np.ndarray:
        """(n, 3) sRGB in 0…1 of all nodes in a frame."""
        at = (nodal(self.run, self.name, frame) - self.low) / self.span
        return self.scale[np.rint(np.clip(at, 0.0, 1.0) * (len(self.scale) - 1)).astype(int)]


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
        return self.carried(nodal(self.run, name, frame))

    def carried(self, values: np.ndarray) -> np.ndarray:
        """(v,) or (v, 3) nodal values, (n,) or (n, 3), at the vertices."""
        return np.concatenate([vertex_values(s, values) for s in self.run.skins])
