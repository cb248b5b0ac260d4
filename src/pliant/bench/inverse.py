"""Parameters found again from motions of a torus and of a body that bounces: values beside those of the thesis that this
follows, and what a gradient costs.

The thesis (S. Weiß, Physically-based Action Reconstruction, 2018) states values, starts, cameras and noise, but neither the
size of the torus nor density, gravity and time step; those are ours. As there, the motion that is seen comes from the
same lattice that is fitted to it.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from ..effects.damping import Damping
from ..effects.obstacles import Contact
from ..elements.lattice import Lattice
from ..errors import PliantWarning
from ..geometry.sdf import plane, sphere, torus
from ..integrate.schemes import NewmarkTheta
from ..inverse import Adjoint, Camera, Fit, Free, Observation, Observed, fit, photographed, scanned
from ..material.corotated import Corotated
from ..simulate.body import Body, Scene
from ..simulate.run import Run
from ..simulate.simulation import Simulation
from ..solve.newton import Newton

Row = tuple[str, float, str]
TRUE = {"young": 2000.0, "poisson": 0.3, "damping.mass": 0.1, "damping.stiffness": 0.01}
BOUNDS = {
    "young": Free(500.0, 40000.0, log=True),
    "poisson": Free(0.05, 0.45),
    "damping.mass": Free(0.01, 1.0, log=True),
    "damping.stiffness": Free(0.001, 0.1, log=True),
}
# case → start, and what the thesis ended with
CASES = {
    "torus, 10 cameras": ({"young": 2200.0, "poisson": 0.32}, {"young": 1882.0, "poisson": 0.2568}),
    "torus, 10 cameras, depths with noise of a voxel": ({"young": 2200.0, "poisson": 0.32}, {}),
    "torus, 10 cameras, points with noise of a voxel": ({"young": 2200.0, "poisson": 0.32}, {}),
    "torus, 10 cameras, stiffness from 2×": ({"young": 4000.0}, {}),
    "torus, 10 cameras, stiffness from 10×": ({"young": 20000.0}, {}),
    "torus, 10 cameras, depths with noise of a voxel, stiffness from 10×": ({"young": 20000.0}, {}),
    "torus, nodes, joint": (
        {"young": 2500.0, "poisson": 0.35, "damping.mass": 0.15, "damping.stiffness": 0.015},
        {"young": 1997.0, "poisson": 0.287, "damping.mass": 0.113, "damping.stiffness": 0.0115},
    ),
}
GROUNDS = ("ground, 10 cameras", "ground, 10 cameras, depths with noise of a voxel")
# the thesis' bunny, with z up: true, where it began, where it ended
NORMALS = {"truth": (-0.011, -0.091, 0.996), "start": (0.151, 0.245, 0.957), "thesis": (-0.075, -0.075, 0.994)}
HEIGHTS = {"truth": 0.0, "start": 0.03, "thesis": -0.042}  # [m]
FLOOR = -0.62  # [m], that heights count from
DT = 0.01
VOXEL = 0.042  # [m]: with it the torus has about the 7180 cells of the thesis


def swinging(spacing: float, device: str = "cpu", **values: float) -> Simulation:
    """A torus that is held at its top and swings."""
    given = TRUE | values
    law = Corotated(young=given["young"], poisson=given["poisson"], density=10.0)
    damping = Damping(given["damping.mass"], given["damping.stiffness"], exact=True)
    shape = Lattice(torus(0.5, 0.2, axis=(0, 1, 0)), spacing)
    body = Body(shape, law, pinned=lambda X: X[:, 2] > 0.55, damping=damping)
    scene = Scene(body, gravity=(4.0, 3.0, -9.0))
    return Simulation(scene, NewmarkTheta(DT, Newton(tolerance=1e-8), theta=0.6), device=device)


def bouncing(spacing: float, device: str = "cpu", of: str = "truth") -> Simulation:
    """A body without symmetry, about as large as the torus, that is thrown at a ground."""
    solid = sphere(0.45) | sphere(0.28, (0.42, 0.1, 0.34)) | sphere(0.2, (-0.4, -0.1, 0.15))
    law = Corotated(young=TRUE["young"], poisson=TRUE["poisson"], density=10.0)
    damping = Damping(TRUE["damping.mass"], TRUE["damping.stiffness"], exact=True)
    body = Body(Lattice(solid, spacing), law, damping=damping, velocity=(0.0, 0.0, -2.0))
    ground = plane(point=(0.0, 0.0, FLOOR + HEIGHTS[of]), normal=NORMALS[of])
    scene = Scene(body, [ground], gravity=(0.0, 0.0, -10.0), contact=Contact(smoothing=0.005))
    return Simulation(scene, NewmarkTheta(DT, Newton(tolerance=1e-8), theta=0.6), device=device)


def lean(normal: Sequence[float], other: Sequence[float] = NORMALS["truth"]) -> float:
    """The angle between two normals [degrees]."""
    a, b = (np.asarray(n) / np.linalg.norm(n) for n in (normal, other))
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def cameras(count: int, pixels: int) -> list[Camera]:
    """So many around the torus, on a spiral over a sphere, all looking at its middle."""
    out = []
    for k in range(count):
        height, turn = 1 - (2 * k + 1) / count, k * np.pi * (3 - np.sqrt(5))
        away = np.array([np.sqrt(1 - height**2) * np.cos(turn), np.sqrt(1 - height**2) * np.sin(turn), height])
        out.append(Camera.looking(3.0 * away, (0.0, 0.0, 0.0), (pixels, pixels), 1.6 * pixels))
    return out


def looked_at(case: str, seen: Run, pixels: int, seed: int) -> Observation | list[Observation]:
    """What is observed of a run in a case: its nodes, points of ten cameras, or their depths; noise is that of a voxel."""
    if "nodes" in case:
        return Observed(seen.positions)
    looks, noise = cameras(10, pixels), VOXEL if "noise" in case else 0.0
    if "depths" in case:
        return [photographed(seen, look, 1 / DT, noise, seed=seed + 1000 * k) for k, look in enumerate(looks)]
    return scanned(seen, looks, 1 / DT, noise, seed=seed)


def run(
    spacing: float = 0.12,
    steps: int = 30,
    pixels: int = 24,
    noisy_pixels: int = 100,
    seed: int = 7,
    device: str = "cpu",
    only: str = "",
) -> Iterator[Row]:
    """Recovery of each case, with half its 95 % interval, and the time of one gradient beside that of one run.

    ``spacing`` [m] of the lattice: 0.042 has as many cells as the thesis. Cameras have ``pixels`` a side, and ``noisy_pixels``
    where there is noise: 100 are the thesis'. ``only``: some cases.
    """
    seen = swinging(spacing, device).run(steps * DT)
    for case, (start, _) in CASES.items():
        if only not in case:
            continue
        observed = looked_at(case, seen, noisy_pixels if "noise" in case else pixels, seed)
        begin = time.perf_counter()
        found = _fitted(swinging(spacing, device, **start), observed, list(start))
        taken = time.perf_counter() - begin
        for name in start:
            value, true = float(found.values[0, name]), TRUE[name]
            yield f"{case}: {name}", value, ""
            yield f"{case}: {name}, error", 100 * (value / true - 1), "%"
            if found.uncertainty is not None:
                yield f"{case}: {name}, half of the 95 % interval", float(found.errors[0, name]), ""
        yield f"{case}: runs", float(found.runs), ""
        yield f"{case}: time", taken, "s"
    for case in (case for case in GROUNDS if only in case):
        yield from _ground(case, spacing, steps, noisy_pixels if "noise" in case else pixels, seed, device)
    yield from _costs(spacing, steps, device)


def _ground(case: str, spacing: float, steps: int, pixels: int, seed: int, device: str) -> Iterator[Row]:
    """How far a ground that was found is from the true one: its lean, and its height at the place that heights count from."""
    observed = looked_at(case, bouncing(spacing, device).run(steps * DT), pixels, seed)
    sim = bouncing(spacing, device, "start")
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        free = {(None, "obstacle 0.tilt"): Free(-0.6, 0.6), (None, "obstacle 0.height"): Free(-1.0, -0.3)}
        found = fit(sim, observed, free, progress=False)
    taken = time.perf_counter() - begin
    ground = sim.scene.obstacles[0].shape
    yield f"{case}: lean, error", lean(ground.program[0].rotation[:, 2]), "°"
    yield f"{case}: height, error", 100 * float(-ground(np.array([[0.0, 0.0, FLOOR]]))[0]) / VOXEL, "% of a voxel"
    if found.uncertainty is not None:
        half = found.errors[None, "obstacle 0.tilt"].max()
        yield f"{case}: lean, half of the 95 % interval", float(np.degrees(half)), "°"
    yield f"{case}: runs", float(found.runs), ""
    yield f"{case}: time", taken, "s"


def _fitted(sim: Simulation, observed: Observation | list[Observation], names: Sequence[str]) -> Fit:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        return fit(sim, observed, {(0, name): BOUNDS[name] for name in names}, progress=False)


def _costs(spacing: float, steps: int, device: str) -> Iterator[Row]:
    """One gradient beside one run, by turns, the fastest of three."""
    sim = swinging(spacing, device, young=2200.0)
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
    for case, (start, thesis) in CASES.items():
        for name, begin in start.items():
            if (key := f"{case}: {name}") in values:
                half = values.get(f"{key}, half of the 95 % interval", np.nan)
                was = f"{thesis[name]:g} ({100 * (thesis[name] / TRUE[name] - 1):+.1f} %)" if name in thesis else "–"
                ours = f"{values[key]:.5g} ± {half:.2g} ({values[f'{key}, error']:+.2f} %)"
                lines.append((case, name, f"{TRUE[name]:g}", f"{begin:g}", ours, was))
    for case in GROUNDS:
        if (key := f"{case}: lean, error") in values:
            start, was = (f"{lean(NORMALS[of]):.1f}° off" for of in ("start", "thesis"))
            lines.append((case, "lean", "0°", start, f"{values[key]:.3f}° off", was))
            ours = f"{values[f'{case}: height, error']:+.2f} % of a voxel"
            lines.append((case, "height", "0 m", f"{HEIGHTS['start']:g} m", ours, f"{HEIGHTS['thesis']:g} m"))
    return ("case", "number", "truth", "start", "found", "thesis"), lines
