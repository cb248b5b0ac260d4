"""The charts of a study on one page: lines over time and over a parameter, heat maps, parallel coordinates."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np

from ..errors import InputError
from ..output.colours.colour import scale
from ..output.colours.units import number
from ..output.html_report import charts, checked, write_report
from ..output.plot import GRID, INK, PALE, Chart

if TYPE_CHECKING:
    import xarray

SIZE = (560, 360)  # pixels of a chart
LINES = 200  # over time at most, spread over the members
SENTENCES = 20  # of failures
FONT = 'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" font-size="12"'
ALONG = {"failure", "spent", "unconverged", "time"}  # coordinates that are no parameters


def page(found: xarray.Dataset, path: str | PathLike[str], title: str = "Study") -> Path:
    """Write the charts of what ``sweep`` returned and return the path.

    A number over one parameter is a line, over two a heat map, over more, or over a design, a line of each member through
    parallel axes; over time, a line for each member. Of a series the charts over parameters have the last moment.
    """
    checked(path)
    if not {"failure", "spent"} <= set(getattr(found, "coords", ())):
        raise InputError("page(found=…): expected the Dataset that sweep returned, with its failures")
    whys = [str(text) for text in found.failure.values.ravel()]
    failed = [text for text in whys if text]
    parts = [
        f"<p>{len(whys)} members over {html.escape(', '.join(_parameters(found)))}; {len(failed)} failed; "
        f"{float(found.spent.sum()):.3g} s spent on them. {html.escape(str(found.attrs.get('versions', '')))}</p>"
    ]
    parts += [
        f'<p class="warning">{failed.count(text)} failed: {html.escape(text)}</p>'
        for text in list(dict.fromkeys(failed))[:SENTENCES]
    ]
    for name in found.data_vars:
        drawn = list(_drawn(found, str(name)))
        parts += [f"<h2>{html.escape(str(name))}</h2>", charts(drawn) if drawn else '<p class="pale">no chart</p>']
    return write_report(path, title, parts)


def _parameters(found: xarray.Dataset) -> list[str]:
    return [str(name) for name in found.coords if name not in ALONG]


def _drawn(found: xarray.Dataset, name: str) -> Iterator[Chart | str]:
    values, unit = found[name], found[name].attrs.get("units", "")
    over = list(found.failure.dims)
    own = [dim for dim in values.dims if dim not in over]
    if not np.isfinite(values.values).any() or own not in ([], ["time"]):
        return
    if own:
        yield _over_time(found, name, unit)
        values = values.isel(time=-1)
    names = _parameters(found)
    columns = {key: _axis(found[key].values) for key in names}
    last = values.transpose(*over).values
    if len(names) == 1 and over != ["member"]:
        ticks, labels = columns[names[0]]
        log = not labels and _by_factors(ticks)
        chart = Chart(name, names[0], name, y_unit=unit, log_x=log, size=SIZE)
        if np.isfinite(last).any():
            yield chart.line(ticks, last, name).points(ticks, last, name)
    elif len(names) == 2 and over != ["member"]:
        yield _heat_map(names, [_texts(found[key].values) for key in names], last, f"{name} [{unit}]" if unit else name)
    else:
        mesh = np.meshgrid(*[columns[key][0] for key in names], indexing="ij")
        each = [found[key].values for key in names] if over == ["member"] else [axis.ravel() for axis in mesh]
        yield _parallel([*names, f"{name} [{unit}]" if unit else name], [*each, last.ravel()])


def _axis(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Numbers to draw at, and texts where the values are none."""
    if values.dtype.kind in "iuf":
        return values.astype(float), []
    return np.arange(len(values), dtype=float), [str(value) for value in values]


def _texts(values: np.ndarray) -> list[str]:
    return [number(float(value)) if values.dtype.kind in "iuf" else str(value) for value in values]


def _by_factors(values: np.ndarray) -> bool:
    return bool(len(values) > 2 and (values > 0).all() and values.max() > 20 * values.min())


def _over_time(found: xarray.Dataset, name: str, unit: str) -> Chart:
    """The members, coloured by their order, from dark to light."""
    rows = found[name].transpose(*found.failure.dims, "time").values.reshape(-1, found.sizes["time"])
    rows = rows[np.isfinite(rows).any(axis=1)]
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), LINES)).astype(int))]
    chart = Chart(f"{name} over time, each member a line", "time", name, "s", unit, size=SIZE)
    for row, hue in zip(rows, _hues(np.linspace(0, 1, len(rows)))):
        chart = chart.line(found.time.values, row, colour=hue)
    return chart


