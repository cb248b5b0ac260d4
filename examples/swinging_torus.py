"""A soft ring swings from its top before ten depth cameras, whose points tell its stiffness and its Poisson ratio."""

from functools import cache

import numpy as np

import pliant as pl
from pliant.inverse import Camera, Fit, Free, scanned

TRUE = {"young": 2000.0, "poisson": 0.30}
GUESS = {"young": 2200.0, "poisson": 0.32}


@cache
def ring() -> pl.Lattice:
    return pl.Lattice(pl.torus(0.5, 0.2, axis=(0, 1, 0)), 0.2)


def simulation(values: dict = TRUE) -> pl.Simulation:
    law = pl.Corotated(**values, density=10.0)
    damping = pl.Damping(0.1, 0.01, exact=True)
    body = pl.Body(ring(), law, pinned=lambda X: X[:, 2] > 0.55, damping=damping, name="ring")
    return pl.Simulation(pl.Scene(body, gravity=(4.0, 3.0, -9.0)), pl.NewmarkTheta(0.02, theta=0.6))


def cameras() -> list[Camera]:
    """Ten on a spiral over a sphere."""
    heights, turns = 1 - (2 * np.arange(10) + 1) / 10, np.arange(10) * np.pi * (3 - np.sqrt(5))
    across = np.sqrt(1 - heights**2)
    eyes = 3.0 * np.column_stack([across * np.cos(turns), across * np.sin(turns), heights])
    return [Camera.looking(eye, (0.0, 0.0, 0.0), (12, 12), 20.0) for eye in eyes]


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    scans = scanned(simulation(TRUE).run(0.24), cameras(), 25.0)
    sim = simulation(GUESS)
    free = {(0, "young"): Free(500.0, 8000.0, log=True), (0, "poisson"): Free(0.05, 0.45)}
    return pl.fit(sim, scans, free), sim


def main(seconds: float | None = None) -> pl.Run:
    found, sim = fitted()
    print(found)
    return sim.run(seconds or 2.0)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=[0, 15, 30, 45], view=(-62, 10), size=(320, 380), colour="stress")


if __name__ == "__main__":
    run = main()
    draw(run, "out/swinging_torus.png")
    pl.page(run, "out/swinging_torus.html", title="A ring whose stiffness was found")
