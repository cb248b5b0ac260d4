"""NRRD volumes (.nrrd), and headers that name their data (.nhdr)."""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Callable

import numpy as np

from ....errors import InputError
from ...distance.volume import Volume
from ..source import Source, show
from .gzip_data import inflated

HOLDS = ("voxels",)
_TYPES = {
    "i1": "signed char,int8,int8_t", "u1": "uchar,unsigned char,uint8,uint8_t",
    "i2": "short,short int,signed short,signed short int,int16,int16_t",
    "u2": "ushort,unsigned short,unsigned short int,uint16,uint16_t",
    "i4": "int,signed int,int32,int32_t", "u4": "uint,unsigned int,uint32,uint32_t",
    "i8": "longlong,long long,long long int,signed long long,signed long long int,int64,int64_t",
    "u8": "ulonglong,unsigned long long,unsigned long long int,uint64,uint64_t", "f4": "float", "f8": "double",
}  # fmt: skip
_NAMED = {name: kind for kind, names in _TYPES.items() for name in names.split(",")}
_METRES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "micron": 1e-6, "": 1e-3}
_FRAMES = {  # space → signs that turn it to right, anterior, superior
    "right-anterior-superior": (1, 1, 1), "ras": (1, 1, 1), "left-anterior-superior": (-1, 1, 1), "las": (-1, 1, 1),
    "left-posterior-superior": (-1, -1, 1), "lps": (-1, -1, 1), "scanner-xyz": (1, 1, 1),
    "3d-right-handed": (1, 1, 1), "3d-left-handed": (1, 1, 1),
}  # fmt: skip


def read(source: Source, beside: Callable[[str], Source] | None = None) -> Volume:
    """One 3-D volume of numbers; lengths in the file's unit, millimetres by default. ``beside`` opens a data file."""
    end = re.search(rb"\r?\n\r?\n", source.data[: 1 << 20])
    head = source.data[: end.start()] if end else source.data[: 1 << 20]
    lines = head.decode("utf-8", "replace").splitlines()
    if not lines or not re.fullmatch(r"NRRD000[1-5]", lines[0].strip()):
        raise source.error("does not begin with NRRD0001 … NRRD0005")
    fields = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#") or ":=" in line:
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise source.error(f"{show(line.encode())} is no 'field: value'", number)
        fields[re.sub(r"[ _]", "", name.strip().lower())] = value.strip()
    shape, kind = _layout(source, fields)
    named = fields.get("datafile")
    if named is None and end is None:
        raise source.error("has no empty line between its header and its values")
    if named is None:
        data, file = source.data[end.end() :], source
    elif beside is None:
        raise source.error("names a data file, which cannot be opened from here")
    else:
        if named.upper().startswith("LIST") or "%" in named:
            raise source.error("spreads its values over several files, which are not read; join them into one")
        file = beside(named)
        data = file.data
    values = _values(source, file, fields, data, shape, kind)
    with np.errstate(all="ignore"):
        affine = _affine(source, fields)
    return source.build(Volume.from_affine, values, affine)


def _layout(source: Source, fields: dict[str, str]) -> tuple[list[int], str]:
    """Sizes and number type."""
    for name in ("type", "dimension", "sizes", "encoding"):
        if name not in fields:
            raise source.error(f"has no field {name!r}")
    kind = _NAMED.get(" ".join(fields["type"].lower().split()))
    if kind is None:
        raise source.error(f"has the type {show(fields['type'].encode())}; expected whole or real numbers")
    words = fields["sizes"].split()
    if fields["dimension"] != "3" or len(words) != 3 or not all(re.fullmatch(r"[0-9]{1,9}", w) and int(w) for w in words):
        raise source.error(
            f"has dimension {show(fields['dimension'].encode())} and sizes {show(fields['sizes'].encode())}; "
            "expected one 3-D volume of numbers"
        )
    return [int(w) for w in words], kind


