"""A can between two plates: its wall buckles as they close, and where it has folded it stays so when they open again."""

import numpy as np

import pliant as pl

RADIUS, HEIGHT, THICK = 0.033, 0.09, 4e-4  # [m]
CLOSE, OPEN, DOWN = 0.05, 0.10, 0.028  # when the plate is lowest and when it is up again [s], and how far it comes [m]


def can(around: int, up: int) -> pl.TriMesh:
    """A tube with a lid at both ends, a little dented, so that it is known where it gives way: ring above ring."""
    high = np.concatenate([[0, 0], np.linspace(0, 1, up + 1), [1, 1]])[:, None]
    wide = np.concatenate([[0.3, 0.65], np.ones(up + 1), [0.65, 0.3]])[:, None]
    angle = 2 * np.pi / around * (np.arange(around) + 0.5 * (np.arange(len(high)) % 2)[:, None])
    radius = RADIUS * wide * (1 - 0.03 * np.exp(-((high - 0.5) ** 2) / 0.02) * np.cos(2.5 * angle) ** 2)
    X = np.stack([radius * np.cos(angle), radius * np.sin(angle), HEIGHT * high + 0 * angle], axis=-1).reshape(-1, 3)
    here = np.arange(len(X) - around).reshape(-1, around)
    right = np.roll(here, -1, axis=1)
    above, across = here + around, right + around
    odd = (np.arange(len(here)) % 2 == 1)[:, None]
    faces = [(here, right, np.where(odd, across, above)), (np.where(odd, here, right), across, above)]
    below, top = here[0], above[-1]
    faces += [(np.roll(below, -1), below, 0 * below + len(X)), (top, np.roll(top, -1), 0 * top + len(X) + 1)]
    centres = [[0.0, 0.0, 0.0], [0.0, 0.0, HEIGHT]]
    return pl.TriMesh(np.vstack([X, centres]), np.vstack([np.stack(face, axis=-1).reshape(-1, 3) for face in faces]))


def simulation(around: int = 44, up: int = 26) -> pl.Simulation:
    tin = pl.Plastic(
        pl.StableNeoHookean(young=2e9, poisson=0.3, density=2700.0),
        yield_stress=5e6,
        hardening=2e7,
        flow=pl.plasticity.Additive(),
    )
    body = pl.Body(pl.Membrane(can(around, up), THICK), tin, damping=pl.Damping(mass=5.0, stiffness=1e-4), name="can")

    def lowered(time: float) -> np.ndarray:
        pose = np.eye(4)
        pose[2, 3] = -DOWN * np.interp(time, [0.0, CLOSE, OPEN], [0.0, 1.0, -0.4])
        return pose

    plates = [
        pl.Obstacle(pl.plane(z=0.0), name="below"),
        pl.Obstacle(pl.box((0.1, 0.1, 0.01), (0.0, 0.0, HEIGHT + 0.0055)), motion=lowered, name="above"),
    ]
    scene = pl.Scene([body], obstacles=plates, contact=pl.Contact(friction=0.4))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 800, solver=pl.Newton(linear=pl.linear.Direct())))


def main(seconds: float | None = None) -> pl.Run:
    sim = simulation() if seconds is None else simulation(20, 10)  # so few triangles for what is short
    return sim.run(seconds or 0.1, fields=["plastic strain"], progress=True, frames_per_second=400)


def draw(run: pl.Run, path: str) -> None:
    frames = [0, int(CLOSE * 400), -1]
    pl.filmstrip(run, path, frames=frames, view=(-60, 12), size=(400, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/crushed_can.png")
    pl.page(run, "out/crushed_can.html", title="A crushed can")
