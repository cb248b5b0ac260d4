"""Parameters found again from motions of a torus, of a dragon and of a body that bounces: values beside those of the thesis
that this follows, and what a gradient costs.

As in the thesis, the motion that is seen comes from the same lattice that is fitted to it (recovery.py says what is ours).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pliant.errors import PliantWarning
from pliant.inverse import Adjoint, Fit, Free, Huber, NodePositions, Observation, photographed, scanned
from pliant.inverse.fitting.fit import fit
from pliant.inverse.fitting.free_parameters import Key
from pliant.simulate.record.run import Run
from pliant.simulate.simulation import Simulation

from .recovery import DRAGON, DT, FINE, FLOOR, HEIGHTS, NORMALS, TRUE, VOXEL, bouncing, cameras, hanging, lean, swinging

Row = tuple[str, float, str]
BOUNDS = {
    "young": Free(500.0, 100000.0, log=True),
    "poisson": Free(0.05, 0.45),
    "damping.mass": Free(0.01, 1.0, log=True),
    "damping.stiffness": Free(0.001, 0.1, log=True),
}
GROUND = {(None, "obstacle 0.tilt"): Free(-0.6, 0.6), (None, "obstacle 0.height"): Free(-1.0, -0.3)}


@dataclass(frozen=True)
class Case:
    """Who moves, where the search begins, and what is seen: nodes, or points or depths of so many cameras.

    ``noise`` is a standard deviation in voxels of the thesis, ``every`` how many steps are from one picture to the next.
    """

    make: Callable[..., Simulation]
    start: dict[str, float]
    thesis: dict[str, float] = field(default_factory=dict)
    seen: str = "points"
    noise: float = 0.0
    steps: int = 30
    every: int = 1

    @property
    def true(self) -> dict[str, float]:
        return DRAGON if self.make is hanging else TRUE

    @property
    def voxel(self) -> float:
        """An edge of the thesis' cells [m]."""
        return FINE if self.make is hanging else VOXEL

    def simulation(self, coarse: float, device: str, start: bool) -> Simulation:
        return self.make(coarse * self.voxel, device, **(self.start if start else {}))


PAIR, PAIR_THESIS = {"young": 2200.0, "poisson": 0.32}, {"young": 1882.0, "poisson": 0.2568}
JOINT = {"young": 2500.0, "poisson": 0.35, "damping.mass": 0.15, "damping.stiffness": 0.015}
JOINT_THESIS = {"young": 1997.0, "poisson": 0.287, "damping.mass": 0.113, "damping.stiffness": 0.0115}
CASES = {
    "torus, 10 cameras": Case(swinging, PAIR, PAIR_THESIS),
    "torus, 10 cameras, depths with noise of a voxel": Case(swinging, PAIR, PAIR_THESIS, "depths", 1.0),
    "torus, 10 cameras, points with noise of a voxel": Case(swinging, PAIR, PAIR_THESIS, "points", 1.0),
    "torus, 10 cameras, stiffness from 2×": Case(swinging, {"young": 4000.0}),
    "torus, 10 cameras, stiffness from 10×": Case(swinging, {"young": 20000.0}),
    "torus, nodes, joint": Case(swinging, JOINT, JOINT_THESIS, "nodes", steps=40),
    "torus, 10 cameras, 300 steps": Case(swinging, PAIR, steps=300, every=10),
    "dragon, 12 cameras, depths with noise of a voxel, from 2×": Case(
        hanging, {"young": 10000.0}, {"young": 4348.0}, "depths", 1.0
    ),
    "dragon, 12 cameras, depths with noise of a voxel, from 10×": Case(hanging, {"young": 50000.0}, {}, "depths", 1.0),
    "dragon, 12 cameras, points with noise of a voxel, from 2×": Case(
        hanging, {"young": 10000.0}, {"young": 4348.0}, "points", 1.0
    ),
    "dragon, 12 cameras, depths with noise of a voxel, 300 steps": Case(hanging, {"young": 10000.0}, {}, "depths", 1.0, 300, 10),
}
GROUNDS = {
    "ground, 10 cameras": Case(bouncing, {}, steps=40),
    "ground, 10 cameras, depths with noise of a voxel": Case(bouncing, {}, {}, "depths", 1.0, 40),
}


def looked_at(case: Case, seen: Run, pixels: int, seed: int) -> Observation | list[Observation]:
    """What is observed of a run: its nodes, points of cameras around it, or their depths."""
    if case.seen == "nodes":
        return NodePositions(seen.positions)
    looks = cameras(12, pixels, 4.0) if case.make is hanging else cameras(10, pixels)
    pace, noise = 1 / (case.every * DT), case.noise * case.voxel
    if case.seen == "depths":
        images = [photographed(seen, look, pace, noise, seed=seed + 1000 * k) for k, look in enumerate(looks)]
        return [replace(own, loss=Huber(3 * noise)) for own in images]  # rays that slip off an edge are far out
    return scanned(seen, looks, pace, noise, seed=seed)


def run(
    coarse: float = 3.0,
    steps: int = 0,
    pixels: int = 24,
    noisy_pixels: int = 100,
    seed: int = 7,
    device: str = "cpu",
    only: str = "",
) -> Iterator[Row]:
    """Recovery of each case, with half its 95 % interval, and the time of one gradient beside that of one run.

    Cells are ``coarse`` times as large as the thesis' voxels; noise is that of a voxel, whatever they are. Cameras have
    ``pixels`` a side, and ``noisy_pixels`` where there is noise: 100 are the thesis'. ``steps``: in place of those of a case.
    ``only``: a part of the names of those to run.
    """
    for name, case in (CASES | GROUNDS).items():
        if only in name:
            work = _ground if name in GROUNDS else _recovered
            yield from work(name, case, coarse, steps, noisy_pixels if case.noise else pixels, seed, device)
    yield from _costs(coarse, steps or 30, device)


