"""Charts and tables of time to accuracy, drawn from benchmarks/results/accuracy.json."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np

import pliant as pl

from . import PICTURES, ROOT

RESULTS = ROOT / "benchmarks" / "results" / "accuracy.json"
ROW = re.compile(r"(?P<where>\d+ tets .+) E=(?P<young>\S+) (?P<solver>.+), (?P<what>step|error|iterations)")
KINDS = {"QuasiNewton": "quasi-Newton", "Newton": "Newton"}
COLOURS = {("QuasiNewton", 0): "#e3a33c", ("QuasiNewton", 1): "#d9654f", ("QuasiNewton", 2): "#8f4f3a",
           ("Newton", 0): "#8fb8d8", ("Newton", 1): "#3f7fb5", ("Newton", 2): "#22486b"}  # fmt: skip
ABOUT = """## Time to accuracy

What a step costs is one half of the question; the other is how much of the motion it gets wrong. `python -m benchmarks accuracy`
starts all solvers from the same state of a swinging beam, large in displacement, and compares where their step ends with the
exact solution x\\* of the step (f64, solved to 1e-9): the error is |x − x\\*| / |x\\* − x₀|, a share of the motion of that step.
E = 10⁵, 10⁶ and 10⁷ Pa are the same beam soft, middling and stiff at dt = 1/60 s. A quasi-Newton step is as good as its
iterations, most of all on stiff bodies; Newton's method stops where its tolerance says.

Rounding plays no part in either down to some 1e-6: in f32 positions are double and everything else is single, so that the strain
of an element has all the digits of f32 on meshes of any fineness, at any stiffness and any distance from the origin.
"""


@cache
def records() -> dict:
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def found(machine: str) -> dict[str, dict[tuple[str, str], dict[str, float]]]:
    """Where → (modulus, solver) → ms, error and iterations."""
    places: dict[str, dict[tuple[str, str], dict[str, float]]] = {}
    for name, value, _ in records()[machine]["rows"]:
        fit = ROW.fullmatch(name)
        if fit:
            solvers = places.setdefault(fit["where"], {})
            solvers.setdefault((fit["young"], fit["solver"]), {})[fit["what"]] = value
    return places


def single(machine: str) -> list[str]:
    """Places in f32, each with its own chart."""
    return [where for where in found(machine) if " f32" in where]


def file_of(machine: str, where: str) -> str:
    return "accuracy_" + re.sub(r"[^a-z0-9]+", "_", f"{machine} {where}".lower())


def chart(machine: str, where: str) -> pl.render.Chart:
    solvers = found(machine)[where]
    drawn = pl.render.Chart(where, "time of a step", "error, of the motion", x_unit="s", log_x=True, log_y=True, size=(680, 420))
    for kind, word in KINDS.items():
        for shade, young in enumerate(dict.fromkeys(young for young, _ in solvers)):
            rows = [v for (y, s), v in solvers.items() if y == young and s.startswith(kind) and "Direct" not in s]
            x, y = np.array(sorted([1e-3 * v["step"], v["error"]] for v in rows)).T
            name, colour = f"{word}, E = {float(young):.0e} Pa", COLOURS[kind, shade % 3]
            drawn = drawn.line(x, y, name, colour).points(x, y, name, colour)
    return drawn


def pictures() -> dict[Path, str]:
    return {PICTURES / f"{file_of(m, w)}.svg": chart(m, w).svg() for m in records() for w in single(m)}


def table(machine: str, where: str) -> str:
    """Solvers by rows, moduli by columns; the error in f64 beside that in f32 where it was measured."""
    solvers, double = found(machine)[where], found(machine).get(where.replace(" f32", " f64"), {})
    moduli = list(dict.fromkeys(young for young, _ in solvers))
    head = ["solver", *(f"E = {float(y):.0e} Pa: ms, error f32, f64" for y in moduli)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for solver in dict.fromkeys(s for _, s in solvers):
        cells = []
        for young in moduli:
            one, other = solvers[young, solver], double.get((young, solver))
            beside = f"{other['error']:.0e}" if other else "–"
            ms = f"{one['step']:.0f}" if one["step"] >= 100 else f"{one['step']:.3g}"
            cells.append(f"{ms}, {one['error']:.0e}, {beside}")
        lines.append("| " + " | ".join([f"`{solver}`", *cells]) + " |")
    return "\n".join(lines)


def section() -> str:
    parts = [ABOUT]
    for machine, record in records().items():
        for where in single(machine):
            parts += [f"![{where}](pictures/{file_of(machine, where)}.svg)\n", table(machine, where) + "\n"]
        said = f"Measured on {record['machine']} ({record['date']}, {record['commit']}) by `python -m benchmarks accuracy`"
        note = f" {record['note']}" if "note" in record else ""
        parts.append(f"{said}; `python benchmarks/accuracy.py {machine}` keeps its rows.{note}\n")
    return "\n".join(parts)
