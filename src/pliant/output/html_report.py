"""A page of text, tables and charts as one HTML file that loads nothing and runs nothing."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from ..arguments.atomic_files import write_text
from ..errors import InputError
from .plot import GRID, INK, PALE, Chart

STYLE = f"""body{{font:15px/1.5 system-ui,Segoe UI,Helvetica,Arial,sans-serif;color:{INK}}}
body{{max-width:1340px;margin:2em auto;padding:0 1em}}
h1{{font-size:1.4em}}h2{{font-size:1.1em;margin:1.6em 0 .4em}}table{{border-collapse:collapse}}
td,th{{padding:.2em .9em;border-bottom:1px solid {GRID};text-align:right}}td:first-child,th:first-child{{text-align:left}}
.pale{{color:{PALE}}}.warning{{background:#fff4e0;border-left:4px solid #d98e04;padding:.4em .8em;margin:.5em 0}}
.charts{{display:flex;flex-wrap:wrap;gap:14px}}svg,img{{max-width:100%;height:auto}}"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def checked(path: str | PathLike[str]) -> Path:
    """The path of a page, or a sentence about its name."""
    if not isinstance(path, str | PathLike) or Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError(f"page path is {str(path)!r}; expected a name ending in .html")
    return Path(path)


def write_report(path: str | PathLike[str], title: str, parts: Sequence[str]) -> Path:
    """Write the parts, which are HTML, below a heading."""
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{html.escape(title)}</h1>\n"
    )
    return write_text(checked(path), head + "\n".join(parts) + "\n</body>\n</html>\n")


def charts(drawn: Iterable[Chart | str]) -> str:
    """Charts, or SVG documents, side by side as far as they fit."""
    documents = (one if isinstance(one, str) else one.svg() for one in drawn)
    return f'<div class="charts">{"".join(documents)}</div>'
