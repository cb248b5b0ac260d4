"""Truncation of steps node by node: what is about to touch is held up, and nothing else."""

import numpy as np
import pytest

import pliant as pl
from pliant.solve.search.truncation import STRAIN, Truncation, _adjacency

LAW = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)


def scene(place: str = "cpu", precision: str = "f64") -> pl.Simulation:
    """A block over another one, and a third one far away."""
    grid = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3))
    bodies = [grid, grid.translated((0.013, 0.021, 0.11)), grid.translated((0.5, 0.0, 0.0))]
    contact = pl.Contact(response=pl.contact.Barrier())
    made = pl.Scene([pl.Body(shape, LAW) for shape in bodies], [pl.plane(z=-0.3)], contact=contact)
    return pl.Simulation(made, pl.ImplicitEuler(1 / 60), device=place, precision=precision)


def truncated(sim: pl.Simulation, d: np.ndarray) -> tuple[float, np.ndarray]:
    """The fraction of the whole step d (n, 3) that walls allow, and what is left of it."""
    objective, types = sim.world.objective, sim.device.types
    x, way, out = sim.device.array(sim.x, types.position), sim.device.array(d, types.vec3), objective.vectors.new()
    return objective.state(Truncation).truncate(x, way, out), out.numpy().astype(float)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_body_far_away_goes_on_while_another_is_stopped(precision, place):
    sim = scene(place, precision)
    d = np.zeros_like(sim.x)
    one, far = sim.bodies[1].rows, sim.bodies[2].rows
    d[one, 2], d[far, 2] = -0.05, -0.05
    limit, left = truncated(sim, d)
    assert 0 < limit < 0.25  # of 5 cm, with 1 cm between the blocks
    np.testing.assert_array_equal(left[far], d[far].astype(np.float32 if precision == "f32" else float))
    assert np.all(left[one, 2] <= 0) and -0.01 < left[one, 2].max() < -0.005


def test_a_truncated_step_is_free_and_strains_no_element_by_more_than_its_share():
    sim = scene()
    rng = np.random.default_rng(0)
    X = sim.x
    d = np.zeros_like(X)
    d[sim.bodies[1].rows] = (0.02, 0.0, -0.03) + 1e-3 * rng.standard_normal((64, 3))
    d[sim.bodies[0].rows] = (0.0, 0.01, 0.01)
    limit, left = truncated(sim, d)
    assert 0 < limit < 1
    objective, types = sim.world.objective, sim.device.types
    x, way = sim.device.array(X, types.position), sim.device.array(left, types.vec3)
    assert objective.step_limit(x, way) == 1.0
    share = np.linalg.norm(left, axis=1) / np.maximum(np.linalg.norm(d, axis=1), 1e-300)
    starts, neighbours = _adjacency(objective)
    i = np.repeat(np.arange(len(X)), np.diff(starts))
    lengths, longest = np.linalg.norm(X[i] - X[neighbours], axis=1), np.linalg.norm(d, axis=1).max()
    moving = (np.linalg.norm(d[i], axis=1) > 0) & (i != neighbours)
    strain = np.abs(share[i] - share[neighbours])[moving] * longest / lengths[moving]
    assert 0.01 < strain.max() < 1.1 * STRAIN * longest / np.linalg.norm(d[sim.bodies[0].rows], axis=1).min()


def test_rigid_bodies_go_whole():
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3)), LAW)
    box = pl.Body(pl.contact.Rigid(pl.meshes.box((0.2, 0.1, 0.1), (0.12, 0.05, 0.16)), density=1000))
    contact = pl.Contact(response=pl.contact.Barrier())
    sim = pl.Simulation(pl.Scene([block, box], contact=contact), pl.ImplicitEuler(1 / 60))
    d = np.zeros_like(sim.x)
    d[sim.bodies[1].rows, 2] = -0.05
    limit, left = truncated(sim, d)
    rows = left[sim.bodies[1].rows]
    assert limit < 1 and np.ptp(rows[:, 2]) == 0 and -0.011 < rows[0, 2] < -0.005


def test_a_pile_takes_few_iterations_and_nothing_crosses():
    """Of blocks that fall askew into a heap; with one step length for the scene and a matrix of all pairs it takes three times
    the time."""
    from pliant.bench.judge import judge

    rng, bodies = np.random.default_rng(1), []
    for k in range(6):
        grid = pl.tet_grid((0.06, 0.06, 0.09), (2, 2, 2), origin=(-0.03, -0.03, -0.045))
        axis = rng.normal(size=3)
        where = (0.04 * (k % 2), 0.02 * (k % 3), 0.07 + 0.125 * k)
        bodies.append(pl.Body(grid.rotated(axis / np.linalg.norm(axis), rng.uniform(0, 360)).translated(where), LAW))
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier())
    sim = pl.Simulation(pl.Scene(bodies, [pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(1 / 60))
    reports = [sim.step() for _ in range(36)]
    assert all(report.converged for report in reports)
    assert np.median([report.iterations for report in reports]) <= 12
    assert max(report.contacts for report in reports) > 20 and judge(sim).clean
