"""A surface from a mesh file is filled with tetrahedra, dropped on the floor, and drawn by its own fine surface."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pliant as pl


def sample(path: Path) -> Path:
    """Write a torus that stands up, as other programs would hand it over: an .stl in millimetres."""
    pl.write(pl.meshes.torus(60.0, 24.0, segments=72, sides=36).rotated((1, 0, 0), 78), path)
    return path


def simulation(path: str | None = None) -> pl.Simulation:
    with TemporaryDirectory() as folder:
        surface = pl.read(path or sample(Path(folder) / "torus.stl"))
    size = float((surface.bounds[1] - surface.bounds[0]).max())
    surface = surface.scaled(0.2 / size)  # whatever its units: make it 20 cm
    surface = surface.translated((0.0, 0.0, 0.08 - surface.bounds[0][2]))
    solid = pl.tetrahedralise(surface, edge=0.018)
    body = pl.Body(
        solid, pl.StableNeoHookean(young=6e3, poisson=0.45, density=1000.0), surface=surface,
        damping=pl.Damping(viscosity=10.0), name=Path(path).stem if path else "torus",
    )  # fmt: skip
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None, path: str | None = None) -> pl.Run:
    return simulation(path).run(seconds or 1.2, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 11, 15, 24), view=(-50, 16), size=(420, 400))


if __name__ == "__main__":
    run = main(path=sys.argv[1] if len(sys.argv) > 1 else None)
    draw(run, "out/mesh_to_motion.png")
    pl.page(run, "out/mesh_to_motion.html", title="From a mesh file to motion")
