"""Piles of blocks under springs: every step converges, and blocks stay outside of one another."""

import numpy as np
import pytest

import pliant as pl

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


def winding(points, corners, faces):
    """(p,) how often a closed surface goes around each point: 1 inside, 0 outside (van Oosterom & Strackee 1983)."""
    a, b, c = (corners[faces[:, k]][None] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=-1) for v in (a, b, c))
    dot = lambda v, w: np.sum(v * w, axis=-1)
    angle = np.arctan2(dot(a, np.cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
    return angle.sum(axis=1) / (2 * np.pi)


def centres_inside(sim):
    """How many centres of elements of a body are inside of another."""
    count = 0
    for one in sim.skins:
        centres = sim.x[one.start : one.stop][one.tets].mean(axis=1)
        for other in sim.skins:
            if other is not one:
                count += np.sum(
                    winding(centres, sim.x[other.start : other.stop][other.parents[:, 0]], other.triangles) > 0.5
                )
    return count


@pytest.mark.parametrize(
    ("count", "cells", "steps"),
    [pytest.param(10, (2, 2, 3), 9, id="10"), pytest.param(8, (4, 4, 6), 30, id="8", marks=pytest.mark.slow)],
)
def test_every_step_of_a_pile_converges(count, cells, steps):
    sim = pile(count, cells)
    for step in range(steps):
        report = sim.step()
        assert report.kept and report.converged, f"step {step}: {report.why}"
    assert centres_inside(sim) == 0
