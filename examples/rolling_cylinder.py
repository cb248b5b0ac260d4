"""A soft cylinder rolls down a slope: friction turns it so that it does not slip, and it gains less speed than if it slid."""

import numpy as np

import pliant as pl

RADIUS, LONG, SLOPE = 0.05, 0.1, 12.0  # m, m, degrees
WALL = 0.53  # [m] down the slope


def simulation(edge: float = 0.014) -> pl.Simulation:
    soft = pl.StableNeoHookean(young=5e5, poisson=0.3, density=1000.0)
    solid = pl.cylinder((0, -LONG / 2, 0), (0, LONG / 2, 0), RADIUS)
    mesh = pl.tetrahedralise(solid, edge=edge)
    turned = np.radians(SLOPE)
    normal = np.array([np.sin(turned), 0, np.cos(turned)])
    slope = pl.plane(point=(0, 0, 0), normal=normal)
    body = pl.Body(mesh.translated((RADIUS + 2e-4) * normal), soft, name="cylinder")
    wall = pl.box((0.02, 0.16, 0.16), centre=(WALL + 0.01, 0, 0.05 - WALL * np.tan(turned)))
    contact = pl.Contact(friction=0.5, response=pl.contact.Complementarity())
    scene = pl.Scene([body], obstacles=[slope, wall], contact=contact)
    return pl.Simulation(scene, pl.BDF2(dt=1 / 100, solver=pl.Newton(iterations=1)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.5, 0.75, 1.0)]
    pl.filmstrip(run, path, frames=moments, colour="displacement", view=(-80, 12), size=(400, 300))


if __name__ == "__main__":
    run = main()
    draw(run, "out/rolling_cylinder.png")
    pl.page(run, "out/rolling_cylinder.html", title="A cylinder that rolls")
