"""How often the truth lies in the 95 % intervals of a fit, and whether a fit with a wrong model says so.

    python -m benchmarks.coverage [--seeds 200] [--whole 0] [--out benchmarks/results/coverage.json]

A beam of 20 kPa hangs from one end and falls under its weight; its nodes, markers on it or two depth cameras see it with
independent normal noise, and Young's modulus is fitted. With the right model intervals are to hold the truth. With a wrong
one, either they do or the tests say that residuals are not noise: damping of 6 1/s is left out, the clock is taken to be 50
ms late, or the truth has cells and steps of half the size. Each model is fitted to a motion without noise; each seed then adds
noise and takes one Gauss–Newton step from there, which is a fit as far as a millimetre of noise is small. ``--whole`` so many of
the right model are whole fits.
"""

from __future__ import annotations

import argparse
import itertools
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import pliant as pl
from pliant.errors import PliantWarning
from pliant.inverse import Camera, DepthImages, Free, Markers, NodePositions, photographed
from pliant.inverse.fitting.fit_problem import Problem
from pliant.inverse.fitting.uncertainty import uncertainty
from pliant.inverse.observations.goodness_of_fit import Goodness, Worth, goodness

TRUTH, START, STEP, LAST = 2e4, 3e4, 0.02, 0.2
NOISE = 1e-3  # [m] on every coordinate or depth
SIZE, CELLS = (0.3, 0.1, 0.1), (3, 1, 1)
KINDS = ("nodes", "markers", "depths")
MODELS = ("right", "no damping", "late clock", "coarse")
KEY, FREE = (0, "young"), Free(1e3, 1e6, log=True)
AT = np.random.default_rng(4).uniform((0.05, 0, 0), SIZE, (12, 3))  # markers
CAMERAS = [Camera.looking(eye, (0.15, 0.05, 0.0), size=(12, 12)) for eye in ((0.2, -0.5, 0.3), (0.3, 0.6, -0.2))]


def beam(young: float, damping: float = 0.0, finer: int = 1) -> pl.Simulation:
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1100)
    mesh = pl.tet_grid(SIZE, tuple(finer * n for n in CELLS))
    body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9, damping=pl.Damping(mass=damping))
    return pl.Simulation(pl.Scene(body), pl.BDF2(STEP / finer))


class Study:
    """One kind of observation and one model, whose truth is simulated once."""

    def __init__(self, kind: str, model: str, stated: bool):
        self.kind, self.late, self.sigma = kind, 0.05 if model == "late clock" else 0.0, NOISE if stated else None
        finer = 2 if model == "coarse" else 1
        self.run = run = beam(TRUTH, 6.0 if model == "no damping" else 0.0, finer).run(LAST)
        self.times, x = run.times[::finer], run.positions[::finer]
        if kind == "nodes":
            rest = beam(TRUTH).x
            self.seen = x[:, [int(np.argmin(np.linalg.norm(run.rest - at, axis=1))) for at in rest]]
        elif kind == "markers":
            nodes, weights, _ = pl.Tets(pl.tet_grid(SIZE, tuple(finer * n for n in CELLS))).locate(AT)
            self.seen = np.einsum("mk,fmkc->fmc", weights, x[:, nodes])
        self.observed = self.seen_with(None)
        start = TRUTH * (1 + 1e-6)  # of an exact start a fit knows no more
        found = pl.fit(beam(start), self.observed, {KEY: FREE}, progress=False)
        self.shares = found.uncertainty.shares
        self.problem = Problem(beam(TRUTH), self.observed, {KEY: FREE}, 1)
        self.left, self.jacobian = self.problem.linearised(self.shares)
        self.spots = self.problem.watch.spots

    def seen_with(self, seed: int | None) -> Any:
        """The observation with the noise of a seed, None for without."""
        placed = {"sigma": self.sigma, "delay": self.late}
        noise = 0.0 if seed is None else NOISE
        if self.kind == "depths":
            seeds = [0 if seed is None else 2 * seed + i for i in range(2)]
            images = [photographed(self.run, camera, 1 / STEP, noise, seed=s) for camera, s in zip(CAMERAS, seeds)]
            return [DepthImages(image.images, image.camera, image.times, **placed) for image in images]
        noisy = self.seen + noise * np.random.default_rng(seed).standard_normal(self.seen.shape)
        return NodePositions(noisy, **placed) if self.kind == "nodes" else Markers(noisy, self.times, at=AT, **placed)

    def step(self, seed: int) -> dict[str, Any]:
        """One step from the fit without noise, with residuals to first order."""
        size = 1.0 if self.sigma is not None else NOISE
        r = self.left + size * np.random.default_rng(seed).standard_normal(len(self.left))
        change = -np.linalg.lstsq(self.jacobian, r, rcond=None)[0]
        r, shares, watch = r + self.jacobian @ change, self.shares + change, self.problem.watch
        good = goodness(r, self.jacobian, self.spots, watch.units, watch.robust)
        worth = Worth.of(r, self.jacobian, good, self.spots)
        half = uncertainty(shares, r, self.jacobian, np.zeros((1, 1)), worth=worth).half
        ends = (float(FREE.value(shares[0] - half[0])), float(FREE.value(shares[0] + half[0])))
        return self._said(float(FREE.value(shares[0])), ends, good)

    def fit(self, seed: int) -> dict[str, Any]:
        """A whole fit."""
        found = pl.fit(beam(START), self.seen_with(seed), {KEY: FREE}, progress=False)
        return self._said(float(found.values[KEY]), found.intervals[KEY], found.goodness)

    @staticmethod
    def _said(value: float, ends: Any, good: tuple[Goodness, ...]) -> dict[str, Any]:
        return {
            "value": value,
            "half": 0.5 * float(ends[1] - ends[0]),
            "inside": bool(ends[0] <= TRUTH <= ends[1]),
            "explained": not any(one.large or one.correlated for one in good),
            "size": max(one.size for one in good) / (1.0 if good[0].unit == "sigma" else NOISE),
            "worth": sum(one.effective for one in good) / sum(one.count for one in good),
        }


def row(kind: str, model: str, seeds: int, stated: bool = True, whole: bool = False) -> dict[str, Any]:
    """What so many fits come to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        study = Study(kind, model, stated)
        every = [study.fit(seed) if whole else study.step(seed) for seed in range(seeds)]
    middle = {f"median {name}": float(np.median([one[name] for one in every])) for name in ("value", "half", "size", "worth")}
    return {
        "seen": kind,
        "model": model,
        "sigma": "stated" if stated else "unknown",
        "whole fits" if whole else "steps": seeds,
        "inside": sum(one["inside"] for one in every),
        "said": sum(not one["explained"] for one in every),
        "inside or said": sum(one["inside"] or not one["explained"] for one in every),
    } | {name: float(f"{value:.5g}") for name, value in middle.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--whole", type=int, default=0)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows = []
    for whole, stated, model, kind in itertools.product((False, True), (True, False), MODELS, KINDS):
        count = given.whole if whole else given.seeds
        if count and not (whole and (model != "right" or not stated)):
            rows.append(row(kind, model, count, stated, whole))
            print(json.dumps(rows[-1]), flush=True)
    if given.out is not None:
        given.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
