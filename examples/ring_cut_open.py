"""A ring on a lattice is cut through at its top, and opens under its own weight; no mesh is made."""

import pliant as pl

WHEN = 0.2  # seconds until the cut


def simulation() -> pl.Simulation:
    ring = pl.torus(0.10, 0.04, centre=(0.0, 0.0, 0.141), axis=(0, 1, 0))
    rubber = pl.StableNeoHookean(young=6e4, poisson=0.4, density=1000.0)
    body = pl.Body(pl.Lattice(ring, spacing=0.02, refine=2), rubber, damping=pl.Damping(stiffness=0.01), name="ring")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.6))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))


def control(sim: pl.Simulation, report) -> None:
    """From above and askew into the hole, once it is time."""
    if abs(sim.t - WHEN) < sim.integrator.dt / 2:
        sim.cut(pl.Blade([(0.02, -0.1, 0.4), (-0.01, 0.1, 0.4)], depth=0.25))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, progress=True, frames_per_second=60, on_step=control)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-60, 20), size=(860, 560))


if __name__ == "__main__":
    run = main()
    draw(run, "out/ring_cut_open.png")
    pl.page(run, "out/ring_cut_open.html", title="A ring cut open")
