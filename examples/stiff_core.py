"""A hard ball is pressed on a soft block with a stiff core beside the ball: the block gives way, and the core keeps its shape."""

import numpy as np

import pliant as pl

SIDE, HIGH, RADIUS = 0.12, 0.08, 0.035  # m
CORE = (0.03, 0.0, 0.045), 0.024  # centre and radius [m]


def pressed(X: np.ndarray, t: float) -> np.ndarray:
    """Where the ball is: down by 2.5 cm in 0.4 s."""
    return X - np.array([0.0, 0.0, 0.025 * min(t / 0.4, 1.0)])


def simulation() -> pl.Simulation:
    mesh = pl.tet_grid((SIDE, SIDE, HIGH), (9, 9, 6), origin=(-SIDE / 2, -SIDE / 2, 0.0))
    centres = mesh.vertices[mesh.tets].mean(axis=1)
    inside = np.linalg.norm(centres - CORE[0], axis=1) < CORE[1]
    young = np.where(inside, 3e5, 1e4)  # Pa, for each tet
    body = pl.Body(
        mesh, pl.StableNeoHookean(young=young, poisson=0.4, density=1000.0), pinned=lambda X: X[:, 2] < 1e-9,
        damping=pl.Damping(viscosity=20.0), name="block",
    )  # fmt: skip
    shape = pl.meshes.sphere(RADIUS, 2, centre=(0.0, 0.0, HIGH + RADIUS + 0.001))
    ball = pl.Body(pl.contact.Rigid(shape, density=2000.0), effects=[pl.Hold(True, pressed)], name="ball")
    contact = pl.Contact(friction=0.1, response=pl.contact.Barrier(reach=1.5e-3))
    scene = pl.Scene([body, ball], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 40))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.45, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, colour="stress", view=(-70, 28), size=(400, 300))


if __name__ == "__main__":
    run = main()
    draw(run, "out/stiff_core.png")
    pl.page(run, "out/stiff_core.html", title="A stiff core")
