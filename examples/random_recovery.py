"""Every vertex of a cube is thrown to a random place in its bounding box; the cube finds its shape again."""

import numpy as np

import pliant as pl


def simulation(seed: int = 7) -> pl.Simulation:
    mesh = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(6, 6, 6), origin=(-0.05, -0.05, 0.0))
    soft = pl.Corotated.from_lame(mu=20.0, lam=100.0, density=10.0)  # [Pa], [Pa], [kg/m³]
    cube = pl.Body(mesh, soft, pinned=lambda X: X[:, 2] < 1e-9, name="cube")
    sim = pl.Simulation(pl.Scene([cube], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    scrambled = np.random.default_rng(seed).uniform(low, high, mesh.vertices.shape)
    held = mesh.vertices[:, 2] < 1e-9
    sim.x = np.where(held[:, None], mesh.vertices, scrambled)
    return sim


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 1, 2, len(run) - 1), view=(-52, 20), size=(310, 310), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/random_recovery.png")
    pl.page(run, "out/random_recovery.html", title="Recovery from random vertices")
