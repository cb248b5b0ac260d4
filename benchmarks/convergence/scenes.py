"""The scenes of the study: a neo-Hookean bar twisted at both ends, a stretched cube, a curtain of springs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pliant as pl

BARS = {1_920: (24, 4, 4), 4_000: (32, 5, 5), 16_640: (52, 8, 8)}  # tets → cells of five
LENGTH, WIDTH = 0.30, 0.05  # [m]
TURN = 0.5  # [s] for half a turn of each end


def turned(sense: float) -> Callable[[np.ndarray, float], np.ndarray]:
    """Where an end is that turns about the x axis."""

    def motion(X: np.ndarray, t: float) -> np.ndarray:
        c, s = np.cos(sense * np.pi * t / TURN), np.sin(sense * np.pi * t / TURN)
        return X @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T

    return motion


def twisting_bar(
    tets: int = 4_000, jolt: float = 0.0, young: float = 4e4, poisson: float = 0.4, steps: int = 10
) -> pl.Simulation:
    """A bar (0.30 m × 0.05 m × 0.05 m, 1000 kg/m³) that has been twisted for ``steps`` steps of 1/30 s, each converged.

    ``jolt`` throws every vertex: its target y moves by up to so many cell widths each way along every axis.
    """
    cells = BARS[tets]
    mesh = pl.tet_grid((LENGTH, WIDTH, WIDTH), cells, origin=(-LENGTH / 2, -WIDTH / 2, -WIDTH / 2))
    ends = [
        pl.Hold(lambda X: X[:, 0] < 1e-6 - LENGTH / 2, motion=turned(-1.0)),
        pl.Hold(lambda X: X[:, 0] > LENGTH / 2 - 1e-6, motion=turned(+1.0)),
    ]
    rubber = pl.NeoHookean(young=young, poisson=poisson, density=1000.0)
    sim = pl.Simulation(pl.Scene(pl.Body(mesh, rubber, effects=ends), gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30))
    for _ in range(steps):
        report = sim.step()
        if not report.converged:
            raise pl.errors.StepError(report.why)
    random = np.random.default_rng(1)
    sim.v = sim.v + jolt * WIDTH / cells[1] / sim.integrator.dt * random.uniform(-1, 1, mesh.vertices.shape)
    return sim


def cube() -> pl.Simulation:
    """The free unit cube of Table 7.1: 384 tets, 1 kg/m³, μ = λ = 20 Pa, h = 1/30 s."""
    law = pl.NeoHookean.from_lame(20.0, 20.0, density=1.0)
    body = pl.Body(pl.tet_grid((1, 1, 1), (4, 4, 4), 6), law)
    return pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.ImplicitEuler(dt=1 / 30))


def curtain(cells: int = 20, stiffness: float = 100.0) -> pl.Simulation:
    """A swinging curtain of springs: 1 m × 1 m, 1 kg, held at two corners, each spring of so many N/m.

    All springs of the net (stretch, shear and bend) have the same stiffness k = E A / l₀ (Eq 3.18), by their radius.
    """
    net = pl.meshes.net((1.0, 1.0), (cells, cells))
    young = 1e6
    radius = np.sqrt(stiffness * net.lengths / (np.pi * young))
    volume = np.pi * radius**2 * net.lengths
    threads = pl.Corotated(young=young, poisson=0.0, density=1.0 / volume.sum())
    held = [0, cells * (cells + 1)]  # the corners of the edge y = 0
    body = pl.Body(pl.Springs(net, radius=radius), threads, pinned=held)
    return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 30, solver=pl.QuasiNewton(iterations=20)))
