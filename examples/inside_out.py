"""A block is turned inside out, its top driven down through its bottom with a quarter turn, and back; then it is as it was."""

import numpy as np

import pliant as pl

SIZE = (0.3, 0.2, 0.2)  # [m]
THROUGH, BACK, END = 0.5, 1.0, 1.4  # when the top is as far below as it was above, when it is back, and the end [s]


def motion(X: np.ndarray, t: float) -> np.ndarray:
    """Where the top is driven: down through the bottom, with a quarter turn so that no symmetry helps, and back."""
    height, angle = np.interp(t, [0, THROUGH, BACK], [1, -1, 1]), np.interp(t, [0, THROUGH, BACK], [0, np.pi / 2, 0])
    middle = np.array([X[:, 0].mean(), X[:, 1].mean()])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([middle + (X[:, :2] - middle) @ turn.T, height * X[:, 2]])


def simulation() -> pl.Simulation:
    body = pl.Body(
        pl.tet_grid(SIZE, (6, 4, 4), 6),
        pl.Dapd(young=3e4, poisson=0.25, density=1000),
        pinned=lambda X: X[:, 2] < 1e-9,
        effects=pl.Hold(lambda X: X[:, 2] > SIZE[2] - 1e-9, motion),
        damping=pl.Damping(mass=1.0, stiffness=0.01),
        name="block",
    )
    step = pl.ImplicitEuler(1 / 60, pl.Newton(iterations=3, line_search=None))
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), step)


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or END, frames_per_second=30, fields=["volume ratio"], progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(np.argmin(np.abs(run.times - t))) for t in (0.0, 0.2, THROUGH, 0.8, END)]
    pl.filmstrip(run, path, frames=moments, colour="volume ratio", view=(-50, 20), size=(320, 260))


if __name__ == "__main__":
    run = main()
    draw(run, "out/inside_out.png")
    pl.page(run, "out/inside_out.html", title="Inside out and back")
