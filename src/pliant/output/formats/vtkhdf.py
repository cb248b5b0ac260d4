"""VTKHDF: all frames of a run in one HDF5 file that ParaView plays. Needs the extra pliant[vtkhdf]."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from ...progress import track
from ...simulate.run import Run
from ..atomic import whole_file
from .grid import BodyGrid, ObstacleGrid

VERSION = (2, 0)  # of the layout: temporal grids without anything newer
_PACKED = {"compression": "gzip", "compression_opts": 1, "shuffle": True}


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write the bodies with the fields of ``.pvd``; obstacles go into a file beside it, ``NAME_obstacles.vtkhdf``.

    Cells are stored once, points and fields frame by frame, in 64-bit floats.
    """
    try:
        import h5py
    except ImportError:
        raise InputError(f"cannot write {path.name!r}: h5py is not installed; pip install 'pliant[vtkhdf]'") from None
    grid, frames = BodyGrid(run), frames[np.argsort(run.times[frames], kind="stable")]
    wrong = [name for name in run.fields if "/" in name or name in (".", "")]
    if wrong:
        raise InputError(f"the field {wrong[0]!r} cannot be named in HDF5; expected a name without '/'")
    if not run.props:
        with whole_file(path) as bodies:
            _write(h5py, grid, frames, bodies)
        return
    beside = path.with_name(f"{path.stem}_obstacles{path.suffix}")
    with whole_file(beside) as obstacles, whole_file(path) as bodies:
        _write(h5py, grid, frames, bodies)
        _write(h5py, ObstacleGrid(run), frames, obstacles)


def _write(h5py: Any, grid: BodyGrid | ObstacleGrid, frames: np.ndarray, path: Path) -> None:
    run, count = grid.run, len(frames)
    starts = grid.count * np.arange(count, dtype=np.int64)
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array(VERSION, np.int64)
        root.attrs["Type"] = np.bytes_("UnstructuredGrid")  # of fixed length, as VTK wants it
        root["NumberOfPoints"] = np.array([grid.count], np.int64)
        root["NumberOfCells"] = np.array([len(grid.types)], np.int64)
        root["NumberOfConnectivityIds"] = np.array([len(grid.connectivity)], np.int64)
        root["Connectivity"] = grid.connectivity.astype(np.int64)
        root["Offsets"] = np.concatenate([[0], grid.offsets]).astype(np.int64)
        root["Types"] = grid.types
        root.create_group("CellData")[grid.name] = grid.part
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = np.int64(count)
        steps["Values"] = np.asarray(run.times[frames], np.float64)
        steps["PartOffsets"] = np.zeros(count, np.int64)  # one part, whose cells stay
        steps["NumberOfParts"] = np.ones(count, np.int64)
        steps["PointOffsets"] = starts
        steps["CellOffsets"] = steps["ConnectivityIdOffsets"] = np.zeros((count, 1), np.int64)
        steps.create_group("CellDataOffsets")[grid.name] = np.zeros(count, np.int64)
        arrays, offsets = root.create_group("PointData"), steps.create_group("PointDataOffsets")
        first = grid.data(int(frames[0]))
        places = {"Points": root} | dict.fromkeys(first, arrays)
        for name, owner in places.items():
            width = () if name != "Points" and first[name].ndim == 1 else (3,)
            shape, chunks = (count * grid.count, *width), (max(grid.count, 1), *width)
            made = owner.create_dataset(name, shape, np.float64, chunks=chunks, **_PACKED)
            made.attrs["units"] = "m" if name == "Points" else "m/s" if name == "velocity" else run.UNITS.get(name, "")
        for name in first:
            offsets[name] = starts
        for start, frame in zip(starts, track(frames, f"writing vtkhdf, {grid.name}")):
            rows = slice(start, start + grid.count)
            root["Points"][rows] = grid.points(int(frame))
            for name, values in grid.data(int(frame)).items():
                arrays[name][rows] = values
