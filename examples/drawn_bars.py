"""Two bars of ν = 0.498 are drawn to twice their length: the neo-Hookean one keeps its volume, the corotated one loses half."""

import numpy as np

import pliant as pl

LENGTH, WIDTH, CELL = 0.3, 0.1, 0.02  # [m]
STEPS = 4  # quasi-static steps on the way, a quarter of a second each


def drawn(X: np.ndarray, t: float) -> np.ndarray:
    return X * [1 + min(t, 1.0), 1.0, 1.0]


def volume(run: pl.Run, shape: pl.Lattice) -> np.ndarray:
    """(frames, n) J of the cells around each node, as parts of the rest volume."""
    found = []
    for x in run.positions:
        F = np.einsum("mki,mqkj->mqij", x[shape.nodes], shape.gradients)
        J = (np.linalg.det(F) * shape.weights).sum(axis=1)
        total, share = np.zeros(len(x)), np.zeros(len(x))
        for nodes in shape.nodes.T:
            np.add.at(total, nodes, J)
            np.add.at(share, nodes, shape.volumes)
        found.append(total / share)
    return np.array(found)


def bar(law: type[pl.NeoHookean | pl.Corotated], y: float = 0.0, cell: float = CELL) -> pl.Body:
    shape = pl.Lattice(pl.box((LENGTH, WIDTH, WIDTH), (LENGTH / 2, y, 0)), cell, volume=pl.quadrature.Averaged())
    ends = pl.Hold(lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > LENGTH - 1e-9), motion=drawn)
    return pl.Body(shape, law(young=1e5, poisson=0.498), effects=ends, name=law.__name__)


def simulation(*bars: pl.Body, cell: float = CELL) -> pl.Simulation:
    """Some bars, or both beside each other."""
    scene = pl.Scene(bars or [bar(pl.NeoHookean, 0.0, cell), bar(pl.Corotated, 0.2, cell)], gravity=(0, 0, 0))
    return pl.Simulation(scene, pl.QuasiStatic(dt=1 / STEPS, solver=pl.Mixed()))


def stretched(law: type[pl.NeoHookean | pl.Corotated], seconds: float) -> pl.Run:
    body = bar(law)
    run = simulation(body).run(seconds, progress=True, fields=())
    return run.changed(fields={"volume kept": volume(run, body.shape)})


def main(seconds: float | None = None) -> pl.Run:
    true, false = (stretched(law, seconds or 1.0) for law in (pl.NeoHookean, pl.Corotated))
    return true.beside(false, (0.0, 0.2, 0.0))


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, colour="volume kept", limits=(0.4, 1.05), view=(-62, 32), size=(860, 460), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/drawn_bars.png")
    pl.page(run, "out/drawn_bars.html", title="Two bars drawn to twice their length")
