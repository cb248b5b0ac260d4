"""A cloth falls over a ball, slides on it and folds over itself; no part of it passes through the ball or through another."""

import numpy as np

import pliant as pl

RADIUS, THICK = 0.1, 0.002


def simulation(cells: int = 14) -> pl.Simulation:
    grid = pl.cloth_grid((0.45, 0.45), (cells, cells)).translated((-0.225, -0.225, 0.225))
    grid = grid.rotated((0, 0, 1), 20.0)
    cloth = pl.Body(
        pl.Membrane(grid, thickness=THICK),
        pl.StableNeoHookean(young=2e5, poisson=0.3, density=300.0),
        damping=pl.Damping(mass=0.5),
        name="cloth",
    )
    ball = pl.sphere(RADIUS, centre=(0.01, 0.0, 0.115))
    contact = pl.Contact(friction=0.2, response=pl.contact.Barrier(reach=0.004))
    return pl.Simulation(pl.Scene([cloth], obstacles=[ball, pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(1 / 100))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.7, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, last // 3, 2 * last // 3, last), view=(-60, 20), size=(380, 360))


if __name__ == "__main__":
    run = main()
    lowest = float(np.linalg.norm(run.positions[-1] - [0.01, 0.0, 0.115], axis=1).min())
    print(
        f"nearest to the centre of the ball: {1e3 * lowest:.1f} mm of {1e3 * RADIUS:.0f}; worst gap {run.worst_gap.min():.2g} m"
    )
    draw(run, "out/cloth_over_ball.png")
