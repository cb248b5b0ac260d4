"""DICOM series, multi-frame files and segmentations (extra pliant[dicom])."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ....errors import InputError, PliantWarning
from ...distance.volume import Volume
from ..source import Source

HOLDS = ()
SUFFIXES = (".dcm", ".dicom", ".ima")
MAGIC, MAGIC_AT = b"DICM", 128
SEGMENTATION = "1.2.840.10008.5.1.4.1.1.66.4"  # class of objects whose frames are segments
_MILLIMETRE = 1e-3
_UNEVEN = 0.02  # of the distance of two slices, that others may differ from it
_PARALLEL = 1e-3  # that the directions of slices may differ


def recognised(path: Path) -> bool:
    """Whether a path is a folder, a file with an ending of DICOM, or one that begins as such files do, whatever its name."""
    if path.suffix.lower() in SUFFIXES or os.path.isdir(path):
        return True
    if not os.path.isfile(path):  # a pipe would never end
        return False
    try:
        with path.open("rb") as file:
            return file.read(MAGIC_AT + len(MAGIC))[MAGIC_AT:] == MAGIC
    except OSError:
        return False


class _Slice(NamedTuple):
    """One picture of a volume: where its first sample lies [mm], its directions, steps [mm] and values."""

    source: Source
    place: np.ndarray
    along: np.ndarray  # (6,) direction in which columns count, then rows
    steps: np.ndarray  # (2,) between rows, between columns
    values: np.ndarray  # (rows, columns)
    scale: tuple[float, float] = (1.0, 0.0)  # slope and intercept
    segment: int | None = None


def read(source: Source) -> Volume:
    """The series that a file belongs to, with the other slices in its folder; a file of many frames stands alone.

    Slices are put in order by their places, values are rescaled as each slice says, lengths become metres, and the frame
    left, posterior, superior of the format is turned to right, anterior, superior. A segmentation becomes labels.
    """
    _library(source.path)
    head = _opened(source)
    if "PixelData" not in head:
        raise source.error(f"holds no picture but a {_name(head, 'Modality') or 'DICOM object'}; expected slices of a volume")
    if int(head.get("NumberOfFrames", 1) or 1) > 1:
        return _joined(source, _frames(source, head))
    series = head.get("SeriesInstanceUID")
    same = [file for file, other in _heads(source.path.parent) if other.get("SeriesInstanceUID") == series]
    return _of_files(source, same or [source.path])


def read_folder(folder: Path, limit: float) -> Volume:
    """The one series of slices in a folder; where there are several, they are named."""
    if candidates(folder):
        _library(folder)
    series: dict[str, list[tuple[Path, Any]]] = {}
    for file, head in _heads(folder):
        series.setdefault(str(head.get("SeriesInstanceUID", "")), []).append((file, head))
    if not series:
        below = sorted(p.name for p in folder.iterdir() if p.is_dir())[:5]
        hint = f"; it has the folders {', '.join(below)}" if below else ""
        raise InputError(f"{folder} is a folder without DICOM pictures; expected a file, or the folder of a series{hint}")
    if len(series) > 1:
        kinds = [f"{_called(own[0][1])} ({len(own)} files, such as {own[0][0].name})" for own in series.values()]
        listed = ", ".join(kinds[:8]) + (f" and {len(kinds) - 8} more" if len(kinds) > 8 else "")
        raise InputError(f"{folder}: holds {len(kinds)} series: {listed}; expected one: name a file of the one you mean")
    (files,) = series.values()
    first = Source(files[0][0], files[0][0].read_bytes(), limit)
    if len(files) == 1:
        return read(first)
    return _of_files(first, [file for file, _ in files])


def _heads(folder: Path) -> list[tuple[Path, Any]]:
    """The files of a folder that hold pictures, by name, with all but their pictures."""
    found = []
    for file in candidates(folder):
        try:
            head = _parsed(file, stop_before_pixels=True)
        except Exception:  # whatever a damaged file makes the library raise; it is no slice of this series
            continue
        if "Rows" in head and "Columns" in head:
            found.append((file, head))
    return found


def candidates(folder: Path) -> list[Path]:
    """The files of a folder that look like DICOM, by name."""
    try:
        files = [folder / name for name in sorted(os.listdir(folder))]
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror or error}") from None
    return [file for file in files if os.path.isfile(file) and recognised(file)]


def _opened(source: Source) -> Any:
    try:
        return _parsed(io.BytesIO(source.data))
    except Exception as error:  # of many kinds, by what is wrong in the file
        raise source.error(f"is no DICOM file ({_brief(error)})") from None


def _parsed(file: Any, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about values that break its rules; those that matter are checked here
        return _library(file).dcmread(file, **options)


def _library(path: Any) -> Any:
    try:
        import pydicom
    except ImportError:
        raise InputError(f"{path}: reading DICOM needs pydicom, which is not installed; pip install 'pliant[dicom]'") from None
    return pydicom


def _of_files(source: Source, files: Sequence[Path]) -> Volume:
    """One volume of the slices in several files."""
    slices = []
    for file in files:
        own = source if file == source.path else Source(file, file.read_bytes(), source.limit)
        head = _opened(own)
        if int(head.get("NumberOfFrames", 1) or 1) > 1:
            raise own.error("has many frames and is one of several files of its series; name this file alone to read it")
        values = _pixels(own, head)
        slices.append(
            _Slice(
                own, _numbers(own, head, "ImagePositionPatient", 3), _numbers(own, head, "ImageOrientationPatient", 6),
                _numbers(own, head, "PixelSpacing", 2), values, _scale(own, head),
            )
        )  # fmt: skip
    if len(slices) < 2:
        raise source.error(f"is the only slice of the series {_called(_opened(source))} in its folder; expected two at least")
    return _joined(source, slices)


def _frames(source: Source, head: Any) -> list[_Slice]:
    """The frames of one file."""
    every, shared = head.get("PerFrameFunctionalGroupsSequence"), head.get("SharedFunctionalGroupsSequence")
    if not every:
        raise source.error("does not say where its frames lie; expected an enhanced file, or one file for each slice")
    values = _pixels(source, head)
    if len(values) != len(every):
        raise source.error(f"has {len(values)} frames and places for {len(every)}; expected as many")

    def of(own: Any, group: str) -> Any:
        found = own.get(group) or (shared[0].get(group) if shared else None)
        return found[0] if found else None

    slices = []
    for picture, own in zip(values, every):
        place, turn, measures = (of(own, f"{g}Sequence") for g in ("PlanePosition", "PlaneOrientation", "PixelMeasures"))
        rescaled, segment = of(own, "PixelValueTransformationSequence"), of(own, "SegmentIdentificationSequence")
        rescaled = head if rescaled is None else rescaled
        number = int(segment.get("ReferencedSegmentNumber", 0)) if segment is not None else None
        slices.append(
            _Slice(
                source, _numbers(source, place, "ImagePositionPatient", 3), _numbers(source, turn, "ImageOrientationPatient", 6),
                _numbers(source, measures, "PixelSpacing", 2), picture, _scale(source, rescaled),
                number if head.get("SOPClassUID") == SEGMENTATION else None,
            )
        )  # fmt: skip
    return slices


def _pixels(source: Source, head: Any) -> np.ndarray:
    """The values as they are stored, (rows, columns) or (frames, rows, columns)."""
    if int(head.get("SamplesPerPixel", 1)) != 1:
        raise source.error("has colours; expected one grey value in each pixel")
    count = int(head.get("NumberOfFrames", 1) or 1) * int(head.Rows) * int(head.Columns)
    source.claim(count * max(1, int(head.get("BitsAllocated", 16)) // 8), "its pixels")
    syntax = head.file_meta.TransferSyntaxUID if "TransferSyntaxUID" in getattr(head, "file_meta", ()) else None
    log = logging.getLogger("pydicom")
    quiet, log.disabled, packed = log.disabled, True, False  # it would write a traceback for each decoder that fails
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(head.pixel_array)
    except Exception as error:  # of many kinds, by what is wrong or missing
        with contextlib.suppress(ValueError):  # a name that is none of a transfer syntax
            packed = syntax is not None and syntax.is_compressed
        if packed:
            raise source.error(
                f"its pixels are packed ({syntax.name}) and cannot be unpacked here; pip install 'pylibjpeg[all]' for that, "
                "or save the series uncompressed, as gdcmconv --raw does"
            ) from None
        raise source.error(f"its pixels cannot be read ({_brief(error)})") from None
    finally:
        log.disabled = quiet


def _joined(source: Source, slices: Sequence[_Slice]) -> Volume:
    """Slices that lie side by side at even distances, as one volume."""
    first = slices[0]
    for other in slices:
        if other.values.shape != first.values.shape or np.abs(other.steps - first.steps).max() > 1e-3 * first.steps.max():
            raise other.source.error(f"is a slice of {_size(other)}, others are of {_size(first)}; expected slices of one size")
        if np.abs(other.along - first.along).max() > _PARALLEL:
            raise other.source.error("is a slice that is not parallel to the others; expected one stack of slices")
    normal = np.cross(first.along[:3], first.along[3:])
    if not np.isclose(np.linalg.norm(normal), 1.0, atol=1e-2):
        raise first.source.error("has directions of rows and columns that are not at right angles; expected such")
    heights = np.array([part.place @ normal for part in slices])
    if first.segment is not None:
        rows, order = _rows(source, slices, heights)
    else:
        order = np.argsort(heights, kind="stable")
        rows = np.arange(len(slices))
        _check_even(slices, heights, order)
    shape = (first.values.shape[1], first.values.shape[0], int(rows[-1]) + 1)
    source.claim(int(np.prod(shape)) * (1 if first.segment is not None else 4), "the volume")
    values = np.zeros(shape, _kind(slices))
    for row, i in zip(rows, order):
        part = slices[i]
        if part.segment is not None:
            inside = part.values.T != 0
            if np.any(values[..., row][inside] != 0):
                warnings.warn(f"{source.path}: segments overlap; the last in the file is kept there", PliantWarning, 5)
            values[..., row][inside] = part.segment
        else:
            slope, intercept = part.scale
            values[..., row] = part.values.T if part.scale == (1.0, 0.0) else part.values.T * slope + intercept
    low, high = slices[order[0]].place, slices[order[-1]].place
    step = (high - low) / max(int(rows[-1]), 1)  # along the stack, which a tilted gantry leans
    columns = [first.along[:3] * first.steps[1], first.along[3:] * first.steps[0], step, low]
    affine = np.stack(columns, axis=1) * np.array([[-1.0], [-1.0], [1.0]]) * _MILLIMETRE
    return source.build(Volume.from_affine, values, affine)


def _check_even(slices: Sequence[_Slice], heights: np.ndarray, order: np.ndarray) -> None:
    """Refuse slices at one place, at uneven distances, or beside a straight line."""
    gaps = np.diff(heights[order])
    usual = float(np.median(gaps))
    names = [slices[i].source.path.name for i in order]
    at = int(np.argmin(gaps))
    if gaps[at] < 1e-3 * max(usual, 1e-3):
        raise slices[order[at]].source.error(
            f"lies where {names[at + 1]} does; expected one slice at each place: volumes over time are not read"
        )
    at = int(np.argmax(np.abs(gaps - usual)))
    if abs(gaps[at] - usual) > _UNEVEN * usual:
        raise slices[order[at]].source.error(
            f"is {gaps[at]:.4g} mm from the next slice, {names[at + 1]}, where others are {usual:.4g} mm apart; expected even "
            "distances: a slice may be missing"
        )
    places = np.array([slices[i].place for i in order])
    line = places[0] + np.linspace(0, 1, len(places))[:, None] * (places[-1] - places[0])
    worst = int(np.argmax(np.linalg.norm(places - line, axis=1)))
    if np.linalg.norm(places[worst] - line[worst]) > 0.05 * max(usual, *slices[0].steps):
        raise slices[order[worst]].source.error("lies next to the others; expected slices in one straight stack")


def _rows(source: Source, slices: Sequence[_Slice], heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of frames of segments, which come only where there is something: the row of each in the volume, and their order."""
    places = np.unique(np.round(heights, 4))
    step = float(np.diff(places).min()) if len(places) > 1 else 1.0
    order = np.argsort(heights, kind="stable")
    rows = (heights[order] - heights.min()) / step
    if rows.max() > 1e5 or np.abs(rows - np.rint(rows)).max() > 10 * _UNEVEN:
        raise source.error("has frames at uneven distances; expected multiples of the least of them")
    return np.rint(rows).astype(int), order


