"""A knot in a cord of rubber is drawn together by its two ends; no part of the cord passes through another."""

import numpy as np
from scipy.interpolate import CubicSpline

import pliant as pl

WIDTH, PULL, SECONDS = 0.005, 0.06, 0.5  # m: of the cord, and by which each end is drawn; s


def line(t: np.ndarray) -> np.ndarray:
    """The middle of the cord, a trefoil with open ends: polynomials (Shastri 1992), and heights that keep it apart [m]."""
    over = np.array([0.0, 0.52, 1.73, 1.93, 2.3])
    height = np.array([0.0, 0.9, -1.0, 0.1, 1.5])
    z = CubicSpline(np.concatenate([-over[:0:-1], over]), np.concatenate([-height[:0:-1], height]))(t)
    return 0.01 * np.stack([t**3 - 3 * t, t**4 - 4 * t**2, z], axis=1)


def cord(cells: int = 66) -> pl.TetMesh:
    """A square bar that is laid along the line, its sections upright to it and turned as little as can be."""
    fine = line(np.linspace(-2.15, 2.15, 4001))
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))])
    middle = np.stack([np.interp(np.linspace(0, length[-1], cells + 1), length, c) for c in fine.T], axis=1)
    along = np.gradient(middle, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = [np.cross(along[0], (1.0, 0.0, 0.0))]
    for t in along:
        side.append(side[-1] - (side[-1] @ t) * t)
        side[-1] /= np.linalg.norm(side[-1])
    side = np.array(side[1:])
    up = np.cross(along, side)
    bar = pl.tet_grid((cells, WIDTH, WIDTH), (cells, 2, 2), origin=(0, -WIDTH / 2, -WIDTH / 2))
    at = np.rint(bar.vertices[:, 0]).astype(int)
    y, z = bar.vertices[:, 1:2], bar.vertices[:, 2:]
    return pl.TetMesh(middle[at] + y * side[at] + z * up[at], bar.tets)


def simulation() -> pl.Simulation:
    mesh, ends = cord(), line(np.array([-2.15, 2.15]))
    way = PULL * (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])

    def held(end: int) -> pl.Hold:
        drawn = lambda X, t: X + (2 * end - 1) * min(t / SECONDS, 1.0) * way
        return pl.Hold(lambda X: np.linalg.norm(X - ends[end], axis=1) < 0.9 * WIDTH, drawn)

    rubber = pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000.0)
    body = pl.Body(mesh, rubber, effects=[held(0), held(1)], damping=pl.Damping(mass=10.0, viscosity=20.0), name="cord")
    contact = pl.Contact(friction=0.1, response=pl.contact.Barrier(reach=1e-3))
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0), contact=contact), pl.ImplicitEuler(1 / 100))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.2 * SECONDS, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, last // 3, 2 * last // 3, last), view=(-90, 60), size=(380, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/tight_knot.png")
    pl.page(run, "out/tight_knot.html", title="A knot that is drawn together")
