"""A cloth, held at two corners, falls from level and hangs in folds as sharp as its bending stiffness lets them be."""

import numpy as np

import pliant as pl

SIDE = 0.60  # [m]


def simulation() -> pl.Simulation:
    sheet = pl.cloth_grid(size=(SIDE, SIDE), cells=(26, 26), origin=(-SIDE / 2, -SIDE / 2, 1.0))
    corners = [int(np.argmin(np.linalg.norm(sheet.vertices - c, axis=1))) for c in
               ((-SIDE / 2, -SIDE / 2, 1.0), (SIDE / 2, -SIDE / 2, 1.0))]  # fmt: skip
    held = pl.Hold(corners, motion=lambda X, t: X * [1.0 - 0.10 * min(t / 0.8, 1.0), 1.0, 1.0])
    cloth = pl.Body(
        pl.Membrane(sheet, thickness=0.0018),
        pl.Corotated(young=1e5, poisson=0.3, density=170.0),
        effects=held,
        damping=pl.Damping(mass=1.0),
        name="cloth",
    )
    return pl.Simulation(pl.Scene([cloth]), pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 2.4, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-70, 10), size=(1000, 800))


if __name__ == "__main__":
    run = main()
    draw(run, "out/hanging_cloth.png")
    pl.page(run, "out/hanging_cloth.html", title="A hanging cloth")
