"""All bodies of a run, and all its obstacles, as unstructured grids for VTK's formats."""

from __future__ import annotations

import numpy as np

from ...simulate.run import Run
from ..shapes import posed

TETRA, TRIANGLE, LINE = 10, 5, 3  # VTK's numbers of cell types


class _Cells:
    """Cells of several parts: flat corners, where each cell ends, its type and its part."""

    def __init__(self, parts: list[tuple[int, np.ndarray]]):
        self.connectivity = np.concatenate([c.ravel() for _, c in parts])
        self.offsets = np.cumsum(np.concatenate([np.full(len(c), c.shape[1]) for _, c in parts]))
        self.types = np.concatenate([np.full(len(c), t, np.uint8) for t, c in parts])
        self.part = np.concatenate([np.full(len(c), i, np.int32) for i, (_, c) in enumerate(parts)])


class BodyGrid(_Cells):
    """The cells of all bodies on their own nodes; bodies without tets or edges stand on their surface's vertices."""

    name = "body"

    def __init__(self, run: Run):
        self.run, start = run, 0
        self.own, parts = [], []  # whether a body brings its nodes; type and cells
        for skin in run.skins:
            on_nodes = skin.tets is not None or (not len(skin.triangles) and skin.edges is not None)
            if skin.tets is not None:
                parts.append((TETRA, np.asarray(skin.tets, np.int64) + start))
            elif on_nodes:
                parts.append((LINE, np.asarray(skin.edges, np.int64) + start))
            else:
                parts.append((TRIANGLE, np.asarray(skin.triangles, np.int64) + start))
            self.own.append(on_nodes)
            start += skin.stop - skin.start if on_nodes else len(skin.parents)
        self.count = start
        super().__init__(parts)

    def _at_points(self, values: np.ndarray) -> np.ndarray:
        """Carry nodal values of the scene, (n,) or (n, 3), to the grid's points."""
        pairs = zip(self.run.skins, self.own)
        return np.concatenate([values[s.start : s.stop] if own else s.of(values) for s, own in pairs])

    def points(self, frame: int) -> np.ndarray:
        """(p, 3) places [m]."""
        return self._at_points(self.run.positions[frame])

    def data(self, frame: int) -> dict[str, np.ndarray]:
        """Displacement [m], velocity [m/s] and the recorded fields, (p,) or (p, 3) each."""
        run = self.run
        found = {"displacement": run.positions[frame] - run.rest, "velocity": run.velocities[frame]}
        found |= {name: np.asarray(values[frame], np.float64) for name, values in run.fields.items()}
        return {name: self._at_points(values) for name, values in found.items()}


class ObstacleGrid(_Cells):
    """The surfaces of all obstacles."""

    name = "obstacle"

    def __init__(self, run: Run):
        self.run = run
        starts = np.cumsum([0, *(len(p.mesh.vertices) for p in run.props)])
        self.count = int(starts[-1])
        super().__init__([(TRIANGLE, p.mesh.triangles.astype(np.int64) + s) for p, s in zip(run.props, starts)])

    def points(self, frame: int) -> np.ndarray:
        """(p, 3) places [m]."""
        return np.concatenate([posed(p, frame) for p in self.run.props])

    def data(self, frame: int) -> dict[str, np.ndarray]:
        """Obstacles carry no fields."""
        return {}
