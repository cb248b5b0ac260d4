"""The results of the studies as charts and as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pliant as pl

LEAST = 1e-10  # errors below are not drawn
SHOWN = (1, 2, 5, 10, 20, 60)  # iterations in tables


def chart(title: str, curves: dict[str, dict], against: str, longest: float | None = None) -> pl.render.Chart:
    """Relative error, on a logarithmic axis, against "iterations" or "time", up to ``longest`` of them."""
    unit = {"x_unit": "s"} if against == "time" else {}
    made = pl.render.Chart(title, against, "relative error", log_y=True, size=(880, 400), **unit)
    for name, curve in curves.items():
        errors = np.asarray(curve["errors"])
        x = np.asarray(curve["seconds"]) if against == "time" else np.arange(len(errors))
        stop = int(np.argmax(errors < LEAST)) + 1 if (errors < LEAST).any() else len(errors)
        seen = (x <= (np.inf if longest is None else longest)) & (np.arange(len(x)) < stop)
        made = made.line(x[seen], np.maximum(errors[seen], LEAST), name)
    return made


def charts(results: dict) -> dict[str, pl.render.Chart]:
    """Every chart by the name of its file."""
    calm, jolted = results["calm"], results["jolted"]
    end = 1.5 * calm["matrices"]["ours"]["seconds"][-1]  # [s] what the time axes show

    def plain(errors: dict[str, list[float]]) -> dict[str, dict]:
        return {name: {"errors": values} for name, values in errors.items()}

    curtain = plain({name: curve["errors"] for name, curve in results["curtain"].items() if name != "Newton, PCG"})
    return {
        "matrices_iterations": chart("Initial matrix of L-BFGS, calm frame", calm["matrices"], "iterations"),
        "matrices_time": chart("Initial matrix of L-BFGS, calm frame", calm["matrices"], "time", end),
        "matrices_jolted_iterations": chart("Initial matrix of L-BFGS, jolted frame", jolted["matrices"], "iterations"),
        "matrices_jolted_time": chart("Initial matrix of L-BFGS, jolted frame", jolted["matrices"], "time", end),
        "windows": chart("Window of the history, calm frame", calm["windows"], "iterations"),
        "intervals": chart("Stretches of the stiffness fit, calm frame", calm["intervals"], "iterations"),
        "linear_time": chart("Newton and conjugate gradients, calm frame", calm["linear"], "time", 2 * end),
        "incomplete_time": chart("Frame Hessian by PCG, calm frame", calm["incomplete"], "time", end),
        "curtain": chart("Springs: one frame of the curtain", curtain, "iterations"),
        "stiffness": chart("Springs: stiffness, 441 nodes", plain(results["stiffness"]), "iterations"),
        "resolution": chart("Springs: resolution, k ∝ resolution", plain(results["resolution"]), "iterations"),
    }


def save_charts(results: dict, folder: Path, kind: str = "svg") -> None:
    """Write convergence_NAME.svg (or .png) of every chart."""
    for name, made in charts(results).items():
        made.save(folder / f"convergence_{name}.{kind}")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def _time(seconds: float) -> str:
    """Milliseconds; a dash where there are none, or where an error was not reached."""
    return f"{1e3 * seconds:.3g} ms" if 1e-4 < seconds < np.inf else "–"


def _until(curve: dict, error: float) -> float:
    return next((s for e, s in zip(curve["errors"], curve["seconds"]) if e <= error), np.inf)


def _at(errors: list[float], k: int) -> str:
    """The error after k iterations; a method that has arrived before stays where it is."""
    value = errors[min(k, len(errors) - 1)]
    return f"{value:.1e}" if value > 1e-12 else "< 1e-12"


def curves_table(curves: dict[str, dict]) -> str:
    """Errors after some iterations, and the time to two errors."""
    head = ["", *[str(k) for k in SHOWN], "set up once", "to 1e-3", "to 1e-6"]
    rows = [
        [name, *[_at(c["errors"], k) for k in SHOWN], _time(c["once"]), _time(_until(c, 1e-3)), _time(_until(c, 1e-6))]
        for name, c in curves.items()
    ]
    return _table(head, rows)


def tables(results: dict) -> dict[str, str]:
    """Every table by name."""
    made = {}
    for frame in ("calm", "jolted"):
        for figure, curves in results[frame].items():
            made[f"{frame} {figure}"] = curves_table(curves)
    head = ["springs", *[str(k) for k in (1, 10, 100)]]
    for sweep in ("stiffness", "resolution"):
        rows = [[name, *[f"{e[k]:.1e}" for k in (1, 10, 100)]] for name, e in results[sweep].items()]
        made[sweep] = _table(head, rows)
    shown = (1, 10, 100, 1000)
    rows = [
        [
            name,
            *[f"{_at(c['errors'], k)} in {1e3 * c['seconds'][min(k, len(c['seconds']) - 1)]:,.0f} ms" for k in shown],
        ]
        for name, c in results["curtain"].items()
    ]
    made["curtain"] = _table(["one frame", "1", "10", "100", "1000"], rows)
    rows = [[name, *[f"{v:.2f}" for v in values]] for name, values in results["condition"].items()]
    made["condition"] = _table(["A⁽⁰⁾", "as it lies", "turned by 90°"], rows)
    solvers = list(results["claim"][0]["ms"])
    rows = [
        [
            f"{row['tets']:,}",
            row["frame"],
            *[f"{row['error'][s]:.1e} in {row['ms'][s]:.3g} ms" for s in solvers],
            f"{row['ms'][solvers[1]] / row['ms'][solvers[0]]:.2g}",
        ]
        for row in results["claim"]
    ]
    made["claim"] = _table(["tets", "frame", *solvers, "Direct / QuasiNewton"], rows)
    return made
