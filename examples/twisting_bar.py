"""A rubber bar is turned at both ends, half a turn each way, until it is a screw."""

import numpy as np

import pliant as pl

TURN = 2.0  # seconds for half a turn of each end


def turned(sense: float):
    """Where nodes are when they turn about the x axis: half a turn in TURN seconds, then stillness."""

    def motion(X: np.ndarray, t: float) -> np.ndarray:
        angle = sense * np.pi * min(t / TURN, 1.0)
        c, s = np.cos(angle), np.sin(angle)
        return X @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T

    return motion


def simulation() -> pl.Simulation:
    mesh = pl.tet_grid(size=(0.30, 0.07, 0.07), cells=(28, 6, 6), origin=(-0.15, -0.035, -0.035))
    ends = [
        pl.Hold(lambda X: X[:, 0] < -0.1499, motion=turned(-1.0)),
        pl.Hold(lambda X: X[:, 0] > +0.1499, motion=turned(+1.0)),
    ]
    rubber = pl.NeoHookean(young=8e4, poisson=0.45, density=1100.0)
    bar = pl.Body(mesh, rubber, effects=ends, damping=pl.Damping(stiffness=0.01), name="bar")
    return pl.Simulation(pl.Scene([bar], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 2.2, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-68, 22), size=(860, 460), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/twisting_bar.png")
    pl.page(run, "out/twisting_bar.html", title="A twisting bar")
