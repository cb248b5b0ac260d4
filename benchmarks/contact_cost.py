"""What each response of contact costs, and how it keeps two soft blocks apart, one of which falls askew on the other.

``python benchmarks/contact_cost.py``: CPU time of a step on one thread while they lie there, and the worst gap of the run;
``--out FILE`` keeps the rows, with ``--machine`` a word for what they were measured on.
"""

import argparse
import json
import os
import platform
import time
from pathlib import Path

os.environ.setdefault("PLIANT_THREADS", "1")

import numpy as np
from machine import commit

import pliant as pl
from pliant import contact

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.4, density=1000.0)
FALL, REST = 30, 30  # steps of 1/100 s


def cases() -> dict[str, tuple[contact.Barrier | contact.Complementarity | contact.Penalty | None, object]]:
    ten, once = pl.QuasiNewton(iterations=10), pl.Newton(iterations=1)
    return {
        "none": (None, pl.Newton()),
        "`Penalty()`, `QuasiNewton(iterations=10)`": (contact.Penalty(), ten),
        "`Penalty()`, `Newton()`": (contact.Penalty(), pl.Newton()),
        "`Complementarity()`, `Newton(iterations=1)`": (contact.Complementarity(), once),
        "`Complementarity()`, `Newton()`": (contact.Complementarity(), pl.Newton()),
        "`Barrier()`, `Newton()`": (contact.Barrier(), pl.Newton()),
    }


def blocks() -> list[pl.Body]:
    below = pl.tet_grid((0.12, 0.12, 0.06), (6, 6, 3), origin=(-0.06, -0.06, 0.004))
    above = pl.tet_grid((0.1, 0.1, 0.06), (5, 5, 3), origin=(-0.05, -0.05, 0.0)).rotated((0, 0, 1), 20)
    above = above.translated((0.01, 0.0, 0.08))
    damping = pl.Damping(viscosity=20.0)
    return [pl.Body(mesh, SOFT, damping=damping, name=name) for mesh, name in ((below, "below"), (above, "above"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="a JSON file for the record")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    options, rows = parser.parse_args(), {}
    print("| contact | CPU time of a step | worst gap | tolerance met |\n|---|---|---|---|")
    for name, (response, solver) in cases().items():
        law = pl.Contact(friction=0.3, response=response)
        scene = pl.Scene(blocks(), obstacles=[pl.plane(z=0.0)], contact=law)
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 100, solver=solver))
        reports, spent = [], []
        for _ in range(FALL + REST):
            begun = time.process_time()
            reports.append(sim.step())
            spent.append(time.process_time() - begun)
        assert all(report.kept for report in reports)
        met = sum(report.converged for report in reports)
        gap = min(report.worst_gap for report in reports)
        ms = 1e3 * float(np.median(spent[FALL:]))
        print(f"| {name} | {ms:.0f} ms | {1e3 * gap:+.2f} mm | {met} of {len(reports)} steps |", flush=True)
        rows[name] = {"step [ms]": ms, "worst gap [mm]": 1e3 * gap, "steps": len(reports), "converged": met}
    if options.out:
        about = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        about |= {"command": "python benchmarks/contact_cost.py", "result": rows}
        options.out.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
