"""A ring of rubber that keeps its volume, meshed with bent hexahedra, is squeezed between two plates and let go."""

import numpy as np

import pliant as pl

INNER, OUTER, DEPTH = 0.05, 0.08, 0.05  # [m]


def ring(around: int = 32, across: int = 3, deep: int = 4) -> pl.meshes.HexMesh:
    """A box of cells bent round until its ends meet, where they share their nodes."""
    box = pl.meshes.hex_box(size=(1.0, DEPTH, OUTER - INNER), cells=(around, deep, across))
    turn, y, r = box.vertices.T
    angle = 2 * np.pi * turn
    X = np.stack([(INNER + r) * np.sin(angle), y - 0.5 * DEPTH, (INNER + r) * np.cos(angle) + OUTER + 0.002], axis=1)
    layer = (deep + 1) * (across + 1)
    return pl.meshes.HexMesh(X[:-layer], box.hexes % (around * layer))


def height(time: float) -> float:
    """Height of the upper plate [m]: down to 60 % of the ring, then away."""
    full = 2 * OUTER + 0.006
    return full - 0.4 * full * np.sin(np.pi * min(time / 0.8, 1.0)) ** 2


def simulation(around: int = 32, across: int = 3, deep: int = 4) -> pl.Simulation:
    rubber = pl.StableNeoHookean(young=2e5, poisson=0.499, density=1100.0)
    body = pl.Body(
        pl.Hexes(ring(around, across, deep), volume=pl.quadrature.Averaged()),
        rubber,
        damping=pl.Damping(stiffness=0.003),
        name="ring",
    )
    plate = pl.box((0.3, 0.1, 0.02))

    def pose(time: float) -> np.ndarray:
        matrix = np.eye(4)
        matrix[2, 3] = height(time) + 0.01
        return matrix

    obstacles = [pl.Obstacle(pl.plane(z=0.0), name="floor"), pl.Obstacle(plate, motion=pose, name="plate")]
    scene = pl.Scene([body], obstacles, contact=pl.Contact(friction=0.4))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(linear=pl.linear.Direct(), tolerance=1e-4)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.9, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(
        run,
        path,
        frame=int(np.argmin(np.abs(run.times - 0.4))),
        colour="stress",
        wire=True,
        view=(-62, 14),
        size=(840, 540),
    )


if __name__ == "__main__":
    run = main()
    draw(run, "out/squeezed_ring.png")
    pl.page(run, "out/squeezed_ring.html", title="A squeezed ring")
