"""The scene of ``pliant demo`` against the clock: seconds for its two seconds of motion, Newton's method to convergence.

``python benchmarks/demo.py`` prints one ``name value unit`` line each; ``--json`` adds the row to a file, ``--first`` lets all
other work of the machine wait while the clock runs, where that is allowed.
"""

import argparse
import json
import os
import platform
import time
from pathlib import Path

import numpy as np
from machine import before_others, commit

import pliant as pl
from pliant.cli.demo import scene

SECONDS = 2.0


def timed(sim: pl.Simulation) -> tuple[np.ndarray, float, list[pl.extend.Report]]:
    """Seconds of each step, processor time of all [s], and reports."""
    spent, reports, worked = [], [], time.process_time()
    while sim.t < SECONDS - 1e-9:
        begin = time.perf_counter()
        reports.append(sim.step())
        spent.append(time.perf_counter() - begin)
        if not reports[-1].kept or not reports[-1].converged:
            raise SystemExit(f"t = {sim.t:.3f} s: {reports[-1]}")
    return np.array(spent), time.process_time() - worked, reports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precision", default="f64")
    parser.add_argument("--first", action="store_true", help="let other work of the machine wait")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine in the file")
    parser.add_argument("--json", type=Path, help="a file to which the row is added")
    options = parser.parse_args()
    sim = pl.Simulation(scene(), precision=options.precision, threads=options.threads)
    sim.step()  # compiles, as ``pliant demo`` does before it runs
    sim.reset()
    with before_others(options.first):
        spent, worked, reports = timed(sim)
    row = {
        "nodes": sim.world.count,
        "tets": sum(len(skin.tets) for skin in sim.skins),
        "threads": options.threads,
        "precision": options.precision,
        "tolerance": reports[-1].tolerance,
        "of real time": round(SECONDS / float(spent.sum()), 2),
        "step, mean [ms]": round(1e3 * float(spent.mean()), 2),
        "step, median [ms]": round(1e3 * float(np.median(spent)), 2),
        "step, nine of ten [ms]": round(1e3 * float(np.percentile(spent, 90)), 2),
        "processor time of a step, all threads [ms]": round(1e3 * worked / len(spent), 2),
        "iterations": round(float(np.mean([r.iterations for r in reports])), 2),
        "linear iterations": round(float(np.mean([r.linear_iterations for r in reports])), 1),
        "before others": options.first,
        "load of the machine": round(os.getloadavg()[0], 1),
    }
    for name, value in row.items():
        print(f"{name} {value}")
    if options.json:
        kept = json.loads(options.json.read_text()) if options.json.exists() else []
        known = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        options.json.write_text(json.dumps([*kept, known | row], indent=1) + "\n")


if __name__ == "__main__":
    main()