def _observed(case: Case, coarse: float, steps: int, pixels: int, seed: int, device: str) -> Observation | list[Observation]:
    seen = case.simulation(coarse, device, start=False).run((steps or case.steps) * DT)
    return looked_at(case, seen, pixels, seed)


def _recovered(name: str, case: Case, coarse: float, steps: int, pixels: int, seed: int, device: str) -> Iterator[Row]:
    """What is found of the numbers of a body."""
    observed = _observed(case, coarse, steps, pixels, seed, device)
    sim = case.simulation(coarse, device, start=True)
    begin = time.perf_counter()
    found = _fitted(sim, observed, {(0, number): BOUNDS[number] for number in case.start})
    taken = time.perf_counter() - begin
    for number in case.start:
        value = float(found.values[0, number])
        yield f"{name}: {number}", value, ""
        yield f"{name}: {number}, error", 100 * (value / case.true[number] - 1), "%"
        if found.uncertainty is not None:
            yield f"{name}: {number}, half of the 95 % interval", float(found.errors[0, number]), ""
    yield from _effort(name, found, sim, taken)


def _ground(name: str, case: Case, coarse: float, steps: int, pixels: int, seed: int, device: str) -> Iterator[Row]:
    """How far a ground that was found is from the true one: its lean, and its height at the place that heights count from."""
    observed = _observed(case, coarse, steps, pixels, seed, device)
    sim = bouncing(coarse * VOXEL, device, "start")
    begin = time.perf_counter()
    found = _fitted(sim, observed, GROUND)
    taken = time.perf_counter() - begin
    ground = sim.scene.obstacles[0].shape
    yield f"{name}: lean, error", lean(ground.program[0].rotation[:, 2]), "°"
    yield f"{name}: height, error", 100 * float(-ground(np.array([[0.0, 0.0, FLOOR]]))[0]) / VOXEL, "% of a voxel"
    if found.uncertainty is not None:
        half = found.errors[None, "obstacle 0.tilt"].max()
        yield f"{name}: lean, half of the 95 % interval", float(np.degrees(half)), "°"
    yield from _effort(name, found, sim, taken)


def _effort(name: str, found: Fit, sim: Simulation, taken: float) -> Iterator[Row]:
    yield f"{name}: converged", float(found.converged), ""
    yield f"{name}: cells", float(sum(body.shape.count for body in sim.scene.bodies)), ""
    yield f"{name}: runs", float(found.runs), ""
    yield f"{name}: time", taken, "s"


def _fitted(sim: Simulation, observed: Observation | list[Observation], free: dict[Key, Free]) -> Fit:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        return fit(sim, observed, free, progress=False)


def _costs(coarse: float, steps: int, device: str) -> Iterator[Row]:
    """One gradient beside one run, by turns, the fastest of three."""
    sim = swinging(coarse * VOXEL, device, young=2200.0)
    adjoint, ones = Adjoint(sim), np.ones((sim.world.count, 3))
    first = sim.state.copy()
    ways = {"run": lambda: [sim.step() for _ in range(steps)], "gradient": lambda: adjoint.gradient(steps, _sum(ones))}
    best = dict.fromkeys(ways, np.inf)
    for _ in range(3):
        for name, work in ways.items():
            sim.assign(first)
            begin = time.perf_counter()
            work()
            sim.device.synchronize()
            best[name] = min(best[name], time.perf_counter() - begin)
            sim.assign(first)
    yield f"{sim.world.count} nodes, {steps} steps: run", best["run"], "s"
    yield f"{sim.world.count} nodes, {steps} steps: gradient", best["gradient"], "s"
    yield "gradient / run", best["gradient"] / best["run"], "x"


def _sum(ones: np.ndarray):
    return lambda k, x, v: (float(x.sum()), ones, None)


def table(rows: Sequence[dict]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Each number beside the truth, its start and the thesis."""
    values = {row["name"]: row["value"] for row in rows}
    lines = []
    for name, case in CASES.items():
        for number, begin in case.start.items():
            if (key := f"{name}: {number}") in values:
                half, true = values.get(f"{key}, half of the 95 % interval", np.nan), case.true[number]
                was = case.thesis.get(number)
                thesis = "–" if was is None else f"{was:g} ({100 * (was / true - 1):+.1f} %)"
                ours = f"{values[key]:.5g} ± {half:.2g} ({values[f'{key}, error']:+.2f} %)"
                lines.append((name, number, f"{true:g}", f"{begin:g}", ours, thesis))
    for name in GROUNDS:
        if (key := f"{name}: lean, error") in values:
            start, was = (f"{lean(NORMALS[of]):.1f}° off" for of in ("start", "thesis"))
            lines.append((name, "lean", "0°", start, f"{values[key]:.3f}° off", was))
            ours = f"{values[f'{name}: height, error']:+.2f} % of a voxel"
            lines.append((name, "height", "0 m", f"{HEIGHTS['start']:g} m", ours, f"{HEIGHTS['thesis']:g} m"))
    return ("case", "number", "truth", "start", "found", "thesis"), lines
