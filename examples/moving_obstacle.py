"""A hard ball sweeps through three soft fingers, each firmer than the last; they bend, let it pass and spring back."""

import numpy as np

import pliant as pl

SPEED = 0.35  # [m/s] of the ball


def path_of_ball(t: float) -> np.ndarray:
    """Pose of the ball: along x at a steady speed."""
    pose = np.eye(4)
    pose[0, 3] = SPEED * t
    return pose


def simulation() -> pl.Simulation:
    finger = pl.tet_grid(size=(0.036, 0.05, 0.14), cells=(3, 4, 11), origin=(-0.018, -0.025, 0.0))
    bodies = [
        pl.Body(
            finger.translated((0.11 * i, 0.0, 0.0)),
            pl.StableNeoHookean(young=young, poisson=0.4, density=1000.0),
            pinned=lambda X: X[:, 2] < 1e-9,
            damping=pl.Damping(stiffness=0.01),
            name=f"{young / 1e3:g} kPa",
        )
        for i, young in enumerate((6e4, 1.2e5, 2.4e5))
    ]
    ball = pl.Obstacle(pl.sphere(0.035, centre=(-0.07, 0.0, 0.115)), motion=path_of_ball, name="ball")
    return pl.Simulation(pl.Scene(bodies, [ball], contact=pl.Contact(friction=0.1)), pl.ImplicitEuler(dt=1 / 90))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.4, frames_per_second=45, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.1, 0.35, 0.6, 0.85)]
    pl.filmstrip(run, path, frames=moments, view=(-70, 14), size=(420, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/moving_obstacle.png")
    pl.page(run, "out/moving_obstacle.html", title="A ball sweeps through fingers")
