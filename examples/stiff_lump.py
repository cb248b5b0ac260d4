"""A stiff lump inside a soft block is found from how points in it move under a known load, as with ultrasound."""

from functools import cache

import numpy as np

import pliant as pl
from pliant.inverse import LBFGS, Fit, Free, NodePositions, TotalVariation

SIZE, CELLS = np.array([0.08, 0.04, 0.06]), (8, 4, 6)
SOFT, STIFF = 1e4, 8e4  # [Pa]
LUMP = np.array([0.05, 0.02, 0.035])  # where its middle is [m]
NOISE = 2e-5  # [m] on every coordinate; the load moves the top by 4 mm


@cache
def shape() -> pl.Hexes:
    return pl.Hexes(pl.meshes.hex_box(SIZE, CELLS))


def middles() -> np.ndarray:
    """(m, 3) of the elements."""
    return shape().rest[shape().nodes].mean(axis=1)


def truth() -> np.ndarray:
    """(m,) Young's modulus of each element."""
    return np.where(np.linalg.norm((middles() - LUMP) / (0.013, 0.011, 0.011), axis=1) < 1, STIFF, SOFT)


def simulation(young: np.ndarray | None = None) -> pl.Simulation:
    law = pl.StableNeoHookean(young=truth() if young is None else young, poisson=0.45, density=1050.0)
    press = pl.Traction((0.0, 0.0, -600.0), where=lambda X: X[:, 2] > SIZE[2] - 1e-9)
    body = pl.Body(shape(), law, pinned=lambda X: X[:, 2] < 1e-9, effects=[press], name="block")
    return pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(1.0))


@cache
def fitted() -> tuple[Fit, pl.Simulation]:
    seen = simulation().run(1.0).positions
    seen[1] += NOISE * np.random.default_rng(0).standard_normal(seen[1].shape)
    sim = simulation(np.full(shape().count, 2e4))
    free = {(0, "young"): Free(2e3, 4e5, log=True, spatial_prior=TotalVariation(0.3))}
    return pl.fit(sim, NodePositions(seen, sigma=NOISE), free, LBFGS(50)), sim


def located(young: np.ndarray) -> np.ndarray:
    """(3,) the middle of what is stiffer than the mean of both, in factors."""
    return middles()[young > np.sqrt(SOFT * STIFF)].mean(axis=0)


def coloured(young: np.ndarray) -> pl.Run:
    """The block under its load, with the modulus of the elements around each node."""
    run, total, count = simulation(young).run(1.0), np.zeros(len(shape().rest)), np.zeros(len(shape().rest))
    for nodes in shape().nodes.T:
        np.add.at(total, nodes, np.log10(young))
        np.add.at(count, nodes, 1)
    return run.changed(fields={"log10 of Young's modulus": np.tile(total / count, (len(run), 1))})


def main(seconds: float | None = None) -> pl.Run:
    found, _ = fitted()
    young = found.values[0, "young"]
    print(f"{found.why}; the lump is at {located(young).round(4)} m, truly at {located(truth()).round(4)} m")
    return coloured(truth()).beside(coloured(young), (0.1, 0.0, 0.0))


def draw(run: pl.Run, path: str) -> None:
    look = pl.render.Slice(point=LUMP)
    pl.picture(run, path, colour="log10 of Young's modulus", look=look, limits=(3.9, 4.8), size=(860, 380))


if __name__ == "__main__":
    run = main()
    draw(run, "out/stiff_lump.png")
    pl.page(run, "out/stiff_lump.html", title="A stiff lump, as it is and as it was found")
