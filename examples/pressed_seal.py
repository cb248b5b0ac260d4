"""The section of a long rubber seal, on square cells that no mesh follows, is pressed into a groove in plane strain."""

import numpy as np

import pliant as pl


def section() -> pl.Sdf:
    """A round seal with a hollow core and a lip; long across the plane."""
    long = 0.02
    ring = pl.cylinder((0, 0.005, -long), (0, 0.005, long), 0.005) - pl.cylinder((0, 0.0055, -long), (0, 0.0055, long), 0.0022)
    return ring | pl.box((0.0028, 0.004, 2 * long), (0, 0.0112, 0))


def lid(time: float) -> np.ndarray:
    """Pose of the lid: 3 mm down within 0.4 s."""
    pose = np.eye(4)
    pose[1, 3] = -0.003 * np.sin(0.5 * np.pi * min(time / 0.4, 1.0)) ** 2
    return pose


def simulation() -> pl.Simulation:
    cells = pl.planar.Squares(section(), spacing=0.0005, thickness=0.01, volume=pl.quadrature.Averaged())
    rubber = pl.StableNeoHookean(young=2e6, poisson=0.495, density=1100.0)
    seal = pl.Body(cells, rubber, damping=pl.Damping(stiffness=2e-3), name="seal")
    top = float(cells.section.of(cells.rest)[:, 1].max())
    groove = pl.plane(point=(0, 0, 0), normal=(0, 1, 0)) | pl.box((0.004, 0.008, 0.012), (-0.0075, 0.004, 0))
    obstacles = [
        pl.Obstacle(groove | pl.box((0.004, 0.008, 0.012), (0.0075, 0.004, 0)), name="groove"),
        pl.Obstacle(pl.box((0.03, 0.004, 0.012), (0, top + 0.0021, 0)), motion=lid, name="lid"),
    ]
    scene = pl.Scene([seal], obstacles, gravity=(0, -9.81, 0), contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120, solver=pl.Newton(linear=pl.linear.Direct(), tolerance=1e-4)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.5, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [round(part * (len(run) - 1)) for part in (0.0, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, colour="stress", view=(-90, 88), size=(420, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/pressed_seal.png")
    pl.page(run, "out/pressed_seal.html", title="A pressed seal")
