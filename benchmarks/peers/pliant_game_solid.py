"""A detailed surface on few tets falls on the ground: Pliant, beside ``mujoco_game_solid.py``, for which it writes the surface.

``python benchmarks/peers/pliant_game_solid.py star.obj [spacing] [dt] [seconds]``. Prints the same figures, with all vertices
touching and with those of a simpler surface.
"""

import sys
import time
from pathlib import Path

import numpy as np

import pliant as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from bowl_of_stars import surface


def main(path: str, spacing: float = 0.03, dt: float = 1 / 60, seconds: float = 1.0) -> None:
    detailed = surface(spacing).translated((0, 0, 0.8))
    pl.write(detailed, path)
    law = pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000)
    for touching in (None, surface(0.06, 0.03).translated((0, 0, 0.8))):
        shape = pl.meshes.bounding_tets(detailed, cells=6, fit=3, touching=touching)
        body = pl.Body(shape, law, damping=pl.Damping(stiffness=2e-3))
        sim = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=0.0)]), pl.ImplicitEuler(dt), precision="f32")
        sim.run(3 * dt)
        begin = time.process_time()
        run = sim.run(seconds, fields=())
        spent = time.process_time() - begin
        deep = [-1e3 * run.skins[0].of(run.positions[i])[:, 2].min() for i in range(len(run))]
        weight = sim.world.mass.sum()
        print(
            f"Pliant: {len(detailed.triangles)} triangles, {len(shape.rest)} nodes, {shape.outline.count} touch, {weight:.0f} "
            f"kg, dt {1e3 * dt:.2f} ms: {1e3 * spent * dt / seconds:.2f} ms of CPU a step, {spent / seconds:.2f} s a second; "
            f"deepest {max(deep):.1f} mm, at the end {deep[-1]:.1f} mm, {int(np.max(run.contacts))} contacts at most"
        )


if __name__ == "__main__":
    main(*(cast(value) for cast, value in zip((str, float, float, float), sys.argv[1:])))
