"""A wind that grows tears a banner between two poles: from a small slit the tear runs up and down, and the halves flap."""

import numpy as np

import pliant as pl

SIZE, CELLS = (1.2, 0.8), (30, 20)  # [m]


def slit(mesh: pl.TriMesh, x: float, length: float) -> pl.TriMesh:
    """The mesh open along a line through its middle: nodes there are doubled, but for both ends."""
    X, triangles = mesh.vertices, mesh.triangles.copy()
    on = (np.abs(X[:, 0] - x) < 1e-9) & (np.abs(X[:, 1] - SIZE[1] / 2) < length / 2 - 1e-9)
    twin = np.arange(len(X))
    twin[on] = len(X) + np.arange(on.sum())
    right = X[triangles].mean(axis=1)[:, 0] > x
    triangles[right] = twin[triangles[right]]
    return pl.TriMesh(np.concatenate([X, X[on]]), triangles)


def scene(cells: tuple[int, int] = CELLS, plates: bool = True) -> pl.Scene:
    """With plates and damping; without them a tear is made in place, and the flag tears in real time."""
    sheet = slit(pl.cloth_grid(size=SIZE, cells=cells), SIZE[0] / 2, 0.16)
    banner = pl.Body(
        pl.Membrane(sheet.rotated((1, 0, 0), 90).translated((0, 0, 1)), thickness=2e-4, bending=plates),
        pl.Corotated(young=3e5, poisson=0.3, density=600.0),
        pinned=lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > SIZE[0] - 1e-9),
        effects=[
            pl.Wind((1.0, 14.0, 0.0), drag=1.2, lift=1.0, course=lambda t: min(0.2 + 1.2 * t, 1.0)),
            pl.Tearing(stretch=1.2, noise=0.1, seed=4, where=lambda X: np.abs(X[:, 0] - SIZE[0] / 2) < 0.15),
        ],
        damping=pl.Damping(stiffness=2e-4 if plates else 0.0),
        name="banner",
    )
    return pl.Scene([banner])


def simulation(cells: tuple[int, int] = CELLS, plates: bool = True) -> pl.Simulation:
    solver = pl.QuasiNewton(iterations=8, after_cut=pl.refactor.Bordered())
    return pl.Simulation(scene(cells, plates), pl.ImplicitEuler(dt=1 / 120, solver=solver))


def main(seconds: float | None = None) -> pl.Run:
    run = simulation().run(seconds or 0.8, progress=True, frames_per_second=60, fields=("stretch",))
    torn = [report.torn for report in run.reports]
    first = next((k + 1 for k, count in enumerate(torn) if count), 0) / 120
    print(f"first tear after {first:.2f} s; torn at {sum(torn)} nodes; {1e3 * np.median(run.step_seconds):.0f} ms a step")
    return run


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.17, 0.3, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 15), size=(600, 400))


if __name__ == "__main__":
    run = main()
    draw(run, "out/torn_flag.png")
    pl.page(run, "out/torn_flag.html", title="A banner torn by the wind")
