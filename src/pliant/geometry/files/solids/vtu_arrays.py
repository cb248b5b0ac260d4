"""The arrays of a VTK XML file, in each of the ways the format stores them."""

from __future__ import annotations

import base64
import binascii
import re
import xml.etree.ElementTree as ElementTree
import zlib
from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from ..source import Source

_TYPES = {
    **{f"Int{8 * n}": f"i{n}" for n in (1, 2, 4, 8)},
    **{f"UInt{8 * n}": f"u{n}" for n in (1, 2, 4, 8)},
    **{f"Float{8 * n}": f"f{n}" for n in (4, 8)},
}
_BLOCK = 1 << 20  # bytes compressed at a time on writing
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True)
class Arrays:
    """Where a file's arrays are, and how they are packed."""

    source: Source
    order: str
    header: str
    zlib: bool
    appended: tuple[str, bytes] | None
    offsets: tuple[int, ...]

    @staticmethod
    def of(source: Source, root: ElementTree.Element, appended: tuple[str, bytes] | None) -> Arrays:
        """Read the file's settings from its root element."""
        order = {"LittleEndian": "<", "BigEndian": ">"}.get(root.get("byte_order", "LittleEndian"))
        header = {"UInt32": "u4", "UInt64": "u8"}.get(root.get("header_type", "UInt32"))
        compressor = root.get("compressor")
        if order is None or header is None or compressor not in (None, "", "vtkZLibDataCompressor"):
            raise source.error(
                f"byte_order {root.get('byte_order')!r}, header_type {root.get('header_type')!r}, compressor "
                f"{compressor!r}; expected Little- or BigEndian, UInt32 or UInt64, and vtkZLibDataCompressor or none"
            )
        offsets = [int(v) for e in root.iter("DataArray") if (v := e.get("offset", "")).isdecimal() and len(v) < 19]
        return Arrays(source, order, header, bool(compressor), appended, tuple(sorted(set(offsets))))

    def count(self, piece: ElementTree.Element, name: str) -> int:
        """A count among a piece's attributes; it is only ever compared, never allocated from."""
        word = piece.get(name, "")
        if not (word.isascii() and word.isdigit() and len(word) < 19):
            raise self.source.error(f"a piece has {name}={word[:24]!r}; expected a whole number")
        return int(word)

    def find(
        self, piece: ElementTree.Element, section: str, name: str | None, rows: int | None, width: int, kinds: str
    ) -> np.ndarray | None:
        """The array ``name`` of a section, (rows,) or (rows, width), or None where there is none (or of another kind).

        Whole numbers come as int64, others as float64.
        """
        parent = piece.find(section)
        matching = [] if parent is None else [e for e in parent.iterfind("DataArray") if name in (None, e.get("Name"))]
        if not matching:
            return None
        label = name or section
        kind = _TYPES.get(matching[0].get("type", ""))
        parts = matching[0].get("NumberOfComponents", "1")
        if kind is None:
            raise self.source.error(f"array {label!r} has unknown type {matching[0].get('type')!r}")
        if (kind[0] not in kinds or parts != str(width)) and section in ("PointData", "CellData"):
            return None  # a field of the same name that means something else
        if (kind[0] not in kinds and kinds != "f") or parts != str(width):
            raise self.source.error(f"array {label!r} has type {matching[0].get('type')} and {parts} components")
        values = self._values(matching[0], kind, label)
        if rows is not None and len(values) != rows * width:
            raise self.source.error(f"array {label!r} has {len(values)} numbers; expected {rows * width}")
        if kinds == "f":
            values = values.astype(np.float64)
        elif kind == "u8" and len(values) and values.max() >= 2**63:
            raise self.source.error(f"array {label!r} holds numbers beyond 64 bits")
        else:
            values = values.astype(np.int64)
        return values.reshape(-1, width) if width > 1 else values

    def scalars(self, element: ElementTree.Element) -> np.ndarray:
        """All numbers of one array, in the type of the file."""
        kind = _TYPES.get(element.get("type", ""))
        label = element.get("Name", "")[:40]
        if kind is None:
            raise self.source.error(f"array {label!r} has unknown type {element.get('type')!r}")
        values = self._values(element, kind, label)
        if element.get("format", "ascii") != "ascii":
            return values
        if kind[0] != "f" and len(values) and (values.min() < np.iinfo(kind).min or values.max() > np.iinfo(kind).max):
            raise self.source.error(f"array {label!r} holds values beyond its type {element.get('type')}")
        with np.errstate(over="ignore"):
            return values.astype(kind)

    def _values(self, element: ElementTree.Element, kind: str, label: str) -> np.ndarray:
        how, text = element.get("format", "ascii"), (element.text or "").encode()
        if how == "ascii":
            words = [[word] for word in text.split()]
            return self.source.table(words, [None] * len(words), 1, float if kind[0] == "f" else int, label)[:, 0]
        if how == "binary":
            raw = self._decoded(text, label)
        elif how == "appended" and self.appended is not None:
            encoding, data = self.appended
            offset = element.get("offset", "")
            if not offset.isdecimal() or len(offset) > 18 or int(offset) > len(data):
                raise self.source.error(f"array {label!r} has offset {offset[:24]!r} in {len(data)} appended bytes")
            following = bisect_right(self.offsets, int(offset))
            stop = self.offsets[following] if following < len(self.offsets) else len(data)
            self.source.claim(stop - int(offset), f"reading array {label!r}")  # arrays may share their bytes
            raw = data[int(offset) : stop]
            if encoding == "base64":
                raw = self._decoded(raw, label)
        else:
            raise self.source.error(f"array {label!r} has format {how!r}; expected ascii, binary or appended")
        raw = self._inflated(raw, label) if self.zlib else self._plain(raw, label)
        if len(raw) % np.dtype(kind).itemsize:
            raise self.source.error(f"array {label!r} has {len(raw)} bytes, no whole number of {kind} values")
        return np.frombuffer(raw, self.order + kind)

    def _decoded(self, text: bytes, label: str) -> bytes:
        """Base64 in one or several padded runs: VTK pads the header apart from the data."""
        packed = b"".join(text.split())
        runs = _BASE64.findall(packed)
        try:
            if sum(map(len, runs)) != len(packed):
                raise binascii.Error("characters outside base64")
            return b"".join(base64.b64decode(run, validate=True) for run in runs)
        except binascii.Error as error:
            raise self.source.error(f"array {label!r} is not base64 ({error})") from None

    def _plain(self, raw: bytes, label: str) -> bytes:
        width = np.dtype(self.header).itemsize
        if len(raw) < width:
            raise self.source.error(f"array {label!r} is cut short")
        size = int(np.frombuffer(raw, self.order + self.header, 1)[0])
        if size > len(raw) - width:
            raise self.source.error(f"array {label!r} promises {size} bytes, but {len(raw) - width} are there")
        return raw[width : width + size]

    def _inflated(self, raw: bytes, label: str) -> bytes:
        """Blocks of zlib data after a header: how many, their size, the last one's, and each one's packed size."""
        width = np.dtype(self.header).itemsize
        blocks = int(np.frombuffer(raw, self.order + self.header, 1)[0]) if len(raw) >= width else -1
        if blocks == 0:
            return b""
        if blocks < 0 or (3 + blocks) * width > len(raw):
            raise self.source.error(f"array {label!r} is cut short, or its {blocks} blocks are more than it holds")
        _, size, last, *packed = np.frombuffer(raw, self.order + self.header, 3 + blocks).tolist()
        self.source.claim((blocks - 1) * size + (last or size), f"unpacking array {label!r}")
        at, out = (3 + blocks) * width, []
        for number, length in enumerate(packed):
            wanted = last if number == blocks - 1 and last else size
            inflate = zlib.decompressobj()
            try:
                out.append(inflate.decompress(raw[at : at + length], min(wanted, 1100 * length + 64) + 1))
            except (zlib.error, OverflowError) as error:
                raise self.source.error(f"array {label!r}, block {number}, does not decompress ({error})") from None
            if len(out[-1]) != wanted or not inflate.eof:
                raise self.source.error(f"array {label!r}, block {number}, is not the {wanted} bytes it promises")
            at += length
        return b"".join(out)