def _hues(shares: np.ndarray) -> list[str]:
    table = scale()
    rows = table[np.clip(np.nan_to_num(shares) * (len(table) - 1), 0, len(table) - 1).astype(int)]
    return ["#" + "".join(f"{round(255 * c):02x}" for c in row) for row in rows]


def _shares(values: np.ndarray) -> np.ndarray:
    low, high = np.nanmin(values), np.nanmax(values)
    return (values - low) / (high - low) if high > low else np.full(np.shape(values), 0.5)


def _text(x: float, y: float, text: str, anchor: str = "middle", colour: str = PALE) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _svg(shapes: Sequence[str], title: str, width: int = SIZE[0]) -> str:
    size = f'viewBox="0 0 {width} {SIZE[1]}" width="{width}" height="{SIZE[1]}"'
    about = f'role="img" aria-label="{escape(title, {chr(34): "&quot;"})}" style="background:#ffffff" {FONT}'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {about}>{"".join(shapes)}</svg>'


def _heat_map(names: Sequence[str], labels: Sequence[list[str]], values: np.ndarray, title: str) -> str:
    """Cells over two parameters, the first across; white where there is no value, with numbers where they fit."""
    left, top, right, bottom = 90.0, 44.0, SIZE[0] - 16.0, SIZE[1] - 46.0
    width, height = (right - left) / values.shape[0], (bottom - top) / values.shape[1]
    shares = _shares(values)
    shapes = [_text(14, 22, title, "start", INK)]
    for (i, j), share in np.ndenumerate(shares):
        if np.isfinite(share):
            x, y = left + i * width, bottom - (j + 1) * height
            fill = _hues(np.array([share]))[0]
            shapes.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}"/>')
            if width > 48 and height > 16:
                ink = "#ffffff" if share < 0.5 else INK
                shapes.append(_text(x + width / 2, y + height / 2 + 4, number(float(values[i, j])), colour=ink))
    for i in range(0, values.shape[0], -(-values.shape[0] // 8)):
        shapes.append(_text(left + (i + 0.5) * width, bottom + 16, labels[0][i]))
    for j in range(0, values.shape[1], -(-values.shape[1] // 12)):
        shapes.append(_text(left - 6, bottom - (j + 0.5) * height + 4, labels[1][j], "end"))
    shapes += [_text(right, SIZE[1] - 8, names[0], "end"), _text(14, 38, names[1], "start")]
    return _svg(shapes, title)


def _parallel(names: Sequence[str], columns: Sequence[Any]) -> str:
    """An axis for each name, and a line for each member across them, coloured by the last."""
    width = max(SIZE[0], 150 * len(names))
    top, bottom, at = 52.0, SIZE[1] - 24.0, np.linspace(70.0, width - 70.0, len(names))
    numbers, shapes = [], []
    for x, name, column in zip(at, names, columns):
        values = np.asarray(column)
        texts = None if values.dtype.kind in "iuf" else np.unique(values)
        values = values.astype(float) if texts is None else np.searchsorted(texts, values).astype(float)
        ends = [number(float(np.nanmin(values))), number(float(np.nanmax(values)))] if texts is None else texts[[0, -1]]
        numbers.append(_shares(np.log(values) if texts is None and _by_factors(values) else values))
        shapes.append(f'<path d="M{x:.1f} {top}V{bottom}" stroke="{GRID}" stroke-width="2"/>')
        shapes += [_text(x, 20, name, colour=INK), _text(x, top - 6, str(ends[1])), _text(x, bottom + 16, str(ends[0]))]
    for row, hue in zip(np.transpose(numbers), _hues(numbers[-1])):
        if np.isfinite(row).all():
            points = " ".join(f"{x:.1f},{bottom - share * (bottom - top):.1f}" for x, share in zip(at, row))
            shapes.append(f'<polyline points="{points}" fill="none" stroke="{hue}" stroke-opacity="0.7"/>')
    return _svg(shapes, f"{names[-1]} of each member", width)
