"""Ten thousand steps of a stack, a gripper and a pile: what is lost on the way.

    python -m benchmarks.contact_long [--steps N] [--json OUT] [scene …]

A stack of blocks rests under each response, fingers pick up a ball and put it down again, and soft bodies lie in a bowl. Of each:
steps that failed, the deepest gap, how far nodes at rest have moved since a tenth of the steps, speeds at the end, memory of the
process at a tenth and at the end, threads, and CPU time. ``tests/contact/test_long.py`` holds them to their limits.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import pliant as pl
from examples import bowl_of_jelly, gripper

GAP = 1e-3  # [m] of the stack's responses
LIFTED = 0.8  # [s] at which the fingers of the example have lifted the ball
ONCE = pl.Newton(iterations=1)


@dataclass
class Long:
    """What a long run came to; lengths in metres, memory in MiB, ``seconds`` of CPU time."""

    scene: str
    steps: int
    failed: int
    finite: bool
    worst_gap: float
    drift: float
    speed: float
    memory: tuple[float, float]
    threads: tuple[int, int]
    seconds: float
    lifts: int = 0  # of the ball


def stack(contact: pl.Contact, solver) -> pl.Simulation:
    """Three blocks on one another, each turned by 7 degrees, on a floor."""
    bodies = []
    for i, young in enumerate((1e5, 1e6, 1e5)):
        mesh = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 1)).rotated((0, 0, 1), 7 * i)
        mesh = mesh.translated((0, 0, (i + 0.5) * GAP + 0.1 * i - mesh.vertices[:, 2].min()))
        law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000.0)
        bodies.append(pl.Body(mesh, law, damping=pl.Damping(viscosity=20.0), name=f"block {i}"))
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver))


def stack_by_complementarity() -> pl.Simulation:
    return stack(pl.Contact(friction=0.3, response=pl.contact.Complementarity(gap=GAP)), ONCE)


def stack_by_barrier() -> pl.Simulation:
    return stack(pl.Contact(friction=0.3, response=pl.contact.Barrier(reach=GAP)), pl.Newton())


def stack_by_penalty() -> pl.Simulation:
    return stack(pl.Contact(friction=0.3, response=pl.contact.Penalty()), pl.Newton())


def gripping() -> pl.Simulation:
    """Fingers close on a ball, lift it, and go the same way back, again and again."""
    there_and_back = lambda t: LIFTED - abs(LIFTED - t % (2 * LIFTED))
    return gripper.simulation(clock=there_and_back)


def pile() -> pl.Simulation:
    return bowl_of_jelly.simulation(layers=3)


SCENES: dict[str, Callable[[], pl.Simulation]] = {
    "stack by complementarity": stack_by_complementarity,
    "stack by barrier": stack_by_barrier,
    "stack by penalty": stack_by_penalty,
    "gripper": gripping,
    "pile": pile,
}


def memory() -> float:
    """Resident memory of this process [MiB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def long(name: str, steps: int, told: Callable[[str], None] = print) -> Long:
    """Take so many steps; a failed one is counted, and the run goes on from the state before it."""
    sim, begun = SCENES[name](), time.process_time()
    failed, worst, lifts, above = 0, np.inf, 0, False
    settled = early = threads = None
    for k in range(1, steps + 1):
        report = sim.step()
        failed += not report.kept
        worst = min(worst, report.worst_gap)
        if name == "gripper":
            height = sim.x[sim.bodies[0].rows][:, 2].mean()
            lifts += int(not above and height > 0.14)
            above = height > 0.14 or (above and height > 0.1)
        if k == max(steps // 10, 1):
            settled, early, threads = sim.x, memory(), threading.active_count()
        if not report.kept or k % max(steps // 20, 1) == 0:
            spent = time.process_time() - begun
            moved = "" if settled is None else f", {1e6 * np.abs(sim.x - settled).max():.3g} um since a tenth"
            told(f"{name}: step {k}, {memory():.0f} MiB, {spent:.0f} s{moved}; {report.why or 'fine'}")
    drift = float(np.linalg.norm(sim.x - settled, axis=1).max())
    found = (failed, bool(np.isfinite(sim.x).all() and np.isfinite(sim.v).all()), float(worst), drift)
    speed, spent = float(np.abs(sim.v).max()), time.process_time() - begun
    ends = (round(early, 1), round(memory(), 1)), (threads, threading.active_count())
    return Long(name, steps, *found, speed, *ends, round(spent, 1), lifts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", help=f"some of {', '.join(SCENES)}; all by default")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    record = {}
    for name in options.scenes or SCENES:
        found = long(name, options.steps, lambda line: print(line, flush=True))
        record[name] = asdict(found)
        print(found, flush=True)
        if options.json:
            Path(options.json).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
