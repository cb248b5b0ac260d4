"""A sheet with a notch is drawn apart: its tear runs straight to the other side."""

import numpy as np

import pliant as pl

WIDTH, HEIGHT, NOTCH, CELLS = 1.0, 0.6, 0.3, 30  # [m]


def notched() -> pl.TriMesh:
    """A grid whose nodes are out of order, open along its middle as far as the notch goes."""
    mesh = pl.cloth_grid((WIDTH, HEIGHT), (CELLS, round(CELLS * HEIGHT / WIDTH)))
    X, triangles = mesh.vertices.copy(), mesh.triangles.copy()
    slit = (np.abs(X[:, 1] - HEIGHT / 2) < 1e-9) & (X[:, 0] < NOTCH + 1e-9)
    rim = (np.abs(X[:, :2] - [WIDTH / 2, HEIGHT / 2]) > np.array([WIDTH, HEIGHT]) / 2 - 1e-9).any(axis=1)
    shaken = ~(slit | rim)
    X[shaken, :2] += np.random.default_rng(1).uniform(-0.2, 0.2, (shaken.sum(), 2)) * WIDTH / CELLS
    doubled = np.flatnonzero(slit & (X[:, 0] < NOTCH - 1e-9))  # all of the slit but its tip
    above = X[triangles].mean(axis=1)[:, 1] > HEIGHT / 2
    twin = np.arange(len(X))
    twin[doubled] = len(X) + np.arange(len(doubled))
    triangles[above] = twin[triangles[above]]
    return pl.TriMesh(np.concatenate([X, X[doubled]]), triangles)


def drawn(X: np.ndarray, t: float) -> np.ndarray:
    """Both ends, away from the middle by a hundredth of the height a second."""
    return X + np.array([0.0, 0.01 * HEIGHT * t * np.sign(X[0, 1] - HEIGHT / 2), 0.0])


def simulation() -> pl.Simulation:
    ends = [pl.Hold(lambda X: X[:, 1] < 1e-9, drawn), pl.Hold(lambda X: X[:, 1] > HEIGHT - 1e-9, drawn)]
    flat = pl.Hold(True, by=pl.hold.Rigidly("z"))
    body = pl.Body(
        pl.Membrane(notched(), thickness=1e-3, bending=False),
        pl.StableNeoHookean(young=1e6, poisson=0.3),
        effects=[*ends, flat, pl.Tearing(stretch=1.15)],
        name="sheet",
    )
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.2))


def main(seconds: float | None = None) -> pl.Run:
    sim = simulation()
    sim.t = 2.4 if seconds is None else 3.4
    start = len(sim.x)
    run = sim.run(seconds or 9.0, progress=True, fields=("stretch",))
    torn = sim.scene.bodies[0].shape.rest[start:]
    away = np.abs(torn[:, 1] - HEIGHT / 2).max() if len(torn) else 0.0
    print(f"torn at {sum(r.torn for r in run.reports)} nodes, {away * CELLS / WIDTH:.2f} rows from straight at the most")
    return run


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.3, 0.6, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(0, 89), size=(520, 400), colour="stretch")


if __name__ == "__main__":
    run = main()
    draw(run, "out/notched_sheet.png")
    pl.page(run, "out/notched_sheet.html", title="A notched sheet")
