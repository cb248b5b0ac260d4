"""Ten soft rings fall over four pillars, one after the other, and pile up around them."""

import numpy as np

import pliant as pl

MAJOR, MINOR, TALL, WIDE = 0.045, 0.014, 0.09, 0.135  # m: of the rings; height and distance of the pillars


def simulation(count: int = 10) -> pl.Simulation:
    soft = pl.StableNeoHookean(young=4e4, poisson=0.4, density=1000.0)
    ring = pl.tetrahedralise(pl.torus(MAJOR, MINOR), edge=0.024)
    rng = np.random.default_rng(3)
    bodies = []
    for i in range(count):
        corner = np.array([i % 2 - 0.5, i // 2 % 2 - 0.5]) * WIDE
        at = (*(corner + rng.uniform(-0.008, 0.008, 2)), TALL + 0.04 + 0.05 * (i // 4))
        mesh = ring.rotated((1, 0.3, 0), float(rng.uniform(-15, 15))).translated(at)
        bodies.append(pl.Body(mesh, soft, damping=pl.Damping(viscosity=20.0), name=f"ring {i}"))
    pillars = [
        pl.Obstacle(pl.capsule((x, y, 0.0), (x, y, TALL), 0.018), name=f"pillar {x:+.2f}, {y:+.2f}")
        for x in (-WIDE / 2, WIDE / 2)
        for y in (-WIDE / 2, WIDE / 2)
    ]
    contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity(gap=1e-3))
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0), *pillars], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120, solver=pl.Newton(iterations=1)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.4, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.3, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 25), size=(290, 300))


if __name__ == "__main__":
    run = main()
    draw(run, "out/tori_on_pillars.png")
    pl.page(run, "out/tori_on_pillars.html", title="Ten rings on four pillars")
