"""A segmented organ with a vessel through it, read from a volume file, is squeezed between two plates and let go."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import pliant as pl

PRESS = 0.016  # [m] that each plate moves in


def sample(path: Path) -> Path:
    """Write what a segmentation program would: label 1 is the organ, 2 the blood in its vessel, voxels of 2 mm."""
    x, y, z = np.meshgrid(*[0.002 * np.arange(-n, n + 1) for n in (40, 30, 28)], indexing="ij")
    organ = (x / 0.068) ** 2 + (y / (0.046 - 0.2 * x)) ** 2 + ((z + 1.5 * x**2) / 0.042) ** 2 < 1
    vessel = (z - 0.008 * np.sin(40 * x)) ** 2 + (y - 0.006) ** 2 < 0.009**2
    path.parent.mkdir(parents=True, exist_ok=True)
    labels = (organ * (1 + vessel)).astype(np.uint8)
    pl.write(pl.Volume(labels, 0.002, origin=(-0.08, -0.06, -0.056)), path)
    return path


def plate(side: int) -> pl.Obstacle:
    """A board that moves in for half a second, rests, and moves out again, faster."""

    def pose(t: float) -> np.ndarray:
        matrix = np.eye(4)
        matrix[2, 3] = -side * PRESS * np.interp(t, [0.0, 0.5, 0.7, 0.9], [0.0, 1.0, 1.0, -0.2])
        return matrix

    board = pl.box((0.17, 0.13, 0.012), centre=(0.0, 0.0, side * 0.05))
    return pl.Obstacle(board, motion=pose, name="upper plate" if side > 0 else "lower plate")


def simulation(path: str | Path | None = None, label: int = 1, edge: float = 0.009) -> pl.Simulation:
    with TemporaryDirectory() as folder:
        scan = pl.read(path or sample(Path(folder) / "organ.nrrd"))
    solid = pl.sdf.from_volume(scan, label=label)
    mesh = pl.tetrahedralise(solid, edge=edge)
    body = pl.Body(
        mesh, pl.StableNeoHookean(young=4e3, poisson=0.45, density=1050.0), surface=pl.surface(solid, 0.003),
        damping=pl.Damping(viscosity=6.0), name="organ",
    )  # fmt: skip
    scene = pl.Scene([body], [plate(1), plate(-1)], gravity=(0, 0, 0), contact=pl.Contact(friction=0.4))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None, path: str | None = None, label: int = 1) -> pl.Run:
    return simulation(path or sample(Path("out/organ.nrrd")), label).run(seconds or 1.1, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.25, 0.55, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-8, 4), size=(420, 340))


if __name__ == "__main__":
    run = main(path=sys.argv[1] if len(sys.argv) > 1 else None)
    draw(run, "out/from_a_scan.png")
    pl.page(run, "out/from_a_scan.html", title="From a scan to motion")
