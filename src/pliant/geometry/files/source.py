"""File source: bytes, origin, and sentences about faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np

from ...errors import InputError

Mesh = TypeVar("Mesh")
LIMIT = 3e8  # [bytes] that the contents of any file may take in memory; a volume of 512³ 16-bit numbers fits
SHARE = 20  # and how many times its size a larger file may take


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of one file; every complaint about them names the file, and the line or byte where known.

    ``limit``: bytes that what is packed in it may take in memory, however small the file.
    """

    path: Path
    data: bytes
    limit: float = LIMIT
    _claimed: list[int] = field(default_factory=lambda: [0], repr=False)  # one number, which grows

    def claim(self, size: int, what: str) -> None:
        """Ask for ``size`` bytes of memory before they are taken; all that a file claims counts together."""
        self._claimed[0] += size
        total, most = self._claimed[0], max(self.limit, SHARE * len(self.data))
        if total > most:
            raise self.error(
                f"{what} would bring it to {total / 1e6:.0f} MB in memory, from a file of {len(self.data) / 1e6:.3g} "
                "MB; "
                f"the limit is {most / 1e6:.0f} MB: if you trust it, read(path, limit={total * 1.1:.1g})"
            )

    def error(self, what: str, line: int | None = None, byte: int | None = None) -> InputError:
        """The error to raise; ``line`` counts from 1, ``byte`` from 0."""
        where = f", line {line}" if line is not None else f", byte {byte}" if byte is not None else ""
        clean = "".join([c if c.isprintable() else f"\\x{ord(c):02x}" for c in what[:400]])  # it may quote the file
        return InputError(f"{self.path}{where}: {clean}")

    def build(self, kind: Callable[..., Mesh], *arrays: object, **named: object) -> Mesh:
        """Make a mesh from what was read; a fault in it names this file."""
        if len(arrays[0]) == 0:  # type: ignore[arg-type]
            raise self.error("holds no vertices; expected at least one")
        try:
            return kind(*arrays, **named)
        except InputError as error:
            raise self.error(str(error)) from None

    def require_text(self) -> None:
        """Refuse UTF-16 and binary content, which would otherwise surface as a puzzling parse error."""
        if self.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise self.error("is UTF-16 text; save it as UTF-8 or ASCII")
        at = self.data.find(b"\0")
        if at >= 0:
            raise self.error("holds binary data; expected text", byte=at)

    def lines(self, comment: bytes = b"#") -> list[bytes]:
        """The lines of a text file, comments cut off, so that item i is line i + 1."""
        self.require_text()
        lines = self.data.removeprefix(b"\xef\xbb\xbf").splitlines()
        if comment in self.data:
            lines = [line.partition(comment)[0] for line in lines]
        return lines

    def table(self, rows: Sequence[Sequence[bytes]], lines: Sequence[int], width: int, kind: type, what: str) -> np.ndarray:
        """Return (n, width) float64 or int64 from the first ``width`` words of each row.

        ``lines``: the line number of each row; ``kind``: ``float`` or ``int``; ``what``: what one row is, for errors.
        """
        try:
            words = [word for row in rows for word in row[:width]]
            values = np.array([*map(kind, words)], dtype=np.float64 if kind is float else np.int64)
            if len(words) == len(rows) * width and b"_" not in b"".join(words):  # Python reads 1_0 as 10
                table = values.reshape(len(rows), width)
                if np.isfinite(table).all():
                    return table
        except (ValueError, OverflowError):
            pass
        for row, line in zip(rows, lines):
            if len(row) < width:
                raise self.error(f"{what} has {len(row)} values; expected {width}", line)
            for word in row[:width]:
                self.number(word, kind, what, line)
        raise AssertionError("a table that fails has a row that fails")

    def integers(self, words: Sequence[bytes], what: str, line: int) -> list[int]:
        """Return whole numbers of any size, or say which word is none."""
        try:
            numbers = [*map(int, words)]
            if b"_" not in b"".join(words):
                return numbers
        except ValueError:
            pass
        return [self.number(word, int, what, line) for word in words]

    def number(self, word: bytes, kind: type, what: str, line: int | None = None) -> int | float:
        """Return one finite number, or say which word is none."""
        try:
            value = kind(word)
            if b"_" not in word and abs(value) < (np.inf if kind is float else 2**63):
                return value
        except ValueError:
            pass
        expected = "a finite number" if kind is float else "a whole number"
        raise self.error(f"{show(word)} in {what}; expected {expected}", line)


