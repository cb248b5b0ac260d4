"""Output of the commands: tables, drawn on a terminal and plain in a pipe, and JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

from ...arguments.progress import status


def start() -> None:
    """Import what every simulation needs, which takes a second or two, and say so meanwhile."""
    with status("starting"):
        import warp  # noqa: F401


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """Print rows under their column names."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        drawn = Table(title=title or None, title_justify="left", header_style="bold", show_header=any(columns))
        for name in columns:
            drawn.add_column(name, overflow="fold")
        for row in rows:
            drawn.add_row(*[Text(str(cell)) for cell in row])
        Console().print(drawn)
        return
    cells = [[str(cell) for cell in row] for row in ([columns] if any(columns) else []) + list(rows)]
    widths = [max((len(row[i]) for row in cells), default=0) for i in range(len(columns))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def print_json(data: Any) -> None:
    """Print plain data as JSON; numbers that are not finite become null."""
    import json

    print(json.dumps(_plain(data), indent=2, ensure_ascii=False))


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    if hasattr(data, "tolist"):  # NumPy arrays and numbers
        return _plain(data.tolist())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data if isinstance(data, str | int | float | None) else str(data)
