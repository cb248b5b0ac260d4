"""Knobbly stars, detailed surfaces on some 300 tets each, fall into a bowl, onto one another and between one another's arms."""

from functools import cache
from typing import Any

import numpy as np

import pliant as pl

RADIUS = 1.5  # m, of the bowl inside


def bowl() -> pl.Sdf:
    """A part of a thick shell, open at the top."""
    shell = pl.sphere(RADIUS + 0.4, centre=(0, 0, RADIUS)) - pl.sphere(RADIUS, centre=(0, 0, RADIUS))
    return shell - pl.box((4 * RADIUS, 4 * RADIUS, 2 * RADIUS), centre=(0, 0, 1.7 * RADIUS))


def surface(spacing: float, inwards: float = 0.0) -> pl.TriMesh:
    """Six thick arms with a skin of small knobs; triangles are about as long as ``spacing`` [m]."""
    solid = pl.sphere(0.2)
    for end in 0.4 * np.vstack([np.eye(3), -np.eye(3)]):
        solid = solid | pl.capsule((0, 0, 0), end, 0.11)
    smooth = pl.surface(solid, spacing)
    knobs = np.prod(np.sin(55 * smooth.vertices), axis=1)
    out = 0.008 * knobs[:, None] - inwards
    return pl.TriMesh(smooth.vertices + out * smooth.vertex_normals, smooth.triangles).rotated((1, 2, 3), 20.0)


@cache
def star(spacing: float, simple: float | None = None) -> Any:
    """The star in tets; ``simple`` is the length of triangles [m] of a simpler surface, a little inside, that touches others."""
    touching = None if simple is None else surface(simple, 0.03)
    return pl.meshes.bounding_tets(surface(spacing), cells=6, fit=3, touching=touching)


def scene(count: int, shape: Any, response: Any) -> pl.Scene:
    """``count`` stars of one ``shape`` above the bowl, turned every way."""
    jelly = pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000)
    bodies = []
    for i in range(count):
        angle, axis = np.radians(137.0 * i), np.random.default_rng(i).normal(size=3)
        at = (0.6 * np.cos(angle), 0.6 * np.sin(angle), 0.8 + 0.3 * i) if i else (0.0, 0.0, 0.6)
        posed = shape.rotated(axis, 25.0 * i).translated(at)
        bodies.append(pl.Body(posed, jelly, damping=pl.Damping(stiffness=2e-3), name=f"star {i}"))
    return pl.Scene(bodies, obstacles=[bowl()], contact=pl.Contact(friction=0.4, response=response))


def simulation(count: int = 4, spacing: float = 0.05) -> pl.Simulation:
    response = pl.contact.Intersection(damping=0.02)
    return pl.Simulation(scene(count, star(spacing), response), pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=5)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.2, frames_per_second=30, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, int(0.4 * last), last), view=(-60, 40), size=(400, 340))


if __name__ == "__main__":
    run = main()
    print(f"{run.contacts[-1]} contacts, worst gap {1e3 * run.worst_gap.min():.1f} mm")
    draw(run, "out/bowl_of_stars.png")
