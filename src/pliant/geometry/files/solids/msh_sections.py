"""The sections of a Gmsh file, in each version, as plain arrays; text and binary go through one cursor."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from ...mesh.groups import LONGEST
from ..source import Source, Words, show

# Element type → (dimension, nodes).
TYPES = {
    1: (1, 2), 2: (2, 3), 3: (2, 4), 4: (3, 4), 5: (3, 8), 6: (3, 6), 7: (3, 5), 8: (1, 3), 9: (2, 6), 10: (2, 9),
    11: (3, 10), 12: (3, 27), 13: (3, 18), 14: (3, 14), 15: (0, 1), 16: (2, 8), 17: (3, 20), 18: (3, 15), 19: (3, 13),
    20: (2, 9), 21: (2, 10), 22: (2, 12), 23: (2, 15), 24: (2, 15), 25: (2, 21), 26: (1, 4), 27: (1, 5), 28: (1, 6),
    29: (3, 20), 30: (3, 35), 31: (3, 56), 92: (3, 64), 93: (3, 125),
}  # fmt: skip
# element type, (m, k) node tags, (m,) first physical tags, 0 for none, and further ones of all its elements
Block = tuple[int, np.ndarray, np.ndarray, tuple[int, ...]]
Contents = tuple[np.ndarray, np.ndarray, list[Block]]  # (n,) node tags, (n, 3) points, blocks


class _Text(Words):
    """Numbers of one section, as text."""

    def ints(self, count: int, what: str) -> np.ndarray:
        return self.take(count, int, what)

    sizes = count_line = ints

    def floats(self, count: int, what: str) -> np.ndarray:
        return self.take(count, float, what)

    def block_head(self, what: str) -> list[int]:
        return self.take(4, int, what).tolist()

    def finish(self) -> int:
        if self.left:
            raise self.source.error(f"{self.left} more words than the section's count promises", self.line)
        return self.start + len(self.text)


class _Binary:
    """Numbers of one section, as bytes: 4-byte integers, 8-byte sizes and floats."""

    def __init__(self, source: Source, at: int, order: str):
        self.source, self.at, self.order = source, at, order

    def _take(self, kind: str, count: int, what: str) -> np.ndarray:
        record = np.dtype(kind).newbyteorder(self.order)
        size = record.itemsize * count
        if count < 0 or size > len(self.source.data) - self.at:
            left = len(self.source.data) - self.at
            raise self.source.error(f"promises {count} numbers of {what}, but {left} bytes are left", byte=self.at)
        values = np.frombuffer(self.source.data, record, count, self.at)
        self.at += size
        return values

    def ints(self, count: int, what: str) -> np.ndarray:
        return self._take("i4", count, what).astype(np.int64)

    def sizes(self, count: int, what: str) -> np.ndarray:
        return self._take("i8", count, what).astype(np.int64)

    def floats(self, count: int, what: str) -> np.ndarray:
        return self._take("f8", count, what)

    def block_head(self, what: str) -> list[int]:
        """Three integers and a size, which is how many rows follow."""
        integers, size = self._take("3i4, i8", 1, what)[0].item()
        return [*integers.tolist(), size]

    def nodes(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Version 2's nodes: (n,) tags and (n, 3) points."""
        rows = self._take("i4, 3f8", count, "nodes")
        return rows["f0"].astype(np.int64), rows["f1"]

    def count_line(self, count: int, what: str) -> np.ndarray:
        """A count written as text on a line of its own, as version 2 does even in binary files."""
        stop = self.source.data.find(b"\n", self.at, self.at + 40)
        word = self.source.data[self.at : stop].strip() if stop >= 0 else b""
        if not word.isdigit() or len(word) > 18:
            raise self.source.error(f"{show(word)}; expected the count of {what} on a line of its own", byte=self.at)
        self.at = stop + 1
        return np.array([int(word)])

    def finish(self) -> int:
        return self.at


def _walk(source: Source, at: int, order: str | None, handlers: dict[bytes, Callable], end: bytes = b"$End") -> None:
    """Hand each section that has a handler to it, in file order; skip the others whole."""
    if order is None:
        source.require_text()
    data, seen = source.data, set()
    while (at := data.find(b"$", at)) >= 0:
        stop = data.find(b"\n", at)
        name = data[at + 1 : stop if stop >= 0 else None].strip()
        if data.startswith(b"$EndMeshFormat", at):
            at += 1
            continue
        closing, body = end + name, (stop if stop >= 0 else len(data)) + 1
        if name not in handlers or order is None:
            close = data.find(closing, body)
        if name in handlers:
            if name in seen:
                raise source.error(f"section ${name.decode()} comes twice", byte=at)
            seen.add(name)
            if order is None and close < 0:
                raise source.error(f"section ${name.decode()} has no end; is the file cut short?", byte=at)
            cursor = _Text(source, body, close) if order is None else _Binary(source, body, order)
            handlers[name](cursor)
            after = cursor.finish()
            close = data.find(closing, after)
            if close < 0 or data[after:close].strip():
                raise source.error(f"section ${name.decode()} does not end where its counts say", byte=after)
        elif close < 0:
            raise source.error(f"section ${show(name)[1:-1]} has no end; is the file cut short?", byte=at)
        at = close + len(closing)
    for name in handlers:
        if name not in seen and name != b"Entities":
            raise source.error(f"has no section ${name.decode()}")