def _kind(slices: Sequence[_Slice]) -> Any:
    """The type that holds the rescaled values: whole where slopes and intercepts are."""
    if slices[0].segment is not None:
        return np.uint8 if max(part.segment or 0 for part in slices) < 256 else np.uint16
    stored, scales = slices[0].values.dtype, {part.scale for part in slices}
    if scales == {(1.0, 0.0)}:
        return stored
    if all(slope == 1.0 and intercept == int(intercept) for slope, intercept in scales) and stored.kind in "iu":
        low = min(int(part.values.min()) + int(part.scale[1]) for part in slices)
        high = max(int(part.values.max()) + int(part.scale[1]) for part in slices)
        return np.int16 if low >= -(2**15) and high < 2**15 else np.int32
    return np.float32


def _scale(source: Source, head: Any) -> tuple[float, float]:
    """Slope and intercept."""
    try:
        slope, intercept = (float(head.get(name, usual)) for name, usual in (("RescaleSlope", 1), ("RescaleIntercept", 0)))
    except (TypeError, ValueError):
        slope = np.nan
    if not np.isfinite([slope, intercept]).all() or slope == 0:
        raise source.error("has a RescaleSlope or RescaleIntercept that is no number")
    return slope, intercept


def _numbers(source: Source, head: Any, name: str, count: int) -> np.ndarray:
    given = head.get(name) if head is not None else None
    try:
        numbers = np.array([float(value) for value in given])
    except (TypeError, ValueError):
        numbers = np.zeros(0)
    if numbers.shape != (count,) or not np.all(np.abs(numbers) < 1e6) or (count == 2 and not np.all(numbers > 0)):
        raise source.error(f"does not say its {name}; expected {count} numbers, as the slices of CT and MR have them")
    return numbers


def _called(head: Any) -> str:
    """A series by its description, or else its number."""
    return repr(_name(head, "SeriesDescription") or f"{_name(head, 'Modality')} {_name(head, 'SeriesNumber')}".strip())


def _name(head: Any, key: str) -> str:
    return "".join(c for c in str(head.get(key) or "") if c.isprintable())[:60]


def _size(part: _Slice) -> str:
    return f"{part.values.shape[1]} × {part.values.shape[0]} pixels of {part.steps[1]:g} × {part.steps[0]:g} mm"


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
