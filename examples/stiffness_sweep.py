"""Sixteen beams from soft to stiff in one batch: they bend side by side, and each moves as if it were alone."""

from functools import reduce

import numpy as np

import pliant as pl

YOUNG = np.geomspace(2e4, 2e6, 16)  # [Pa]
STEPS = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=20))


def beam(young: float, y: float = 0.0, cells: tuple[int, int, int] = (16, 2, 2)) -> pl.Body:
    return pl.Body(
        pl.Hexes(pl.meshes.hex_box(size=(0.40, 0.05, 0.05), cells=cells, origin=(0.0, y, 0.40))),
        pl.StableNeoHookean(young=young, poisson=0.4, density=1000.0),
        pinned=lambda X: X[:, 0] < 1e-6,
        damping=pl.Damping(stiffness=0.01),
        name=f"E = {young / 1e3:.0f} kPa",
    )


def simulation(cells: tuple[int, int, int] = (16, 2, 2)) -> pl.Simulation:
    """The same beams as one scene, for the viewer."""
    beams = [beam(young, 0.08 * k, cells) for k, young in enumerate(YOUNG)]
    return pl.Simulation(pl.Scene(beams), STEPS, precision="f32")


def main(seconds: float | None = None) -> pl.Run:
    batch = pl.Batch([pl.Scene(beam(young)) for young in YOUNG], STEPS, precision="f32")
    runs = batch.run(seconds or 1.0, progress=True)
    for young, run in zip(YOUNG, runs):
        print(f"E = {young / 1e3:7.1f} kPa: the tip sinks to {run.positions[-1, :, 2].min():.3f} m")
    rate = len(runs) / np.median([1e-9 + sum(r.step_seconds[k] for r in runs) for k in range(len(runs[0].step_seconds))])
    print(f"{rate:.0f} steps of one beam per second")
    return reduce(lambda all_, run: all_.beside(run, (0.0, 0.08 * (len(all_.skins)), 0.0)), runs)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, colour="stress", view=(-35, 20), size=(1200, 760))


if __name__ == "__main__":
    run = main()
    draw(run, "out/stiffness_sweep.png")
    pl.page(run, "out/stiffness_sweep.html", title="A sweep of stiffness")
