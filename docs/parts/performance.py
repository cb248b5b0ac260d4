"""Charts and the page of how fast it is, drawn from the files of benchmarks/results."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import pliant as pl

from . import MADE, PICTURES, ROOT, accuracy, contact, linear

RESULTS = ROOT / "benchmarks" / "results"
ARM, GPU = "arm_2_cores", "h200"
COLOURS = {ARM: ("#e3a33c", "#d9654f", "#3a9c84", "#8b6bb1"), GPU: ("#3f7fb5", "#3a9c84")}


@cache
def measured(machine: str) -> dict:
    """The newest file of a machine."""
    return json.loads(max(RESULTS.glob(f"[0-9]*_{machine}.json")).read_text(encoding="utf-8"))


def series(machine: str, pattern: str) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and values of the rows whose name fits ``pattern``, whose one group is the size."""
    found = {}
    for name, value, _ in measured(machine)["rows"]:
        fit = re.fullmatch(pattern, name)
        if fit:
            found[float(fit[1].replace(",", ""))] = value
    if not found:
        raise KeyError(f"no row of {machine} fits {pattern!r}")
    return np.array(sorted(found)), np.array([found[size] for size in sorted(found)])


def value(machine: str, name: str) -> float:
    return next(v for n, v, _ in measured(machine)["rows"] if n == name)


def growth(x: np.ndarray, y: np.ndarray) -> float:
    """p of y ∝ xᵖ between the two largest sizes."""
    return float(np.log(y[-1] / y[-2]) / np.log(x[-1] / x[-2]))


@dataclass(frozen=True)
class Line:
    """A series of one machine: its name in the legend, and the pattern of its rows."""

    machine: str
    name: str
    pattern: str
    scale: float = 1.0  # from the rows' unit to the chart's
    shade: int = 0

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        x, y = series(self.machine, self.pattern)
        return x, self.scale * y


@dataclass(frozen=True)
class Plot:
    """A chart of the page and its text."""

    file: str
    title: str
    x: str
    y: str
    unit: str
    lines: tuple[Line, ...]
    commands: tuple[str, ...]
    about: str

    def chart(self) -> pl.render.Chart:
        chart = pl.render.Chart(self.title, self.x, self.y, y_unit=self.unit, log_x=True, log_y=True, size=(680, 380))
        for line in self.lines:
            x, y = line.read()
            colour = COLOURS[line.machine][line.shade]
            chart = chart.line(x, y, line.name, colour).points(x, y, line.name, colour)
        return chart

    def section(self) -> str:
        """The chart with its numbers, how they grow, and what made them."""
        rows = ["| " + " | ".join(["series", "sizes", f"{self.y} [{self.unit}]" if self.unit else self.y, "grows as"]) + " |",
                "|---|---|---|---|"]  # fmt: skip
        for line in self.lines:
            x, y = line.read()
            sizes = " · ".join(f"{v:,.0f}" for v in x)
            values = " · ".join(f"{v:,.0f}" if v >= 1000 else f"{v:.3g}" for v in y)
            power = f"size<sup>{growth(x, y):.2f}</sup>".replace("-", "−") if len(x) > 1 else ""
            rows.append(f"| {line.name} | {sizes} | {values} | {power} |")
        files = [measured(machine) for machine in dict.fromkeys(line.machine for line in self.lines)]
        machines = " and ".join(f"{file['machine']} ({file['date']})" for file in files)
        how = ", ".join(f"`{c}`" for c in self.commands)
        return (
            f"## {self.title}\n\n{self.about}\n\n![{self.title}](pictures/{self.file}.svg)\n\n" + "\n".join(rows) + "\n\n"
            f"Measured on {machines} by {how}.\n"
        )


