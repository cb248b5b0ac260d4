"""Intersection contact as the way out for responses that cannot part what intersects: barriers and complementarity."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.detect.edge_crossings import crossings
from pliant.errors import InputError
from pliant.runtime.device import Device
from tests.contact.test_intersection_energy import DT, ONE, SOFT, ball, middles, steps

DEEP = [pl.Body(mesh, SOFT, surface=surface) for surface, mesh in (ONE, ball((0.02, 0.015, 0.05), 0.09, degrees=40.0))]
WALLS = {"barrier": pl.contact.Barrier(), "complementarity": pl.contact.Complementarity()}


def simulated(bodies, response, device="cpu", precision="f64", recovery=1.0, gravity=(0, 0, 0), obstacles=(), friction=0.0):
    law = pl.Contact(response=response, fallback=pl.contact.Intersection(recovery=recovery), friction=friction)
    scene = pl.Scene(bodies, list(obstacles), gravity, law)
    return pl.Simulation(scene, pl.ImplicitEuler(DT), device=device, precision=precision)


def crossing(sim):
    """Edges of one body that pass through faces of another."""
    wall = next(energy for energy in sim.world.energies if hasattr(energy, "fallback"))
    surface = wall.surface
    at = np.einsum("pk,pkc->pc", surface.weights, sim.x[surface.nodes])
    return len(crossings(Device("cpu", "f64"), surface, at))


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("response", WALLS.values(), ids=WALLS)
def test_bodies_deep_in_one_another_part_and_then_keep_apart(place, response, precision, tmp_path):
    """Refused without a fallback. With it they come out, keep their momentum, and hold each other off once they are out."""
    with pytest.raises(InputError, match=r"intersect at the start.*or give Contact\(fallback=contact.Intersection\(\)\)"):
        pl.Simulation(pl.Scene(DEEP, contact=pl.Contact(response=response)), pl.ImplicitEuler(DT))
    sim = simulated(DEEP, response, place, precision)
    assert crossing(sim) > 20
    report = steps(sim, 1)
    sim.save(tmp_path / "begun.npz")
    assert report.contacts > 3 and "body 0 and body 1 intersected, and were pushed apart" in report.why
    report = steps(sim, 14)
    if place == "cpu":
        other = pl.Simulation.load(tmp_path / "begun.npz")
        steps(other, 14)
        assert np.array_equal(sim.x, other.x)
    assert crossing(sim) == 0 and "intersected" not in report.why
    assert np.linalg.norm(np.subtract(*middles(sim))) > 0.17 and np.abs(sim.v).max() < 3.0
    mass = sim.world.mass[:, None]
    assert (mass * sim.v).sum(axis=0) == pytest.approx(0, abs=1e-3 * np.abs(mass * sim.v).sum())


@pytest.mark.parametrize("response", WALLS.values(), ids=WALLS)
def test_a_block_that_begins_in_another_comes_to_lie_on_it(response):
    """Springs alone would leave it a little inside under its weight; the response takes over where it is out, and holds it."""
    low = pl.tet_grid(size=(0.2, 0.2, 0.1), cells=(2, 2, 1), origin=(-0.1, -0.1, 0.0))
    high = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(2, 2, 2), origin=(-0.05, -0.05, 0.085)).rotated((0, 0, 1), 20.0)
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    bodies = [
        pl.Body(low, law, pinned=lambda X: X[:, 2] < 1e-6),
        pl.Body(high, law, damping=pl.Damping(stiffness=5e-3)),
    ]
    sim = simulated(bodies, response, recovery=0.3, gravity=(0, 0, -9.81), friction=0.5)
    reports = [sim.step() for _ in range(40)]
    assert all(report.kept for report in reports), [report.why for report in reports if not report.kept]
    assert "intersected" in reports[0].why and "intersected" not in reports[-1].why
    assert crossing(sim) == 0 and reports[-1].contacts > 0 and reports[-1].worst_gap > -1e-6
    assert 0.148 < middles(sim)[1][2] < 0.16 and np.abs(sim.v).max() < 0.1


@pytest.mark.parametrize("response", WALLS.values(), ids=WALLS)
def test_what_does_not_intersect_is_as_without(response):
    bodies = [DEEP[0], pl.Body(ball((0.02, 0.015, 0.196), 0.09)[1], SOFT, surface=ball((0.02, 0.015, 0.196), 0.09)[0])]
    ends = []
    for fallback in (None, pl.contact.Intersection()):
        law = pl.Contact(response=response, fallback=fallback)
        sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0), contact=law), pl.ImplicitEuler(DT))
        sim.v = np.where(np.arange(len(sim.x))[:, None] < len(ONE[1].vertices), 0.0, (0.0, 0.0, -0.5))
        report = steps(sim, 4)
        ends.append(sim.x)
        assert report.contacts > 0
    assert np.array_equal(*ends)


def test_parts_of_one_body_have_no_way_out():
    """A surface that runs through itself stays refused."""
    one, other = pl.meshes.sphere(0.05, 1), pl.meshes.sphere(0.05, 1).translated((0.06, 0, 0))
    both = pl.TriMesh(np.vstack([one.vertices, other.vertices]), np.vstack([one.triangles, other.triangles + len(one.vertices)]))
    mesh = pl.tet_grid(size=(0.3, 0.2, 0.2), cells=(3, 2, 2), origin=(-0.1, -0.1, -0.1))
    with pytest.raises(InputError, match=r"parts of body 0 intersect at the start.*; mend the surface"):
        simulated([pl.Body(mesh, SOFT, surface=both), DEEP[0]], pl.contact.Barrier())
