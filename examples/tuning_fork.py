"""A steel tuning fork, held by its stem: the first four ways in which it swings; the fourth is its tone, near 440 Hz."""

import numpy as np

import pliant as pl

CELL = 0.004  # [m]; prongs are one cell wide
PRONG, YOKE, STEM = 21, 2, 6  # cells


def fork() -> pl.TetMesh:
    """Two prongs on a yoke on a stem, cut out of a grid of quadratic tets."""
    cells = (5, 1, STEM + YOKE + PRONG)
    grid = pl.tet_grid(np.array(cells) * CELL, cells, origin=(-2.5 * CELL, -0.5 * CELL, 0.0))
    x, _, z = (grid.vertices[grid.tets].mean(axis=1) / CELL).T
    stem, prongs = (z < STEM) & (np.abs(x) < 0.5), (z > STEM + YOKE) & (np.abs(x) > 1.5)
    kept = grid.tets[stem | prongs | ((z > STEM) & (z < STEM + YOKE))]
    used, tets = np.unique(kept, return_inverse=True)
    return pl.TetMesh(grid.vertices[used], tets.reshape(-1, 4)).quadratic()


def body() -> pl.Body:
    steel = pl.LinearElastic(young=2.1e11, poisson=0.3, density=7850.0)
    return pl.Body(fork(), steel, pinned=lambda X: X[:, 2] < 2.001 * CELL, name="fork")


def simulation() -> pl.Simulation:
    """It sounds: let go from the shape of its tone, and seen in steps of a twentieth of a swing."""
    tone = pl.modes(body(), 4)
    sim = pl.Simulation(pl.Scene(body(), gravity=(0, 0, 0)), pl.ImplicitMidpoint(dt=0.05 / tone.frequencies[3]))
    sim.x = sim.x + 0.004 * tone.shapes[3] / np.abs(tone.shapes[3]).max()
    return sim


def main(seconds: float | None = None) -> pl.Run:
    found = pl.modes(body(), 4)
    print(found)
    runs = [found.run(mode, size=0.06, cycles=max(1, round(seconds or 2.0))) for mode in range(4)]
    run = runs[0]
    for i, other in enumerate(runs[1:], 1):
        run = run.beside(other, (0.05 * i, 0.0, 0.0))
    return run


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, frame=12, colour="displacement", view=(-70, 12), size=(860, 620))


if __name__ == "__main__":
    run = main()
    draw(run, "out/tuning_fork.png")
    pl.page(run, "out/tuning_fork.html", title="A tuning fork")
