"""ParaView: a .pvd list of times and, beside it, one .vtu a frame with tets, triangles and lines and all fields."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ...geometry.files.vtu_arrays import encode_array
from ...simulate.run import Run
from ..atomic import whole_file, whole_folder
from ..progress import track
from ..shapes import posed

_TETRA, _TRIANGLE, _LINE = 10, 5, 3


class _Grid:
    """The cells of all bodies on their own nodes; bodies without tets or edges stand on their surface's vertices."""

    def __init__(self, run: Run):
        self.run, start = run, 0
        self.own, cells = [], []  # whether a body brings its nodes; (type, cells, body)
        for i, skin in enumerate(run.skins):
            on_nodes = skin.tets is not None or (not len(skin.triangles) and skin.edges is not None)
            if skin.tets is not None:
                cells.append((_TETRA, np.asarray(skin.tets, np.int64) + start, i))
            elif on_nodes:
                cells.append((_LINE, np.asarray(skin.edges, np.int64) + start, i))
            else:
                cells.append((_TRIANGLE, np.asarray(skin.triangles, np.int64) + start, i))
            self.own.append(on_nodes)
            start += skin.stop - skin.start if on_nodes else len(skin.parents)
        self.connectivity = np.concatenate([c.ravel() for _, c, _ in cells])
        self.offsets = np.cumsum(np.concatenate([np.full(len(c), c.shape[1]) for _, c, _ in cells]))
        self.types = np.concatenate([np.full(len(c), t, np.uint8) for t, c, _ in cells])
        self.body = np.concatenate([np.full(len(c), i, np.int32) for _, c, i in cells])

    def at_points(self, values: np.ndarray) -> np.ndarray:
        """Carry nodal values of the scene, (n,) or (n, 3), to the grid's points."""
        pairs = zip(self.run.skins, self.own)
        return np.concatenate([values[s.start : s.stop] if own else s.of(values) for s, own in pairs])

    def vtu(self, frame: int) -> str:
        run = self.run
        x, v = run.positions[frame], run.velocities[frame]
        data = {"displacement": x - run.rest, "velocity": v}
        data |= {name: np.asarray(values[frame], np.float64) for name, values in run.fields.items()}
        points = {name: self.at_points(values) for name, values in data.items()}
        cells = {"connectivity": self.connectivity, "offsets": self.offsets, "types": self.types}
        return _vtu(self.at_points(x), cells, points, {"body": self.body})


def _vtu(points: np.ndarray, cells: dict, point_data: dict, cell_data: dict) -> str:
    section = {"PointData": point_data, "CellData": cell_data, "Points": {"Points": points}, "Cells": cells}
    body = ""
    for name, arrays in section.items():
        inner = [encode_array(escape(k, {'"': "&quot;"}), np.ascontiguousarray(a), False) for k, a in arrays.items()]
        body += f"<{name}>\n{''.join(inner)}</{name}>\n"
    return (
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        'header_type="UInt64" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n'
        f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells["types"])}">\n{body}</Piece>\n'
        "</UnstructuredGrid>\n</VTKFile>\n"
    )


def _obstacles(run: Run, frame: int) -> str:
    starts = np.cumsum([0, *(len(p.mesh.vertices) for p in run.props)])
    triangles = np.concatenate([p.mesh.triangles.astype(np.int64) + s for p, s in zip(run.props, starts)])
    cells = {
        "connectivity": triangles.ravel(), "offsets": 3 * np.arange(1, len(triangles) + 1),
        "types": np.full(len(triangles), _TRIANGLE, np.uint8),
    }  # fmt: skip
    which = np.concatenate([np.full(len(p.mesh.triangles), i, np.int32) for i, p in enumerate(run.props)])
    return _vtu(np.concatenate([posed(p, frame) for p in run.props]), cells, {}, {"obstacle": which})


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write ``path`` and, in the folder of the same name beside it, a .vtu for the bodies and one for the obstacles."""
    grid = _Grid(run)
    entries = []
    with whole_file(path) as listing, whole_folder(path.with_suffix("")) as folder:
        for frame in track(frames, "writing vtu"):
            parts = [(0, f"bodies_{frame:04d}.vtu", grid.vtu(frame))]
            if run.props:
                parts.append((1, f"obstacles_{frame:04d}.vtu", _obstacles(run, frame)))
            for part, name, text in parts:
                (folder / name).write_text(text)
                where = quoteattr(f"{path.stem}/{name}")
                entries.append(f'<DataSet timestep="{run.times[frame]:.9g}" part="{part}" file={where}/>\n')
        listing.write_text(
            '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n<Collection>\n'
            + "".join(entries) + "</Collection>\n</VTKFile>\n"
        )  # fmt: skip
