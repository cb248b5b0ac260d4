"""NIfTI-1 and NIfTI-2 volumes (.nii, .nii.gz). Read only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...distance.volume import Volume
from ..source import Source
from .gzip_data import inflated

HOLDS = ()


class _Layout(NamedTuple):
    """Where a header has what, and as what: (byte, kind)."""

    size: int
    magic: tuple[int, bytes]
    dimensions: tuple[int, str]
    type: tuple[int, str]
    steps: tuple[int, str]
    start: tuple[int, str]
    scale: tuple[int, str]
    unit: tuple[int, str]
    codes: tuple[int, str]  # of the qform, then of the sform
    turn: tuple[int, str]
    rows: tuple[int, str]


_FIRST = _Layout(
    348, (344, b"n+1\0"), (40, "i2"), (70, "i2"), (76, "f4"), (108, "f4"), (112, "f4"), (123, "u1"), (252, "i2"), (256, "f4"),
    (280, "f4"),
)  # fmt: skip
_SECOND = _Layout(
    540, (4, b"n+2\0\r\n\x1a\n"), (16, "i8"), (12, "i2"), (104, "f8"), (168, "i8"), (176, "f8"), (500, "i4"), (344, "i4"),
    (352, "f8"), (400, "f8"),
)  # fmt: skip
_KINDS = {348: _FIRST, 540: _SECOND}
_TYPES = {
    2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 256: "i1", 512: "u2", 768: "u4", 1024: "i8", 1280: "u8",
}  # fmt: skip
_METRES = {0: 1e-3, 1: 1.0, 2: 1e-3, 3: 1e-6}  # unit code → metres; millimetres where the file does not say


def read(source: Source) -> Volume:
    """Values times ``scl_slope`` plus ``scl_inter``, in the frame of the sform, else the qform; lengths in metres."""
    packed = source.data[:2] == b"\x1f\x8b"
    first = inflated(source, source.data, _FIRST.size, "its header", whole=False) if packed else source.data
    said = first[:4]
    order, layout = next(
        ((o, _KINDS[n]) for o in "<>" if len(said) == 4 and (n := int(np.frombuffer(said, o + "i4")[0])) in _KINDS), ("<", _FIRST)
    )
    head = inflated(source, source.data, layout.size, "its header", whole=False) if packed else first[: layout.size]
    if len(head) < layout.size:
        raise source.error(f"is cut short after {len(head)} bytes; a NIfTI header has {layout.size}")
    at, magic = layout.magic
    if int(np.frombuffer(head, order + "i4", 1)[0]) != layout.size or head[at : at + len(magic)] != magic:
        apart = b"ni1" in head[344:348] or b"ni2" in head[4:8]
        hint = "; its data are in another file (.img), which is not read" if apart else ""
        raise source.error(f"is not a NIfTI file: header size or magic is wrong{hint}")

    def words(place: tuple[int, str], count: int) -> np.ndarray:
        return np.frombuffer(head, order + place[1], count, place[0])

    dimensions = words(layout.dimensions, 8).tolist()
    shape, rest = dimensions[1:4], dimensions[4 : 1 + min(max(dimensions[0], 3), 7)]
    if dimensions[0] in (4, 5, 6, 7) and min(shape) >= 1 and math.prod(rest) > 1:
        raise source.error(
            f"holds {math.prod(rest)} volumes, over time or by channel; expected one 3-D volume: save the one that you want, as "
            "nibabel.load(file).slicer[..., 0] and 3D Slicer do"
        )
    if not 3 <= dimensions[0] <= 7 or min(shape) < 1 or any(n != 1 for n in rest):
        raise source.error(f"has the dimensions {dimensions[: 1 + max(0, min(dimensions[0], 7))]}; expected one 3-D volume")
    code, bits = words(layout.type, 2).tolist()
    kind = _TYPES.get(code)
    if kind is None or bits != 8 * np.dtype(kind).itemsize:
        raise source.error(f"has data type {code} of {bits} bits; expected whole or real numbers of 8 to 64 bits")
    start = float(words(layout.start, 1)[0])
    if not (layout.size <= start <= 2**31 and start == int(start)):
        raise source.error(f"says that its values start at byte {start:g}; expected a whole number of at least {layout.size}")
    size = math.prod(shape) * np.dtype(kind).itemsize
    data = inflated(source, source.data, int(start) + size, "its values") if packed else source.data
    if len(data) != int(start) + size:
        raise source.error(f"holds {len(data)} bytes; {' × '.join(map(str, shape))} values need {int(start) + size}")
    values = np.frombuffer(data, order + kind, math.prod(shape), int(start)).reshape(shape, order="F")
    slope, shift = words(layout.scale, 2).astype(float)
    if np.isfinite([slope, shift]).all() and slope != 0 and (slope, shift) != (1.0, 0.0):
        exact = np.float32 if values.dtype.itemsize <= 2 or values.dtype.kind == "f" else np.float64
        source.claim(8 * values.size, "scaling its values")
        with np.errstate(over="ignore", invalid="ignore"):
            values = values.astype(np.float64 if values.dtype.itemsize == 8 else exact) * exact(slope) + exact(shift)
    told = int(words(layout.unit, 1)[0]) & 7
    unit = _METRES.get(told)
    if unit is None:
        raise source.error(f"has unknown unit {told}; expected metres, millimetres or micrometres")
    with np.errstate(all="ignore"):
        affine = _affine(words, layout) * unit
    return source.build(Volume.from_affine, values, affine)


def _affine(words: Callable[..., np.ndarray], layout: _Layout) -> np.ndarray:
    """(3, 4) matrix from indices to positions, in the file's unit."""
    turned, rows = words(layout.codes, 2).tolist()
    if rows > 0:
        return words(layout.rows, 12).astype(float).reshape(3, 4)
    step = words(layout.steps, 4).astype(float)
    affine = np.concatenate([np.diag(np.abs(step[1:])), np.zeros((3, 1))], axis=1)
    if turned > 0:
        b, c, d, *offset = words(layout.turn, 6).astype(float)
        a = np.sqrt(max(0.0, 1.0 - (b * b + c * c + d * d)))
        length = np.sqrt(a * a + b * b + c * c + d * d)
        a, b, c, d = (v / length for v in (a, b, c, d)) if length > 1 else (a, b, c, d)
        turn = np.array([
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ])  # fmt: skip
        turn[:, 2] *= -1.0 if step[0] < 0 else 1.0
        affine[:, :3], affine[:, 3] = turn @ affine[:, :3], offset
    return affine
