"""Joints by complementarity: welds, slides and needles, with the forces of the closed forms."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

FIRM = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
ONCE = pl.Newton(iterations=1)


def scene(joints, gravity=(0, 0, -9.81)):
    above = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), FIRM, pinned=lambda X: X[:, 2] > 0.0999, name="above")
    below = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, -0.102)), FIRM, name="below")
    contact = pl.Contact(response=pl.contact.Complementarity(joints=joints))
    return pl.Scene([above, below], gravity=gravity, contact=contact)


def stepped(given, steps, solver=ONCE, dt=0.01):
    sim = pl.Simulation(given, pl.ImplicitEuler(dt=dt, solver=solver))
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
    return sim, sim.world.objective.constraint


@pytest.mark.parametrize("solver", [pl.Newton()], ids=["converged"])
def test_a_weld_carries_the_weight(solver):
    points = [(0.03, 0.05, 0.0), (0.07, 0.05, 0.0), (0.05, 0.08, 0.0)]
    sim, contact = stepped(scene([pl.contact.Weld("above", points, "below")]), 30, solver)
    assert contact.joint_force(0) == pytest.approx([0, 0, -9.81], abs=0.02)  # of 1 kg, on the one above
    assert np.abs(sim.v).max() < 0.01


def test_a_slide_runs_along_its_line_against_its_friction():
    line, points = [(0.0, 0.05, 0.0), (0.1, 0.05, 0.0)], [(0.02, 0.05, 0.0), (0.05, 0.05, 0.0)]
    joint = pl.contact.Slide("above", line, "below", points, friction=0.1, hold=0.2)
    sim, _ = stepped(scene([joint], gravity=(4.0, 0, -9.81)), 4)
    before = sim.v[27:].mean(axis=0)[0]
    for _ in range(6):
        assert sim.step().kept
    gained = (sim.v[27:].mean(axis=0)[0] - before) / 0.06
    assert gained == pytest.approx(4.0 - 2 * 0.2 - 0.981, rel=0.05)  # one force of 0.2 N at each point, of 1 kg
    assert abs(sim.x[27:, 1].mean() - 0.05) < 1e-3


def gel(**given):
    """A needle that goes into a soft block along x, 0.1 m in 0.5 s, and out again."""

    def tip(t):
        depth = 0.2 * t if t < 0.5 else 0.1 - 0.2 * (t - 0.5)
        return (depth - 0.01, 0.021, 0.019)

    needle = pl.contact.Needle("gel", tip, (1, 0, 0), 0.01, **given)
    soft = pl.StableNeoHookean(young=5e3, poisson=0.3, density=1000.0)
    side = pl.Body(pl.tet_grid((0.15, 0.04, 0.04), (10, 3, 3)), soft, pinned=lambda X: X[:, 2] < 1e-6, name="gel")
    contact = pl.Contact(response=pl.contact.Complementarity(joints=[needle]))
    return pl.Scene([side], gravity=(0, 0, 0), contact=contact)


def test_the_force_of_a_needle_grows_with_its_depth_and_turns_as_it_is_drawn_out():
    sim, contact = stepped(gel(hold=2.0, cut=0.05), 20, dt=0.02)  # 0.08 m from the surface at x = 0, less 0.01
    inserted = len(contact.detector.joints[0].nodes)
    assert 6 <= inserted <= 8
    assert contact.joint_force(0)[0] == pytest.approx(0.05 + 2.0 * 0.01 * inserted, rel=0.02)  # all of it slips
    kept = sim.state.copy()
    for _ in range(10):
        assert sim.step().kept
    there = sim.x
    sim.assign(kept)  # with the points that were on the shaft
    for _ in range(10):
        assert sim.step().kept
    assert np.array_equal(sim.x, there)
    assert contact.joint_force(0)[0] < -0.02  # drawn out, it pulls
    for _ in range(25):
        assert sim.step().kept
    assert not len(contact.detector.joints[0].nodes) and not contact.joint_force(0).any()


@pytest.mark.parametrize("dt", [0.005, 0.02, 0.1])
def test_the_force_of_a_needle_does_not_depend_on_the_step(dt):
    """At 0.2 m/s, 1, 4 and 20 mm in a step, with points 10 mm apart: 2 N/m of how deep it was where the step began."""
    _, contact = stepped(gel(hold=2.0, cut=0.05), round(0.4 / dt), dt=dt)
    depth = 0.2 * (0.4 - dt) - 0.01
    assert contact.joint_force(0)[0] == pytest.approx(0.05 + 2.0 * depth, abs=0.021)  # of one point
    assert abs(len(contact.detector.joints[0].nodes) - depth / 0.01) <= 1


def test_a_needle_holds_what_it_has_entered_against_a_weight():
    """Points on the shaft stay on its line while all else sags."""
    given = gel(friction=0.3)
    sim, contact = stepped(given, 15, dt=0.02)
    on = contact.detector.joints[0]
    places = np.einsum("pk,pkx->px", on.weights, sim.x[on.nodes])
    assert len(places) and np.abs(places[:, 1:] - [0.021, 0.019]).max() < 1e-5


def test_bodies_are_known_by_their_names():
    with pytest.raises(InputError, match="belw"):
        pl.Simulation(scene([pl.contact.Weld("above", [(0.05, 0.05, 0.0)], "belw")]))
    with pytest.raises(InputError, match="two bodies"):
        pl.contact.Weld("above", [(0, 0, 0)], "above")
