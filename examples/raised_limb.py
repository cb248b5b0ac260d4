"""A limb is to lift its tip to a height: the gradient of a run finds how hard the muscle along its upper half has to pull."""

from functools import cache

import numpy as np

import pliant as pl
from pliant.inverse import Fit, Free, NodePositions

LENGTH, THICK = 0.24, 0.05  # [m]
TARGET = 0.08  # [m], of the upper edge of the tip


@cache
def mesh() -> pl.TetMesh:
    return pl.tet_grid((LENGTH, THICK, THICK), (8, 2, 2))


def simulation(activation: float = 0.0) -> pl.Simulation:
    upper = mesh().vertices[mesh().tets].mean(axis=1)[:, 2] > THICK / 2
    tissue = pl.StableNeoHookean(young=4e4, poisson=0.4, density=1050.0)
    muscle = pl.laws.Muscle(direction=(1, 0, 0), peak_stress=8e4 * upper + 1, activation=activation)
    limb = pl.Body(mesh(), tissue + muscle, pinned=lambda X: X[:, 0] < 1e-6, name="limb")
    return pl.Simulation(pl.Scene(limb), pl.QuasiStatic(0.1))


def tip() -> np.ndarray:
    """The nodes whose height counts."""
    X = mesh().vertices
    return np.flatnonzero((X[:, 0] > LENGTH - 1e-6) & (X[:, 2] > THICK - 1e-6))


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    wanted = np.full((2, len(tip()), 3), np.nan)  # nothing is asked of the start, nor of x and y
    wanted[1, :, 2] = TARGET
    sim = simulation(0.05)
    return pl.fit(sim, NodePositions(wanted, tip()), {(0, "Muscle.activation"): Free(0.0, 1.0)}, confidence=False), sim


def main(seconds: float | None = None) -> pl.Run:
    found, sim = fitted()
    print(found)
    at_rest, lifted = simulation(0.0).run(0.1), sim.run(0.1)
    print(f"the tip is at {lifted.positions[-1, tip(), 2].mean():.4f} m, {at_rest.positions[-1, tip(), 2].mean():.4f} m at rest")
    return at_rest.beside(lifted, (0.0, 0.12, 0.0))


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-64, 14), size=(860, 460), wire=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/raised_limb.png")
    pl.page(run, "out/raised_limb.html", title="A limb that reaches a height")
