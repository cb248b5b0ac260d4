"""What noise lets anybody know: the Cramér–Rao bound of fits to noisy scans of the swinging torus, beside what is asked of them.

    python -m benchmarks.fit_limit [--coarse 3] [--device cpu]

One run at the true values with its derivatives J in standard deviations of the noise. (JᵀJ)⁻¹ bounds the covariance of every
unbiased estimate that knows how far surfaces are from points and no more: no fit has less spread, whatever its method. It is
printed for noise on all three coordinates of points and for noise of depths along rays, as the standard deviation of each number
and the share of all recordings in which an estimate of that spread is within 3 % of the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import erf, sqrt

import numpy as np
from studies.inverse import BOUNDS, CASES, DT
from studies.recovery import cameras

from pliant.inverse import Observation, photographed, scanned
from pliant.inverse.fitting.fit_problem import Problem

PIXELS, ASKED = 100, 0.03
KINDS = ("torus, 10 cameras, points with noise of a voxel", "torus, 10 cameras, depths with noise of a voxel")


def spread(name: str, coarse: float, device: str, count: int, steps: int) -> dict[str, float]:
    """The least standard deviation of each number, as a share of it, and how many points there are."""
    case = CASES[name]
    sim = case.make(coarse * case.voxel, device)
    run = case.make(coarse * case.voxel, device).run(steps * DT)
    looks, noise = cameras(count, PIXELS), case.noise * case.voxel
    seen: Observation | Sequence[Observation]
    if case.seen == "depths":
        seen = [replace(photographed(run, look, 1 / DT), sigma=noise) for look in looks]
    else:
        seen = replace(scanned(run, looks, 1 / DT), sigma=noise)  # without noise: J where the surface is
    problem = Problem(sim, seen, {(0, number): BOUNDS[number] for number in case.start}, 1)
    _, jacobian = problem.linearised(problem.start)
    covariance = np.linalg.inv(jacobian.T @ jacobian)
    slopes = [float(BOUNDS[n].slope(np.array(case.true[n]))) / case.true[n] for n in case.start]
    found = {n: slope * float(np.sqrt(covariance[i, i])) for i, (n, slope) in enumerate(zip(case.start, slopes))}
    return found | {"points": float(len(jacobian)), "cells": float(sim.scene.bodies[0].shape.count)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--coarse", type=float, default=3.0)
    parser.add_argument("--cameras", type=int, default=10)
    parser.add_argument("--steps", type=int, default=30)
    options = parser.parse_args()
    for name in KINDS:
        found = spread(name, options.coarse, options.device, options.cameras, options.steps)
        print(f"{name}: {found.pop('cells'):.0f} cells, {found.pop('points'):.0f} points")
        for number, part in found.items():
            inside = erf(ASKED / part / sqrt(2))
            print(
                f"  {number}: {100 * part:.2f} % at the least; within {100 * ASKED:.0f} % in {100 * inside:.0f} %",
                flush=True,
            )


if __name__ == "__main__":
    main()
