"""Launch graphs: recorded launches and loops, run in one call.

What a graph is on a GPU, for the CPU. While a device records, its launches are written down and not run. The program
then goes through them in compiled code: large launches are shared by the threads, small ones run on the thread that asks,
and Python is not entered before the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import warp as wp

from ..errors import InputError
from .threads import CALL, END, HELPERS, JUMP, MOST_SLICES, SHARE, TIC, TOC, UNLESS, Pool

Slice = tuple[Any, Any, ctypes.Structure]  # a compiled function, its bounds and its arguments
LARGE = 1 << 19  # bytes of memory worth a thread


class _Recording(threading.local):
    """What this thread records, on whichever device: the solver of a factor has one of its own."""

    program: Program | None = None


RECORDING = _Recording()


class Unrecordable(Exception):
    """What cannot be written down, so that it has to be launched each time."""


class Program:
    """Instructions for ``pool``, whose threads take part in launches of several slices: ``threads`` at most."""

    def __init__(self, pool: Pool, threads: int = 1):
        self._pool, self._threads, self._code, self._kept = pool, threads, [], []
        self._spans: dict[str, np.ndarray] = {}
        self._call: tuple | None = None
        self.helpers = 0

    def add(self, slices: Sequence[Slice], *kept: Any) -> None:
        """One launch; ``kept`` is what must live as long as the program."""
        if len(slices) > MOST_SLICES:
            raise InputError(f"{len(slices)} slices in a launch; expected at most {MOST_SLICES}")
        self._kept.append((slices, kept))
        triples = [(ctypes.cast(f, ctypes.c_void_p).value, ctypes.addressof(b), ctypes.addressof(s)) for f, b, s in slices]
        if len(triples) == 1 or self._threads == 1:
            self._code += [(CALL, *triple) for triple in triples]
            return
        threads = min(self._threads, len(triples), HELPERS + 1)
        self.helpers = max(self.helpers, threads - 1)
        table = np.array(triples, np.uint64)
        self._kept.append(table)
        self._code.append((SHARE, table.ctypes.data, len(triples), threads))

    def clear(self, out: wp.array) -> None:
        """out = 0."""
        self._move(out, None)

    def copy(self, source: wp.array, out: wp.array) -> None:
        """The first items of ``out`` become those of ``source``."""
        if source.dtype is not out.dtype or not source.is_contiguous or source.size > out.size:
            raise Unrecordable
        self._move(out, source)

    def _move(self, out: wp.array, source: wp.array | None) -> None:
        if not out.is_contiguous:
            raise Unrecordable
        size = (out if source is None else source).size * wp.types.type_size_in_bytes(out.dtype)
        function, bounds, like, kept = self._pool.mover
        pieces = min(self._threads, max(1, size // LARGE))
        edges = [size * i // pieces & ~63 for i in range(pieces)] + [size]
        slices = []
        for begin, end in itertools.pairwise(edges):
            arguments = type(like).from_buffer_copy(like)
            arguments.target, arguments.count = out.ptr + begin, end - begin
            arguments.source = 0 if source is None else source.ptr + begin
            slices.append((function, bounds, arguments))
        if size:
            self.add(slices, kept, out, source)

    @contextlib.contextmanager
    def unless_zero(self, flag: wp.array, again: bool) -> Iterator[None]:
        """What is written down inside is skipped where flag[0] is 0, and done ``again`` and again until then."""
        top = len(self._code)
        self._code.append(None)
        yield
        if again:
            self._code.append((JUMP, top, 0, 0))
        self._code[top] = (UNLESS, flag.ptr, len(self._code), 0)
        self._kept.append(flag)

    @contextlib.contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """What is written down inside counts for the time of ``part``."""
        sums = self._spans.setdefault(part, np.zeros(2, np.uint64))
        address = sums.ctypes.data
        self._code.append((TIC, address, address + 8, 0))
        yield
        self._code.append((TOC, address, address + 8, 0))

    def run(self) -> None:
        """Go through all of it; alone where the other threads are busy with another program."""
        if self._call is None:
            self._words = np.array([*self._code, (END, 0, 0, 0)], np.uint64)
            function, bounds, like, kept = self._pool.player
            arguments = type(like).from_buffer_copy(like)
            arguments.program = self._words.ctypes.data
            self._call = (function, ctypes.byref(bounds), ctypes.byref(arguments), arguments, bounds, kept)
        function, bounds, reference, arguments, *_ = self._call
        for sums in self._spans.values():
            sums[0] = 0
        if self.helpers and self._pool.lock.acquire(blocking=False):
            try:
                arguments.together = 1
                self._pool.wake(self.helpers)
                function(bounds, reference)
            finally:
                self._pool.lock.release()
        else:
            arguments.together = 0
            function(bounds, reference)

    @property
    def seconds(self) -> dict[str, float]:
        """What the timed parts took in the last run [s]."""
        return {part: 1e-9 * float(sums[0]) for part, sums in self._spans.items()}

    @property
    def words(self) -> list[bytes]:
        """All instructions with their arguments and without addresses of their own, to compare two programs."""
        launches = {ctypes.addressof(s): bytes(s) + bytes(b) for slices, _ in self._launches() for _, b, s in slices}
        tables = {k.ctypes.data: k for k in self._kept if isinstance(k, np.ndarray)}
        out = []
        for op, a, b, c in self._code:
            rows = [(a, b, c)] if op == CALL else tables[a].tolist() if op == SHARE else []
            own = op in (CALL, SHARE, TIC, TOC)
            out.append(repr((op, *(() if own else (a, b, c)), *((f, launches[s]) for f, _, s in rows))).encode())
        return out

    def _launches(self) -> list[tuple]:
        return [k for k in self._kept if isinstance(k, tuple)]
