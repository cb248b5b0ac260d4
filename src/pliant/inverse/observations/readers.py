"""Readers of scanner and motion capture files."""

from __future__ import annotations

import csv
import glob
import io
import os
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.atomic_files import Archive, Budget, array_in
from ...errors import InputError
from ...geometry.files import named, read
from ...geometry.mesh.mesh import PointCloud, TetMesh, TriMesh
from .clouds import Clouds
from .depth_images import Camera, DepthImages

METRES = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254}
AXES = ("x", "y", "z")
FAR = 6e4  # background values of renderers in an EXR: 65504, 1e10


@dataclass(frozen=True, eq=False)
class Tracks:
    """Tracks of a motion capture: ``positions`` (frames, m, 3) [m], NaN where not seen, ``times`` [s] and ``names``."""

    positions: np.ndarray
    times: np.ndarray
    names: tuple[str, ...]

    def __post_init__(self):
        positions, times = checks.floats(self.positions), checks.floats(self.times)
        if positions.ndim != 3 or positions.shape[2] != 3 or times.shape != positions.shape[:1]:
            raise InputError(
                f"Tracks(positions of shape {positions.shape}, times of shape {times.shape}): expected (frames, m, 3), (frames,)"
            )
        checks.several("Tracks(names=…)", self.names, str, "names")

    def between(self, start: float, stop: float = np.inf) -> Tracks:
        """The frames from ``start`` to before ``stop`` [s], whose time then counts from ``start``."""
        checks.number("between(start=…)", start, expected="a finite number of seconds")
        if not start < checks.real(stop):
            raise InputError(f"between(start={start:g}, stop={checks.shown(stop)}): expected a later time for the end")
        chosen = (self.times >= start) & (self.times < stop)
        if not chosen.any():
            raise InputError(
                f"between({start:g}, {stop:g}): no frames; they are from {self.times[0]:g} s to {self.times[-1]:g} s"
            )
        return replace(self, positions=self.positions[chosen], times=self.times[chosen] - start)


