"""One step of an optimisation at the size of the thesis' dragon: thirty steps of about 10,000 cells, their cost and its gradient.

    python -m benchmarks.fit_step [--device cuda] [--coarse 1] [--json OUT]

What is seen: all nodes; points of twelve depth cameras; their images. The gradient by Young's modulus comes from the adjoint and
from forward sensitivities, as Gauss–Newton takes them. ``--coarse 3`` makes cells three times as long. The thesis took 40 s.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import warp as wp
from studies.recovery import DT, FINE, cameras, hanging

from pliant.inverse import Free, NodePositions, photographed, scanned
from pliant.inverse.fitting.fit_problem import Problem

STEPS, TIMES = 30, 3
FREE = {(0, "young"): Free(500.0, 100_000.0, log=True)}


def seconds(work: Callable[[], object]) -> list[float]:
    """Of a few calls, from the fastest to the slowest [s]."""
    taken = []
    for _ in range(TIMES):
        wp.synchronize()
        begun = time.perf_counter()
        work()
        wp.synchronize()
        taken.append(time.perf_counter() - begun)
    return sorted(taken)


def measured(device: str, coarse: float) -> list[dict]:
    """A row for each kind of observation."""
    true = hanging(coarse * FINE, device).run(STEPS * DT)
    looks = cameras(12, 100, 4.0)
    kinds = {
        "nodes": NodePositions(true.positions),
        "points of 12 cameras": scanned(true, looks, 1 / DT),
        "depth images of 12 cameras": [photographed(true, camera, 1 / DT) for camera in looks],
    }
    rows = []
    for name, seen in kinds.items():
        problem = Problem(hanging(coarse * FINE, device, young=10_000.0), seen, FREE, 1)
        places = iter(problem.start + 1e-4 * k for k in range(100))  # a place that was asked before costs nothing
        problem.slope(next(places)), problem.normal(next(places))
        adjoint = seconds(lambda problem=problem, places=places: problem.slope(next(places)))
        forwards = seconds(lambda problem=problem, places=places: problem.normal(next(places)))
        rows.append({"seen": name, "residuals": problem.watch.numbers, "adjoint": adjoint, "forwards": forwards})
        print(
            f"{name}: {problem.watch.numbers} residuals; adjoint {_shown(adjoint)}, forwards {_shown(forwards)}",
            flush=True,
        )
    return rows


def _shown(taken: list[float]) -> str:
    return f"{np.median(taken):.2f} s ({taken[0]:.2f} to {taken[-1]:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--coarse", type=float, default=1.0)
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    rows = measured(options.device, options.coarse)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