NEO = r"neo-Hookean (\d+) tets"
PLOTS = (
    Plot(
        "speed_steps", "Steps per second", "tets", "steps of ten iterations per second", "1/s",
        (
            Line(ARM, "ARM, 1 thread", NEO + " cpu f32 1 thread, steps of ten iterations"),
            Line(ARM, "ARM, 2 threads", NEO + " cpu f32 2 threads, steps of ten iterations", shade=1),
            Line(GPU, "H200", NEO + " cuda f32, steps of ten iterations"),
        ),
        ("python -m benchmarks quasi_newton --set largest=1000000", "python benchmarks/gpu.py out.json"),
        "`QuasiNewton(iterations=10)` on a neo-Hookean beam held at one end, f32. The CPU is in "
        "proportion to the size: most of an "
        "iteration is one pass over the elements. The GPU is not yet full at 25,000 tets, so there size costs little.",
    ),
    Plot(
        "speed_newton", "Newton's method to convergence", "tets", "seconds a step", "s",
        (
            Line(ARM, "ARM, 2 threads", r"beam (\d+) tets cpu f64 step", 1e-3, 1),
            Line(GPU, "H200", r"beam (\d+) tets cuda f64 step", 1e-3),
        ),
        ("pliant bench step", "python benchmarks/gpu.py out.json"),
        "`Newton()` with `PCG()`, f64, to a scaled residual of 1e-7. Newton iterations hardly grow in number; conjugate "
        "gradients take about twice as many turns for twice as many elements along an edge.",
    ),
    Plot(
        "speed_gradient", "One pass over the elements", "tets", "seconds for a gradient", "s",
        (
            Line(ARM, "ARM, 2 threads", r"StableNeoHookean f32 gradient at (\d+) tets", 1e-3, 1),
            Line(GPU, "H200", r"StableNeoHookean f32 gradient at (\d+) tets", 1e-3),
        ),
        ("pliant bench elements", "python benchmarks/gpu.py out.json"),
        "The force of `StableNeoHookean` on all nodes, f32. In proportion to the size on the CPU; flat on "
        "the GPU until a launch has enough to do.",
    ),
    Plot(
        "speed_memory", "Memory of the factor", "tets", "bytes", "B",
        (
            Line(ARM, "CPU, f32", NEO + " cpu f32 1 thread, memory of the factor", 1e6),
            Line(GPU, "H200, f32", NEO + " cuda f32, memory of the factor", 1e6),
        ),
        ("python -m benchmarks quasi_newton --set largest=1000000", "python benchmarks/gpu.py out.json"),
        "`QuasiNewton` and `ProjectiveDynamics` keep one factor of an n×n matrix. It is what grows faster "
        "than the body. Elements take "
        "125 bytes a tet besides (f32, `pliant bench elements`).",
    ),
    Plot(
        "speed_cholesky", "Factor and solve", "nodes", "seconds", "s",
        (
            Line(ARM, "factor again", r"(\d+) nodes f64 refactor", 1.0),
            Line(ARM, "SuperLU factor", r"(\d+) nodes splu in our order, factor", 1.0, 1),
            Line(ARM, "solve", r"(\d+) nodes f64 solve 3", 1e-3, 2),
            Line(ARM, "SuperLU solve", r"(\d+) nodes splu in our order, solve 3", 1e-3, 3),
        ),
        ("python -m benchmarks cholesky",),
        "The sparse Cholesky of `linear/cholesky` on two threads, f64, against SciPy's SuperLU in the same "
        "elimination order; a solve has three "
        "right-hand sides.",
    ),
    Plot(
        "speed_lattice", "Lattice force differential", "cells", "seconds", "s",
        (
            Line(ARM, "K₂, ARM, 2 threads", r"K2 force differential (\d+) cells cpu f32 2 threads", 1e-3, 1),
            Line(ARM, "K₁, ARM, 2 threads", r"K1 force differential (\d+) cells cpu f32 2 threads", 1e-3),
            Line(GPU, "K₂, H200", r"K2 force differential (\d+) cells cuda f32", 1e-3),
            Line(GPU, "K₁, H200", r"K1 force differential (\d+) cells cuda f32", 1e-3, 1),
        ),
        ("python -m benchmarks lattice", "python -m benchmarks lattice --set device=cuda"),
        "The product of the tangent with a vector, without a matrix, which the Krylov method of "
        "[`Mixed`](mixed.md) repeats. K₂ samples every "
        "point of a cell, K₁ its centre.",
    ),
    Plot(
        "speed_batch", "Many scenes at once", "scenes", "steps of one scene per second", "1/s",
        (Line(GPU, "H200, 960 tets each", r"batch of (\d+) scenes of 960 tets, steps of one scene"),),
        ("python benchmarks/gpu.py out.json",),
        "[`Batch`](batches.md): small scenes share launches, so the first hundreds cost almost nothing.",
    ),
)  # fmt: skip

