"""How many steps per second a body of 15,000 tets takes while a hand pulls it about, in the air and over a floor.

``python benchmarks/real_time.py`` prints one ``name value unit`` line each; ``--steps``, ``--iterations``, ``--threads``,
``--device`` and ``--precision`` change what is timed.
"""

import argparse
import os
import time

import numpy as np

import pliant as pl

DT = 1 / 30
WARM = 10  # steps before the clock starts
RADIUS, PERIOD = 0.12, 1.5  # [m] and [s] of the circle that the hand draws


def pulled(device: str = "cpu", precision: str = "f32", threads: int | None = 2, iterations: int = 10) -> pl.Simulation:
    """A neo-Hookean block of 3,000 cells, five tets each, that lies on the floor."""
    block = pl.tet_grid(size=(0.30, 0.20, 0.10), cells=(20, 15, 10), origin=(-0.15, -0.10, 0.0))
    body = pl.Body(block, pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0), name="block")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    integrator = pl.ImplicitEuler(dt=DT, solver=pl.QuasiNewton(iterations=iterations))
    return pl.Simulation(scene, integrator, device=device, precision=precision, threads=threads)


def hand(t: float, corner: np.ndarray) -> np.ndarray:
    """Where the hand is: it draws an upright circle above the corner that it holds, and dips it into the floor."""
    angle = 2 * np.pi * t / PERIOD
    return corner + RADIUS * np.array([np.sin(angle), 0.0, 0.8 - np.cos(angle)])


def timed(sim: pl.Simulation, steps: int, warm: int = WARM) -> tuple[np.ndarray, list[pl.extend.Report]]:
    """Seconds and reports of ``steps`` steps after some to warm up; moving the hand is part of the time of a step."""
    surface = sim.bodies[0].surface
    vertex = int(np.argmax(surface @ [1.0, 1.0, 1.0]))
    handle, spent, reports = sim.grab(vertex, surface[vertex]), [], []
    for k in range(warm + steps):
        begin = time.perf_counter()
        sim.grab(vertex, hand(sim.t, surface[vertex]), handle=handle)
        report = sim.step()
        spent.append(time.perf_counter() - begin)
        if not report.kept:
            raise SystemExit(f"step {k} failed: {report}")
        reports.append(report)
    return np.array(spent[warm:]), reports[warm:]


def swinging(device: str = "cpu", precision: str = "f32", threads: int | None = 2, iterations: int = 10) -> pl.Simulation:
    """The same block, held at one end and in the air."""
    block = pl.tet_grid(size=(0.30, 0.20, 0.10), cells=(20, 15, 10), origin=(-0.15, -0.10, 0.0))
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
    body = pl.Body(block, law, pinned=lambda X: X[:, 0] < -0.1499, name="block")
    integrator = pl.ImplicitEuler(dt=DT, solver=pl.QuasiNewton(iterations=iterations))
    return pl.Simulation(pl.Scene([body]), integrator, device=device, precision=precision, threads=threads)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="f32")
    options = parser.parse_args()
    for name, make in (("in the air, pulled by a hand", swinging), ("on the floor, pulled by a hand", pulled)):
        sim = make(options.device, options.precision, options.threads, options.iterations)
        show(f"{len(sim.skins[0].tets)} tets {name} {options.device} {options.precision}", sim, options.steps)
    print(f"load of the machine {os.getloadavg()[0]:.1f}")


def show(label: str, sim: pl.Simulation, steps: int) -> None:
    """Print where the time of a step goes."""
    worked = time.process_time()
    total, reports = timed(sim, steps)
    worked = (time.process_time() - worked) / (steps + WARM)
    low, middle, high = np.percentile(total, [25, 50, 75])
    print(f"{label}, rate {1 / middle:.1f} steps/s")
    print(f"{label}, needed for real time {1 / DT:.1f} steps/s")
    print(f"{label}, step median {1e3 * middle:.2f} ms")
    print(f"{label}, step quartiles {1e3 * low:.2f} {1e3 * high:.2f} ms")
    print(f"{label}, steps in time {100 * np.mean(total <= DT):.0f} %")
    parts = [name for name in reports[0].seconds if name != "total"]
    split = {name: np.median([r.seconds[name] for r in reports]) for name in parts}
    split["start, hand and the rest"] = np.median(total - sum(np.array([r.seconds[n] for r in reports]) for n in parts))
    for name, spent in split.items():
        print(f"{label}, {name} {1e3 * spent:.2f} ms")
    print(f"{label}, processor time of a step, all threads {1e3 * worked:.2f} ms")
    print(f"{label}, evaluations of the objective in a step {np.mean([r.evaluations for r in reports]):.1f}")
    print(f"{label}, iterations {np.median([r.iterations for r in reports]):.0f}")
    print(f"{label}, scaled residual {np.median([r.residual for r in reports]):.1e}")


if __name__ == "__main__":
    main()
