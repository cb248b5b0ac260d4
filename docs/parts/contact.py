"""Tables of contact, from benchmarks/results: W by size, scenes of a thesis, what responses cost, frames that were checked."""

from __future__ import annotations

import json

from . import ROOT
from .contact_figures import SECTION

RESULTS = ROOT / "benchmarks" / "results"
SIZES, COUNTS, BARS = (1029, 3000, 8232, 24000), (30, 60, 120, 240), (2499, 4851, 9555, 18963)
TITLES = {"none": "no `response`, so that they pass through each other, `Newton()`"}
GAINED = 1e-3  # of the kinetic energy, from which on it is worth a word
KNOWN = {  # of scenes with a closed form
    "moved [mm]": "moved {:,.3f} mm", "in the last half [mm]": "{:,.3f} mm of it in the last half",
    "acceleration, error": "acceleration {:+.0e} off", "speed that went over": "{:.1%} of the speed exchanged",
    "top at 1.0 s [m]": "top at {:.3f} m after 1 s", "energy gained": "energy gained: {:.2g} of the kinetic",
}  # fmt: skip


def kept(name: str) -> dict:
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def ms(value: float) -> str:
    """Two or three digits, as they are worth."""
    return f"{value:,.0f} ms" if value >= 20 else f"{value:.1f} ms" if value >= 1 else f"{value:.2f} ms"


def stages() -> str:
    """A step of the block of 58,800 unknowns, stage by stage, beside Table 4.1."""
    found = {place: {row[0]: row[1] for row in kept("contact")[place]["rows"]} for place in ("arm_2_cores", "h200")}
    lines = {
        "factor": ("factor", None),
        "free motion, with that factor": ("free motion", 41.45),
        "`W` by a solve for each row": ("W solves", 554.15),
        "`W` by isolated unknowns": ("W isolated", 13.53),
        "`W` by reuse of them": ("W reuse", 6.56),
        "forces from nothing": ("forces from nothing", 47.55),
        "forces from those of the step before": ("forces from those of the step before", None),
        "correction": ("correction", 3.83),
        "all of it without the factor, reuse": ("step without factor, reuse", 125.63),
    }
    rows = [
        [title, *(ms(found[place][name]) for place in found), ms(theirs) if theirs else ""]
        for title, (name, theirs) in lines.items()
    ]
    return table(["", "2 ARM cores", "H200", "thesis"], rows)


def sizes() -> str:
    """W of a fixed set of contacts on growing cubes and bars, and of more contacts on one mesh."""
    found = {place: {row[0]: row[1] for row in kept("contact")[place]["rows"]} for place in ("arm_2_cores", "h200")}
    cases = [("cube", n, 49 if n == SIZES[0] else 60) for n in SIZES] + [("bar", n, 49) for n in BARS]
    cases += [("cube", 12288, count) for count in COUNTS]
    rows = []
    for body, unknowns, contacts in cases:
        of = lambda place, way, unknowns=unknowns, contacts=contacts: ms(
            found[place][f"{unknowns} unknowns, {contacts} contacts, W {way}"]
        )
        cells = [of("arm_2_cores", way) for way in ("solves", "isolated", "reuse")] + [of("h200", "isolated")]
        rows.append([body, f"{unknowns:,}", str(contacts), *cells])
    return table(["body", "unknowns", "contacts", "ARM: solves", "isolated", "reuse", "H200: isolated"], rows)


def applications() -> str:
    """Table 4.3 beside ours."""
    rows, arm = [], kept("thesis_scenes")["arm_2_cores"]["applications"]
    for name, row in kept("thesis_scenes")["h200"]["applications"].items():
        _, constraints, step, W = row["thesis: unknowns, constraints, step, W"]
        here = [f"{found['step [ms]']:.0f} ms, {found['W [ms]']:.1f} ms" if found else "" for found in [arm.get(name)]]
        own = [f"{row['unknowns']:,}", f"{row['rows of W']:.0f}", f"{row['step [ms]']:.0f} ms, {row['W [ms]']:.1f} ms"]
        rows.append([name, *own, *here, f"{constraints:.0f}, {step:.0f} ms, {W:.1f} ms"])
    head = [
        "scene",
        "unknowns",
        "rows of `W`",
        "H200: step, `W`",
        "2 ARM cores: step, `W`",
        "thesis: constraints, step, `W`",
    ]
    return table(head, rows)


