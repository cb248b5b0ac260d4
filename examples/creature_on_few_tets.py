"""A knobbly creature of 11,000 triangles falls on its six legs and wobbles: 370 tets move, and a game engine can play it."""

from functools import cache

import numpy as np

import pliant as pl


def creature(spacing: float = 0.02) -> pl.TriMesh:
    """A body on six legs with a skin of small knobs; its triangles are about as long as ``spacing`` [m]."""
    solid = pl.sphere(0.2, (0, 0, 0.2))
    for angle in np.arange(6) * np.pi / 3:
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        knee, foot = 0.38 * out + (0, 0, 0.22), 0.44 * out + (0, 0, -0.1)
        solid = solid | pl.capsule(0.1 * out + (0, 0, 0.2), knee, 0.07) | pl.capsule(knee, foot, 0.055)
    smooth = pl.surface(solid, spacing)
    knobs = np.prod(np.sin(55 * smooth.vertices), axis=1)
    return pl.TriMesh(smooth.vertices + 0.008 * knobs[:, None] * smooth.vertex_normals, smooth.triangles)


@cache
def shape():
    detailed, simple = (creature(spacing).rotated((1, 0.3, 0), 12).translated((0, 0, 0.45)) for spacing in (0.025, 0.06))
    return pl.meshes.bounding_tets(detailed, cells=6, fit=2, touching=simple)


def simulation() -> pl.Simulation:
    jelly = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000)
    body = pl.Body(shape(), jelly, damping=pl.Damping(stiffness=2e-3), name="creature")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    body = shape()
    run = simulation().run(seconds or 1.5, progress=True, frames_per_second=30)
    triangles, spent = len(body.surface.triangles), np.median(run.step_seconds)
    print(f"{triangles:,} triangles on {body.count} tets, {body.ratio:.2f} times as large; {1 / spent:.0f} steps a second")
    return run


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0, 0.3, 0.45)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 12), size=(400, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/creature_on_few_tets.png")
    pl.page(run, "out/creature_on_few_tets.html", title="A creature on few tets")
    pl.export(run, "out/creature_on_few_tets.glb", skin=True)