def xml_of(source: Source) -> tuple[ElementTree.Element, tuple[str, bytes] | None]:
    """The XML, and the appended data (encoding, bytes), which need not be XML and are cut out first."""
    data, appended = source.data, None
    at = data.find(b"<AppendedData")
    if at >= 0:
        start = data.find(b"_", data.find(b">", at) + 1)
        stop = data.rfind(b"</AppendedData")
        if start < 0 or stop < start or data.find(b">", at) < 0:
            raise source.error("its <AppendedData> is cut short", byte=at)
        encoding = b'encoding="base64"' in data[at:start].replace(b"'", b'"')
        appended = ("base64" if encoding else "raw", data[start + 1 : stop])
        data = data[:start] + data[stop:]
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise source.error("declares XML entities, which are not read")
    try:
        return ElementTree.fromstring(data), appended
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise source.error(f"is not whole XML ({str(error)[:80]})") from None


def encode_array(name: str, values: np.ndarray, text: bool) -> str:
    """One ``<DataArray>``, as text or as zlib-compressed base64 with 64-bit headers."""
    kind = next(label for label, code in _TYPES.items() if code == values.dtype.str[1:])
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    head = f'<DataArray type="{kind}" Name="{name}"{width} format="'
    if text:
        rows = values.reshape(len(values), -1).tolist()
        body = "\n".join([" ".join(map(repr, row)) for row in rows])
        return f'{head}ascii">\n{body}\n</DataArray>\n'
    raw = values.astype(values.dtype.newbyteorder("<")).tobytes()
    blocks = [zlib.compress(raw[i : i + _BLOCK]) for i in range(0, len(raw), _BLOCK)]
    last = len(raw) % _BLOCK
    header = np.array([len(blocks), _BLOCK, last, *map(len, blocks)], "<u8").tobytes()
    body = (base64.b64encode(header) + base64.b64encode(b"".join(blocks))).decode()
    return f'{head}binary">{body}</DataArray>\n'
