"""A ball of jelly is pushed through a ring that is narrower than the ball, with friction, and springs back behind it."""

import numpy as np

import pliant as pl

RADIUS, OPENING, SPEED = 0.05, 0.04, 0.25  # m, m, m/s


def pushed(t: float) -> np.ndarray:
    """Where the pusher is."""
    pose = np.eye(4)
    pose[2, 3] = -SPEED * min(t, 0.6)
    return pose


def simulation() -> pl.Simulation:
    mesh = pl.tetrahedralise(pl.meshes.sphere(RADIUS, 2).translated((0, 0, 0.07)), edge=0.016)
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
    ball = pl.Body(mesh, law, damping=pl.Damping(viscosity=20.0), name="ball")
    ring = pl.torus(OPENING + 0.02, 0.02)
    pusher = pl.Obstacle(pl.cylinder((0, 0, 0.122), (0, 0, 0.142), 0.03), pushed, name="pusher")
    contact = pl.Contact(friction=0.1, response=pl.contact.Barrier(reach=1e-3))
    floor = pl.plane(z=-0.15)
    scene = pl.Scene([ball], obstacles=[ring, pusher, floor], gravity=(0, 0, -9.81), contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.4, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 7, 18, len(run) - 1), view=(-60, 10), size=(400, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/through_a_ring.png")
    pl.page(run, "out/through_a_ring.html", title="A ball that is pushed through a ring")
