"""ParaView: a .pvd list of times and, beside it, one .vtu a frame with tets, triangles and lines and all fields."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ...arguments.atomic_files import whole_file, whole_folder
from ...arguments.progress import track
from ...geometry.files.solids.vtu_arrays import encode_array
from ...simulate.record.run import Run
from .vtk_grid import BodyGrid, ObstacleGrid


def _section(name: str, arrays: dict[str, np.ndarray]) -> str:
    inner = [encode_array(escape(k, {'"': "&quot;"}), np.ascontiguousarray(a), False) for k, a in arrays.items()]
    return f"<{name}>\n{''.join(inner)}</{name}>\n"


def _cells(grid: BodyGrid | ObstacleGrid) -> str:
    """What is the same in every frame of a chapter, packed once."""
    cells = {"connectivity": grid.connectivity, "offsets": grid.offsets, "types": grid.types}
    return _section("CellData", {grid.name: grid.part}) + _section("Cells", cells)


def _vtu(grid: BodyGrid | ObstacleGrid, cells: str, frame: int) -> str:
    body = _section("PointData", grid.data(frame)) + _section("Points", {"Points": grid.points(frame)}) + cells
    return (
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        'header_type="UInt64" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n'
        f'<Piece NumberOfPoints="{grid.count}" NumberOfCells="{len(grid.types)}">\n{body}</Piece>\n'
        "</UnstructuredGrid>\n</VTKFile>\n"
    )


def _cleared(path: Path, folder: Path) -> None:
    """Take the old list and its frames away before new ones come: no list ever names frames of two runs."""
    path.unlink(missing_ok=True)
    for file in folder.glob("*.vtu"):
        if re.fullmatch(r"(bodies|obstacles)_\d{4,}\.vtu", file.name):
            file.unlink()


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write ``path`` and, in the folder of the same name beside it, a .vtu for the bodies and one for the obstacles."""
    bodies = [BodyGrid(run, k) for k in range(len(run.chapters))]
    packed, entries = [(grid, _cells(grid)) for grid in bodies], []
    fixed = {}
    if run.props:
        obstacles = ObstacleGrid(run)
        fixed = {"obstacles": (obstacles, _cells(obstacles))}
    place = path.with_suffix("")
    with whole_file(path) as listing, whole_folder(place, lambda: _cleared(path, place)) as folder:
        for frame in track(frames, "writing vtu"):
            parts = {"bodies": packed[run.chapter_of(int(frame))]} | fixed
            for part, (kind, (grid, cells)) in enumerate(parts.items()):
                name = f"{kind}_{frame:04d}.vtu"
                (folder / name).write_text(_vtu(grid, cells, int(frame)))
                where = quoteattr(f"{path.stem}/{name}")
                entries.append(f'<DataSet timestep="{run.times[frame]:.9g}" part="{part}" file={where}/>\n')
        listing.write_text(
            '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n<Collection>\n'
            + "".join(entries) + "</Collection>\n</VTKFile>\n"
        )  # fmt: skip
