"""What a hard landing costs: a block of 15,750 tets comes down askew on another at 2 m/s, in steps of 1/60 s, with friction.

``python benchmarks/contact_landing.py [response …]``: iterations and CPU time of each of the first steps on one thread, by
`barrier` and `penalty`; ``--out FILE`` keeps the rows, with ``--machine`` a word for what they were measured on.
"""

import argparse
import json
import os
import platform
import time
from pathlib import Path

os.environ.setdefault("PLIANT_THREADS", "1")

from machine import commit

import pliant as pl
from pliant import contact

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.4, density=1000.0)
RESPONSES = {"barrier": contact.Barrier(), "penalty": contact.Penalty()}
CELLS, STEPS = (15, 15, 14), 6


def blocks(cells: tuple[int, int, int] = CELLS) -> list[pl.Body]:
    below = pl.tet_grid((0.2, 0.2, 0.18), cells, origin=(-0.1, -0.1, 0.0))
    above = pl.tet_grid((0.15, 0.15, 0.14), cells, origin=(-0.075, -0.075, 0.0)).rotated((0.1, 0.2, 1), 11)
    above = above.translated((0.01, 0.005, 0.184 - above.vertices[:, 2].min()))
    held = pl.Body(below, SOFT, name="below", pinned=lambda X: X[:, 2] < 1e-9)
    return [held, pl.Body(above, SOFT, name="above", velocity=(0, 0, -2.0))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("responses", nargs="*", help="barrier, penalty; both unless told")
    parser.add_argument("--out", type=Path, help="a JSON file for the record")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    options, rows = parser.parse_args(), {}
    for name in options.responses or RESPONSES:
        law = pl.Contact(friction=0.3, response=RESPONSES[name])
        sim, reports, spent = pl.Simulation(pl.Scene(blocks(), contact=law), pl.ImplicitEuler(1 / 60)), [], []
        for _ in range(STEPS):
            begun = time.process_time()
            reports.append(sim.step())
            spent.append(time.process_time() - begun)
        assert all(report.converged for report in reports)
        rows[name] = {
            "iterations": [report.iterations for report in reports],
            "seconds": [round(s, 2) for s in spent],
            "contacts": [report.contacts for report in reports],
        }
        print(name, *(f"{key} {values}" for key, values in rows[name].items()), sep="  ", flush=True)
    if options.out:
        about = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        about |= {"command": "python benchmarks/contact_landing.py", "result": rows}
        options.out.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
