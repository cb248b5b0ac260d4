"""Tables of assembly and preconditioners, from benchmarks/results/linear.json."""

from __future__ import annotations

import json
import re
from functools import cache

from . import ROOT

RESULTS = ROOT / "benchmarks" / "results" / "linear.json"
ASSEMBLED = re.compile(r"assembly of (\d+) tets (?:cpu \d threads )?(through the stored map|SciPy COO to CSR)")
SOLVED = re.compile(r"(?P<where>\d+ tets .+) ratio (?P<ratio>\S+) (?P<kind>.+): (?P<what>iterations|making|solving)")
ASSEMBLY = """## Assembly

Element matrices are summed into the sparse matrix through a map that is made once, and again only when nodes couple otherwise
than before: each entry adds up its own list of blocks, in a fixed order and without sorting anything.
`python -m benchmarks assembly` compares it with SciPy, which sorts the same 144 triplets of each tet into CSR (f64, both on two
cores; SciPy uses one).
"""
PRECONDITIONERS = """## Preconditioners

Conjugate gradients to 1e-6 with each preconditioner, on the matrix of a beam that swings by some 20° in four steps, f64, two
threads. Every other slice of the beam is stiffer by the ratio of the moduli. Cells are iterations, and ms to make the
preconditioner plus ms to solve. The factor of the matrix four steps before takes many iterations once the body has turned, and
few if it is turned with the nodes, which is what `AsyncCholesky()` does.
"""


@cache
def records() -> dict:
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def assembly(record: dict) -> str:
    found: dict[int, dict[str, float]] = {}
    for name, value, _ in record["rows"]:
        fit = ASSEMBLED.fullmatch(name)
        if fit:
            found.setdefault(int(fit[1]), {})[fit[2]] = value
    lines = ["| tets | stored map | SciPy COO→CSR | times as fast |", "|---|---|---|---|"]
    for size, ms in sorted(found.items()):
        ours, others = ms["through the stored map"], ms["SciPy COO to CSR"]
        lines.append(f"| {size:,} | {ours:.2f} ms | {others:.0f} ms | {others / ours:.0f} |")
    return "\n".join(lines)


def preconditioners(record: dict) -> str:
    found: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    for name, value, _ in record["rows"]:
        fit = SOLVED.fullmatch(name)
        if fit:
            found.setdefault((fit["where"], fit["kind"]), {}).setdefault(fit["ratio"], {})[fit["what"]] = value
    ratios = list(dict.fromkeys(ratio for cells in found.values() for ratio in cells))
    head = ["beam", "preconditioner", *(f"ratio {float(ratio):,.0f}" for ratio in ratios)]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for (where, kind), cells in found.items():
        shown = [f"{c['iterations']:.0f}: {c['making']:.1f} + {c['solving']:.0f} ms" for c in map(cells.get, ratios)]
        lines.append("| " + " | ".join([where, kind, *shown]) + " |")
    return "\n".join(lines)


def section() -> str:
    parts = []
    for about, made in ((ASSEMBLY, assembly), (PRECONDITIONERS, preconditioners)):
        parts.append(about)
        for machine, record in records().items():
            note = f" {record['note']}" if "note" in record else ""
            said = f"Measured on {record['machine']} ({record['date']}, {record['commit']})"
            parts += [made(record) + "\n", f"{said}; `python benchmarks/linear.py {machine}` keeps its rows.{note}\n"]
    return "\n".join(parts)
