"""Two rigid fingers pick up a soft ball, carry it to a stand, put it down, pick it up again and drop it on the floor."""

import numpy as np

import pliant as pl

RADIUS, HALF = 0.04, 0.012  # m: of the ball, and half the width of a finger
TIMES = (0.1, 0.4, 0.8, 1.2, 1.5, 1.7, 1.9, 2.1, 2.4, 2.8, 2.9)  # s
ALONG = (0.0, 0.0, 0.0, 0.16, 0.16, 0.16, 0.16, 0.16, 0.16, 0.30, 0.30)  # m
ABOVE = (0.0, 0.0, 0.12, 0.12, 0.052, 0.052, 0.052, 0.052, 0.12, 0.12, 0.12)
APART = (0.05, 0.028, 0.028, 0.028, 0.028, 0.046, 0.046, 0.028, 0.028, 0.028, 0.05)  # from the middle to a finger


def moved(side: float, clock=lambda t: t):
    """Where a finger is, by keyframes between which it speeds up and slows down evenly; at the time that ``clock`` makes of t."""

    def place(X: np.ndarray, t: float) -> np.ndarray:
        t = clock(t)
        k = min(max(np.searchsorted(TIMES, t) - 1, 0), len(TIMES) - 2)
        s = min(max((t - TIMES[k]) / (TIMES[k + 1] - TIMES[k]), 0.0), 1.0)
        s *= s * (3 - 2 * s)
        along, above, apart = (key[k] + s * (key[k + 1] - key[k]) for key in (ALONG, ABOVE, APART))
        return X + np.array([along, side * (apart - APART[0]), above])

    return place


def simulation(clock=lambda t: t) -> pl.Simulation:
    soft = pl.StableNeoHookean(young=2e4, poisson=0.4, density=500.0)
    mesh = pl.tetrahedralise(pl.meshes.sphere(RADIUS, 2), edge=0.02)
    mesh = mesh.translated((0, 0, 0.001 - mesh.vertices[:, 2].min()))
    bodies = [pl.Body(mesh, soft, damping=pl.Damping(viscosity=10.0), name="ball")]
    for name, side in (("left finger", -1.0), ("right finger", 1.0)):
        shape = pl.meshes.box((0.07, 2 * HALF, 0.12), centre=(0, side * (APART[0] + HALF), 0.064))
        bodies.append(pl.Body(pl.contact.Rigid(shape, density=1000.0), effects=[pl.Hold(True, moved(side, clock))], name=name))
    stand = pl.Obstacle(pl.box((0.08, 0.08, 0.05), centre=(0.16, 0, 0.025)), name="stand")
    contact = pl.Contact(friction=0.6, response=pl.contact.Complementarity(gap=5e-4))
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0), stand], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 100, solver=pl.Newton(iterations=1)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 3.3, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.3, 0.55, 0.8, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-35, 18), size=(360, 330))


if __name__ == "__main__":
    run = main()
    draw(run, "out/gripper.png")
    pl.page(run, "out/gripper.html", title="A gripper")