def _values(source: Source, file: Source, fields: dict, data: bytes, shape: list[int], kind: str) -> np.ndarray:
    """The (nx, ny, nz) numbers in any encoding."""
    encoding, count = fields["encoding"].lower(), math.prod(shape)
    wide = np.dtype(kind).itemsize
    size = count * wide
    skip = {name: fields.get(name, "0") for name in ("lineskip", "byteskip")}
    if not re.fullmatch(r"[0-9]{1,9}", skip["lineskip"]) or not re.fullmatch(r"-1|[0-9]{1,12}", skip["byteskip"]):
        raise source.error(f"has line skip {skip['lineskip'][:12]!r}, byte skip {skip['byteskip'][:12]!r}; expected counts")
    at = 0
    for _ in range(min(int(skip["lineskip"]), len(data))):
        at = data.find(b"\n", at) + 1
        if not at:
            at = len(data)
            break
    data = data[at:] if at else data
    skipped = int(skip["byteskip"])
    if encoding in ("gzip", "gz"):
        data = inflated(file, data, max(skipped, 0) + size, "its values")[max(skipped, 0) :]
    elif encoding in ("ascii", "text", "txt"):
        words = data[max(skipped, 0) :].split()
        if len(words) != count:
            raise file.error(f"holds {len(words)} values; {' × '.join(map(str, shape))} were promised")
        rows = [[word] for word in words]
        table = file.table(rows, [None] * count, 1, float if kind[0] == "f" else int, "value")[:, 0]  # type: ignore[list-item]
        if kind[0] != "f" and (table.min() < np.iinfo(kind).min or table.max() > np.iinfo(kind).max):
            raise file.error(f"holds values beyond its type {fields['type']}")
        with np.errstate(over="ignore"):
            return table.astype(kind).reshape(shape, order="F")
    elif encoding == "raw":
        data = data[len(data) - size :] if skipped < 0 and size <= len(data) else data[max(skipped, 0) :]
    else:
        raise source.error(f"has the encoding {show(encoding.encode())}; expected raw, gzip or ascii")
    if len(data) != size:
        raise file.error(f"holds {len(data)} bytes of values; {' × '.join(map(str, shape))} of type {kind} need {size}")
    order = {"little": "<", "big": ">"}.get(fields.get("endian", "").lower())
    if order is None and wide > 1:
        raise source.error(f"has the endian {show(fields.get('endian', '').encode())}; expected little or big")
    return np.frombuffer(data, (order or "<") + kind, count).reshape(shape, order="F")


def _affine(source: Source, fields: dict[str, str]) -> np.ndarray:
    """(3, 4) matrix from indices to positions [m], in the frame right, anterior, superior where the file has one."""
    space = fields.get("space", "").lower()
    if space not in _FRAMES and space:
        raise source.error(f"has the space {show(space.encode())}; expected one of {', '.join(list(_FRAMES)[::2])}")
    signs = np.array(_FRAMES.get(space, (1, 1, 1)), float)
    if "spacedirections" in fields:
        vectors = re.findall(r"\(([^()]*)\)", fields["spacedirections"])
        if len(vectors) != 3 or "none" in fields["spacedirections"]:
            raise source.error(f"has {len(vectors)} space directions; expected three")
        matrix = np.array([_numbers(source, v, ",", "space directions") for v in vectors]).T
    else:
        spacings = fields.get("spacings", "1 1 1")
        matrix = np.diag(np.abs(_numbers(source, spacings, None, "spacings")))
    start = fields.get("spaceorigin", "(0,0,0)").strip("() ")
    origin = _numbers(source, start, ",", "space origin")
    words = re.findall(r'"([^"]*)"', fields.get("spaceunits", fields.get("units", "")))
    unknown = [w for w in words if w not in _METRES]
    if unknown or len(set(words)) > 1:
        raise source.error(f"has the units {words[:4]}; expected one of {', '.join(k for k in _METRES if k)} for all axes")
    affine = np.concatenate([matrix, origin[:, None]], axis=1)
    return signs[:, None] * affine * _METRES[words[0] if words else ""]


def _numbers(source: Source, text: str, between: str | None, what: str) -> np.ndarray:
    words = [word.strip().encode() for word in text.split(between)]
    if len(words) != 3:
        raise source.error(f"has {len(words)} numbers in its {what}; expected three")
    return source.table([words], [None], 3, float, what)[0]  # type: ignore[list-item]


def encode(volume: Volume, text: bool) -> bytes:
    """Gzip, or ascii where ``text``; in millimetres, as every reader of the format expects."""
    values = volume.values
    name = _TYPES[values.dtype.str[1:]].split(",")[-1]
    columns = [",".join(repr(float(v)) for v in column) for column in 1e3 * volume.affine.T[:, :3]]
    head = (
        f"NRRD0004\ntype: {name}\ndimension: 3\nspace: right-anterior-superior\n"
        f"sizes: {' '.join(map(str, values.shape))}\nspace directions: ({') ('.join(columns[:3])})\n"
        f"kinds: domain domain domain\nendian: little\nencoding: {'ascii' if text else 'gzip'}\n"
        f'space units: "mm" "mm" "mm"\nspace origin: ({columns[3]})\n\n'
    ).encode()
    if text and not np.isfinite(values).all():
        raise InputError("some of its values are not finite, which text cannot hold; leave out text=True")
    if text:
        rows = values.reshape(-1, order="F").tolist()
        return head + "\n".join(map(repr, rows)).encode() + b"\n"
    return head + gzip.compress(values.astype(values.dtype.newbyteorder("<")).tobytes(order="F"), 6, mtime=0)
