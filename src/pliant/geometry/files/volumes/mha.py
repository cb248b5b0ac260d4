"""MetaImage (.mha, .mhd), raw or zlib. Read only."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from ...distance.volume import Volume
from ..source import Source, show
from .gzip_data import inflated

HOLDS = ()
_TYPES = {
    "MET_CHAR": "i1", "MET_UCHAR": "u1", "MET_SHORT": "i2", "MET_USHORT": "u2", "MET_INT": "i4", "MET_UINT": "u4",
    "MET_LONG": "i4", "MET_ULONG": "u4", "MET_LONG_LONG": "i8", "MET_ULONG_LONG": "u8", "MET_FLOAT": "f4", "MET_DOUBLE": "f8",
}  # fmt: skip
_MILLIMETRE = 1e-3
_LONGEST = 1 << 16  # [bytes] of a header


def read(source: Source, beside: Callable[[str], Source]) -> Volume:
    """One 3-D volume, in metres; the frame left, posterior, superior of the format is turned to right, anterior, superior."""
    fields, at = _header(source)
    words = fields.get("DimSize", "").split()
    if fields.get("NDims") != "3" or len(words) != 3 or not all(re.fullmatch("[0-9]{1,9}", w) and int(w) for w in words):
        given = f"{show(fields.get('NDims', '').encode())} dimensions of sizes {show(fields.get('DimSize', '').encode())}"
        raise source.error(f"has {given}; expected one 3-D volume")
    if fields.get("ElementNumberOfChannels", "1") != "1":
        raise source.error("has several numbers in each voxel, which are not read; save one of them")
    kind = _TYPES.get(fields.get("ElementType", ""))
    if kind is None:
        raise source.error(f"has the type {show(fields.get('ElementType', '').encode())}; expected one of {', '.join(_TYPES)}")
    shape = [int(word) for word in words]
    name = fields["ElementDataFile"]
    if name == "LIST" or "%" in name:
        raise source.error("spreads its values over several files, which are not read; join them into one")
    file, data = (source, source.data[at:]) if name == "LOCAL" else (found := beside(name), found.data)
    size = math.prod(shape) * np.dtype(kind).itemsize
    if _true(fields, "CompressedData"):
        data = inflated(file, data, size, "its values", wbits=47)
    skip = fields.get("HeaderSize", "0")
    if skip != "0":
        data = data[len(data) - size if skip == "-1" else int(_numbers(source, skip, 1, "HeaderSize")[0]) :]
    if len(data) != size:
        raise file.error(f"holds {len(data)} bytes of values; {' × '.join(words)} of type {kind} need {size}")
    order = ">" if _true(fields, "BinaryDataByteOrderMSB") or _true(fields, "ElementByteOrderMSB") else "<"
    values = np.frombuffer(data, order + kind).reshape(shape, order="F")
    with np.errstate(all="ignore"):
        return source.build(Volume.from_affine, values, _affine(source, fields))


def _header(source: Source) -> tuple[dict[str, str], int]:
    """The fields up to ElementDataFile, which is the last, and the byte after them."""
    fields, at = {}, 0
    while "ElementDataFile" not in fields:
        stop = source.data.find(b"\n", at)
        if stop < 0 or stop > _LONGEST:
            if at < len(source.data) <= _LONGEST:  # a last line that nothing ends
                stop = len(source.data)
            else:
                raise source.error("has no field 'ElementDataFile'; expected a MetaImage header")
        key, equals, value = source.data[at:stop].decode("latin-1").partition("=")
        if not equals and key.strip():
            raise source.error(f"has the line {show(key.encode())} in its header; expected Key = Value")
        fields[key.strip()] = value.strip()
        at = stop + 1
    return fields, at


def _true(fields: dict[str, str], name: str) -> bool:
    return fields.get(name, "False").lower() in ("true", "1")


def _numbers(source: Source, text: str, count: int, what: str) -> np.ndarray:
    words = text.split()
    if len(words) != count:
        raise source.error(f"has {len(words)} numbers of {what}; expected {count}")
    return np.array([source.number(word.encode(), float, what) for word in words])


def _affine(source: Source, fields: dict[str, str]) -> np.ndarray:
    """(3, 4) from indices to places [m]; rows of TransformMatrix are the directions of the indices."""
    first = lambda *names: next((fields[n] for n in names if n in fields), None)
    steps = _numbers(source, first("ElementSpacing", "ElementSize") or "1 1 1", 3, "ElementSpacing")
    turn = _numbers(source, first("TransformMatrix", "Rotation", "Orientation") or "1 0 0 0 1 0 0 0 1", 9, "TransformMatrix")
    offset = _numbers(source, first("Offset", "Position", "Origin") or "0 0 0", 3, "Offset")
    affine = np.concatenate([turn.reshape(3, 3).T * steps, offset[:, None]], axis=1)
    return affine * np.array([[-1.0], [-1.0], [1.0]]) * _MILLIMETRE
