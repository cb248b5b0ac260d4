"""A progress bar for work that turns out to take long, and silence for work that does not."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized

PATIENCE = 2.0  # [s] a wait shorter than this needs no bar


def track(items: Iterable, label: str) -> Iterator:
    """Yield ``items`` and, on a terminal and after ``PATIENCE`` seconds, show how many are done."""
    if not sys.stderr.isatty():
        yield from items
        return
    total = len(items) if isinstance(items, Sized) else None
    begin, bar, task = time.perf_counter(), None, None
    try:
        for done, item in enumerate(items):
            if bar is None and time.perf_counter() - begin > PATIENCE:
                from rich.console import Console
                from rich.progress import Progress

                bar = Progress(console=Console(stderr=True), transient=True)
                bar.start()
                task = bar.add_task(label, total=total)
            if bar is not None:
                bar.update(task, completed=done)
            yield item
    finally:
        if bar is not None:
            bar.stop()
