"""NIfTI-1 volumes in one file, plain (.nii) or packed (.nii.gz), of either byte order. Read only."""

from __future__ import annotations

import math

import numpy as np

from ..volume import Volume
from .packed import inflated
from .source import Source

HOLDS = ()
_HEADER = 348
_TYPES = {
    2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 256: "i1", 512: "u2", 768: "u4", 1024: "i8", 1280: "u8",
}  # fmt: skip
_METRES = {0: 1e-3, 1: 1.0, 2: 1e-3, 3: 1e-6}  # unit code → metres; millimetres where the file does not say


def read(source: Source) -> Volume:
    """Values times ``scl_slope`` plus ``scl_inter``, in the frame of the sform, else the qform; lengths in metres."""
    packed = source.data[:2] == b"\x1f\x8b"
    head = inflated(source, source.data, _HEADER, "its header", whole=False) if packed else source.data[:_HEADER]
    if len(head) < _HEADER:
        raise source.error(f"is cut short after {len(head)} bytes; a NIfTI header has {_HEADER}")
    order = {348: "<", 1543569408: ">"}.get(int(np.frombuffer(head, "<i4", 1)[0]))
    if head[4:7] in (b"n+2", b"ni2"):
        raise source.error(
            "is a NIfTI-2 file, not a NIfTI-1 file, and is not read; save it as NIfTI-1, as nibabel and 3D Slicer do by default"
        )
    if order is None or head[344:348] != b"n+1\0":
        hint = "; its data are in another file (.img), which is not read" if head[344:348] == b"ni1\0" else ""
        raise source.error(f"is not a NIfTI-1 file: header size or magic is wrong{hint}")

    def words(at: int, kind: str, count: int) -> np.ndarray:
        return np.frombuffer(head, order + kind, count, at)

    dimensions = words(40, "i2", 8).tolist()
    shape, rest = dimensions[1:4], dimensions[4 : 1 + min(max(dimensions[0], 3), 7)]
    if not 3 <= dimensions[0] <= 7 or min(shape) < 1 or any(n != 1 for n in rest):
        raise source.error(
            f"has the dimensions {dimensions[: 1 + max(0, min(dimensions[0], 7))]}; expected one 3-D volume"
        )
    code, bits = words(70, "i2", 2).tolist()
    kind = _TYPES.get(code)
    if kind is None or bits != 8 * np.dtype(kind).itemsize:
        raise source.error(f"has data type {code} of {bits} bits; expected whole or real numbers of 8 to 64 bits")
    start = float(words(108, "f4", 1)[0])
    if not (_HEADER <= start <= 2**31 and start == int(start)):
        raise source.error(
            f"says that its values start at byte {start:g}; expected a whole number of at least {_HEADER}"
        )
    size = math.prod(shape) * np.dtype(kind).itemsize
    data = inflated(source, source.data, int(start) + size, "its values") if packed else source.data
    if len(data) != int(start) + size:
        raise source.error(f"holds {len(data)} bytes; {' × '.join(map(str, shape))} values need {int(start) + size}")
    values = np.frombuffer(data, order + kind, math.prod(shape), int(start)).reshape(shape, order="F")
    slope, shift = words(112, "f4", 2).astype(float)
    if np.isfinite([slope, shift]).all() and slope != 0 and (slope, shift) != (1.0, 0.0):
        exact = np.float32 if values.dtype.itemsize <= 2 or values.dtype.kind == "f" else np.float64
        source.claim(8 * values.size, "scaling its values")
        with np.errstate(over="ignore", invalid="ignore"):
            values = values.astype(np.float64 if values.dtype.itemsize == 8 else exact) * exact(slope) + exact(shift)
    unit = _METRES.get(int(head[123]) & 7)
    if unit is None:
        raise source.error(f"has unknown unit {int(head[123]) & 7}; expected metres, millimetres or micrometres")
    with np.errstate(all="ignore"):
        affine = _affine(words) * unit
    return source.build(Volume.from_affine, values, affine)


def _affine(words) -> np.ndarray:
    """(3, 4) matrix from indices to positions, in the file's unit."""
    if words(254, "i2", 1)[0] > 0:
        return words(280, "f4", 12).astype(float).reshape(3, 4)
    step = words(76, "f4", 4).astype(float)
    affine = np.concatenate([np.diag(np.abs(step[1:])), np.zeros((3, 1))], axis=1)
    if words(252, "i2", 1)[0] > 0:
        b, c, d, *offset = words(256, "f4", 6).astype(float)
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
