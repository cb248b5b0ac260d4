"""The page of published problems, made from benchmarks/results/published.json."""

from __future__ import annotations

import json

from . import ROOT

RESULTS = ROOT / "benchmarks" / "results" / "published.json"
ABOUT = """# Published problems

What others have published, solved here with the settings that each row names and defaults for all else.
`python -m benchmarks.published` solves all of it, `python -m benchmarks.published "twisted beam"` one, `--list` lists them;
with `--record` this page follows after `python docs/make.py pages`. Problems are in `benchmarks/published`, one function for
each; those that take less than three seconds are tests too.

Limits are 1 % for solids and dynamics, 2 % for shells and 3 % for contact, of the published number; where a row has several
numbers, the worst counts. Misses stay here, in red, with the reason as far as it is known.
"""
RED = '<span style="color:#c0392b">{}</span>'


def records() -> dict[str, dict]:
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def within(row: dict) -> bool:
    return bool(row["errors"]) and max(map(abs, row["errors"])) <= row["limit"]


def line(name: str, row: dict) -> str:
    """A row of the table: our numbers beside the published ones."""
    published = " · ".join(f"{reference:.6g} {unit}".strip() for _, reference, unit in row["quantities"])
    begin = f"| [{name}](#{anchor(name)}) | {row['kind']} | {published}"
    if not row["errors"]:
        return f"{begin} | {RED.format('none')} | | {row['seconds']:.1f} |"
    error = " · ".join(f"{100 * e:+.2f} %" for e in row["errors"])
    found = " · ".join(f"{value:.5g}" for value in row["values"])
    return f"{begin} | {found} | {error if within(row) else RED.format(error)} | {row['seconds']:.1f} |"


def anchor(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum() or c in "- _").replace(" ", "-")


def section(name: str, row: dict) -> str:
    numbers = ", ".join(quantity[0] for quantity in row["quantities"])
    parts = [f"### {name}", f"{row['source']}.", f"Numbers: {numbers}. Settings: {row['settings']}."]
    if "failed" in row:
        parts.append(RED.format(f"No answer: {row['failed']}."))
    if row["note"]:
        parts.append(row["note"])
    if row["errors"]:
        parts.append(f"![{name}](pictures/published/{row['picture']})")
    return "\n\n".join(parts)


def page() -> str:
    found = records()
    good = sum(within(row) for row in found.values())
    machines = sorted({(row["machine"], row["commit"], row["date"]) for row in found.values()})
    where = "; ".join(f"{machine}, commit {commit}, {date}" for machine, commit, date in machines)
    table = ["| problem | kind | published | here | error | s |", "|---|---|---|---|---|---|"]
    table += [line(name, row) for name, row in found.items()]
    said = f"{good} of {len(found)} are within their limits. Seconds are without compiling on a shared machine ({where})."
    sections = [section(name, row) for name, row in found.items()]
    return "\n\n".join([ABOUT.rstrip(), said, "\n".join(table), "## One by one", *sections])
