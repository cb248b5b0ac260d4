"""Contacts of patches as rows of complementarity: bodies part, stick but for a little, and do not sink in."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from tests.contact.test_intersection_energy import DT, ONE, OTHER, SOFT, ball, middles, steps

PATCHES = pl.contact.Complementarity(patches=True)


def simulated(bodies, device="cpu", precision="f64", friction=0.0, gravity=(0, 0, 0), solver=None, obstacles=()):
    scene = pl.Scene(bodies, list(obstacles), gravity, pl.Contact(friction=friction, response=PATCHES))
    solver = solver or pl.Newton(iterations=1)
    return pl.Simulation(scene, pl.ImplicitEuler(DT, solver), device=device, precision=precision)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_two_balls_deep_in_one_another_part_and_keep_their_momentum(place, precision, tmp_path):
    sim = simulated([pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, OTHER)], place, precision)
    report = sim.step()
    assert report.kept and report.contacts > 2 and report.worst_gap < -0.03
    sim.save(tmp_path / "begun.npz")
    report = steps(sim, 24)
    mass = sim.world.mass[:, None]
    assert (mass * sim.v).sum(axis=0) == pytest.approx(0, abs=1e-4 * np.abs(mass * sim.v).sum())
    assert np.linalg.norm(np.subtract(*middles(sim))) > 0.18 and report.contacts == 0
    if place == "cpu":
        other = pl.Simulation.load(tmp_path / "begun.npz")
        steps(other, 24)
        assert np.array_equal(sim.x, other.x)


@pytest.mark.parametrize("solver", [pl.Newton(iterations=1), pl.Newton()], ids=["once", "converged"])
def test_a_block_on_another_sticks_and_does_not_sink_in(solver):
    """Pushed sideways by a tenth of its weight, with friction for half of it; then by more than friction holds."""
    low = pl.tet_grid(size=(0.2, 0.2, 0.1), cells=(2, 2, 1), origin=(-0.1, -0.1, 0.0))
    high = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(2, 2, 2), origin=(-0.05, -0.05, 0.1005)).rotated((0, 0, 1), 20.0)
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    bodies = [pl.Body(low, law, pinned=lambda X: X[:, 2] < 1e-6), pl.Body(high, law)]
    sim = simulated(bodies, friction=0.5, gravity=(1.0, 0, -9.81), solver=solver)
    steps(sim, 20)
    before = middles(sim)[1]
    report = steps(sim, 12)
    assert report.contacts >= 3 and report.worst_gap > -5e-5
    assert np.abs(middles(sim)[1] - before).max() < 5e-5  # hardly a creep
    slides = simulated(bodies, friction=0.5, gravity=(8.0, 0, -9.81), solver=solver)
    start = middles(slides)[1][0]
    steps(slides, 12)
    assert 0.5 < (middles(slides)[1][0] - start) / (0.5 * (8.0 - 0.5 * 9.81) * (12 * DT) ** 2) < 1.3


def test_obstacles_and_what_has_no_normal():
    """On a floor as usual; a body wholly inside of another leaves, and the report says so; other elements are refused."""
    bodies = [
        pl.Body(mesh, SOFT, surface=surface, name=name)
        for name, (surface, mesh) in (
            ("large", ball((0, 0, 0), fine=1)),
            ("small", ball((0.03, 0, 0), 0.04, fine=1, cells=(2, 2, 2))),
        )
    ]
    sim = simulated(bodies, obstacles=[pl.plane(z=-0.099)], gravity=(0, 0, -9.81))
    report = steps(sim, 1)
    assert report.why.endswith("small is wholly inside large; pushed out along the shortest path") and report.contacts > 3
    steps(sim, 24)
    assert middles(sim)[0][2] > -0.03 and np.linalg.norm(np.subtract(*middles(sim))) > 0.06
    with pytest.raises(InputError, match=r"contact.Complementarity\(patches=True\): body 1 is of Lattice"):
        simulated([bodies[0], pl.Body(pl.Lattice(pl.sphere(0.1), spacing=0.05), SOFT)])
