"""A limb of soft tissue with a muscle along its upper half: as the muscle is activated, the limb curls up."""

import numpy as np

import pliant as pl


def simulation() -> pl.Simulation:
    shape = pl.tet_grid(size=(0.24, 0.05, 0.05), cells=(24, 4, 4), origin=(0.0, -0.025, 0.2))
    tissue = pl.StableNeoHookean(young=4e4, poisson=0.45, density=1050.0)
    muscle = pl.laws.Muscle(direction=(1, 0, 0), peak_stress=8e4, activation=np.zeros(len(shape.tets)))
    limb = pl.Body(
        shape,
        tissue + muscle,
        pinned=lambda X: X[:, 0] < 1e-6,
        damping=pl.Damping(stiffness=0.02),
        name="limb",
    )
    return pl.Simulation(pl.Scene([limb]), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(linear=pl.linear.Direct())))


def control(sim: pl.Simulation, report: pl.extend.Report) -> None:
    """After each step: the upper half is relaxed for half a second, then tensed in one."""
    shape = sim.scene.bodies[0].shape
    upper = shape.rest[shape.nodes].mean(axis=1)[:, 2] > 0.225
    sim.set(activation=upper * np.clip(sim.t - 0.5, 0.0, 1.0))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 2.0, on_step=control, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.25, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-65, 14), size=(480, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/muscle_flex.png")
    pl.page(run, "out/muscle_flex.html", title="A muscle flexes")
