"""A bar of 3,000 tets is twisted at frame rate by ten L-BFGS iterations a step, beside bars with one Newton iteration."""

from functools import reduce

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


def simulation(name: str = "bar", solver: pl.QuasiNewton | pl.Newton | None = None) -> pl.Simulation:
    """A bar between two ends that turn, with a solver of its own or ten L-BFGS iterations."""
    solver = solver or pl.QuasiNewton(iterations=10)
    mesh = pl.tet_grid(size=(0.40, 0.08, 0.08), cells=(24, 5, 5), origin=(-0.20, -0.04, -0.04))
    ends = [
        pl.Hold(lambda X: X[:, 0] < -0.1999, motion=turned(-1.0)),
        pl.Hold(lambda X: X[:, 0] > +0.1999, motion=turned(+1.0)),
    ]
    bar = pl.Body(mesh, pl.StableNeoHookean(young=8e4, poisson=0.45, density=1100.0), effects=ends, name=name)
    return pl.Simulation(pl.Scene([bar], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30, solver=solver), precision="f32")


def twisted(name: str, solver: pl.QuasiNewton | pl.Newton, seconds: float) -> pl.Run:
    """The run of one solver; prints its rate and how far its steps come."""
    sim = simulation(name, solver)
    run = sim.run(seconds, fields=(), progress=True)
    residual, tets = np.median([r.residual for r in run.reports]), sim.scene.bodies[0].shape.count
    print(f"{name}: {1 / np.median(run.step_seconds):.0f} steps/s, {tets} tets, scaled residual {residual:.1e}")
    return run


SOLVERS = {
    "ten L-BFGS iterations": pl.QuasiNewton(iterations=10),
    "one Newton iteration, conjugate gradients": pl.Newton(iterations=1),
    "one Newton iteration, direct": pl.Newton(iterations=1, linear=pl.linear.Direct()),
}


def main(seconds: float | None = None) -> pl.Run:
    runs = [twisted(name, solver, seconds or 2.2) for name, solver in SOLVERS.items()]
    return reduce(lambda bars, one: bars.beside(one, (0.0, 0.16 * len(bars.skins), 0.0)), runs)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.25, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-52, 40), size=(480, 360))


if __name__ == "__main__":
    run = main()
    draw(run, "out/twisting_bar_live.png")
    pl.page(run, "out/twisting_bar_live.html", title="A bar twisted at frame rate")
