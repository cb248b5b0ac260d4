"""A dragon hung up by its head swings before twelve noisy depth cameras; from ten times its stiffness a fit finds it."""

from dataclasses import replace
from functools import cache

import numpy as np

import pliant as pl
from pliant.bench.dragon import HEAD, dragon
from pliant.inverse import Camera, DepthImages, Fit, Free, Huber, photographed
from pliant.view.pages.overlay import overlaid

TRUE, GUESS = 5000.0, 50000.0  # Pa
NOISE = 0.024  # [m] of each depth: an edge of a cell were there ten thousand
FRAMES, SECONDS = 12.5, 0.32


@cache
def lattice() -> pl.Lattice:
    return pl.Lattice(dragon(), 0.1)


def simulation(young: float = TRUE) -> pl.Simulation:
    law = pl.Corotated(young=young, poisson=0.3, density=10.0)
    body = pl.Body(
        lattice(), law, pinned=lambda X: (X[:, 2] > HEAD) & (X[:, 0] < -0.45), damping=pl.Damping(0.1, 0.01, exact=True),
        name="dragon",
    )  # fmt: skip
    return pl.Simulation(pl.Scene(body, gravity=(2.0, 3.0, -9.0)), pl.NewmarkTheta(0.04, theta=0.6))


def cameras() -> list[Camera]:
    """Twelve on a spiral over a sphere."""
    heights, turns = 1 - (2 * np.arange(12) + 1) / 12, np.arange(12) * np.pi * (3 - np.sqrt(5))
    across = np.sqrt(1 - heights**2)
    eyes = 4.0 * np.column_stack([across * np.cos(turns), across * np.sin(turns), heights])
    return [Camera.looking(eye, (0.0, 0.0, 0.0), (24, 24), 38.0) for eye in eyes]


@cache
def seen() -> list[DepthImages]:
    run = simulation(TRUE).run(SECONDS)
    images = [photographed(run, camera, FRAMES, NOISE, seed=1000 + k) for k, camera in enumerate(cameras())]
    return [replace(own, loss=Huber(3 * NOISE)) for own in images]  # rays that slip off an edge are far out


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    sim = simulation(GUESS)
    return pl.fit(sim, seen(), {(0, "young"): Free(500.0, 1e5, log=True)}), sim


def main(seconds: float | None = None) -> pl.Run:
    found, sim = fitted()
    print(found)
    return sim.run(seconds or SECONDS)


def draw(run: pl.Run, path: str) -> None:
    """With some of the points that the cameras saw."""
    times = seen()[0].times
    points = [np.concatenate([s.camera.points(s.images[k]) for s in seen()]) for k in range(len(times))]
    both = overlaid(run, times, points, "#1d3f72")
    pl.filmstrip(both, path, frames=[0, 4, 8], view=(-62, 10), size=(420, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/hanging_dragon.png")
    pl.page(run, "out/hanging_dragon.html", title="A dragon whose stiffness was found")