INTRO = """# Performance

Each chart is drawn from the rows in [benchmarks/results](../benchmarks/results), which name machine, date and commit. To
measure your own machine, run the command below a chart; each prints `name value unit` lines.

**How cost grows**, as a power of the size between the two largest bodies measured (the last column of each table). On the
two ARM cores a frame of ten quasi-Newton iterations takes time as size<sup>{frame:.2f}</sup> and a pass over the elements as
size<sup>{gradient:.2f}</sup>. The factor of the quasi-Newton matrix takes memory as size<sup>{memory:.2f}</sup> and time as
size<sup>{factor:.2f}</sup>; it is made once and again only when a material, `dt` or the mass changes. On the H200 a frame takes
time as size<sup>{gpu:.2f}</sup> up to a million tets: it is not full before.

**What to do when it is too slow**, in this order: `precision="f32"`; `QuasiNewton(iterations=10)` instead of Newton to
convergence; a [lattice](lattice.md) or a coarser mesh that carries the fine surface; `device="cuda"` from some ten thousand
elements on; a [batch](batches.md) for many small scenes. [Choose a solver](choose_solver.md) has the decision table.

**Between kernels** a CPU does not return to Python: launches are recorded once, loops and their stopping tests included,
and an iteration of Newton's method, from the matrix to the energy at the end of its step, or a whole quasi-Newton solve is then
one call, in which the threads wait for each other by atomic words alone (`launch_graph.py`, `threads.py`); a GPU has graphs for
this. A step of `Newton()` on a beam of 1,600 tets makes 9 calls, where its launches one by one are 447; a step of
`QuasiNewton()` makes 6, where they are 415. The rest is arithmetic: in the steps of the demo (940 launches, 56 calls) a
quarter is the passes of conjugate gradients, a seventh each the sums of element matrices and those of the damping, which are
projected and take singular values, and a tenth the exact element matrices (`python benchmarks/kernels.py`, one thread). The demo
takes 3.6 iterations of Newton's method and 66 of conjugate gradients a step, to a residual of 1e-7: on two ARM cores it runs at
1.2 times real time in f64, and at 1.7 times in f32 to 1e-4 (`python benchmarks/demo.py`, `benchmarks/results/demo.json`). In
processor time on one such core a step of Newton's method takes a fifth to a sixth of what it took at commit fa80682, at 1,600 and
6,400 tets, half of that by fewer iterations; a step of `QuasiNewton()` takes half at 1,600 and two thirds at 6,400 (`python
benchmarks/before.py`, `benchmarks/results/step.json`). On 16 threads of an x86 server a Newton step of 25,000
tets takes 13 ms where one thread takes 73, 5.7 times as long, and one of `QuasiNewton()` 8 in place of 41; arithmetic that needs
no memory gains 12.5 times there (`python benchmarks/threads.py --repeats 12`, `benchmarks/results/threads.json`; in another
run Newton gained 4.7). Every thread keeps the same part of the matrix, which stays in its own cache; the rest are the short
passes over 32 aggregates, after each of which threads meet.
"""


def introduction() -> str:
    """The first paragraphs, with the powers that were measured."""
    lines = {plot.file: plot.lines for plot in PLOTS}
    powers = {
        "frame": -growth(*lines["speed_steps"][1].read()),
        "gpu": -growth(*lines["speed_steps"][2].read()),
        "gradient": growth(*lines["speed_gradient"][0].read()),
        "memory": growth(*lines["speed_memory"][0].read()),
        "factor": growth(*lines["speed_cholesky"][0].read()),
    }
    return INTRO.format(**powers)


def pictures() -> dict[Path, str]:
    """Every chart of the page, as SVG."""
    return {PICTURES / f"{plot.file}.svg": plot.chart().svg() for plot in PLOTS} | accuracy.pictures()


def laws() -> list[str]:
    """Laws that were measured, sums as they were written."""
    names = (re.fullmatch(r"(.+) f32 gradient 2 threads", name) for name, *_ in measured(ARM)["rows"])
    return list(dict.fromkeys(fit[1] for fit in names if fit))


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def law_table() -> str:
    """ms for energy, gradient and tangent product of every law on both machines."""
    rows = []
    for law in laws():
        arm = [value(ARM, f"{law} f32 {what} 2 threads") for what in ("energy", "gradient", "tangent")]
        gpu = [value(GPU, f"{law} f32 {what} 998250 tets") / 9.9825 for what in ("gradient", "tangent")]
        rows.append([law, *(f"{v:.1f}" for v in arm), *(f"{v:.4f}" for v in gpu)])
    return table(["law", "ARM energy", "gradient", "tangent product", "H200 gradient", "tangent product"], rows)


