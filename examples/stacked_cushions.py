"""Four cushions, detailed surfaces on a few tets each, start deep in one another, push each other out, and topple."""

import numpy as np

import pliant as pl


def cushion(i: int) -> pl.Body:
    """A lumpy cushion of 1,280 triangles in about a hundred tets, which weigh what it encloses."""
    ball = pl.meshes.sphere(0.1, 3)
    X = ball.vertices
    lumps = 0.004 * np.cos(70 * X[:, 0] + i) * np.cos(70 * X[:, 1])
    surface = pl.TriMesh((X + lumps[:, None] * ball.vertex_normals) * [1.0, 1.0, 0.4], ball.triangles)
    surface = surface.rotated((0.03, 0.02, 1), 25.0 * i).translated((0.006 * (-1) ** i, 0.0, 0.045 + 0.045 * i))
    law = pl.StableNeoHookean(young=3e4, poisson=0.4, density=500.0)
    return pl.Body(pl.meshes.bounding_tets(surface, cells=3), law, damping=pl.Damping(viscosity=30.0), name=f"cushion {i}")


def simulation() -> pl.Simulation:
    contact = pl.Contact(friction=0.5, response=pl.contact.Intersection(recovery=0.4, damping=0.02))
    scene = pl.Scene([cushion(i) for i in range(4)], obstacles=[pl.plane(z=0.0)], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 4, 12, len(run) - 1), view=(-60, 12), size=(370, 320))


if __name__ == "__main__":
    run = main()
    draw(run, "out/stacked_cushions.png")
    pl.page(run, "out/stacked_cushions.html", title="Cushions that start in one another")
