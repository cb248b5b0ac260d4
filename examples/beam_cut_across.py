"""A beam that hangs from a wall is cut across, and what it loses falls to the floor."""

import pliant as pl

WHEN = 0.4  # seconds until the cut


def simulation() -> pl.Simulation:
    mesh = pl.tet_grid(size=(0.40, 0.08, 0.08), cells=(24, 5, 5), origin=(0.0, -0.04, 0.25))
    rubber = pl.StableNeoHookean(young=2e5, poisson=0.4, density=1000.0)
    beam = pl.Body(mesh, rubber, pinned=lambda X: X[:, 0] < 1e-6, damping=pl.Damping(stiffness=0.003), name="beam")
    scene = pl.Scene([beam], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120))


def control(sim: pl.Simulation, report) -> None:
    """From above, askew, once it is time."""
    if abs(sim.t - WHEN) < sim.integrator.dt / 2:
        sim.cut(pl.Blade(path=[(0.18, -0.1, 0.5), (0.24, 0.1, 0.5)], depth=0.5, into=(0.1, 0.0, -1.0)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, progress=True, frames_per_second=60, on_step=control)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-60, 18), size=(860, 460), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/beam_cut_across.png")
    pl.page(run, "out/beam_cut_across.html", title="A beam cut across")
