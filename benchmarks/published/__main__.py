"""``python -m benchmarks.published [name …]``: solves the problems, prints a row for each, and keeps a record for the docs.

A row that misses its limit is printed in red and kept. Without names all are solved, some twenty minutes on one core.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import time
import warnings
from pathlib import Path

import pliant as pl
from benchmarks.machine import commit
from pliant.arguments.progress import bar
from pliant.cli.common.terminal import print_table
from pliant.errors import InputError, PliantError, PliantWarning, did_you_mean

from . import PROBLEMS
from .problem import Problem

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "benchmarks" / "results" / "published.json"
PICTURES = ROOT / "docs" / "pictures" / "published"
COLUMNS = ("problem", "number", "published", "here", "error", "limit", "seconds", "settings", "source")


def picture(problem: Problem) -> Path:
    """Where the picture of a problem lies."""
    words = "".join(c if c.isalnum() else " " for c in problem.name.lower())
    return PICTURES / f"{'_'.join(words.split())}.png"


def measured(problem: Problem, draw: bool) -> dict:
    """Solve a problem: our numbers, their errors and the seconds it took, or why there are none."""
    begin = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PliantWarning)  # thin tets, which these problems are about
            solved = problem.solve()
            taken = time.perf_counter() - begin
            if draw:
                PICTURES.mkdir(parents=True, exist_ok=True)
                pl.picture(solved.drawn, picture(problem), size=(320, 240), view=problem.view)
    except PliantError as error:
        return {"values": [], "errors": [], "seconds": time.perf_counter() - begin, "failed": str(error)}
    return {
        "values": [float(value) for value in solved.values],
        "errors": problem.errors(solved.values),
        "seconds": taken,
    }


def missed(problem: Problem, found: dict) -> bool:
    return "failed" in found or max(map(abs, found["errors"])) > problem.limit


def rows(problem: Problem, found: dict) -> list[tuple[str, ...]]:
    """A line of the table for each number, the name of the problem and the time it took in the first."""
    if "failed" in found:
        why = (found["failed"], "", "", "", "", f"{found['seconds']:.1f}")
        return [(problem.name, *why, problem.settings, problem.source)]
    lines = []
    for i, (quantity, value, error) in enumerate(zip(problem.quantities, found["values"], found["errors"])):
        first = i == 0
        name = f"{quantity.name} [{quantity.unit}]" if quantity.unit else quantity.name
        lines.append((
            problem.name if first else "", name, f"{quantity.reference:.6g}", f"{value:.6g}", f"{error:+.2%}",
            f"{problem.limit:.0%}" if first else "", f"{found['seconds']:.1f}" if first else "",
            problem.settings if first else "", problem.source if first else "",
        ))  # fmt: skip
    return lines


def chosen(names: list[str]) -> list[Problem]:
    known = {problem.name: problem for problem in PROBLEMS}
    for name in names:
        if name not in known:
            raise InputError(
                f"there is no published problem {name!r}{did_you_mean(name, list(known))}; known: {', '.join(known)}"
            )
    return [known[name] for name in names] or list(PROBLEMS)


def red(text: str) -> str:
    return f"\033[31m{text}\033[0m" if sys.stdout.isatty() else text


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.published", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="problems to solve (default: all)")
    parser.add_argument("--list", action="store_true", help="list them, and stop")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the rows in this file too")
    parser.add_argument("--record", action="store_true", help="keep rows and pictures where the docs find them")
    options = parser.parse_args(given)
    try:
        problems = chosen(options.names)
    except InputError as error:
        sys.exit(str(error))
    if options.list:
        print_table(("problem", "kind", "source"), [(p.name, p.kind, p.source) for p in problems])
        return 0
    found = {}
    where = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, PLIANT_THREADS={os.environ.get('PLIANT_THREADS', '')}",
        "commit": commit(),
        "date": datetime.date.today().isoformat(),
    }
    with bar("published problems", len(problems)) as advance:
        for problem in problems:
            found[problem.name] = measured(problem, options.record)
            lines = [" ".join(filter(None, row[:7])) for row in rows(problem, found[problem.name])]
            print(*(red(line) if missed(problem, found[problem.name]) else line for line in lines), sep="\n", flush=True)
            advance()
    print()
    lines = [row for problem in problems for row in rows(problem, found[problem.name])]
    print_table(COLUMNS, lines)
    misses = [problem.name for problem in problems if missed(problem, found[problem.name])]
    within = f"{len(problems) - len(misses)} of {len(problems)} within their limits"
    print(f"{within}; not {', '.join(misses)}" if misses else within)
    for path in filter(None, (options.json, RECORD if options.record else None)):
        keep(path, problems, found, where)
    return 0


def keep(path: Path, problems: list[Problem], found: dict, where: dict) -> None:
    """Rows in a file, beside those of problems that were solved before, in the order of PROBLEMS."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for problem in problems:
        about = {name: getattr(problem, name) for name in ("kind", "limit", "source", "settings", "note")}
        about["quantities"] = [[q.name, q.reference, q.unit] for q in problem.quantities]
        known[problem.name] = about | found[problem.name] | {"picture": picture(problem).name} | where
    ordered = {problem.name: known[problem.name] for problem in PROBLEMS if problem.name in known}
    path.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
