"""Steps of this checkout beside those of an earlier one, in turn in one run: processor time of a step on one thread, and ratios.

``git worktree add /tmp/before fa80682`` and ``python benchmarks/before.py /tmp/before`` print a line for each scene: the beams
of ``pliant bench step`` under both solvers, and the demo's scene. ``--json`` keeps the rows under the name of a machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

BEAMS = {1600: (20, 4, 4), 6400: (20, 8, 8), 25000: (50, 10, 10)}
HERE = Path(__file__).resolve().parent.parent
WARM = {"demo": 6}  # steps before the clock starts, 3 unless told


def scenes(largest: int) -> list[str]:
    beams = [f"{tets} tets, {solver}" for tets in BEAMS if tets <= largest for solver in ("Newton", "QuasiNewton")]
    return [*beams, "demo, Newton"]


def made(name: str, threads: int):
    """The simulation of a scene, by whatever pliant is on the path."""
    import pliant as pl

    kind, solver = name.split(", ")
    if kind == "demo":
        from pliant.cli.demo import scene

        return pl.Simulation(scene(), threads=threads)
    mesh = pl.tet_grid((1.0, 0.2, 0.2), BEAMS[int(kind.split()[0])], 5)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=getattr(pl, solver)()), threads=threads)


def work(name: str, threads: int) -> None:
    """Take as many steps as each line says, and answer with the processor time of a step [ms] and its iterations."""
    sim = made(name, threads)
    for _ in range(WARM.get(name.split(",")[0], 3)):
        sim.step()
    print("ready", flush=True)
    for line in sys.stdin:
        steps, times, iterations = int(line), [], []
        for _ in range(steps):
            begin = time.process_time()
            report = sim.step()
            times.append(time.process_time() - begin)
            iterations.append(report.iterations)
        print(json.dumps([1e3 * float(np.mean(times)), float(np.mean(iterations))]), flush=True)


def beside(name: str, trees: list[Path], turns: int, steps: int, threads: int) -> list:
    """Name, ms before and after, ratio, and iterations before and after: medians over the turns."""
    command = [sys.executable, __file__, "--work", name, "--threads", str(threads)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    both = [subprocess.Popen(command, env=os.environ | {"PYTHONPATH": str(t / "src")}, **pipes) for t in trees]
    for process in both:
        process.stdout.readline()
    rows = []
    for _ in range(turns):
        row = []
        for process in both:
            process.stdin.write(f"{steps}\n")
            process.stdin.flush()
            row.append(json.loads(process.stdout.readline()))
        rows.append(row)
    for process in both:
        process.stdin.close()
        process.wait()
    ms, iterations = np.array(rows)[:, :, 0], np.array(rows)[:, :, 1]
    ratio = ms[:, 0] / ms[:, 1]
    before, after = (float(f"{v:.4g}") for v in np.median(ms, axis=0))
    spread = [round(float(v), 2) for v in (np.median(ratio), ratio.min(), ratio.max())]
    return [name, before, after, *spread, *(round(float(v), 2) for v in iterations.mean(axis=0))]


def commit(tree: Path) -> str:
    return subprocess.run(["git", "-C", tree, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", nargs="?", type=Path, help="the earlier checkout")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--steps", type=int, default=14, help="in each turn")
    parser.add_argument("--largest", type=int, default=25000, help="tets of the largest beam")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", default="", help="file to keep the rows in")
    parser.add_argument("--machine", default="this machine", help="what the rows are called there")
    parser.add_argument("--work", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.threads)
        return
    if options.tree is None:
        parser.error("which checkout is the earlier one? expected its folder")
    trees = [options.tree, HERE]
    load = os.getloadavg()[0]
    rows = []
    for name in scenes(options.largest):
        rows.append(beside(name, trees, options.turns, options.steps, options.threads))
        print(
            "{}: {} ms before, {} ms after, {} times as fast ({} to {}), {} and {} iterations".format(*rows[-1]),
            flush=True,
        )
    if options.json:
        path = Path(options.json)
        kept = json.loads(path.read_text()) if path.is_file() else {}
        kept[options.machine.replace(" ", "_")] = {
            "machine": f"{options.machine}, {platform.machine()}, load {load:.1f} to {os.getloadavg()[0]:.1f}",
            "date": time.strftime("%Y-%m-%d"),
            "before": commit(trees[0]),
            "after": commit(trees[1]),
            "what": f"processor time of a step on {options.threads} thread(s), f64, dt = 1/60 s: both commits in turn, "
            f"{options.turns} turns of {options.steps} steps; medians over the turns",
            "columns": [
                "scene and solver",
                "before [ms]",
                "after [ms]",
                "before/after",
                "least of the turns",
                "most",
                "iterations before",
                "iterations after",
            ],
            "rows": rows,
        }
        path.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
