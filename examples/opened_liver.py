"""A liver-like body on a lattice is cut along a curved stroke, and two hands pull the cut open."""

import numpy as np

import pliant as pl

WHEN, TAKES = 0.1, 0.4  # seconds until the cut, and that the hands pull
STROKE = [(-0.09, 0.014, 0.2), (-0.03, 0.002, 0.2), (0.02, 0.002, 0.2), (0.08, 0.014, 0.2)]
HELD: list[tuple[int, np.ndarray, int]] = []  # vertex, where it was at the cut, and the hand on it


def simulation() -> pl.Simulation:
    lobes = pl.sphere(0.065, (0.04, 0.0, 0.03)) | pl.capsule((-0.07, 0.0, 0.03), (0.05, 0.0, 0.03), 0.055)
    solid = lobes | pl.capsule((-0.03, 0.02, 0.03), (0.07, -0.02, 0.03), 0.055)
    tissue = pl.StableNeoHookean(young=3e3, poisson=0.4, density=1060.0)
    body = pl.Body(
        pl.Lattice(solid, spacing=0.015, refine=2),
        tissue,
        pinned=lambda X: X[:, 2] < 0.005,
        damping=pl.Damping(stiffness=0.02),
        name="liver",
    )
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=2)))


def control(sim: pl.Simulation, report) -> None:
    """Cuts from the top, 4 cm deep, when it is time; then a hand on each side of the cut, which move apart."""
    surface = sim.bodies[0].surface
    if sim.t < 1.5 * sim.integrator.dt:
        HELD.clear()
    if abs(sim.t - WHEN) < sim.integrator.dt / 2:
        top = surface[:, 2].max()
        sim.cut(pl.Blade(STROKE, depth=0.2 - top + 0.04))
        surface = sim.bodies[0].surface
        for side in (-1, 1):
            vertex = int(np.argmin(np.linalg.norm(surface - [0.0, 0.012 * side, top], axis=1)))
            HELD.append((vertex, surface[vertex], sim.grab(vertex, surface[vertex], stiffness=25.0)))
    away = 0.03 * min((sim.t - WHEN) / TAKES, 1.0)
    for vertex, place, hand in HELD:
        sim.grab(vertex, place + np.array([0.0, away * np.sign(place[1]), 0.0]), handle=hand, stiffness=25.0)


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.7, progress=True, on_step=control)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-30, 55), size=(860, 560))


if __name__ == "__main__":
    run = main()
    draw(run, "out/opened_liver.png")
    pl.page(run, "out/opened_liver.html", title="A body cut and opened")
