"""Fit report as one HTML file."""

from __future__ import annotations

import base64
import html
from os import PathLike
from pathlib import Path

import numpy as np

from ...inverse.fitting.fit_result import Fit, unit_of
from ...inverse.observations.goodness_of_fit import chance
from ...output.html_report import charts, checked, write_report
from ...output.plot import Chart

MOST = 8  # numbers that have charts of their own


def fit_page(
    found: Fit, path: str | PathLike[str], title: str = "Fit", replay: str | None = None, picture: bytes | None = None
) -> Path:
    """Write the report of a fit and return its path; ``replay`` is the name of a page next to it, ``picture`` a PNG in it.

    Slices of the cost are runs: nine for each number, of up to eight.
    """
    checked(path)
    end = "converged" if found.converged else "did not converge"
    parts = [
        f"<p>Search {end}: {html.escape(found.why)}. {len(found.history) - 1} iterations, {found.runs} runs; distance left "
        f"{found.distance:.4g} {_unit(found)}, {found.history[0]:.4g} at the start.</p>",
        f"<p>{found.verdict.capitalize()}.</p>",
        *(f'<p class="warning">{html.escape(sentence)}</p>' for sentence in found.warnings),
        _values(found),
    ]
    if replay is not None:
        parts.append(f'<p><a href="{html.escape(replay, quote=True)}">Replay of the fit beside what was observed</a></p>')
    if picture is not None:
        drawn = base64.b64encode(picture).decode()
        parts.append(f'<p><img alt="The run of the fit and what was observed" src="data:image/png;base64,{drawn}"></p>')
    if found.goodness:
        parts += ["<h2>Residuals</h2>", _goodness(found), charts(_residuals(found))]
    parts += ["<h2>Convergence</h2>", charts(_convergence(found))]
    if found.left is not None:
        parts += ["<h2>Residuals over time</h2>", charts([_over_time(found)])]
    if found.uncertainty is not None and len(found.labels) <= MOST:
        if found.cost_at is not None:
            parts += ["<h2>The cost along each number</h2>", charts(_slices(found))]
        if len(found.labels) > 1:
            parts += ["<h2>Correlations</h2>", _correlations(found)]
    return write_report(path, title, parts)


def _flat(values: dict) -> np.ndarray:
    return np.concatenate([np.ravel(value) for value in values.values()])


