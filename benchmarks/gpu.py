"""Run the GPU benchmarks and keep their rows: python benchmarks/gpu.py OUT.json"""

import json
import platform
import subprocess
import sys
import time

import numpy as np
import warp as wp
from studies import quasi_newton

import pliant as pl
from pliant.bench import elements, step

SWEEP = {"device": "cuda", "smallest": 25_000, "largest": 1_000_000}


def batches(sizes: tuple[int, ...] = (1, 16, 256, 1024)):
    """Steps per second of small scenes, 960 tets each, ten iterations a step."""
    mesh = pl.tet_grid((0.3, 0.1, 0.1), (12, 4, 4), 5)
    for size in sizes:
        laws = [pl.StableNeoHookean(young=1e4 * (1 + i % 37), poisson=0.3) for i in range(size)]
        scenes = [pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)) for law in laws]
        solver = pl.QuasiNewton(iterations=10)
        batch = pl.Batch(scenes, pl.ImplicitEuler(1 / 60, solver), device="cuda", precision="f32")
        for _ in range(4):
            batch.step()
        taken = float(np.median([batch.step()[0].seconds["total"] for _ in range(12)]))
        yield f"batch of {size} scenes of {len(mesh.tets)} tets, step of ten iterations", 1e3 * taken, "ms"
        yield f"batch of {size} scenes of {len(mesh.tets)} tets, steps of one scene", size / taken, "1/s"


def main(path: str) -> None:
    wp.init()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    record = {
        "machine": f"{wp.get_device('cuda:0').name}, {platform.machine()}",
        "warp": wp.config.version,
        "commit": commit,
        "date": time.strftime("%Y-%m-%d"),
        "rows": [],
    }
    jobs = ((quasi_newton.run, SWEEP), (batches, {}), (elements.run, {"tets": 1_000_000, "device": "cuda"}))
    for rows, options in (*jobs, (step.run, {"device": "cuda"})):
        for name, value, unit in rows(**options):
            record["rows"].append([name, value, unit])
            print(f"{name} {value:.4g} {unit}", flush=True)
        with open(path, "w") as file:
            json.dump(record, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
