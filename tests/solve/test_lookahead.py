"""Directions that know what they would touch."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energy.capabilities import Wall
from pliant.solve.newton.hessian_choice import NewtonSystem, Projected
from pliant.solve.newton.iteration import Work
from pliant.solve.newton.lookahead import Lookahead
from pliant.solve.objective.report import Clock
from pliant.solve.search.truncation import Truncation

BLOCK = (0.1, 0.1, 0.03)


def _pair(speed: float, dt: float = 1 / 60, linear=None, **where) -> pl.Simulation:
    """Two blocks that fly at one another, 5 cm apart, one of them turned, above a floor that is far away."""
    law, bodies = pl.StableNeoHookean(young=1e6, poisson=0.35, density=1000.0), []
    for z, side in ((0.0, 1), (0.08, -1)):
        mesh = pl.tet_grid(BLOCK, (3, 3, 1), origin=(-0.05, -0.05, -0.015))
        turned = mesh.rotated((0, 0, 1), 13.0 * (side < 0)).rotated((1, 0, 0), 4.0 * (side < 0))
        bodies.append(pl.Body(turned.translated((0, 0, z)), law, velocity=(0, 0, side * speed / 2)))
    scene = pl.Scene(bodies, [pl.plane(z=-0.5)], (0, 0, 0), contact=pl.Contact(friction=0.3, response=pl.contact.Barrier()))
    return pl.Simulation(scene, pl.ImplicitEuler(dt, solver=pl.Newton(linear=linear or pl.linear.PCG())), **where)


@pytest.mark.parametrize("linear", [pl.linear.PCG(), pl.linear.PCG(assembled=False), pl.linear.Direct()], ids=repr)
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_direction_leads_into_nothing_that_it_does_not_know(linear, precision):
    sim = _pair(0.0, linear=linear, precision=precision)
    sim.step()
    objective, x, system = sim.world.objective, sim.state.x, NewtonSystem(Projected(), linear)
    work, truncation = objective.state(Work), objective.state(Truncation)
    objective.gradient(x, work.g)
    pull = work.g.numpy()
    pull[:, 2] += np.where(sim.x[:, 2] > sim.x[:, 2].mean(), 5.0, -5.0)  # together, and through one another
    work.g.assign(pull)
    first = system.solve(objective, x, work.g, work.d, 1e-6, Clock("matrix", "linear", "line search"))
    plain = -work.d.numpy()

    def limit() -> float:
        objective.vectors.mix(-1.0, work.d, 0.0, work.d, work.short)
        return truncation.limit(x, work.short)

    alone, clock = limit(), Clock("matrix", "linear", "line search")
    assert alone < 0.5
    objective.state(Lookahead).solve(system, x, work, first, 1e-6, clock)
    assert limit() > 2 * alone
    assert objective.vectors.dot(work.g, work.d) > 0.0, "no descent"
    # all is forgotten: the matrix is that of the energies again
    objective.state(Work).d.assign(np.zeros_like(plain))
    system.solve(objective, x, work.g, work.d, 1e-6, clock)
    np.testing.assert_allclose(-work.d.numpy(), plain, atol=1e-3 * np.abs(plain).max())


@pytest.mark.parametrize("speed", [8.0, 40.0])
def test_bodies_that_meet_fast_do_not_end_behind_each_other(speed):
    """Steps of 2 to 12 thicknesses: a minimum of the whole step lies beyond the other block."""
    sim, fine = _pair(speed), _pair(speed, dt=1 / 960)
    for report in (sim.step(), sim.step()):
        assert report.ok and report.splits >= 0, report.why
    fine.run(2 / 60)
    gaps = [run.bodies[1].x[:, 2].mean() - run.bodies[0].x[:, 2].mean() for run in (sim, fine)]
    assert gaps[0] > 0.02 and gaps[1] > 0.02
    momentum = sim.world.mass @ sim.v
    assert np.abs(momentum).max() < 1e-6 * sim.world.mass.sum() * speed


def test_a_step_that_is_long_for_its_bodies_is_split_before_it_is_solved():
    sim = _pair(40.0)
    report = sim.step()
    assert report.splits >= 2 and report.iterations < 200
    whole = pl.Simulation(sim.scene, pl.ImplicitEuler(1 / 60, splits=0))
    assert whole.step().splits == 0  # where that is not wanted


def test_constraints_of_obstacles_are_springs_along_the_normal():
    """½ k (s + n·d)² over the points that a direction leads into the floor."""
    sim = _pair(0.0)
    objective, x = sim.world.objective, sim.state.x
    device, t = objective.device, objective.device.types
    d = np.zeros((len(sim.x), 3))
    d[:, 2] = -2.0
    way, compliance = device.array(d, t.vec3), device.array(np.full(len(d), 1e-3), wp.float64)
    objective.state(Truncation).limit(x, way)
    (floor,) = (wall for wall in objective.having(Wall) if hasattr(wall, "obstacles") and wall.predict(x, way, compliance))
    predicted = floor.predicted
    normal, slack, push = (array.numpy()[0] for array in (predicted.normal, predicted.slack, predicted.push))
    there = push > 0
    assert there.any() and np.allclose(normal[there], (0, 0, 1)) and np.allclose(push[there], 10 / 1e-3)
    assert np.all(slack[there] > 0) and np.all(slack[there] < sim.x[:, 2].max() + 0.5)
    out = device.zeros(len(d), t.vec3)
    floor.add_predicted(out)
    assert np.all(out.numpy()[:, 2] >= 0) and out.numpy()[:, 2].max() > 0
    floor.forget_predicted()
    out.zero_()
    floor.add_predicted(out)
    assert not out.numpy().any()
