"""What hard springs between bodies do to integrators and to sheets: energy after a bounce, and iterations of a landing.

``python benchmarks/contact_hardness.py``: a cube of 10 cm hits another at 1 m/s, without gravity and damping, in steps of
1/200 s, with springs of `Penalty()` ten and a hundred times harder than the material: the energy after 60 steps over that
before. And a sheet that falls on a rigid ball: steps that converged. ``--out FILE`` keeps the rows.
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

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
SCHEMES = (pl.ImplicitEuler, pl.BDF2, pl.Newmark, pl.ImplicitMidpoint)


def law(hardness: float, **more) -> pl.Contact:
    return pl.Contact(hardness=hardness, response=contact.Penalty(hardness=hardness), **more)


def bounce(scheme: type, hardness: float) -> float:
    """The energy after a bounce over that before."""
    cubes = [pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(0.003 * i, 0.007 * i, 0.105 * i)) for i in range(2)]
    bodies = [pl.Body(mesh, SOFT, velocity=(0, 0, -1.0 * i)) for i, mesh in enumerate(cubes)]
    sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0), contact=law(hardness)), scheme(1 / 200))
    begun = sim.energies()["total"]
    for _ in range(60):
        report = sim.step()
        if not report.kept:
            return float("nan")
    return sim.energies()["total"] / begun


def sheet(hardness: float) -> dict[str, int]:
    """Steps that converged and iterations of a sheet that falls on a rigid ball."""
    cloth = pl.cloth_grid((0.3, 0.3), (12, 12)).translated((-0.15, -0.15, 0.27))
    ball = pl.Body(contact.Rigid(pl.meshes.sphere(0.1, 2).translated((0, 0, 0.15)), density=1000.0), pinned=True)
    silk = pl.Body(pl.Membrane(cloth, thickness=0.002), pl.Corotated(young=1e5, poisson=0.3, density=500.0))
    scene = pl.Scene([silk, ball], contact=law(hardness, friction=0.3, thickness=True))
    sim, reports = pl.Simulation(scene, pl.ImplicitEuler(1 / 60)), []
    for _ in range(30):
        reports.append(sim.step())
        if not reports[-1].kept:
            break
    met = sum(report.kept and report.converged for report in reports)
    return {"steps": len(reports), "converged": met, "iterations": sum(report.iterations for report in reports)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="a JSON file for the record")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    options, rows = parser.parse_args(), {}
    for scheme in SCHEMES:
        rows[scheme.__name__] = {hardness: round(bounce(scheme, hardness), 3) for hardness in (10, 100)}
        print(f"{scheme.__name__}: energy after a bounce", rows[scheme.__name__], flush=True)
    rows["sheet on a ball"] = {hardness: sheet(hardness) for hardness in (10, 100)}
    print("sheet on a ball", rows["sheet on a ball"])
    if options.out:
        about = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        about |= {"command": "python benchmarks/contact_hardness.py", "result": rows}
        options.out.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
