"""How every example of the viewer's menu keeps up with the clock: as given, and at the settings for real time.

``python benchmarks/examples.py`` prints a table; names after it choose examples, ``--out FILE`` adds a record. The factor
is simulated time over processor time on one thread, of the first 0.8 simulated seconds or of as many as fit into ``--seconds`` of
processor time, after a step that compiles; "of what is shown" is the same of an example that the page shows slower than the
clock. The distance is that of the nodes at the last time that both have reached, in the root mean square, over the size of the
scene; where the mesh is coarser in real time, of its nodes from the nearest of the finer one.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from machine import commit
from scipy.spatial import cKDTree

import pliant as pl
from pliant.cli.view import Maker, library
from pliant.view.realtime import said

SPAN = 0.8  # [s] simulated


def timed(sim: pl.Simulation, control: object, most: float, speed: float) -> tuple[dict, dict[float, np.ndarray]]:
    """What steps cost, and how far the nodes had gone after each."""
    rest, count = sim.world.rest, sim.world.count
    sim.step()
    sim.reset()
    spent, places, why = [], {}, ""
    while sim.t < SPAN and sum(spent) < most:
        begin = time.process_time()
        report = sim.step()
        spent.append(time.process_time() - begin)
        if not report.kept:
            why = report.why
            break
        if control is not None:
            control(sim, report)
        if len(sim.x) == sim.world.count == count:  # what tears has other nodes
            places[round(sim.t, 4)] = sim.x - rest
    factor = sim.integrator.dt * len(spent) / max(sum(spent), 1e-9)
    found = {
        "settings": said(sim),
        "step [ms]": round(1e3 * float(np.mean(spent)), 2),
        "of real time": float(f"{factor:.3g}"),
    }
    if speed < 1:
        found |= {"times slower": round(1 / speed), "of what is shown": float(f"{factor / speed:.3g}")}
    return found | ({"failed": why} if why else {}), places


def measured(maker: Maker, most: float) -> dict:
    """One example both ways."""
    given = maker()
    size, nodes = float(np.linalg.norm(np.ptp(given.x, axis=0))), given.world.count
    first = given.world.rest.copy()
    own, places = timed(given, maker.control, most, maker.speed)
    found = {"nodes": nodes, "as given": own}
    if maker.quick is not None:
        sim = maker.quick()
        found["nodes in real time"] = sim.world.count
        near = cKDTree(first).query(sim.world.rest)[1]
        found["real time"], quick = timed(sim, maker.control, most, maker.speed)
        both = [t for t in places if t in quick]
        if both:
            away = np.sqrt(((quick[both[-1]] - places[both[-1]][near]) ** 2).sum(axis=1).mean()) / size
            found |= {"distance": float(f"{away:.2g}"), "distance after [s]": both[-1]}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="examples (default: all)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of processor time for each")
    parser.add_argument("--out", type=Path, help="a JSON file, to which the rows of this run are added")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(library()[options.one], options.seconds)))
        return
    print("| example | nodes | as given | nodes | real time | of what is shown | distance |\n|---|---|---|---|---|---|---|")
    rows, failed = {}, []
    for name in options.names or library():
        # a process of its own: what one example compiles and keeps is not there for the next
        command = [sys.executable, __file__, "--one", name, "--seconds", str(options.seconds)]
        answer = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PLIANT_THREADS": "1"})
        if answer.returncode:
            failed.append(name)
            print(f"| {name} | failed: {answer.stderr.strip().splitlines()[-1]} |", flush=True)
            continue
        row = rows[name] = json.loads(answer.stdout.splitlines()[-1])
        quick = row.get("real time", row["as given"])
        shown = quick.get("of what is shown", quick["of real time"])
        nodes = row.get("nodes in real time", row["nodes"])
        print(f"| {name} | {row['nodes']:,} | {row['as given']['of real time']:g}× | {nodes:,} "
              f"| {quick['of real time']:g}× | {shown:g}× | {row.get('distance', 0):.2%} |", flush=True)  # fmt: skip
    if options.out:
        kept = json.loads(options.out.read_text()) if options.out.exists() else []
        now = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d"), "threads": 1}
        options.out.write_text(json.dumps([*kept, now | {"examples": rows}], indent=1, ensure_ascii=False) + "\n")
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
