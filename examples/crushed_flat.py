"""A coarse ring is crushed flat between two plates, through itself in places, and comes back when they part."""

import numpy as np

import pliant as pl

MAJOR, MINOR = 0.10, 0.04  # of the ring [m]
THICK = 0.12  # of the upper plate [m], so that the way out of it is down
GAP = 0.004  # [m] between the plates at their closest, a twentieth of the ring
DOWN, UP = 0.5, 0.8  # when the upper plate is lowest, and when it is back [s]


def path_of_plate(t: float) -> np.ndarray:
    """Pose of the upper plate: down, and up again."""
    pose = np.eye(4)
    pose[2, 3] = np.interp(t, [0.0, DOWN, UP], [0.0, -(2 * MINOR - GAP), 0.06])
    return pose


def simulation() -> pl.Simulation:
    ring = pl.Body(
        pl.meshes.bounding_tets(pl.meshes.torus(MAJOR, MINOR, segments=36, sides=18, centre=(0, 0, MINOR)), cells=5),
        pl.Dapd(young=3e4, poisson=0.25, density=1000),
        damping=pl.Damping(mass=1.0, stiffness=0.01),
        name="ring",
    )
    press = pl.box((0.4, 0.4, THICK), centre=(0, 0, 2 * MINOR + THICK / 2))
    plate = pl.Obstacle(press, motion=path_of_plate, name="plate")
    scene = pl.Scene([ring], [pl.plane(z=0.0), plate], contact=pl.Contact(friction=0.2, stiffness=2e4))
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 120, pl.Newton(iterations=3, line_search=None)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.6, frames_per_second=30, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(np.argmin(np.abs(run.times - t))) for t in (0.0, 0.3, DOWN, UP, 1.6)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 5), size=(320, 260))


if __name__ == "__main__":
    run = main()
    draw(run, "out/crushed_flat.png")
    pl.page(run, "out/crushed_flat.html", title="Crushed flat")
