"""Sheets of a running simulation, cut: state, mass, hands, undo, checkpoints, plans and threads."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

BLADE = pl.Blade([(0.37, -0.2, 2.0), (0.52, 2.0, 2.0)], 4.0)


def cloth(**parts):
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=300.0)
    shape = pl.Membrane(pl.cloth_grid((1.0, 0.8), (12, 10)), 1e-3)
    body = pl.Body(shape, law, pinned=lambda X: X[:, 1] > 0.799, damping=pl.Damping(stiffness=1e-3), **parts)
    return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=6)))


def test_a_sheet_in_motion_is_cut_and_goes_on(tmp_path):
    sim = cloth()
    for _ in range(8):
        sim.step()
    hand = sim.grab(3, sim.x[3] + [0, 0, 0.05])
    x, mass, before = sim.x, sim.world.mass.sum(), sim.energies()
    (cut,) = sim.cut(BLADE)
    assert cut.new == 11 and pl.inspect(sim.scene.bodies[0].shape.mesh).components == 2
    assert np.isclose(sim.world.mass.sum(), mass, rtol=1e-14) and hand in sim.hands.points
    after = sim.energies()
    assert after["elastic"] <= 1.01 * before["elastic"] and after["kinetic"] <= 1.001 * before["kinetic"]
    sim.save(str(tmp_path / "cut.npz"))
    other = pl.Simulation.load(str(tmp_path / "cut.npz"))
    for _ in range(3):
        assert sim.step().kept and other.step().kept
        assert np.array_equal(sim.x, other.x)
    sim.undo_cut()
    assert np.array_equal(sim.x, x) and len(sim.scene.bodies[0].shape.mesh.vertices) == len(x)


def test_a_sheet_is_cut_beside_steps_and_as_planned():
    sim = cloth()
    sim.step()
    count = len(sim.x)
    sim.cut(BLADE, wait=False)
    sim.finish_cuts()
    assert len(sim.x) == count + 11 and sim.step().kept
    sim.plan_cut(pl.Blade([(-0.1, 0.3, 2.0), (0.35, 0.35, 2.0)], 4.0), at=sim.t, until=sim.t + 0.1)
    for _ in range(8):
        assert sim.step().kept
    assert len(sim.x) > count + 13 and not sim.planned


def test_an_even_stretch_keeps_its_energy():
    sim = cloth()
    sim.x = sim.x * [1.1, 1.0, 1.0]
    before = sim.energies()["elastic"]
    sim.cut(BLADE)
    assert np.isclose(sim.energies()["elastic"], before, rtol=1e-10)


def test_vertices_stay_where_a_fold_would_gain_energy():
    """Sharp waves: an edge through a fold is shorter than the sheet."""
    sim = cloth()
    x = sim.x
    x[:, 2] += 0.02 * (np.arange(len(x)) % 2)
    sim.x = x
    before = sim.energies()["elastic"]
    sim.cut(BLADE)
    assert sim.energies()["elastic"] <= 1.01 * before


def test_a_torn_sheet_is_cut_and_a_cut_one_tears():
    sim = cloth(effects=[pl.Tearing(stretch=1.002, where=lambda X: X[:, 0] > 0.6)])
    sim.cut(BLADE)
    torn = sum(sim.step().torn for _ in range(12))
    count = len(sim.x)
    sim.cut(pl.Blade([(-0.1, 0.3, 2.0), (1.1, 0.35, 2.0)], 4.0))
    assert torn > 0 and len(sim.x) > count and sim.step().kept


def test_a_sheet_that_carries_a_surface_is_refused():
    with pytest.raises(InputError, match="surface=…"):
        sim = cloth(surface=pl.cloth_grid((1.0, 0.8), (4, 4)))
        sim.cut(BLADE)