def cost_of_laws() -> str:
    """How many times the gradient and the tangent product of each law cost those of the cheapest."""

    def cost(law: str, what: str) -> float:
        return value(ARM, f"{law} f32 {what} 2 threads") / value(ARM, f"LinearElastic f32 {what} 2 threads")

    ranked = sorted(laws(), key=lambda law: cost(law, "gradient"))
    rows = [[name, *(f"{cost(name, what):.1f}×" for what in ("gradient", "tangent"))] for name in ranked]
    return table(["law", "force", "tangent product"], rows)


def cost_of_solvers() -> str:
    """A step of each solver on the two machines, and how far it came."""
    arm, gpu = "neo-Hookean 102400 tets cpu f32 2 threads, ", "neo-Hookean 102400 tets cuda f32, "
    rows = [["`QuasiNewton(iterations=10)`", "102,400 tets, f32", f"{value(ARM, arm + 'step of ten iterations'):.0f} ms",
             f"{value(GPU, gpu + 'step of ten iterations'):.1f} ms",
             f"a scaled residual of {value(ARM, arm + 'scaled residual after ten'):.2f}"]]  # fmt: skip
    for size in (12800, 102400):
        there = [value(ARM, f"beam {size} tets cpu f64 step")] if size == 12800 else []
        time = value(GPU, f"beam {size} tets cuda f64 step")
        turns = [value(GPU, f"beam {size} tets cuda f64 {kind} iterations") for kind in ("Newton", "linear")]
        rows.append(["`Newton()`", f"{size:,} tets, f64", f"{there[0]:.0f} ms" if there else "not measured", f"{time:.0f} ms",
                     f"1e-7, in {turns[0]:.1f} Newton and {turns[1]:.0f} linear iterations"])  # fmt: skip
    newton = "Newton iteration preconditioned 13524 cells "
    rows.append(["`Mixed()`, an iteration", "13,524 cells, f32", f"{value(ARM, newton + 'cpu f32 2 threads'):.0f} ms",
                 f"{value(GPU, newton + 'cuda f32'):.0f} ms", "its linear system to 2 %"])  # fmt: skip
    return table(["a step of", "body", "ARM, 2 threads", "H200", "reaches"], rows)


def agreement() -> str:
    """Bars of tets and on lattices, and what refinement still changes (benchmarks/lattice/materials.py)."""
    found = json.loads((RESULTS / "lattice_materials.json").read_text(encoding="utf-8"))
    rows = [
        [
            r["law"],
            r["bar"],
            f"{100 * r['tets']:.1f} %",
            f"{100 * r['lattice']:.1f} %",
            f"{100 * r['difference']:.1f} %",
        ]
        for r in found
        if r["law"] in ("Corotated", "StableNeoHookean", "MooneyRivlin")
    ]
    return table(["law", "bar", "tets change by", "lattice changes by", "fine tets to fine lattice"], rows)


