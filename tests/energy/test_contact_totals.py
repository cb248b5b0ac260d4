"""What a step tells of its contacts: how many, how near, and what friction took."""

import numpy as np
import pytest

import pliant as pl

STIFFNESS = 1e4
FLOOR = pl.plane(z=0.0)


def _cube(height: float, velocity=(0.0, 0.0, 0.0)) -> pl.Body:
    mesh = pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(0, 0, height))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0), velocity=velocity)


def _scene(height: float, velocity=(0.0, 0.0, 0.0), friction: float = 0.0) -> pl.Scene:
    law = pl.Contact(friction=friction, stiffness=STIFFNESS)
    return pl.Scene([_cube(height, velocity)], obstacles=[FLOOR], contact=law)


def test_a_cube_at_rest_tells_its_points_and_its_depth():
    simulation = pl.Simulation(_scene(0.0), pl.ImplicitEuler(1 / 60))
    run = simulation.run(0.5, fields=())
    assert run.contacts[-1] == 9 and np.all(run.friction_loss == 0)
    depths = -simulation.x[simulation.x[:, 2] < 0.01, 2]
    assert run.worst_gap[-1] == pytest.approx(-depths.max(), rel=1e-9)
    assert depths.mean() == pytest.approx(9.81 / (9 * STIFFNESS), rel=1e-3)
    assert "9 contacts, worst gap -0.0001" in str(run.reports[-1])


def test_friction_takes_the_kinetic_energy_of_a_cube_that_comes_to_rest():
    height = -9.81 / (9 * STIFFNESS)
    simulation = pl.Simulation(_scene(height, (0.5, 0.0, 0.0), 0.3), pl.ImplicitEuler(1 / 500))
    run = simulation.run(0.3, fields=())
    assert np.abs(simulation.v).max() < 5e-3
    assert run.friction_loss.sum() == pytest.approx(0.5 * 1.0 * 0.5**2, rel=0.05)
    assert run.friction_loss[-1] < 1e-9 and np.all(run.friction_loss >= 0)


def test_every_scene_of_a_batch_tells_its_own():
    batch = pl.Batch([_scene(0.0), _scene(1.0)], pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=30)), precision="f32")
    low, high = [batch.step() for _ in range(3)][-1]
    assert low.contacts == 9 and low.worst_gap < 0
    assert high.contacts == 0 and high.worst_gap == np.inf
