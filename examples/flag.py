"""A flag of 2,400 triangles in a gusty wind: drag along the air's velocity relative to each triangle, lift across it."""

import numpy as np

import pliant as pl

SIZE, CELLS = (1.2, 0.8), (40, 30)  # [m]


def gusts(places: np.ndarray, t: float) -> np.ndarray:
    """Air [m/s] that blows along x, harder at times, from sides that change."""
    strength = 7.0 + 2.0 * np.sin(2.1 * t) + 1.0 * np.sin(5.3 * t)
    return np.array([strength, 1.5 * np.sin(1.7 * t + 0.4), 0.6 * np.sin(2.9 * t)])


def scene(cells: tuple[int, int] = CELLS) -> pl.Scene:
    sheet = pl.cloth_grid(size=SIZE, cells=cells).rotated((1, 0, 0), 90).translated((0, 0, 1))
    cloth = pl.StableNeoHookean(young=2e6, poisson=0.3, density=800.0)
    flag = pl.Body(
        pl.Membrane(sheet, thickness=1.5e-4),
        cloth,
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[pl.Wind(gusts, drag=1.2, lift=1.2)],
        damping=pl.Damping(stiffness=2e-4),
        name="flag",
    )
    return pl.Scene([flag])


def simulation(cells: tuple[int, int] = CELLS) -> pl.Simulation:
    return pl.Simulation(scene(cells), pl.ImplicitEuler(dt=1 / 120, solver=pl.QuasiNewton(iterations=10)))


def main(seconds: float | None = None) -> pl.Run:
    run = simulation().run(seconds or 5.0, progress=True, frames_per_second=30)
    drop = np.ptp(run.positions[-1][:, 2])
    print(f"{1e3 * np.median(run.step_seconds):.1f} ms a step; from its top to its lowest point {drop:.2f} m")
    return run


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.2, 0.6, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-50, 15), size=(640, 340))


if __name__ == "__main__":
    run = main()
    draw(run, "out/flag.png")
    pl.page(run, "out/flag.html", title="A flag in the wind")
