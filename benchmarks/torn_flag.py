"""A flag of 10,000 triangles torn by the wind: what a step takes, and how far from real time that is.

    python -m benchmarks.torn_flag [--device cuda] [--seconds 0.6] [--out FILE]

The banner of ``examples/torn_flag.py`` on 86 × 58 cells; plain: without plates and damping. Of each setting: CPU time of all
threads and time of the clock for steps that tear and for those that do not (medians), of all steps the mean and the longest,
simulated seconds for each second of the clock and of CPU time, when it tore first and at how many nodes in all, and how far
nodes are, when it tears first, from those of the converged steps above it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

import pliant as pl
from examples import torn_flag

CELLS = (86, 58)
DT = 1 / 30
UPDATED, KEPT, BORDERED = pl.refactor.Updated(), pl.refactor.Kept(), pl.refactor.Bordered()


def banner(solver, plain: bool, device: str) -> pl.Simulation:
    """The example on finer cells, with plates and damping or ``plain``."""
    scene = torn_flag.scene(CELLS, plates=not plain)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=DT, solver=solver), device=device)


def quasi(way: object, iterations: int = 3) -> pl.QuasiNewton:
    return pl.QuasiNewton(iterations=iterations, after_cut=way)


SETTINGS = {
    "converged": (pl.Newton(), False),
    "3 iterations": (quasi(UPDATED), False),
    "3 iterations, its factor bordered": (quasi(BORDERED), False),
    "converged, plain": (pl.Newton(), True),
    "plain, 3 iterations": (quasi(UPDATED), True),
    "plain, its factor kept": (quasi(KEPT), True),
    "plain, its factor bordered": (quasi(BORDERED), True),
    "plain, its factor bordered, 2 iterations": (quasi(BORDERED, 2), True),
    "plain, its factor bordered, 6 iterations": (quasi(BORDERED, 6), True),
}


def row(name: str, seconds: float, device: str, exact: list[np.ndarray]) -> dict:
    """What a setting comes to; ``exact`` are the positions of converged steps until they tear, filled in by those."""
    converged = name.startswith("converged")
    if converged:
        exact.clear()
    sim = banner(*SETTINGS[name], device)
    count, wall, spent, torn, off = len(sim.x), [], [], [], 0.0
    for k in range(round(seconds / DT)):
        begin, used = time.perf_counter(), time.process_time()
        report = sim.step()
        wall.append(time.perf_counter() - begin)
        spent.append(time.process_time() - used)
        torn.append(report.torn)
        x = sim.x[:count]
        if converged:
            exact.append(x)
        elif k < len(exact) and not sum(torn[:-1]):
            off = float(np.linalg.norm(x - exact[k], axis=1).max())
        if not report.kept:
            break
    tears, torn = np.array(torn) > 0, np.array(torn)
    median = lambda values, some: round(1e3 * float(np.median(np.array(values)[some])), 1) if some.any() else None
    quiet = ~tears & (np.arange(len(tears)) > 0)
    return {
        "setting": name, "steps": len(torn), "steps that tore": int(tears.sum()), "nodes torn": int(torn.sum()),
        "first tear [s]": round(DT * (int(np.argmax(tears)) + 1), 3) if tears.any() else None,
        "CPU of a step that tears [ms]": median(spent, tears), "of one that does not [ms]": median(spent, quiet),
        "clock of a step that tears [ms]": median(wall, tears), "clock of one that does not [ms]": median(wall, quiet),
        "CPU of all steps, mean and longest [ms]": [round(1e3 * f(spent[1:]), 1) for f in (np.mean, max)],
        "simulated seconds a second": round(DT * (len(wall) - 1) / sum(wall[1:]), 4),
        "simulated seconds a second of CPU": round(DT * (len(spent) - 1) / sum(spent[1:]), 4),
        "off from converged steps until the first tear [mm]": round(1e3 * off, 2),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--out", default="")
    parser.add_argument("settings", nargs="*", help="some of the settings; all by default")
    options = parser.parse_args()
    rows, exact = [], []
    for name in options.settings or SETTINGS:
        rows.append(row(name, options.seconds, options.device, exact))
        print(json.dumps(rows[-1]), flush=True)
    if options.out:
        about = {"triangles": 2 * CELLS[0] * CELLS[1], "dt [s]": DT, "device": options.device, "rows": rows}
        Path(options.out).write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