def _runs(cursor: _Text, count: int, where: tuple[int, int, int]) -> list[Block]:
    """Cut text elements, rows of differing length, into blocks of rows alike.

    ``where``: the columns that hold the physical tag and the length of the row's variable part, and the columns
    before that part; in version 1 the variable part is the nodes, in version 2 the tags.
    """
    physical, length, fixed = where
    values, blocks, at, done = cursor.ints(cursor.left, "elements"), [], 0, 0
    while done < count:
        row = values[at : at + fixed]
        if len(row) < fixed:
            raise cursor.source.error(f"the elements end after {done} of {count}")
        if int(row[1]) not in TYPES or not 0 <= row[length] <= len(values):
            problem = f"unknown type {row[1]}" if int(row[1]) not in TYPES else f"{row[length]} tags or nodes"
            raise cursor.source.error(f"element {done} of {count} has {problem}")
        kind, part = int(row[1]), int(row[length])
        nodes = TYPES[kind][1]
        if length == 4 and part != nodes:
            raise cursor.source.error(f"element {done} of type {kind} has {part} nodes; expected {nodes}")
        width = fixed + nodes + (part if length == 2 else 0)
        window, rows_alike = 64, 0  # grows while rows stay alike, so that mixed files stay linear too
        while True:
            rows = min(window, (len(values) - at) // width - rows_alike, count - done - rows_alike)
            block = values[at + rows_alike * width : at + (rows_alike + rows) * width].reshape(-1, width)
            alike = (block[:, 1] == kind) & (block[:, length] == part)
            run = rows if alike.all() else int(np.argmin(alike))
            rows_alike, window = rows_alike + run, window * 2
            if run < rows or rows == 0:
                break
        if not rows_alike:
            raise cursor.source.error(f"element {done} of {count} is cut short")
        block = values[at : at + rows_alike * width].reshape(-1, width)
        tagged = block[:, physical] if length == 4 or part else np.zeros(rows_alike, np.int64)
        blocks.append((kind, block[:, -nodes:], tagged, ()))
        at, done = at + rows_alike * width, done + rows_alike
    if at != len(values):
        raise cursor.source.error(f"{len(values) - at} more numbers than {count} elements need")
    return blocks


def read_1(source: Source) -> Contents:
    """Version 1: ``$NOD`` and ``$ELM``, text only."""
    contents: dict = {}

    def nodes(cursor: _Text) -> None:
        count = int(cursor.ints(1, "the count of nodes")[0])
        rows = cursor.floats(4 * count, "nodes").reshape(-1, 4)
        contents["tags"], contents["points"] = _whole(source, rows[:, 0]), rows[:, 1:]

    def elements(cursor: _Text) -> None:
        contents["blocks"] = _runs(cursor, int(cursor.ints(1, "the count of elements")[0]), (2, 4, 5))

    _walk(source, 0, None, {b"NOD": nodes, b"ELM": elements}, b"$END")
    return contents["tags"], contents["points"], contents["blocks"]


def read_2(source: Source, at: int, order: str | None) -> Contents:
    """Version 2: ``$Nodes`` and ``$Elements``, one record each."""
    contents: dict = {}

    def nodes(cursor: _Text | _Binary) -> None:
        count = int(cursor.count_line(1, "nodes")[0])
        if order is None:
            rows = cursor.floats(4 * count, "nodes").reshape(-1, 4)
            contents["tags"], contents["points"] = _whole(source, rows[:, 0]), rows[:, 1:]
        else:
            contents["tags"], contents["points"] = cursor.nodes(count)

    def elements(cursor: _Text | _Binary) -> None:
        count = int(cursor.count_line(1, "elements")[0])
        if order is None:
            contents["blocks"] = _runs(cursor, count, (3, 2, 3))
            return
        contents["blocks"], done = [], 0
        while done < count:
            kind, rows, tags = cursor.ints(3, "an element header").tolist()
            if kind not in TYPES or rows < 1 or tags < 0 or done + rows > count:
                raise source.error(f"a block of {rows} elements of type {kind} with {tags} tags", byte=cursor.at - 12)
            width = 1 + tags + TYPES[kind][1]
            block = cursor.ints(rows * width, "elements").reshape(rows, width)
            physical = block[:, 1] if tags else np.zeros(rows, np.int64)
            contents["blocks"].append((kind, block[:, 1 + tags :], physical, ()))
            done += rows

    _walk(source, at, order, {b"Nodes": nodes, b"Elements": elements})
    return contents["tags"], contents["points"], contents["blocks"]


def read_4(source: Source, at: int, order: str | None) -> Contents:
    """Version 4.1: nodes and elements in blocks by geometric entity, which carries the physical tag."""
    physical: dict[tuple[int, int], list[int]] = {}
    tags, points, blocks = [np.zeros(0, np.int64)], [np.zeros((0, 3))], []

    def entities(cursor: _Text | _Binary) -> None:
        for dimension, count in enumerate(cursor.sizes(4, "the counts of entities").tolist()):
            for _ in range(count):
                tag = int(cursor.ints(1, "an entity's tag")[0])
                cursor.floats(6 if dimension else 3, "an entity's box")
                groups = cursor.ints(int(cursor.sizes(1, "physical tags")[0]), "physical tags")
                physical[dimension, tag] = groups.tolist()
                if dimension:
                    cursor.ints(int(cursor.sizes(1, "bounding entities")[0]), "bounding entities")

    def nodes(cursor: _Text | _Binary) -> None:
        count, total, *_ = cursor.sizes(4, "the counts of nodes").tolist()
        for _ in range(count):
            dimension, _, parametric, rows = cursor.block_head("a node block")
            if not 0 <= dimension <= 3:
                raise source.error(f"a node block of dimension {dimension}; expected 0 to 3")
            if not rows:
                continue
            tags.append(cursor.sizes(rows, "node tags"))
            width = 3 + (dimension if parametric else 0)
            points.append(cursor.floats(rows * width, "coordinates").reshape(rows, width)[:, :3])
        if sum(map(len, tags)) != total:
            raise source.error(f"promises {total} nodes, but its blocks hold {sum(map(len, tags))}")

    def elements(cursor: _Text | _Binary) -> None:
        count, total, *_ = cursor.sizes(4, "the counts of elements").tolist()
        for _ in range(count):
            dimension, entity, kind, rows = cursor.block_head("an element block")
            if kind not in TYPES:
                raise source.error(f"an element block of unknown type {kind}")
            if not rows:
                continue
            width = 1 + TYPES[kind][1]
            block = cursor.sizes(rows * width, "elements").reshape(rows, width)
            first, *others = physical.get((dimension, entity)) or [0]
            blocks.append((kind, block[:, 1:], np.full(rows, first), tuple(others)))
        if sum(len(block[1]) for block in blocks) != total:
            raise source.error(f"promises {total} elements, but its blocks hold another number")

    _walk(source, at, order, {b"Entities": entities, b"Nodes": nodes, b"Elements": elements})
    return np.concatenate(tags), np.concatenate(points), blocks


_NAME = re.compile(rb'\s*(\d{1,9})\s+(-?\d{1,18})\s+"([^"\n]*)"[ \t]*')


def names_of(source: Source) -> dict[tuple[int, int], str]:
    """(dimension, physical tag) → name, of ``$PhysicalNames``, which is text in binary files too."""
    data = source.data
    at = data.find(b"$PhysicalNames")
    if at < 0:
        return {}
    body, stop = data.find(b"\n", at), data.find(b"$EndPhysicalNames", at)
    lines = data[body + 1 : stop].split(b"\n") if 0 <= body < stop else []
    found = {}
    for line in [line for line in lines[1:] if line.strip()]:
        match = _NAME.fullmatch(line.rstrip(b"\r"))
        name = match[3].decode("utf-8", "replace").strip() if match else ""
        if not match or not name.isprintable() or not 0 < len(name) <= LONGEST:
            raise source.error(f"{show(line)}; expected a dimension, a tag and a name in quotes", byte=at)
        found[int(match[1]), abs(int(match[2]))] = name
    if not lines or not lines[0].strip().isdigit() or int(lines[0][:9]) != len(found):
        raise source.error(f"section $PhysicalNames holds {len(found)} names and promises another number", byte=at)
    return found


def _whole(source: Source, values: np.ndarray) -> np.ndarray:
    bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) >= 2.0**53))
    if len(bad):
        raise source.error(f"node {bad[0]} has tag {values[bad[0]]}; expected a whole number")
    return values.astype(np.int64)
