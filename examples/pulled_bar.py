"""A bar with a waist is pulled apart: it tears across where it is thinnest, and both halves spring back."""

import numpy as np

import pliant as pl

LENGTH, SIDE, WAIST = 0.20, 0.05, 0.6  # [m], and the share of the width that is left in the middle
SPEED, STOP = 0.25, 0.5  # of either end [m/s], and when it stops [s]


def bar(cells: tuple[int, int, int] = (20, 5, 5)) -> pl.TetMesh:
    """A grid of tets, thinner towards its middle, with inner nodes out of order."""
    grid = pl.tet_grid((LENGTH, SIDE, SIDE), cells, origin=(-LENGTH / 2, -SIDE / 2, -SIDE / 2))
    X = grid.vertices.copy()
    inside = (np.abs(X) < np.array([LENGTH, SIDE, SIDE]) / 2 - 1e-9).all(axis=1)
    X[inside] += np.random.default_rng(2).uniform(-0.15, 0.15, (inside.sum(), 3)) * SIDE / cells[1]
    X[:, 1:] *= 1 - (1 - WAIST) * np.exp(-((X[:, :1] / 0.035) ** 2))
    return pl.TetMesh(X, grid.tets)


def away(X: np.ndarray, time: float) -> np.ndarray:
    """An end, with all of its nodes, in its own direction."""
    return X + np.array([np.sign(X[0, 0]) * SPEED * min(time, STOP), 0.0, 0.0])


def simulation(cells: tuple[int, int, int] = (20, 5, 5)) -> pl.Simulation:
    body = pl.Body(
        bar(cells),
        pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000.0),
        effects=[
            pl.Hold(lambda X: X[:, 0] < -LENGTH / 2 + 1e-9, away),
            pl.Hold(lambda X: X[:, 0] > LENGTH / 2 - 1e-9, away),
            pl.Tearing(stretch=1.6),
        ],
        damping=pl.Damping(mass=4.0, stiffness=2e-3),  # crumbs come to rest in the air
        name="bar",
    )
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 400))


def main(seconds: float | None = None) -> pl.Run:
    sim = simulation()
    if seconds is not None:  # the beginning is the same for every bar
        while sim.t < 0.1:
            sim.step()
    run = sim.run(seconds or 0.3, progress=True, fields=("stretch",), frames_per_second=100)
    print(f"torn at {sum(report.torn for report in run.reports)} nodes")
    return run


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.35, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-70, 20), size=(560, 300), colour="stretch")


if __name__ == "__main__":
    run = main()
    draw(run, "out/pulled_bar.png")
    pl.page(run, "out/pulled_bar.html", title="A bar pulled apart")