def files_of(pattern: object, what: str) -> list[Path]:
    """Files of a list, a folder or a pattern with * and ?, numbers in names counted: scan_2 before scan_10."""
    several = isinstance(pattern, list | tuple)
    path = named(pattern[0] if several and pattern else pattern)
    if several:
        files = [named(each) for each in pattern]
        if missing := [file for file in files if not file.is_file()]:
            raise InputError(f"{what}: there is no file {missing[0]}; expected files of a scan")
    elif path.is_dir():
        files = [file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")]
    else:
        files = [Path(name) for name in glob.glob(str(path)) if os.path.isfile(name)]
    if not files:
        raise InputError(f"{what}({checks.shown(str(path))}): there are no such files; expected such as scan/*.ply")
    suffixes = sorted({file.suffix.lower() for file in files})
    if len(suffixes) > 1:
        raise InputError(
            f"{what}({checks.shown(str(path))}): files of several kinds, {', '.join(suffixes)}; expected one, such as scan/*.ply"
        )
    return sorted(files, key=lambda file: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", str(file))])


def read_clouds(
    pattern: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    frames_per_second: float,
    unit: float = 1.0,
    start: float = 0.0,
    **options: Any,
) -> Clouds:
    """Clouds of a folder, a list or a pattern such as "scan/*.ply", a file for each frame, in the order of numbers in names.

    PLY and other formats with points or surfaces; NPZ and NPY with an (n, 3) array, or (frames, n, 3) in one file. ``unit`` is
    how many metres 1 is in them, ``start`` [s] when the first is on the clock of the run; other options are those of Clouds.
    """
    files = files_of(pattern, "read_clouds")
    pace = checks.positive("read_clouds(frames_per_second=…)", frames_per_second)
    unit = checks.positive("read_clouds(unit=…)", unit, "metres")
    start = checks.number("read_clouds(start=…)", start, expected="a finite number of seconds")
    budget = Budget(sum(file.stat().st_size for file in files))
    frames = [unit * points for file in files for points in points_of(file, budget)]
    return Clouds(frames, start + np.arange(len(frames)) / pace, **options)


def points_of(file: Path, budget: Budget) -> list[np.ndarray]:
    """The points of a file, or of all frames in it, within a budget of memory for this and other files."""
    if file.suffix.lower() in (".npz", ".npy"):
        array = _array(file, ("points", "vertices", "positions"), budget)
        frames = list(array) if array.ndim == 3 else [array]
    else:
        shape = read(file)
        if not isinstance(shape, PointCloud | TriMesh | TetMesh):
            raise InputError(f"{file} holds a {type(shape).__name__}; expected points")
        with _reported(file):
            budget.claim(shape.vertices.nbytes, "its points")
        frames = [shape.vertices]
    for i, points in enumerate(frames):
        if points.ndim != 2 or points.shape[1:] != (3,):
            raise InputError(f"{file}: frame {i} has shape {points.shape}; expected (n, 3) points")
        if not len(points):
            raise InputError(f"{file} has no points; expected one or more: leave the file out, and its time")
    return frames


def _array(file: Path, names: tuple[str, ...], budget: Budget) -> np.ndarray:
    """The one array of an NPY or NPZ file, or that of one of the names, as float64."""
    with _reported(file):
        data = file.read_bytes()
        if file.suffix.lower() == ".npy":
            array = array_in(data, "its array")
        else:
            archive = Archive(data, budget.claim)
            keys = [name for name in names if name in archive.names] or list(archive.names)
            if len(keys) != 1:
                raise InputError(f"{file} has the arrays {', '.join(keys)[:200] or 'none'}; expected one, such as {names[0]!r}")
            array = archive.array(keys[0])
        if array.dtype.kind not in "fiu":
            raise InputError(f"{file} holds {array.dtype}; expected numbers")
        budget.claim(8 * array.size, "its numbers in f64")
    return array.astype(float)


def read_depths(
    pattern: str | os.PathLike[str],
    camera: Camera,
    frames_per_second: float,
    unit: float = 1e-3,
    start: float = 0.0,
    **options: Any,
) -> DepthImages:
    """Depth images of a folder or pattern such as "depth/*.png", one file for each frame, 0 or NaN where nothing was seen.

    PNG of 16 bits (with ``pip install 'pliant[depth]'``), EXR (``pliant[exr]``), NPY and NPZ, the latter two also with all frames
    in one file.
    ``unit`` is how many metres 1 is in them; other options are those of DepthImages.
    """
    checks.instance("read_depths(camera=…)", camera, Camera, "a Camera")
    files = files_of(pattern, "read_depths")
    pace = checks.positive("read_depths(frames_per_second=…)", frames_per_second)
    unit = checks.positive("read_depths(unit=…)", unit, "metres")
    start = checks.number("read_depths(start=…)", start, expected="a finite number of seconds")
    frames, budget = [], Budget(sum(file.stat().st_size for file in files))
    for file in files:
        own = READERS.get(file.suffix.lower())
        image = _array(file, ("depth", "depths", "images"), budget) if own is None else own(file, camera)
        for frame in image if image.ndim == 3 else [image]:
            if frame.shape != camera.size[::-1]:
                if frame.ndim == 2:
                    raise _other_size(file, frame.shape[::-1], camera)
                raise InputError(f"{file} has shape {image.shape}; expected (height, width) or (frames, height, width)")
            frames.append(unit * frame)
    return DepthImages(np.stack(frames), camera, start + np.arange(len(frames)) / pace, **options)


def _other_size(file: Path, size: tuple[int, ...], camera: Camera) -> InputError:
    wide, high = camera.size
    return InputError(f"{file} is {size[0]} × {size[1]} pixels; the camera has {wide} × {high}")


def _png(file: Path, camera: Camera) -> np.ndarray:
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise InputError(f"{file}: no reader of PNG is installed; pip install 'pliant[depth]'") from None
    with _reported(file), Image.open(file) as image:
        if image.mode not in ("I;16", "I;16B", "I", "L", "F"):
            raise InputError(f"{file} is a picture of mode {image.mode!r}; expected one number per pixel, of 16 bits")
        if image.size != camera.size:  # before it is unpacked
            raise _other_size(file, image.size, camera)
        return np.array(image, float)


def _exr(file: Path, camera: Camera) -> np.ndarray:
    """The channel Z of a file, or the only one it has; infinite depths count as empty."""
    try:
        import OpenEXR
    except ModuleNotFoundError:
        raise InputError(
            f"{file}: no reader of EXR is installed; pip install 'pliant[exr]', or convert it to PNG of 16 bits or NPY"
        ) from None
    with _reported(file):
        windows = re.finditer(rb"dataWindow\0box2i\0\x10\0\0\0(.{16})", file.read_bytes(), re.DOTALL)
        for x, y, right, top in (struct.unpack("<4i", found[1]) for found in windows):  # before it is unpacked
            if (right - x + 1, top - y + 1) != camera.size:
                raise _other_size(file, (right - x + 1, top - y + 1), camera)
    with _reported(file), OpenEXR.File(str(file), separate_channels=True) as image:
        channels = image.channels()
        names = [name for name in ("Z", "depth.Z") if name in channels] or list(channels)
        if len(names) != 1:
            raise InputError(f"{file} has the channels {', '.join(names) or 'none'}; expected Z, or one alone")
        values = np.array(channels[names[0]].pixels, float)
    return np.where(np.isfinite(values) & (values < FAR), values, np.nan)


READERS = {".png": _png, ".exr": _exr}


@contextmanager
def _reported(file: Path) -> Iterator[None]:
    """Errors of libraries about a file, as one sentence."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or checks.shown(str(error))}") from None
    except Exception as error:
        raise InputError(f"{file} cannot be read: {checks.shown(str(error))[1:-1]}") from None


def read_markers(path: str | os.PathLike[str], frames_per_second: float | None = None, unit: float | None = None) -> Tracks:
    """Tracks of markers from C3D (with ``pip install 'pliant[c3d]'``) or CSV.

    A CSV has a line of names such as time, tip.x, tip.y, tip.z, … and empty cells where a marker was not seen; without times it
    needs ``frames_per_second``. ``unit`` is how many metres 1 is in the file: as a C3D says, and 1 in a CSV, where None.
    """
    file = named(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}; expected one that ends in .c3d or .csv")
    if frames_per_second is not None:
        checks.positive("read_markers(frames_per_second=…)", frames_per_second)
    if unit is not None:
        checks.positive("read_markers(unit=…)", unit, "metres")
    kind = file.suffix.lower()
    if kind not in (".c3d", ".csv"):
        raise InputError(f"read_markers({str(file)!r}): expected a file that ends in .c3d or .csv")
    with _reported(file):
        tracks = _c3d(file, unit) if kind == ".c3d" else _csv(file, unit or 1.0, frames_per_second)
    if frames_per_second is not None and kind == ".c3d":
        tracks = replace(tracks, times=np.arange(len(tracks.times)) / frames_per_second)
    return tracks


def _c3d(file: Path, unit: float | None) -> Tracks:
    import warnings

    try:
        import c3d
    except ModuleNotFoundError:
        raise InputError(f"{file}: no reader of C3D is installed; pip install 'pliant[c3d]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = c3d.Reader(io.BytesIO(file.read_bytes()))
        if not reader.point_used:  # frames of no bytes have no end
            raise InputError(f"{file} holds no markers")
        names = tuple(str(name).strip() for name in reader.point_labels)
        frames = np.array([points[:, :4] for _, points, _ in reader.read_frames()], float)
        if unit is None:
            units = reader.get("POINT:UNITS")
            said = units.string_value.strip() if units is not None else ""
            if said not in METRES:
                raise InputError(f"{file} says its unit is {said!r}; expected one of {', '.join(METRES)}, or unit=…")
            unit = METRES[said]
        rate = float(reader.point_rate)
    if not frames.size or rate <= 0:
        raise InputError(f"{file} holds no frames of markers")
    positions = np.where(frames[:, :, 3:] < 0, np.nan, frames[:, :, :3]) * unit  # a residual of −1: not seen
    return Tracks(positions, np.arange(len(positions)) / rate, names[: positions.shape[1]])


def _csv(file: Path, unit: float, pace: float | None) -> Tracks:
    with open(file, newline="", encoding="utf-8-sig") as stream:
        rows = [row for row in csv.reader(stream) if any(cell.strip() for cell in row)]
    if len(rows) < 2:
        raise InputError(f"{file} has {len(rows)} lines; expected one of names and one or more of numbers")
    head = [name.strip() for name in rows[0]]
    places: dict[str, dict[str, int]] = {}  # marker → axis → column
    double = False
    for column, name in enumerate(head):
        if match := re.fullmatch(r"(.+?)[._ ]?([xyzXYZ])", name):
            own = places.setdefault(match[1], {})
            double |= match[2].lower() in own
            own[match[2].lower()] = column
    if double or not places or any(len(own) < 3 for own in places.values()):
        raise InputError(f"{file} has the columns {checks.shown(head)}; expected time, then such as tip.x, tip.y, tip.z")
    for i, row in enumerate(rows):
        if len(row) != len(head):
            raise InputError(f"{file}, line {i + 1}: {len(row)} cells; expected {len(head)}, as in the first line")
    values = np.full((len(rows) - 1, len(head)), np.nan)
    for i, row in enumerate(rows[1:]):
        for j, cell in enumerate(row):
            try:
                values[i, j] = float(cell) if cell.strip() else np.nan
            except ValueError:
                raise InputError(f"{file}, line {i + 2}: {checks.shown(cell)} is no number") from None
    clocks = [j for j, name in enumerate(head) if name.lower() in ("time", "t", "time [s]", "seconds")]
    if not clocks and pace is None:
        raise InputError(f"{file} has no column of times; expected one called time [s], or frames_per_second=…")
    times = np.arange(len(values)) / pace if pace is not None else values[:, clocks[0]]
    columns = [own[axis] for own in places.values() for axis in AXES]
    return Tracks(unit * values[:, columns].reshape(len(values), len(places), 3), times, tuple(places))
