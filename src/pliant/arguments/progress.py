"""Progress on a terminal while something takes long: a line each, one display for all, nothing in a pipe.

With PLIANT_PROGRESS=1 a pipe gets plain lines, ``simulating 12/60``, for programs that start this one.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any

PATIENCE = 2.0  # [s] a loop shorter than this needs no bar
PAUSE = 0.1  # [s] between two plain lines


@contextlib.contextmanager
def status(text: str) -> Iterator[None]:
    """Say what is being done, and for how long, until it is done."""
    with bar(text, None):
        yield


@contextlib.contextmanager
def bar(text: str, total: int | None, wanted: bool = True) -> Iterator[Callable[[], None]]:
    """Show how many of ``total`` are done and the time that is left; yields what to call after each."""
    if not (wanted and sys.stderr.isatty()):
        yield _lines(text, total) if wanted and os.environ.get("PLIANT_PROGRESS") == "1" else lambda: None
        return
    line = _Display.add(text, total)
    try:
        yield lambda: _Display.advance(line)
    finally:
        _Display.drop(line)


def _lines(text: str, total: int | None) -> Callable[[], None]:
    """Begin plain lines on standard error; returns what to call after each of ``total``. At most ten lines a second."""
    done, last = 0, time.perf_counter()
    print(text if total is None else f"{text} 0/{total}", file=sys.stderr, flush=True)

    def advance() -> None:
        nonlocal done, last
        done += 1
        now = time.perf_counter()
        if total is not None and (now - last >= PAUSE or done == total):
            last = now
            print(f"{text} {done}/{total}", file=sys.stderr, flush=True)

    return advance


def track(items: Iterable, label: str) -> Iterator:
    """Yield ``items`` and, on a terminal and after ``PATIENCE`` seconds, show how many are done."""
    if not sys.stderr.isatty():
        yield from items
        return
    total = len(items) if isinstance(items, Sized) else None
    begin, line = time.perf_counter(), None
    try:
        for done, item in enumerate(items):
            if line is None and time.perf_counter() - begin > PATIENCE:
                line = _Display.add(label, total, done)
            elif line is not None:
                _Display.advance(line)
            yield item
    finally:
        if line is not None:
            _Display.drop(line)


class _Display:
    """The lines at the foot of the terminal; they go when the last is dropped."""

    shown: Any = None
    lines = 0
    lock = threading.RLock()

    @classmethod
    def add(cls, text: str, total: int | None, done: int = 0) -> int:
        with cls.lock:
            if cls.shown is None:
                cls.shown = _progress()
                cls.shown.start()
            cls.lines += 1
            line = cls.shown.add_task(text, total=total, completed=done)
            cls.shown.refresh()  # work that never lets go of the interpreter would else hide it
            return line

    @classmethod
    def advance(cls, line: int) -> None:
        with cls.lock:
            cls.shown.advance(line)

    @classmethod
    def drop(cls, line: int) -> None:
        with cls.lock:
            cls.shown.remove_task(line)
            cls.lines -= 1
            if cls.lines == 0:
                shown, cls.shown = cls.shown, None
                shown.stop()


@functools.cache
def _columns() -> tuple[type, ...]:
    """Columns that are empty, or hold the seconds gone by, for work of unknown length."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn
    from rich.text import Text

    class Bar(BarColumn):
        def render(self, task):
            return super().render(task) if task.total else Text(f"{task.elapsed or 0:.0f} s")

    class Count(MofNCompleteColumn):
        def render(self, task):
            return super().render(task) if task.total else Text("")

    class Left(TimeRemainingColumn):
        def render(self, task):
            return super().render(task).append(" left") if task.total and task.completed else Text("")

    return Bar, Count, Left


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), *(column() for column in _columns()))
    # results go to standard output even while a line is shown
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
