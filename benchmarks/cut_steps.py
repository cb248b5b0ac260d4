"""What a step of a body that is being cut costs against how well it is solved: python benchmarks/cut_steps.py [MACHINE [CELLS]]

The beam of `python -m benchmarks cutting`, 48 CELLS³ tets, is cut along; from four of its states each solver takes one step,
whose error is that of positions against the step that Newton's method solves to the end. Times are CPU time of one thread, the
best of three once everything is recorded. MACHINE names the record in benchmarks/results/cut_steps.json; without it nothing is
written.
"""

import json
import sys
import time
import warnings
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
from studies.cutting import beam, blade

import pliant as pl

RESULTS = Path(__file__).parent / "results" / "cut_steps.json"
EXACT, WARPED = pl.rotations.Exact(), pl.rotations.Warped()
WAYS = {
    "LinearlyImplicit(0.2), Warped(), f32": (pl.solver.LinearlyImplicit(0.2), "f32", WARPED),
    "LinearlyImplicit(), Warped(), f32": (pl.solver.LinearlyImplicit(), "f32", WARPED),
    "LinearlyImplicit(0.01), Warped(), f32": (pl.solver.LinearlyImplicit(0.01), "f32", WARPED),
    "LinearlyImplicit(0.001), Warped(), f32": (pl.solver.LinearlyImplicit(0.001), "f32", WARPED),
    "Newton(iterations=1), f32": (pl.Newton(iterations=1), "f32", EXACT),
    "Newton(iterations=1), f64": (pl.Newton(iterations=1), "f64", EXACT),
    "Newton(), f64": (pl.Newton(), "f64", EXACT),
}
STEPS, EVERY, LAST = 30, 6, 24


def like(sim: pl.Simulation, solver: object, precision: str, tangent: object) -> pl.Simulation:
    """The body as it has been cut, with another solver."""
    body = sim.scene.bodies[0]
    body = pl.Body(body.shape.mesh, replace(body.material, tangent=tangent), pinned=body.pinned)
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=solver)
    return pl.Simulation(pl.Scene([body]), scheme, precision=precision, threads=1)


def stepped(sim: pl.Simulation, x: np.ndarray, v: np.ndarray, times: int = 1) -> tuple[float, pl.extend.Report]:
    """The least CPU time [ms] of a step from x and v, but for the first."""
    spent = []
    for _ in range(times):
        sim.x, sim.v = x, v
        begin = time.process_time()
        report = sim.step()
        spent.append(1e3 * (time.process_time() - begin))
    return min(spent[1:] or spent), report


def compared(cells: int) -> list[dict]:
    """A row for each way: medians over the states."""
    sim = beam(cells, "cpu")
    sim.step()
    found: dict[str, list] = {name: [] for name in WAYS}
    for k in range(1, LAST + 1):
        sim.cut(blade(k / STEPS))
        if k % EVERY == 0:
            x, v = sim.x, sim.v
            exact = like(sim, pl.Newton(tolerance=1e-9), "f64", EXACT)
            stepped(exact, x, v)
            way = np.abs(exact.x - x).max()
            for name, (solver, precision, tangent) in WAYS.items():
                other = like(sim, solver, precision, tangent)
                ms, report = stepped(other, x, v, 4)
                found[name].append((ms, report.linear_iterations, np.abs(other.x - exact.x).max() / way))
        sim.step()
    rows = []
    for name, values in found.items():
        ms, turns, error = np.median(values, axis=0).tolist()
        rows.append({"solver": name, "step [ms]": round(ms, 1), "iterations": turns})
        rows[-1]["error, of the way"] = float(f"{error:.2g}")
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    return rows


if __name__ == "__main__":
    machine, *size = sys.argv[1:] or [""]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pl.errors.PliantWarning)
        rows = compared(int(size[0]) if size else 10)
    if machine:
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        known.setdefault(machine, {}).update({"date": date.today().isoformat(), "rows": rows})
        RESULTS.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
