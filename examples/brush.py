"""A brush of 49 bristles is pressed on a ball and swept over it: the bristles bend, slip off and spring back."""

import numpy as np

import pliant as pl

SEGMENTS, LENGTH, SIDE = 8, 0.12, 0.09  # of a bristle, [m] of it, [m] of the handle
START = np.array([-0.16, 0.0, 0.2])  # [m] middle of the handle
DOWN, SWEEP = 0.2, 0.7  # [s] to come down, [s] to cross the ball


def bristles(rows: int = 7) -> pl.EdgeMesh:
    """Rods that hang from a square; a spring from each node to the next but one makes them straighten (section 5.3)."""
    place = np.linspace(-SIDE / 2, SIDE / 2, rows)
    x, y = (v.ravel() for v in np.meshgrid(place, place, indexing="ij"))
    z = np.linspace(0.0, -LENGTH, SEGMENTS + 1)
    vertices = np.stack([np.repeat(x, len(z)), np.repeat(y, len(z)), np.tile(z, len(x))], axis=1)
    first = np.arange(len(vertices)).reshape(len(x), len(z))
    pairs = [np.stack([first[:, :-k].ravel(), first[:, k:].ravel()], axis=1) for k in (1, 2)]
    return pl.EdgeMesh(START + vertices, np.concatenate(pairs))


def stroke(X: np.ndarray, t: float) -> np.ndarray:
    """The handle comes down at the left of the ball, then crosses it."""
    return X + np.array([0.34 * np.clip((t - DOWN) / SWEEP, 0.0, 1.0), 0.0, -0.06 * min(t / DOWN, 1.0)])


def simulation() -> pl.Simulation:
    brush = pl.Body(
        pl.Springs(bristles(), radius=8e-4),
        pl.Corotated(young=8e5, density=1200.0),
        effects=pl.Hold(lambda X: X[:, 2] > START[2] - 1.5 * LENGTH / SEGMENTS, motion=stroke),  # two nodes each: clamped
        damping=pl.Damping(mass=3.0, stiffness=0.005),
        name="brush",
    )
    ball = pl.Obstacle(pl.sphere(0.06, centre=(0.0, 0.0, 0.05)), name="ball")
    scene = pl.Scene([brush], [ball, pl.plane(z=0.0)], contact=pl.Contact(friction=0.3, stiffness=20.0))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.3, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(t * 60) for t in (0.15, 0.5, 0.75, 1.3)]
    pl.filmstrip(run, path, frames=moments, view=(-80, 10), size=(420, 300))


if __name__ == "__main__":
    run = main()
    draw(run, "out/brush.png")
    pl.page(run, "out/brush.html", title="A brush sweeps over a ball")
