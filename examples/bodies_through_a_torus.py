"""Two lumpy balls, wider than the hole of a soft ring, fall on it, press through, and drop out below."""

import numpy as np

import pliant as pl


def ball(i: int) -> pl.Body:
    """A lumpy ball of 1,280 triangles on some sixty tets."""
    smooth = pl.meshes.sphere(0.1, 3)
    X = smooth.vertices
    lumps = 0.006 * np.cos(60 * X[:, 0] + i) * np.cos(60 * X[:, 1]) * np.cos(60 * X[:, 2])
    surface = pl.TriMesh(X + lumps[:, None] * smooth.vertex_normals, smooth.triangles).rotated((1, 2, i), 40.0 * i)
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1500.0)
    at = (0.01 * (-1) ** i, 0.008 * i, 0.2 + 0.5 * i)
    shape = pl.meshes.bounding_tets(surface.translated(at), cells=2, fit=2)
    return pl.Body(shape, law, damping=pl.Damping(viscosity=20.0), velocity=(0, 0, -1.0), name=f"ball {i}")


def ring() -> pl.Body:
    """A torus whose hole is narrower than a ball by a sixth, held along its outside."""
    surface = pl.meshes.torus(0.165, 0.08, 48, 24)
    law = pl.StableNeoHookean(young=1.2e4, poisson=0.4, density=1000.0)
    held = lambda X: np.linalg.norm(X[:, :2], axis=1) > 0.19
    return pl.Body(
        pl.meshes.bounding_tets(surface, cells=6, fit=2),
        law,
        pinned=held,
        damping=pl.Damping(viscosity=20.0),
        name="ring",
    )


def simulation() -> pl.Simulation:
    contact = pl.Contact(response=pl.contact.Intersection(damping=0.01))
    rim = pl.cylinder((0, 0, -0.4), (0, 0, -0.2), 0.7) - pl.cylinder((0, 0, -0.5), (0, 0, -0.1), 0.6)
    scene = pl.Scene([ring(), ball(0), ball(1)], obstacles=[pl.plane(z=-0.4), rim], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 100))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    frames = [int(f * (len(run) - 1)) for f in (0, 0.25, 0.5, 1)]
    pl.filmstrip(run, path, frames=frames, view=(-60, 20), size=(300, 380))


if __name__ == "__main__":
    run = main()
    draw(run, "out/bodies_through_a_torus.png")
    pl.page(run, "out/bodies_through_a_torus.html", title="Balls through a soft ring")
