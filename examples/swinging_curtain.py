"""A curtain of 441 nodes on springs swings from two corners, with 1, 10 and 100 iterations of fast mass–spring a step."""

from dataclasses import replace
from functools import reduce

import numpy as np

import pliant as pl

STRETCH, BEND = 400.0, 4.0  # [N/m] of a spring 5 cm long, and of one that skips a node
RADIUS, SIDE = 1e-3, 1.0  # [m]
BUDGETS = (1, 10, 100)


def curtain(iterations: int) -> pl.Body:
    """1 m × 1 m and 1 kg: springs along edges and diagonals, and from each node to the next but one (section 5.3)."""
    net = pl.meshes.net(size=(SIDE, SIDE), cells=(20, 20), origin=(-SIDE / 2, 0.0, 1.0))
    area, length = np.pi * RADIUS**2, SIDE / 20
    skips = net.lengths > 1.5 * length
    springs = pl.Springs(net, np.where(skips, RADIUS * np.sqrt(2 * BEND / STRETCH), RADIUS))  # k = E A / l
    stuff = pl.Corotated(young=STRETCH * length / area, density=1.0 / springs.volumes.sum())
    held = pl.Hold([0, 20 * 21], motion=lambda X, t: X * [1.0 - 0.2 * min(t, 1.0), 1.0, 1.0])  # corners come closer
    return pl.Body(springs, stuff, effects=held, damping=pl.Damping(mass=0.5), name=f"{iterations} iterations a step")


def simulation(iterations: int = 10) -> pl.Simulation:
    solver = pl.QuasiNewton(iterations=iterations, window=0)  # without history it is the local/global method
    return pl.Simulation(pl.Scene([curtain(iterations)]), pl.ImplicitEuler(dt=1 / 30, solver=solver))


def main(seconds: float | None = None) -> pl.Run:
    runs = []
    for iterations in BUDGETS:
        run = simulation(iterations).run(seconds or 2.4, progress=True)
        sheet = pl.cloth_grid(size=(SIDE, SIDE), cells=(20, 20)).triangles  # drawn as cloth rather than as springs
        runs.append(run.drawn([replace(run.skins[0], triangles=sheet)]))
        residual = np.median([r.residual for r in run.reports])
        spent = 1e3 * np.median(run.step_seconds)
        print(f"{iterations:3d} iterations: {spent:.1f} ms a step, scaled residual {residual:.1e}")
    return reduce(lambda left, right: left.beside(right, (1.25 * SIDE * len(left.skins), 0, 0)), runs)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.2, 0.4, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-65, 12), size=(640, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/swinging_curtain.png")
    pl.page(run, "out/swinging_curtain.html", title="A curtain with 1, 10 and 100 iterations")
