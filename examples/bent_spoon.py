"""A spoon is held at its bowl and bent by its handle; let go, it springs back a little and stays bent."""

import numpy as np

import pliant as pl

LENGTH, HANDLE, BOWL = 0.18, 0.005, 0.020  # of the whole, and half the widths [m]
PULL, HOLD, REST = 0.5, 0.6, 1.0  # when the force is at its largest, until when it stays so, and when it is gone [s]


def spoon(along: int = 60, across: int = 4, deep: int = 2) -> pl.TetMesh:
    """A plate of tets, narrow where the handle is, wide and hollow where the bowl is."""
    grid = pl.tet_grid(size=(1.0, 2.0, 1.0), cells=(along, across, deep), origin=(0.0, -1.0, -0.5))
    s, y, z = grid.vertices.T
    inside = np.clip((s - 0.70) / 0.29, 0.0, 1.0)  # how far along the bowl
    round_ = np.sqrt(np.maximum(1 - (2 * inside - 1) ** 2, 0.0))
    width = np.where(s > 0.70, HANDLE * (1 - inside) + (BOWL - HANDLE) * round_ + 0.3 * HANDLE * inside, HANDLE)
    hollow = -0.010 * round_**2 * (1 - y**2)
    X = np.stack([LENGTH * s, width * y, 0.0025 * z + hollow], axis=1)
    return pl.TetMesh(X, grid.tets)


def simulation() -> pl.Simulation:
    tin = pl.Plastic(pl.StableNeoHookean(young=2e9, poisson=0.3, density=7300.0), yield_stress=2.0e7, hardening=1.0e8)

    def course(time: float) -> float:
        return float(np.interp(time, [0.0, PULL, HOLD, REST], [0.0, 1.0, 1.0, 0.0]))

    body = pl.Body(
        spoon(),
        tin,
        effects=[
            pl.Hold(lambda X: X[:, 0] > 0.72 * LENGTH),
            pl.Load((0.0, 0.0, 9.0), lambda X: X[:, 0] < 0.02, course=course),
        ],
        name="spoon",
    )
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.05))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or REST, fields=["plastic strain"], progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=[0, int(HOLD / 0.05), -1], colour="plastic strain", view=(-75, 14), size=(440, 330))


if __name__ == "__main__":
    run = main()
    draw(run, "out/bent_spoon.png")
    pl.page(run, "out/bent_spoon.html", title="A bent spoon")