class Words:
    """A cursor over the whitespace-separated words of part of a text file."""

    def __init__(self, source: Source, start: int = 0, stop: int | None = None):
        self.source, self.start, self.at = source, start, 0
        self.text = source.data[start:stop]
        self.words = self.text.split()

    @property
    def left(self) -> int:
        """How many words have not been taken."""
        return len(self.words) - self.at

    def take(self, count: int, kind: type, what: str) -> np.ndarray:
        """Return the next ``count`` numbers as float64 or int64."""
        if count < 0:
            raise self.source.error(f"a count of {count} {what}; expected 0 or more", self.line)
        if count > self.left:
            raise self.source.error(f"ends after {self.left} of {count} numbers of {what}", self.line)
        words = self.words[self.at : self.at + count]
        try:
            values = np.array([*map(kind, words)], dtype=np.float64 if kind is float else np.int64)
            fine = b"_" not in b"".join(words) and np.isfinite(values).all()
        except (ValueError, OverflowError):
            fine = False
        if fine:
            self.at += count
            return values
        for word in words:
            try:
                self.source.number(word, kind, what)
            except InputError:
                self.source.number(word, kind, what, self.line)  # counting lines takes its time: once is enough
            self.at += 1
        raise AssertionError("numbers that fail hold one that fails")

    @property
    def line(self) -> int:
        """Line of the next word, counted only when something is wrong."""
        before = self.source.data[: self.start].count(b"\n") + 1
        ends = [match.end() for match in re.finditer(rb"\S+", self.text)]
        return before + self.text[: ends[min(self.at, len(ends) - 1)] if ends else 0].count(b"\n")


def show(word: bytes) -> str:
    """A word as it may be printed: quoted, short, and without control characters."""
    text = word[:24].decode("ascii", "backslashreplace")
    return repr(text + "…" if len(word) > 24 else text)


def fan(source: Source, polygons: Sequence[Sequence[int]] | np.ndarray, lines: Sequence[int] | None, count: int) -> np.ndarray:
    """Cut each polygon into triangles around its first corner: (m, 3), in the polygons' order.

    ``polygons``: vertex numbers from 0, at least three each, as lists or as one array; ``lines``: the line of each,
    where the file has lines; ``count``: how many vertices there are.
    """
    uniform = isinstance(polygons, np.ndarray)
    sizes = np.full(*polygons.shape) if uniform else np.fromiter(map(len, polygons), np.int64, len(polygons))
    ends = np.cumsum(sizes)
    try:
        flat = polygons.ravel() if uniform else chain.from_iterable(polygons)
        corners = flat.astype(np.int64) if uniform else np.fromiter(flat, np.int64, sizes.sum())
        bad = np.flatnonzero((corners < 0) | (corners >= count))
    except OverflowError:  # a number beyond 64 bits
        bad = [i for i, corner in enumerate(chain.from_iterable(polygons)) if not 0 <= corner < count]
    if len(bad):
        first = int(np.searchsorted(ends, bad[0], side="right"))
        line = lines[first] if lines is not None else None
        raise source.error(f"face {first} names a vertex that is not among the {count} there are", line)
    owner = np.repeat(np.arange(len(polygons)), sizes - 2)
    start = (ends - sizes)[owner]
    step = np.arange(len(owner)) - (np.cumsum(sizes - 2) - (sizes - 2))[owner]
    return np.stack([corners[start], corners[start + step + 1], corners[start + step + 2]], axis=1)


def join_equal(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points equal bit for bit (−0 counts as 0): the first of each, in order, and (n,) which of them each one is."""
    if not len(points):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    keys = np.ascontiguousarray(points + points.dtype.type(0))  # −0 + 0 is 0
    void = keys.view(np.dtype((np.void, keys.itemsize * 3))).ravel()
    _, first, inverse = np.unique(void, return_index=True, return_inverse=True)
    order = np.argsort(first)  # np.unique sorts by bytes; keep the order of first appearance
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse]


def numbered_lines(rows: np.ndarray, first: int) -> str:
    """Rows of floats as text, one line each, led by their numbers from ``first`` up."""
    pattern = "%d " + " ".join(["%r"] * rows.shape[1]) + "\n"
    return "".join([pattern % (i, *row) for i, row in enumerate(rows.tolist(), first)])


def number_lines(rows: np.ndarray, prefix: str = "") -> str:
    """Rows of numbers as text, one line each, floats with the digits that read back exactly."""
    pattern = prefix + " ".join(["%r"] * rows.shape[1]) + "\n"
    return "".join([pattern % tuple(row) for row in rows.tolist()])
