"""A thumb is pressed into a lump of clay and taken away; its print stays."""

import numpy as np

import pliant as pl

RADIUS, TOP, DEEP = 0.014, 0.030, 0.008  # of the thumb, height of the clay, depth of the print [m]


def thumb(time: float) -> np.ndarray:
    """Down in 0.4 s, away again in another 0.4 s."""
    pose = np.eye(4)
    pose[2, 3] = RADIUS + TOP + 0.002 - (DEEP + 0.002) * np.sin(np.pi * min(time / 0.8, 1.0)) ** 2
    pose[2, 3] += 0.02 * max(time - 0.8, 0.0) / 0.2
    return pose


def simulation(cells: tuple[int, int, int] = (16, 12, 6)) -> pl.Simulation:
    clay = pl.Plastic(
        pl.StableNeoHookean(young=4e5, poisson=0.4, density=1800.0), yield_stress=4e3, hardening=2e4, creep_time=0.005
    )
    grid = pl.tet_grid(size=(0.08, 0.06, TOP), cells=cells, origin=(-0.04, -0.03, 0.0))
    lump = pl.Body(grid, clay, pinned=lambda X: X[:, 2] < 1e-6, damping=pl.Damping(stiffness=0.002), name="clay")
    tip = pl.capsule((-0.012, 0, 0.0), (0.05, 0, 0.025), RADIUS)
    scene = pl.Scene([lump], obstacles=[pl.Obstacle(tip, motion=thumb, name="thumb")])
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 50))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, fields=["plastic strain"], progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=[20, -1], colour="plastic strain", view=(-62, 38), size=(560, 420), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/thumbprint.png")
    pl.page(run, "out/thumbprint.html", title="A thumbprint in clay")
