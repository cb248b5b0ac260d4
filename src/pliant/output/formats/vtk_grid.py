"""All bodies of a run, and all its obstacles, as unstructured grids for VTK's formats."""

from __future__ import annotations

import numpy as np

from ...simulate.record.run import Run
from ..raster.frame_shapes import posed

TETRA, TETRA_10, HEXAHEDRON, TRIANGLE, LINE = 10, 24, 12, 5, 3  # VTK's numbers of cell types


class _Cells:
    """Cells of several parts: flat corners, where each cell ends, its type and its part."""

    def __init__(self, parts: list[tuple[int, np.ndarray]]):
        self.connectivity = np.concatenate([c.ravel() for _, c in parts])
        self.offsets = np.cumsum(np.concatenate([np.full(len(c), c.shape[1]) for _, c in parts]))
        self.types = np.concatenate([np.full(len(c), t, np.uint8) for t, c in parts])
        self.part = np.concatenate([np.full(len(c), i, np.int32) for i, (_, c) in enumerate(parts)])


class BodyGrid(_Cells):
    """The cells of all bodies of a chapter on their nodes, or on surface vertices where there are no solid cells or edges."""

    name = "body"

    def __init__(self, run: Run, chapter: int = 0):
        self.run, self.skins, start = run, run.chapters[chapter].skins, 0
        self.own, parts = [], []  # whether a body brings its nodes; type and cells
        for skin in self.skins:
            on_nodes = skin.meshed or (not len(skin.triangles) and skin.edges is not None)
            if skin.tets is not None:
                kind = TETRA if skin.tets.shape[1] == 4 else TETRA_10
                parts.append((kind, np.asarray(skin.tets, np.int64) + start))
            elif skin.hexes is not None:
                parts.append((HEXAHEDRON, np.asarray(skin.hexes, np.int64) + start))
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
        pairs = zip(self.skins, self.own)
        return np.concatenate([values[s.start : s.stop] if own else s.of(values) for s, own in pairs])

    def points(self, frame: int) -> np.ndarray:
        """(p, 3) places [m]."""
        return self._at_points(self.run.moment(frame).x)

    def data(self, frame: int) -> dict[str, np.ndarray]:
        """Displacement [m], velocity [m/s] and the recorded fields, (p,) or (p, 3) each."""
        moment = self.run.moment(frame)
        fields = {"displacement": moment.x - moment.rest, "velocity": moment.v}
        fields |= {name: np.asarray(moment.fields[name], np.float64) for name in self.run.field_names}
        return {name: self._at_points(values) for name, values in fields.items()}


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