def _values(found: Fit) -> str:
    sure = found.uncertainty is not None
    bounds = [(b.low, b.high) for key, b in found.free.items() for _ in range(found.values[key].size)]
    start = _flat({key: path[0] for key, path in found.path.items()})
    ends = np.stack([_flat({k: v[i] for k, v in found.intervals.items()}) for i in (0, 1)]) if sure else None
    others = {kind: _flat({key: by[key] for key in found.values}) for kind, by in found.discretisation.items()}
    units = [unit_of(key[1]) for key in found.values for _ in range(found.values[key].size)]
    rows = ["<tr><th>number</th><th>value</th><th>95 % interval</th>"]
    rows[0] += "".join(f"<th>± of the {kind}</th>" for kind in others) + "<th>start</th><th>bounds</th></tr>"
    for i, (label, value) in enumerate(zip(found.labels, _flat(found.values))):
        if i == 100:
            rows.append(f'<tr><td class="pale">… {len(bounds) - 100} more</td></tr>')
            break
        interval, shown = "unknown", f"{value:.6g}"
        if ends is not None and np.isfinite(ends[:, i]).all():
            digits = _digits(value, 0.5 * float(ends[1, i] - ends[0, i]))
            interval, shown = f"{ends[0, i]:.{digits}g} … {ends[1, i]:.{digits}g}", f"{value:.{digits}g}"
        rows.append(
            f"<tr><td>{html.escape(label)}</td><td>{shown} {units[i]}</td><td>{interval}</td>"
            + "".join(f"<td>{by[i]:.3g}</td>" for by in others.values())
            + f"<td>{start[i]:.6g}</td>"
            f"<td>{bounds[i][0]:.6g} … {bounds[i][1]:.6g}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"


def _digits(value: float, error: float) -> int:
    """So many that the last ones of a value are two of its error."""
    if not error > 0 or value == 0:
        return 6
    return int(np.clip(np.floor(np.log10(abs(value))) - np.floor(np.log10(error)) + 2, 2, 9))


def _unit(found: Fit) -> str:
    """That of the distance left, where all observations have one."""
    units = {one.unit for one in found.goodness}
    return units.pop() if len(units) == 1 else ""


def _goodness(found: Fit) -> str:
    heads = ("observation", "residuals", "worth", "size", "chi-square", "from frame to frame", "between neighbours")
    rows = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for one in found.goodness:
        chi = chance(one.chi) if np.isfinite(one.chi) else "–"
        both = (f"{rho:+.2f} ({chance(p)})" if np.isfinite(rho) else "–" for rho, p in (one.along, one.near))
        cells = (one.observation, one.count, f"{one.effective:.0f}", f"{one.size:.4g} {one.unit}", chi, *both)
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f"<table>{''.join(rows)}</table>"


def _residuals(found: Fit) -> list[Chart]:
    """How they are spread beside normal noise of their size, and each against the one a frame later."""
    charts = []
    if found.uncertainty is not None and found.noise > 0:
        shares = found.uncertainty.residuals / found.noise
        ends = np.linspace(-4.5, 4.5, 37)
        density, _ = np.histogram(np.clip(shares, ends[0], ends[-1]), ends, density=True)
        chart = Chart("all residuals", "residual over noise", "density", size=(420, 300))
        chart = chart.line(np.repeat(ends, 2)[1:-1], np.repeat(density, 2), "residuals")
        charts.append(chart.line(ends, np.exp(-(ends**2) / 2) / np.sqrt(2 * np.pi), "normal noise"))
    for one in found.goodness:
        if len(one.pairs) > 1:
            chart = Chart(f"observation {one.observation}", f"residual [{one.unit}]", "a frame later", size=(420, 300))
            charts.append(chart.points(one.pairs[:, 0], one.pairs[:, 1]))
    return charts[:MOST]


def _convergence(found: Fit) -> list[Chart]:
    steps = np.arange(len(found.history))
    left = np.maximum(found.history, 1e-300)
    charts = [
        Chart("distance left", "iteration", f"root mean square [{_unit(found)}]", log_y=True, size=(420, 300)).line(steps, left)
    ]
    paths = np.concatenate([path.reshape(len(steps), -1) for path in found.path.values()], axis=1)
    logs = [b.log for key, b in found.free.items() for _ in range(found.values[key].size)]
    for i, label in enumerate(found.labels[:MOST]):
        charts.append(Chart(label, "iteration", log_y=logs[i], size=(420, 300)).line(steps, paths[:, i]))
    return charts


def _over_time(found: Fit) -> Chart:
    left = found.left
    chart = Chart("residuals of each frame", "time", f"root mean square [{_unit(found)}]", "s", size=(860, 300))
    for number in np.unique(left[:, 0]):
        rows = left[left[:, 0] == number]
        if np.isfinite(rows[:, 2]).any():
            name = f"observation {number:.0f}"
            chart = chart.line(rows[:, 1], rows[:, 2], name).points(rows[:, 1], rows[:, 2], name)
    return chart


def _slices(found: Fit) -> list[Chart]:
    charts = []
    for label, (values, left) in found.slices().items():
        if np.isfinite(left).any():
            chart = Chart(label, label, "root mean square residual", size=(420, 300))
            charts.append(chart.line(values, left).points(values, left))
    return charts


def _correlations(found: Fit) -> str:
    names, matrix = found.labels, found.correlations
    rows = ["<tr><th></th>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr>"]
    for name, row in zip(names, matrix):
        hues = [f"rgba({'217,101,79' if c < 0 else '66,120,190'},{0.6 * abs(c):.2f})" for c in row]
        cells = "".join(f'<td style="background:{hue}">{c:+.3f}</td>' for hue, c in zip(hues, row))
        rows.append(f"<tr><td>{html.escape(name)}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"
