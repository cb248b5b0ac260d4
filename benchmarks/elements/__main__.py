"""Error against unknowns and time for every kind of element: ``python -m benchmarks.elements`` prints the tables.

Each problem is solved with a finer and finer mesh; linear elasticity, one direct solve. Errors are parts of the exact
displacement, and of the exact stress (von Mises) as ``Simulation.field`` shows it.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np

from pliant.errors import PliantWarning

from .problems import PROBLEMS, Solved

KINDS = ("linear tets", "quadratic tets", "lattice", "averaged lattice", "hexahedra", "averaged hexahedra")
EDGES = {
    "cantilever": (0.1, 0.05, 0.025),
    "hollow ball": (0.25, 0.125, 0.0625),
    "thick plate": (0.1, 0.05, 0.025),
    "incompressible block": (0.25, 0.125, 0.0625),
}


def study(names: list[str], kinds: list[str], finest: int) -> list[dict]:
    """All of it, a row for each solve, printed as it comes."""
    rows = []
    for name in names:
        for kind in kinds:
            if "averaged" in kind and name != "incompressible block":
                continue
            for edge in EDGES[name][:finest]:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", PliantWarning)
                    found: Solved = PROBLEMS[name](kind, edge)
                rows.append({"problem": name, "element": kind, "edge": edge, **found.__dict__})
                print(line(rows[-1]), flush=True)
    return rows


def line(row: dict) -> str:
    """A row of the table."""
    stress = "" if np.isnan(row["stress"]) else f"{row['stress']:.2%}"
    return (
        f"| {row['problem']} | {row['element']} | {row['unknowns']:,} | {row['seconds']:.2g} | {row['displacement']:.2%} | "
        f"{stress} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.elements", description=__doc__)
    parser.add_argument("--problems", nargs="*", default=list(PROBLEMS), help="some of them (default: all)")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), help="some kinds of element (default: all)")
    parser.add_argument("--finest", type=int, default=3, help="how many meshes of each (default: 3)")
    parser.add_argument("--out", type=Path, help="file for the values, as JSON")
    options = parser.parse_args()
    print("| problem | element | unknowns | CPU seconds | error of displacement | of stress |\n|---|---|---|---|---|---|")
    rows = study(options.problems, options.kinds, options.finest)
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