def costs() -> str:
    """Two blocks on each other with each response."""
    rows = []
    for name, row in kept("contact_cost")["result"].items():
        gap = 0.0 if abs(row["worst gap [mm]"]) < 5e-3 else row["worst gap [mm]"]
        shown = (f"{gap:+.2f}" if gap else "0.00").replace("-", "−") + " mm" + (" (floor)" if name == "none" else "")
        spent = f"{row['step [ms]']:.0f} ms"
        rows.append([TITLES.get(name, name), spent, shown, f"{row['converged']} of {row['steps']} steps"])
    return table(["contact", "CPU time of a step", "worst gap", "tolerance met"], rows)


def frames() -> str:
    """What the check of every frame of every example has found."""
    rows = []
    for name, row in sorted(kept("apart").items(), key=lambda item: (item[1]["response"], item[0])):
        depth = lambda value: "no obstacle" if value is None else f"{1e3 * value:+.3f} mm".replace("-", "−")
        gap = f"{1e3 * row['gap [m]']:.2f} mm" if row["gap [m]"] else "none"
        obstacles = [depth(row[key]) for key in ("deepest point in an obstacle [m]", "and between points, on faces [m]")]
        crossed = f"{row['frames in which surfaces cross']} of {row['frames']}"
        title = f"[{name.replace('_', ' ')}](examples/{name}.md)"
        rows.append([title, f"`{row['response']}`", str(row["contacts at most"]), crossed, gap, *obstacles])
    head = [
        "example",
        "response",
        "contacts, at most",
        "frames in which surfaces cross",
        "allowed",
        "points in obstacles",
        "faces in them",
    ]
    return table(head, rows)


def scale() -> str:
    """What ``pliant bench contact`` has found, machine by machine."""
    rows = []
    for record in kept("contact_scale").values():
        places = list(dict.fromkeys(name.rsplit(" ", 1)[0] for name in record["scenes"]))
        for name, row in sorted(record["scenes"].items(), key=lambda one: places.index(one[0].rsplit(" ", 1)[0])):
            scene, size, response = name.rsplit(" ", 2)
            has = lambda what, form, row=row: form.format(row[what]) if row.get(what) is not None else ""
            worth = lambda what, row=row: what in row and (what != "energy gained" or row[what] > GAINED)
            end = row.get("stopped", "")
            last = next((word for word in ("failed", "broke", "took more", "refused", "after") if word in end), "")
            words = {
                "": "all",
                "after": "time over",
                "refused": "refused",
                "took more": "then no end",
                "broke": "then broken",
            }
            end = ", ".join(part for part in (str(row.get("steps", "")) if last else "", words.get(last, "then failed")) if part)
            spent = ms(row["step, mean"]) + ", " + ms(row["step, worst"]) if "step, mean" in row else ""
            turns = has("iterations, median", "{:.0f}") + ", " + has("iterations, most", "{:.0f}")
            inside = f"{has('inside', '{}')}, {has('crossings', '{}')}"
            numbers = [
                spent,
                turns,
                has("converged", "{:.0%}"),
                has("error, worst", "{:.0e}"),
                inside,
                has("depth", "{:.2g} mm"),
            ]
            numbers.append("; ".join(has(what, form) for what, form in KNOWN.items() if worth(what)))
            numbers = numbers if "step, mean" in row else [""] * len(numbers)
            machine = row["machine"].split(",")[0]
            rows.append([f"{scene} {size.replace('x', ' × ')}", machine, f"`{response}`", end, *numbers])
    head = ["scene and size", "machine", "response", "steps", "mean and worst step", "iterations, median and most"]
    return table([*head, "converged", "error of a step", "vertices inside, crossings", "depth", "and"], rows)


def measured_on() -> str:
    """The machines of these figures."""
    said = []
    for record in kept("contact_scale").values():
        rows = list(record["scenes"].values())
        commits = ", ".join(dict.fromkeys(row["commit"] for row in rows))
        said.append(f"{rows[-1]['machine']} ({rows[-1]['precision']}, {max(row['date'] for row in rows)}, {commits})")
    return "Measured on " + "; ".join(said) + "."


def tables() -> dict[str, str]:
    """Tables that pages written by hand ask for."""
    return {
        "stages of contact": stages(), "compliance by size": sizes(), "scenes of Table 4.3": applications(),
        "cost of responses": costs(), "frames of examples": frames(),
        "contact at every scale": scale() + "\n\n" + measured_on(),
    }  # fmt: skip


def section() -> str:
    """The section on contact of the page of how fast it is."""
    text = SECTION
    for name, filled in tables().items():
        text = text.replace(f"<!-- table: {name} -->\n<!-- end -->", filled)
    return text
