"""Piles of blocks under springs: every step converges, and no vertex is deeper in another block than a tenth of a side."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench.judge import depth_in_one_another

SOFT = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)


def pile(count, cells):
    """Blocks of 60 × 60 × 90 mm, four in a layer, each turned another way, that fall into a bowl at 1 m/s."""
    size, radius = (0.06, 0.06, 0.09), 0.22
    bowl = pl.sphere(1.1 * radius, centre=(0, 0, 1.1 * radius)) - pl.sphere(radius, centre=(0, 0, 1.1 * radius))
    bowl = bowl - pl.box((4 * radius, 4 * radius, 2 * radius), centre=(0, 0, 2.1 * radius))
    block = pl.tet_grid(size, cells, origin=tuple(-0.5 * s for s in size))
    bodies, turn = [], np.random.default_rng(5)
    for i in range(count):
        layer, k = divmod(i, 4)
        angle = np.radians(90 * k + 45 * layer)
        at = (0.085 * np.cos(angle), 0.085 * np.sin(angle), 0.13 + 0.13 * layer)
        mesh = block.rotated(turn.normal(size=3), turn.uniform(0, 180)).translated(at)
        bodies.append(pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=20.0), velocity=(0, 0, -1.0)))
    contact = pl.Contact(friction=0.3, response=pl.contact.Penalty())
    return pl.Simulation(pl.Scene(bodies, obstacles=[bowl], contact=contact), pl.ImplicitEuler(1 / 60, splits=0))


def deepest(sim):
    """How deep the deepest vertex of a block is inside another, by winding numbers [m]."""
    first = np.cumsum([0, *(len(skin.parents) for skin in sim.skins)])
    triangles = np.concatenate([skin.triangles + i for skin, i in zip(sim.skins, first)])
    block = np.repeat(np.arange(len(sim.skins)), np.diff(first))
    return depth_in_one_another(triangles, block, np.concatenate([skin.of(sim.x) for skin in sim.skins]))[1]


@pytest.mark.parametrize(
    ("count", "cells", "steps"),
    [pytest.param(10, (2, 2, 3), 9, id="10"), pytest.param(8, (4, 4, 6), 30, id="8", marks=pytest.mark.slow)],
)
def test_every_step_of_a_pile_converges(count, cells, steps):
    sim = pile(count, cells)
    for step in range(steps):
        report = sim.step()
        assert report.kept and report.converged, f"step {step}: {report.why}"
    assert deepest(sim) < 0.1 * 0.06  # of a side
