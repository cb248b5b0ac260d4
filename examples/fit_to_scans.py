"""Scans of a swinging rubber arm are read from PLY files and say that it is not of 60 kPa; the shell finds the same."""

from functools import cache
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.inverse import Camera, Clouds, Fit, Free, GemanMcClure, read_clouds, scanned

TRUE, GUESS = 2e4, 6e4  # [Pa]
FOLDER, FRAMES = Path("out/scans"), 40.0  # a second
SCENE = """
[[bodies]]
name = "arm"
shape = { tet_grid = { size = [0.3, 0.1, 0.1], cells = [4, 2, 2] } }
material = { StableNeoHookean = { young = %g, poisson = 0.4, density = 1100 } }
pinned = { below = { x = 0.001 } }

[integrator.BDF2]
dt = 0.02
"""
COMMAND = f"pliant fit {FOLDER}/arm.toml {FOLDER}/scan_*.ply --unit 0.001 --fps {FRAMES:g} --robust 0.02 --free young=5e3:2e5"


def simulation(young: float = TRUE) -> pl.Simulation:
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1100.0)
    arm = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (4, 2, 2)), law, pinned=lambda X: X[:, 0] < 1e-3, name="arm")
    return pl.Simulation(pl.Scene(arm), pl.BDF2(0.02))


def record() -> None:
    """What a scanner would have written: millimetres, 1 mm of noise, a tenth of the points lost, some of the wall behind."""
    eyes = ((0.2, -0.5, 0.3), (0.3, 0.6, -0.2))
    cameras = [Camera.looking(eye, (0.15, 0.05, 0.0), size=(20, 20)) for eye in eyes]
    scans = scanned(simulation(TRUE).run(0.24), cameras, FRAMES, noise=1e-3, holes=0.1, seed=3)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wall = np.array([-0.1, 0.0, 0.0]) + np.random.default_rng(4).uniform(-0.05, 0.05, (20, 3))
    for i, points in enumerate(scans.points):
        pl.write(pl.PointCloud(1000.0 * np.concatenate([points, wall])), FOLDER / f"scan_{i}.ply")
    (FOLDER / "arm.toml").write_text(SCENE % GUESS)


def read() -> Clouds:
    return read_clouds(FOLDER / "scan_*.ply", FRAMES, unit=1e-3, sigma=1e-3, loss=GemanMcClure(0.02))


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    record()
    sim = simulation(GUESS)
    return pl.fit(sim, read(), {(0, "young"): Free(5e3, 2e5, log=True)}), sim


def main(seconds: float | None = None) -> pl.Run:
    found, sim = fitted()
    print(found)
    print(f"the same from the shell: {COMMAND}")
    return simulation(GUESS).run(seconds or 0.4).beside(sim.run(seconds or 0.4), (0.0, 0.25, 0.0))


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-30, 12), size=(860, 480), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/fit_to_scans.png")
    pl.page(run, "out/fit_to_scans.html", title="An arm before and after its scans were read")
