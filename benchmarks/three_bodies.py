"""Three bodies of 3,000 tets each, pushed about by hand on a floor: steps per second, and how well each step is solved.

``python benchmarks/three_bodies.py`` prints one ``name value unit`` line each; ``--steps``, ``--iterations``, ``--threads``,
``--device``, ``--precision`` and ``--apart`` (without contact of bodies) change what is timed, ``--json`` keeps the result.
``--first`` lets all other work of the machine wait while the clock runs, where that is allowed: on a busy one, wall time says
nothing else.
"""

import argparse
import json
import os
import platform
import time

import numpy as np
from machine import before_others, commit

import pliant as pl

DT = 1 / 30
WARM = 10  # steps before the clock starts
PERIOD = 3.0  # [s] in which the hand goes to and fro
SWING = 0.15  # [m]


def bodies() -> list[pl.Body]:
    """A block, and two others beside it; of 10×10×6 cells, five tets each."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
    made = []
    for i, x in enumerate((-0.13, 0.0, 0.13)):
        block = pl.tet_grid(size=(0.12, 0.12, 0.08), cells=(10, 10, 6), origin=(x - 0.06, -0.06 + 0.01 * i, 0.0))
        made.append(pl.Body(block, law, name=f"block {i}"))
    return made


def pushed(
    device: str = "cpu", precision: str = "f32", threads: int | None = 2, iterations: int = 10, apart: bool = False
) -> pl.Simulation:
    contact = pl.Contact(friction=0.3, response=None if apart else pl.contact.Penalty())
    scene = pl.Scene(bodies(), obstacles=[pl.plane(z=0.0)], contact=contact)
    integrator = pl.ImplicitEuler(dt=DT, solver=pl.QuasiNewton(iterations=iterations))
    return pl.Simulation(scene, integrator, device=device, precision=precision, threads=threads)


def hand(t: float, start: np.ndarray) -> np.ndarray:
    """Where the hand is: from one end of the row to the other and back, low enough to push what is in the way."""
    return start + np.array([SWING * (1 - np.cos(2 * np.pi * t / PERIOD)), 0.0, 0.02])


def timed(sim: pl.Simulation, steps: int, warm: int = WARM) -> tuple[np.ndarray, list[pl.extend.Report], list[int]]:
    """Seconds, reports and numbers of pairs that touch of ``steps`` steps; moving the hand is part of the time of a step."""
    surface = sim.bodies[0].surface
    vertex = int(np.argmin(np.linalg.norm(surface - surface.max(axis=0) * [0, 0, 1] - surface.mean(axis=0) * [1, 1, 0], axis=1)))
    handle, spent, reports, touching = sim.grab(vertex, surface[vertex]), [], [], []
    contact = sim.world["body contact"]
    for k in range(warm + steps):
        begin = time.perf_counter()
        sim.grab(vertex, hand(sim.t, surface[vertex]), handle=handle)
        report = sim.step()
        spent.append(time.perf_counter() - begin)
        if not report.kept:
            raise SystemExit(f"step {k} failed: {report}")
        reports.append(report)
        touching.append(int(np.sum(contact[0].gaps.numpy() < 0)) if contact else 0)
    return np.array(spent[warm:]), reports[warm:], touching[warm:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=90)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--first", action="store_true", help="let other work of the machine wait")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine in the file")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    sim = pushed(options.device, options.precision, options.threads, options.iterations, options.apart)
    if options.first:
        timed(sim, 2)  # what starts threads and compiles
        sim.reset()
    with before_others(options.first):
        worked = time.process_time()
        spent, reports, touching = timed(sim, options.steps)
    result = {
        "tets": [len(skin.tets) for skin in sim.skins],
        "rate [1/s]": round(1 / np.median(spent), 1),
        "step, median [ms]": round(1e3 * np.median(spent), 2),
        "step, nine of ten [ms]": round(1e3 * np.percentile(spent, 90), 2),
        "processor time of a step, all threads [ms]": round(1e3 * (time.process_time() - worked) / (options.steps + WARM), 2),
        "steps in time": round(float(np.mean(spent <= DT)), 3),
        "pairs that touch, at most": max(touching),
        "scaled residual, median": float(f"{np.median([r.residual for r in reports]):.2e}"),
        "scaled residual, nine of ten": float(f"{np.percentile([r.residual for r in reports], 90):.2e}"),
        "load of the machine": round(os.getloadavg()[0], 1),
    }
    for name, value in result.items():
        print(f"{name} {value}")
    for name in reports[0].seconds:
        print(f"  {name} {1e3 * np.median([r.seconds[name] for r in reports]):.2f} ms")
    if options.json:
        with open(options.json, "w") as file:
            known = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
            json.dump(known | {"options": vars(options), "result": result}, file, indent=1)


if __name__ == "__main__":
    main()
