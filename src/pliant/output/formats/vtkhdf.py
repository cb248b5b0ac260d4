"""VTKHDF: all frames in one file (extra pliant[vtkhdf])."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments.atomic_files import whole_file
from ...arguments.progress import track
from ...errors import InputError
from ...simulate.record.run import Run
from .vtk_grid import BodyGrid, ObstacleGrid

VERSION = (2, 0)  # of the layout: temporal grids without anything newer
_PACKED = {"compression": "gzip", "compression_opts": 1, "shuffle": True}


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write the bodies with the fields of ``.pvd``; obstacles go into a file beside it, ``NAME_obstacles.vtkhdf``.

    Cells are stored once for each chapter, points and fields frame by frame, in 64-bit floats.
    """
    try:
        import h5py
    except ImportError:
        raise InputError(f"cannot write {path.name!r}: h5py is not installed; pip install 'pliant[vtkhdf]'") from None
    frames = frames[np.argsort(run.times[frames], kind="stable")]
    wrong = [name for name in run.field_names if "/" in name or name in (".", "")]
    if wrong:
        raise InputError(f"the field {wrong[0]!r} cannot be named in HDF5; expected a name without '/'")
    grids = [BodyGrid(run, k) for k in range(len(run.chapters))]
    if not run.props:
        with whole_file(path) as bodies:
            _write(h5py, grids, frames, bodies)
        return
    beside = path.with_name(f"{path.stem}_obstacles{path.suffix}")
    with whole_file(beside) as obstacles, whole_file(path) as bodies:
        _write(h5py, grids, frames, bodies)
        _write(h5py, [ObstacleGrid(run)], frames, obstacles)


def _write(h5py: Any, grids: Sequence[BodyGrid | ObstacleGrid], frames: np.ndarray, path: Path) -> None:
    """One part for each grid, of which a frame shows that of its chapter, or the only one."""
    run, count, kind = grids[0].run, len(frames), grids[0].name
    shown = [run.chapter_of(int(frame)) if len(grids) > 1 else 0 for frame in frames]
    points = [grids[k].count for k in shown]
    starts = np.cumsum([0, *points]).astype(np.int64)
    first = lambda sizes: np.cumsum([0, *sizes])[shown].astype(np.int64)  # where the part of each frame begins
    cells = [len(grid.types) for grid in grids]
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array(VERSION, np.int64)
        root.attrs["Type"] = np.bytes_("UnstructuredGrid")  # of fixed length, as VTK wants it
        root["NumberOfPoints"] = np.array([grid.count for grid in grids], np.int64)
        root["NumberOfCells"] = np.array(cells, np.int64)
        root["NumberOfConnectivityIds"] = np.array([len(grid.connectivity) for grid in grids], np.int64)
        root["Connectivity"] = np.concatenate([grid.connectivity for grid in grids]).astype(np.int64)
        root["Offsets"] = np.concatenate([part for grid in grids for part in ([0], grid.offsets)]).astype(np.int64)
        root["Types"] = np.concatenate([grid.types for grid in grids])
        root.create_group("CellData")[kind] = np.concatenate([grid.part for grid in grids])
        steps = root.create_group("Steps")
        steps.attrs["NSteps"] = np.int64(count)
        steps["Values"] = np.asarray(run.times[frames], np.float64)
        steps["PartOffsets"] = np.array(shown, np.int64)
        steps["NumberOfParts"] = np.ones(count, np.int64)
        steps["PointOffsets"] = starts[:-1]
        steps["CellOffsets"] = first(cells)[:, None]
        steps["ConnectivityIdOffsets"] = first([len(grid.connectivity) for grid in grids])[:, None]
        steps.create_group("CellDataOffsets")[kind] = first(cells)
        arrays, offsets = root.create_group("PointData"), steps.create_group("PointDataOffsets")
        sample = grids[shown[0]].data(int(frames[0]))
        places = {"Points": root} | dict.fromkeys(sample, arrays)
        for name, owner in places.items():
            width = () if name != "Points" and sample[name].ndim == 1 else (3,)
            shape, chunks = (int(starts[-1]), *width), (max(*points, 1), *width)
            dataset = owner.create_dataset(name, shape, np.float64, chunks=chunks, **_PACKED)
            dataset.attrs["units"] = "m" if name == "Points" else "m/s" if name == "velocity" else run.UNITS.get(name, "")
        for name in sample:
            offsets[name] = starts[:-1]
        for begin, end, k, frame in zip(starts, starts[1:], shown, track(frames, f"writing vtkhdf, {kind}")):
            root["Points"][begin:end] = grids[k].points(int(frame))
            for name, values in grids[k].data(int(frame)).items():
                arrays[name][begin:end] = values
