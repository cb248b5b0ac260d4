"""Twenty soft bodies of 1,000 tets each fall into a bowl: steps per second, what they cost by stage, and how deep they press.

    python benchmarks/pile.py [--device cuda] [--solver quasi | newton | once] [--steps N] [--floor H] [--hardness H] [--profile]

They fall and come to lie within a second; the clock runs over ``--steps`` steps after that as well as over the fall.
``--floor`` and ``--hardness`` are those of the bowl and of bodies for one another. ``--json`` keeps the result.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import time
from pathlib import Path

import numpy as np

import pliant as pl

DT = 1 / 60
FALL = 60  # steps in which they come to lie
SOFT = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
SOLVERS = {
    "quasi": lambda: pl.QuasiNewton(iterations=10),
    "newton": lambda: pl.Newton(),
    "once": lambda: pl.Newton(iterations=1),
}


def bowl(radius: float) -> pl.Sdf:
    """Half a thick shell on the floor."""
    shell = pl.sphere(1.1 * radius, centre=(0, 0, 1.1 * radius)) - pl.sphere(radius, centre=(0, 0, 1.1 * radius))
    return shell - pl.box((4 * radius, 4 * radius, 2 * radius), centre=(0, 0, 2.1 * radius))


def pile(
    count: int = 20,
    cells=(5, 5, 8),
    device="cpu",
    precision="f32",
    solver="quasi",
    threads=None,
    floor=None,
    hardness=None,
) -> pl.Simulation:
    """``count`` blocks, four in a layer, each turned another way."""
    size = (0.06, 0.06, 0.09)
    block = pl.tet_grid(size, cells, origin=tuple(-0.5 * s for s in size))
    bodies, turn = [], np.random.default_rng(5)
    for i in range(count):
        layer, k = divmod(i, 4)
        angle = np.radians(90 * k + 45 * layer)
        at = (0.085 * np.cos(angle), 0.085 * np.sin(angle), 0.13 + 0.13 * layer)
        mesh = block.rotated(turn.normal(size=3), turn.uniform(0, 180)).translated(at)
        bodies.append(pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=20.0), velocity=(0, 0, -1.0), name=f"body {i}"))
    contact = pl.Contact(friction=0.3, hardness=floor, response=pl.contact.Penalty(hardness=hardness))
    scene = pl.Scene(bodies, obstacles=[bowl(0.22)], contact=contact)
    integrator = pl.ImplicitEuler(dt=DT, solver=SOLVERS[solver]())
    return pl.Simulation(scene, integrator, device=device, precision=precision, threads=threads)


def timed(sim: pl.Simulation, steps: int) -> tuple[np.ndarray, list[pl.extend.Report]]:
    """Seconds and reports of so many steps; a step is over when its positions are here."""
    spent, reports = [], []
    for k in range(steps):
        begin = time.perf_counter()
        report = sim.step()
        sim.x  # noqa: B018
        spent.append(time.perf_counter() - begin)
        if not report.kept:
            raise SystemExit(f"step {k} failed: {report.why}")
        reports.append(report)
    return np.array(spent), reports


def told(name: str, spent: np.ndarray, reports: list[pl.extend.Report]) -> dict[str, float]:
    stages = {f"{key} [ms]": 1e3 * np.median([r.seconds[key] for r in reports]) for key in reports[0].seconds}
    found = {
        "steps a second, median": 1 / np.median(spent),
        "steps a second, mean": 1 / spent.mean(),
        "step, nine of ten [ms]": 1e3 * np.percentile(spent, 90),
        "contacts, most": max(r.contacts for r in reports),
        "worst gap [mm]": 1e3 * min(r.worst_gap for r in reports),
        "scaled residual, median": float(np.median([r.residual for r in reports])),
        **stages,
    }
    return {f"{name}: {key}": float(f"{value:.3g}") for key, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--solver", choices=SOLVERS, default="quasi")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--cells", type=int, nargs=3, default=(5, 5, 8))
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--floor", type=float, help="hardness of the bowl")
    parser.add_argument("--hardness", type=float, help="hardness of bodies for one another")
    parser.add_argument("--profile", action="store_true", help="the functions of 40 more steps that take longest")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    known = {"floor": options.floor, "hardness": options.hardness}
    sim = pile(options.count, tuple(options.cells), options.device, options.precision, options.solver, **known)
    result = {"tets": sum(len(skin.tets) for skin in sim.skins)}
    timed(sim, 3)  # which compile
    result |= told("falling", *timed(sim, FALL))
    result |= told("lying", *timed(sim, options.steps))
    result["height of the pile [m]"] = float(np.round(sim.x[:, 2].max(), 3))
    for name, value in result.items():
        print(f"{name} {value}", flush=True)
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(timed, sim, 40)
        pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(25)
        pstats.Stats(profile).strip_dirs().sort_stats("cumulative").print_stats(45)
    if options.json:
        given = {key: value for key, value in vars(options).items() if key != "json"}
        Path(options.json).write_text(json.dumps({"options": given, "result": result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
