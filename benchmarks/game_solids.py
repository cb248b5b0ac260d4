"""A detailed creature on a few hundred tets: time to make the tets, steps a second on the ground, and sizes of files.

``python benchmarks/game_solids.py [--spacings 0.06 0.02 0.0084] [--steps 60] [--device cpu] [--precision f32]``

``--bowl 10`` lets so many stars of ``spacings`` fall into a bowl instead, by intersections and by penalties of a simpler surface,
and by intersections of all triangles: after three steps, in which launches are recorded, a row while they fall freely (12 steps),
one while they meet (48 steps), and one for ``steps`` in which they come to rest. ``--ways simpler`` does those with that word
in their name only.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import pliant as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from bowl_of_stars import scene, star
from creature_on_few_tets import creature
from intersections import watched

FIRST = 3  # steps that compile, make room and record
FALLS, SETTLES = 12, 60  # steps until stars meet, and until they lie in the bowl


def measured(spacing: float, steps: int, device: str, precision: str) -> None:
    """One row for each of the ways to touch: by every vertex, and by those of a simpler surface."""
    surface = creature(spacing).translated((0, 0, 0.18))
    simple = creature(0.06).translated((0, 0, 0.18))
    law = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000)
    for touching in (None, simple):
        wall, start = time.perf_counter(), time.process_time()
        shape = pl.meshes.bounding_tets(surface, cells=6, fit=3, touching=touching)
        made = time.process_time() - start, time.perf_counter() - wall
        body = pl.Body(shape, law, damping=pl.Damping(stiffness=2e-3))
        scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60), device=device, precision=precision)
        run = sim.run(10 / 60)
        start = time.process_time()
        run = sim.run(steps / 60, frames_per_second=30)
        spent = (time.process_time() - start) / steps
        with tempfile.TemporaryDirectory() as folder:
            sizes = [_size(run, Path(folder) / "a.glb", skin) for skin in (True, False)]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{len(surface.triangles):>8,} triangles on {shape.count} tets, {shape.outline.count:>6,} points touch: made in "
            f"{made[0]:5.1f} s of CPU ({made[1]:.1f} s); {1 / np.median(run.step_seconds):6.1f} steps/s "
            f"({1e3 * spent:.1f} ms of CPU a step); {len(run)} frames: "
            f"skin {sizes[0]}, targets {sizes[1]}; at most {peak:.0f} MB so far",
            flush=True,
        )


def bowl(count: int, spacing: float, steps: int, device: str, precision: str, word: str) -> None:
    """One row for each way of contact."""
    found = pl.contact.Intersection(damping=0.02)
    ways = {
        "intersections, simpler": (0.06, found),
        "penalties": (0.06, pl.contact.Penalty()),
        "intersections": (None, found),
    }
    for name, (simple, response) in ((name, way) for name, way in ways.items() if word in name):
        start = time.process_time()
        shape = star(spacing, simple)
        solver = pl.QuasiNewton(iterations=5)
        sim = pl.Simulation(scene(count, shape, response), pl.ImplicitEuler(1 / 60, solver), device=device, precision=precision)
        for _ in range(FIRST):
            sim.step()
        print(
            f"{count} bodies of {len(shape.surface.triangles):,} triangles on {shape.count} tets, {name} of "
            f"{len((shape.touching or shape.surface).triangles):,} triangles: made, with kernels and {FIRST} steps, in "
            f"{time.process_time() - start:.0f} s of CPU",
            flush=True,
        )
        seconds = _watched(sim)
        for phase, length in (("falling", FALLS), ("meeting", SETTLES - FALLS), ("coming to rest", steps)):
            before, start, taken, reports = dict(seconds), time.process_time(), [], []
            for _ in range(length):  # not by a run: what it records looks for contacts, which the next step then knows
                begin = time.perf_counter()
                reports.append(sim.step())
                taken.append(time.perf_counter() - begin)
            spent = (time.process_time() - start) / length
            spent_on = {k: 1e3 * (v - before[k]) / length for k, v in seconds.items()}
            parts = [f"{k} {v:.1f}" for k, v in spent_on.items() if v]
            touch, depth = np.median([r.contacts for r in reports]), -min(r.worst_gap for r in reports)
            print(
                f"  {phase}: {1 / np.median(taken):.1f} steps/s by the median, {1 / np.mean(taken):.1f} by the mean, "
                f"{1e3 * spent:.1f} ms of CPU a step{' (' + ', '.join(parts) + ' ms)' if parts else ''}; {touch:.0f} contacts, "
                f"deepest {max(0.0, 1e3 * depth):.0f} mm",
                flush=True,
            )


def _watched(sim: pl.Simulation) -> dict[str, float]:
    """Where intersections take their time from now on [s]; of a GPU, which runs them as one, all of it."""
    own = [effect for effect in sim.world["body contact"] if hasattr(effect, "intersections")]
    return watched(own[0].intersections, sim.device.is_cpu) if own else {}


def _size(run: pl.Run, path: Path, skin: bool) -> str:
    try:
        return f"{pl.export(run, path, skin=skin).stat().st_size / 1e6:.2f} MB"
    except pl.errors.InputError:
        return "refused as too large"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacings", type=float, nargs="+", default=[0.06, 0.02, 0.0084])
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--bowl", type=int, default=0)
    parser.add_argument("--ways", default="")
    args = parser.parse_args()
    for spacing in args.spacings if args.bowl else ():
        bowl(args.bowl, spacing, args.steps, args.device, args.precision, args.ways)
    for spacing in () if args.bowl else args.spacings:
        measured(spacing, args.steps, args.device, args.precision)