def errors_of_elements() -> str:
    """What benchmarks/elements found: a row for each problem and element, its meshes from coarse to fine."""
    found = json.loads((RESULTS / "elements.json").read_text(encoding="utf-8"))
    lines = [
        "| problem | element | unknowns | CPU seconds | error of displacement | error of stress |",
        "|---|---|---|---|---|---|",
    ]
    for problem, element in dict.fromkeys((row["problem"], row["element"]) for row in found):
        own = [row for row in found if (row["problem"], row["element"]) == (problem, element)]
        cells = (
            " · ".join(f"{row['unknowns']:,}" for row in own),
            " · ".join(f"{row['seconds']:.2g}" for row in own),
            *(_percents([row[name] for row in own]) for name in ("displacement", "stress")),
        )
        lines.append(f"| {problem} | {element} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _percents(parts: list[float]) -> str:
    """Parts as percentages of two digits; nothing where they are no numbers."""
    if any(part != part for part in parts):
        return ""
    return " · ".join(f"{100 * part:.2g}" if part < 1 else f"{100 * part:.0f}" for part in parts) + " %"


def tables() -> dict[str, str]:
    """Tables that pages written by hand ask for."""
    return {
        "cost of laws": cost_of_laws(),
        "cost of solvers": cost_of_solvers(),
        "tets and lattices": agreement(),
        "errors of elements": errors_of_elements(),
    }


def viewer_table() -> str:
    """What benchmarks/view.py found, a row a run."""
    found = json.loads((RESULTS / "view.json").read_text(encoding="utf-8"))
    lines = [
        "## The viewer", "",
        "A block of tets under a surface of 20,000 triangles is stepped while a client in another process watches it, coloured",
        "by stress, and moves a hand. The delay is from the moment when a movement is sent, right after a frame has come, to the",
        "frame of a step that was begun with it. Processor time is that of the server's thread and of the snapshots, stress",
        "included. A soak adds random drags and slider moves; memory is given at both ends of the time.", "",
        "| machine, device | tets | step, iterations | steps/s (of real time) | frames/s | CPU ms, bytes a frame | "
        "delay, median / 95 % | memory |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for row in found:
        cost = row["server [CPU-ms/frame]"] + row["snapshot with stress [CPU-ms/frame]"]
        held = row["memory in quarters [MB]"]
        cells = (
            f"{row['machine']}, {row['device'].split(':')[0]}", f"{row['tets']:,}",
            f"{1e3 * row['dt [s]']:.1f} ms, {row['iterations']}", f"{row['steps [1/s]']} ({row['of real time']})",
            row["frames delivered [1/s]"], f"{cost:.1f}, {row['frame [bytes]']:,}",
            f"{row['movement to frame, median [ms]']} / {row['movement to frame, 95 % [ms]']} ms",
            f"{held[0]} … {held[-1]} MB" + (f", soak of {row['seconds'] / 60:.0f} min" if row["soak"] else ""),
        )  # fmt: skip
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    said = sorted({f"{row['commit']}, {row['date']}" for row in found})
    return "\n".join([*lines, "", f"`python benchmarks/view.py`, at {'; '.join(said)}.", ""])


def factor_section() -> str:
    """Cholesky factors on a GPU, from benchmarks/results/factor.json."""
    kept = json.loads((ROOT / "benchmarks" / "results" / "factor.json").read_text(encoding="utf-8"))
    lines = ["| tets | factor kept in | factorise [ms] | solve [ms] | residual of a solve |", "|---|---|---|---|---|"]
    for tets in (25_000, 102_400, 238_140):
        for precision in ("f64", "f32"):
            of = lambda what, tets=tets, precision=precision: kept[f"{tets} tets, factor {precision}, arithmetic f64: {what}"]
            cells = (f"{of('factor and blocks [ms]'):.1f}", f"{of('solve [ms]'):.2f}", f"{of('residual'):.0e}")
            lines.append(f"| {tets:,} | {precision} | " + " | ".join(cells) + " |")
    steps = [kept[f"{tets} tets f64, Newton(1e-3) with Direct [ms]"] for tets in (25_000, 102_400)]
    about = (
        "## Factors on a GPU\n\nOn CUDA a Cholesky factor is computed there, level by level of its fronts, as one graph. A "
        f"step of `Newton(1e-3, linear=Direct())` takes {steps[0]:.0f} ms at 25,000 tets and {steps[1]:.0f} ms at 102,400.\n\n"
    )
    said = f"Measured on {kept['machine']} ({kept['date']}, {kept['commit']}) by `python benchmarks/factor_gpu.py out.json`."
    return about + "\n".join(lines) + f"\n\n{said}\n"


def page() -> str:
    arm, gpu = measured(ARM), measured(GPU)
    laws = (
        f"## Laws\n\nMilliseconds for 100,000 tets, f32: two threads of {arm['machine']} (`pliant bench "
        f"elements`), and {gpu['machine']} "
        f"(`python benchmarks/gpu.py out.json`, a tenth of the time for one million).\n\n{law_table()}\n"
    )
    return "\n".join(
        [
            MADE,
            "",
            introduction(),
            *(plot.section() for plot in PLOTS),
            accuracy.section(),
            linear.section(),
            factor_section(),
            laws,
            contact.section(),
            viewer_table(),
        ]
    )
