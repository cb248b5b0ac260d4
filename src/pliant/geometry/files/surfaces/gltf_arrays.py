"""Arrays of a glTF file: buffers, views and accessors, all checked."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import numpy as np

from ..source import Source

COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_UNPACKED = "files packed by Draco or meshopt are not read: save it without compression"
_LARGEST = 252  # [bytes] between the items of a view, by the standard


class Document:
    """The JSON of a glTF file with its buffers, which are opened on use."""

    def __init__(self, source: Source, tree: dict, binary: memoryview | None, beside: Callable[[str], Source]):
        self.source, self.tree, self.binary, self.beside = source, tree, binary, beside
        self._buffers: dict[int, bytes | memoryview] = {}

    def has(self, kind: str) -> int:
        """How many items of a kind ("nodes", "meshes", …) there are."""
        return len(self.listed(self.tree, kind, "the file"))

    def item(self, kind: str, number: object) -> dict:
        """Item ``number`` of a kind, which must be there."""
        items = self.listed(self.tree, kind, "the file")
        index = self.whole(number, f"a number into {kind!r}")
        if index >= len(items) or not isinstance(items[index], dict):
            raise self.source.error(f"names {kind}[{index}]; it has {len(items)} of them")
        return items[index]

    def listed(self, owner: dict, name: str, what: str) -> list:
        """The list under a name of an object, empty where there is none."""
        items = owner.get(name, [])
        if not isinstance(items, list):
            raise self.source.error(f"{name!r} of {what} is no list")
        return items

    def table(self, owner: dict, name: str, what: str) -> dict:
        """The object under a name of an object, empty where there is none."""
        value = owner.get(name, {})
        if not isinstance(value, dict):
            raise self.source.error(f"{name!r} of {what} is no object")
        return value

    def whole(self, value: object, what: str) -> int:
        """A whole number, 0 or more."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
            raise self.source.error(f"{what} is {_short(value)}; expected a whole number, 0 or more")
        return value

    def numbers(self, value: object, count: int | None, what: str) -> np.ndarray:
        """A list of finite numbers, ``count`` of them unless that is None."""
        fine = isinstance(value, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)
        if fine and count in (None, len(value)) and all(abs(v) < 1e300 for v in value):
            return np.array(value, dtype=float)
        expected = f"{count} finite numbers" if count else "a list of finite numbers"
        raise self.source.error(f"{what} is {_short(value)}; expected {expected}")

    def buffer(self, number: int) -> bytes | memoryview:
        """The bytes of a buffer: the binary chunk, a data URI or a file beside this one."""
        if number not in self._buffers:
            about = self.item("buffers", number)
            uri, what = about.get("uri"), f"buffer {number}"
            length = self.whole(about.get("byteLength"), f"byteLength of {what}")
            if uri is None and (number != 0 or self.binary is None):
                raise self.source.error(f"{what} has no data; {_UNPACKED}")
            data = self.binary if uri is None else self.fetched(uri, what)
            if len(data) < length:
                raise self.source.error(f"{what} has {len(data)} bytes; the file says {length}")
            self._buffers[number] = data[:length]
        return self._buffers[number]

    def fetched(self, uri: object, what: str) -> bytes:
        """The bytes of a data URI or of a file beside this one."""
        if not isinstance(uri, str):
            raise self.source.error(f"uri of {what} is {_short(uri)}; expected text")
        if not uri.startswith("data:"):
            return self.beside(unquote(uri)).data
        head, comma, body = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            raise self.source.error(f"{what} is a data URI that is not base64")
        try:
            return binascii.a2b_base64(body.encode("ascii"), strict_mode=True)
        except (ValueError, binascii.Error):
            raise self.source.error(f"{what} holds text that is not base64") from None

    def _items(self, owner: dict, code: object, width: int, count: int, what: str) -> np.ndarray:
        """(count, width) numbers where ``owner`` (an accessor, or half of a sparse one) points."""
        view = self.item("bufferViews", owner.get("bufferView"))
        data = self.buffer(self.whole(view.get("buffer"), f"the buffer of {what}"))
        kind = np.dtype(COMPONENTS[code])
        start = self.whole(view.get("byteOffset", 0), f"byteOffset of the view of {what}")
        length = self.whole(view.get("byteLength"), f"byteLength of the view of {what}")
        offset = self.whole(owner.get("byteOffset", 0), f"byteOffset of {what}")
        size = kind.itemsize * width
        stride = self.whole(view.get("byteStride", size), f"byteStride of the view of {what}")
        if stride < size or (stride > _LARGEST and stride != size):
            raise self.source.error(f"{what} has a byteStride of {stride}; expected {size} … {_LARGEST}")
        if start + length > len(data):
            raise self.source.error(f"the view of {what} ends at byte {start + length} of a buffer of {len(data)}")
        if count and offset + stride * (count - 1) + size > length:
            raise self.source.error(f"{what} has {count} items, more than the {length} bytes of its view can hold")
        if not count:
            return np.zeros((0, width), kind)
        steps = (stride, kind.itemsize)
        return np.ndarray((count, width), kind, data, start + offset, steps)

    def array(self, number: object, kind: str, codes: tuple[int, ...], most: int, what: str, empty: bool = False) -> np.ndarray:
        """(count, width) an accessor of a kind ("VEC3", …) and component types, of at most ``most`` items.

        Whole numbers that are marked as normalised come as floats within −1…1 or 0…1. ``empty``: it may be without
        data, which means zeros.
        """
        accessor = self.item("accessors", number)
        what = f"{what} (accessor {number})"
        code, count = accessor.get("componentType"), self.whole(accessor.get("count"), f"count of {what}")
        if accessor.get("type") != kind or not isinstance(code, int) or code not in codes:
            expected = " or ".join(str(c) for c in codes)
            stored = f"{_short(accessor.get('type'))} of component type {_short(code)}"
            raise self.source.error(f"{what} is {stored}; expected {kind} of component type {expected}")
        if count > most:
            raise self.source.error(f"{what} has {count} items; expected at most {most} in a file of this size")
        width = WIDTHS[kind]
        if not empty and "bufferView" not in accessor and "sparse" not in accessor:
            raise self.source.error(f"{what} has no data; {_UNPACKED}")
        if "bufferView" in accessor:
            values = self._items(accessor, code, width, count, what)
        else:
            values = np.zeros((count, width), COMPONENTS[code])
        if "sparse" in accessor:
            values = self._with_sparse(values, self.table(accessor, "sparse", what), code, what)
        if accessor.get("normalized") is True and values.dtype.kind in "iu":
            values = np.maximum(values / float(np.iinfo(values.dtype).max), -1.0)
        return values

    def _with_sparse(self, values: np.ndarray, sparse: dict, code: int, what: str) -> np.ndarray:
        count = self.whole(sparse.get("count"), f"sparse count of {what}")
        at, to = (self.table(sparse, name, f"the sparse part of {what}") for name in ("indices", "values"))
        if at.get("componentType") not in (5121, 5123, 5125):
            raise self.source.error(f"the sparse indices of {what} have type {_short(at.get('componentType'))}")
        rows = self._items(at, at["componentType"], 1, count, f"the sparse indices of {what}").ravel()
        if count and int(rows.max()) >= len(values):
            raise self.source.error(f"the sparse indices of {what} reach {rows.max()}; expected less than {len(values)}")
        values = values.copy()
        values[rows] = self._items(to, code, values.shape[1], count, f"the sparse values of {what}")
        return values


def _short(value: Any) -> str:
    """A value of the file as it may be quoted."""
    text = repr(value)
    return text if len(text) < 40 else text[:40] + "…"
