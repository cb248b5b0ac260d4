"""Smoothness of the pressures of averaged cells: known for patterns, and small in bodies."""

import numpy as np
import pytest

import pliant as pl
from pliant.simulate.record.pressure_smoothness import smoothness

SHAPE = pl.Lattice(pl.box((0.4, 0.3, 0.2)), spacing=0.05, volume=pl.quadrature.Averaged())
MIDDLES = SHAPE.cells.lowest + 0.025
PARITY = 1 - 2 * (np.rint(SHAPE.cells.lowest / 0.05).astype(int).sum(axis=1) % 2)


def test_patterns():
    even, slope, board = np.full(SHAPE.count, 3.0), 1e3 * MIDDLES[:, 0], 2.0 * PARITY
    assert smoothness(SHAPE.cells, even).roughness == 0 and np.isnan(smoothness(SHAPE.cells, even).checkerboard)
    assert smoothness(SHAPE.cells, slope).checkerboard == pytest.approx(0, abs=1e-20)
    assert smoothness(SHAPE.cells, board).checkerboard == pytest.approx(1)
    assert smoothness(SHAPE.cells, board).roughness == pytest.approx(4.0)
    faces = [np.prod(np.array([8, 6, 4]) - np.eye(3, dtype=int)[a]) for a in range(3)]  # of 8 × 6 × 4 cells
    assert smoothness(SHAPE.cells, slope).roughness == pytest.approx(50.0 * np.sqrt(faces[0] / sum(faces)), rel=0.05)


@pytest.mark.parametrize("incompressible", [False, True])
def test_a_bar_that_sinks_has_smooth_pressures(incompressible):
    shape = pl.Lattice(pl.box((0.4, 0.2, 0.2)), spacing=0.05, volume=pl.quadrature.Averaged(incompressible=incompressible))
    body = pl.Body(shape, pl.NeoHookean(young=1e5, poisson=0.499), pinned=lambda X: X[:, 0] < -0.2 + 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.QuasiStatic(1.0, pl.Mixed()))
    assert sim.step().converged
    found = sim.bodies[0].pressure_smoothness()
    assert found.roughness > 10 and found.checkerboard < 0.05


def test_other_bodies_have_none():
    sim = pl.Simulation(pl.Scene([pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.Corotated(young=1e5))]))
    with pytest.raises(pl.errors.InputError, match="keeps no pressures"):
        sim.bodies[0].pressure_smoothness()
