"""A beam is stretched by a third and cut in two: both halves return to the shapes they have at rest."""

import numpy as np

import pliant as pl

WHEN = 0.5  # seconds until the cut
PULL = 0.1  # metres by which the right end is moved


def stretched(X: np.ndarray, t: float) -> np.ndarray:
    return X + np.array([PULL * min(t / 0.3, 1.0), 0.0, 0.0])


def simulation() -> pl.Simulation:
    mesh = pl.tet_grid(size=(0.30, 0.08, 0.08), cells=(20, 5, 5), origin=(0.0, -0.04, 0.02))
    ends = [
        pl.Hold(lambda X: X[:, 0] < 1e-6, name="left"),
        pl.Hold(lambda X: X[:, 0] > 0.3 - 1e-6, motion=stretched, name="right"),
    ]
    rubber = pl.StableNeoHookean(young=5e4, poisson=0.4, density=1000.0)
    beam = pl.Body(mesh, rubber, effects=ends, damping=pl.Damping(stiffness=0.02), name="beam")
    return pl.Simulation(pl.Scene([beam], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 60))


def control(sim: pl.Simulation, report) -> None:
    """Along a bent stroke, right through the middle, once it is time."""
    if abs(sim.t - WHEN) < sim.integrator.dt / 2:
        path = [(0.17, -0.06, 0.2), (0.20, -0.02, 0.2), (0.20, 0.02, 0.2), (0.23, 0.06, 0.2)]
        sim.cut(pl.Blade(path, depth=0.3))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.5, progress=True, on_step=control)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-70, 30), size=(860, 460), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/stretched_beam_cut.png")
    pl.page(run, "out/stretched_beam_cut.html", title="A stretched beam, cut")
