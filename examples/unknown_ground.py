"""A soft body bounces off a floor that nobody has measured; scans of its skin alone tell how high it is and how it leans."""

from functools import cache

import numpy as np

import pliant as pl
from pliant.inverse import Camera, Fit, Free, scanned

TRUE = {"point": (0.0, 0.0, 0.004), "normal": (-0.011, -0.091, 0.996)}
GUESS = {"point": (0.0, 0.0, 0.010), "normal": (0.151, 0.245, 0.957)}  # 21° off
FRAMES = 50.0  # a second


@cache
def shape() -> pl.Lattice:
    solid = pl.sphere(0.09, (0, 0, 0.13)) | pl.sphere(0.055, (0.08, 0.02, 0.2)) | pl.sphere(0.045, (-0.07, -0.05, 0.07))
    return pl.Lattice(solid, 0.06)


def simulation(ground: dict = TRUE) -> pl.Simulation:
    jelly = pl.StableNeoHookean(young=6e3, poisson=0.35, density=1000.0)
    body = pl.Body(shape(), jelly, damping=pl.Damping(mass=1.0), velocity=(0.0, 0.0, -1.0), name="jelly")
    floor = pl.Obstacle(pl.plane(**ground), name="floor")
    wall = pl.Obstacle(pl.plane(point=(0, -0.5, 0), normal=(0, 1, 0)), name="wall")  # which ends its way down
    scene = pl.Scene(body, [floor, wall], contact=pl.Contact(smoothing=0.002))
    return pl.Simulation(scene, pl.BDF2(0.01))


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    """Four depth cameras look at the body, none at the floor; the fit begins with a wrong floor."""
    eyes = [(0.6, 0.2, 0.2), (-0.5, 0.4, 0.3), (0.1, -0.6, 0.1), (-0.2, -0.1, 0.8)]
    cameras = [Camera.looking(eye, (0.0, 0.0, 0.1), size=(14, 14), focal=20.0) for eye in eyes]
    scans = scanned(simulation(TRUE).run(0.2), cameras, FRAMES)
    sim = simulation(GUESS)
    free = {(None, "obstacle 0.tilt"): Free(-0.6, 0.6), (None, "obstacle 0.height"): Free(-0.05, 0.06)}
    return pl.fit(sim, scans, free), sim


def off(sim: pl.Simulation) -> tuple[float, float]:
    """How far a floor is from the true one: its lean [degrees], and its height below the body [m]."""
    floor = sim.scene.obstacles[0].shape
    normal, true = floor.program[0].rotation[:, 2], np.array(TRUE["normal"]) / np.linalg.norm(TRUE["normal"])
    return float(np.degrees(np.linalg.norm(np.cross(normal, true)))), float(-floor(np.array([TRUE["point"]]))[0])


def main(seconds: float | None = None) -> pl.Run:
    found, sim = fitted()
    print(found)
    print("{:.2e}° and {:.2e} m from the true floor".format(*off(sim)))
    return sim.run(seconds or 0.6)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=[0, 8, 14, 24, 40], view=(-68, 6), size=(300, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/unknown_ground.png")
    pl.page(run, "out/unknown_ground.html", title="A floor found from what bounced off it")
