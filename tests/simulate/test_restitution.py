"""Restitution of rigid bodies against Newton's law of impact: dropped balls, balls that meet, a rod that lands on one end."""

import numpy as np
import pytest

import pliant as pl
from pliant import contact
from pliant.errors import InputError

FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")
RESPONSES = [None, contact.Penalty(), contact.Barrier(), contact.Complementarity()]


def ball(name: str, *centre: float, radius: float = 0.05, density: float = 1000, **options) -> pl.Body:
    return pl.Body(contact.Rigid(pl.sphere(radius, centre=centre), density=density), name=name, **options)


def simulated(bodies, restitution: float, response=None, obstacles=(FLOOR,), dt=1e-3, **options) -> pl.Simulation:
    law = pl.Contact(restitution=restitution, response=response)
    return pl.Simulation(pl.Scene(bodies, list(obstacles), contact=law, **options), pl.ImplicitEuler(dt=dt))


def spin(view) -> np.ndarray:
    """Angular velocity of a rigid body [rad/s]."""
    r, v = view.x - view.x.mean(axis=0), view.v - view.v.mean(axis=0)
    return np.linalg.solve(np.trace(r.T @ r) * np.eye(3) - r.T @ r, np.cross(r, v).sum(axis=0))


@pytest.mark.parametrize("response", RESPONSES, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
def test_a_dropped_ball_rises_to_e_squared_of_its_height(e, response):
    height = 0.3
    sim, heights = simulated(ball("ball", 0, 0, 0.35), e, response), []
    for _ in range(520):
        assert sim.step().kept
        heights.append(sim.x[:, 2].mean() - 0.05)
    little = 0.12 if isinstance(response, contact.Barrier) else 0.02  # a barrier pushes on until it is as wide as its reach
    landed = int(np.argmin(heights[:300]))
    assert (landed + 1) * 1e-3 == pytest.approx(np.sqrt(2 * height / 9.81), abs=3e-3)
    touched = np.sqrt(max(max(heights[landed:]), 0) / height)
    assert touched == pytest.approx(e, rel=0.02, abs=little if e == 0 else None)


def test_steps_as_long_as_usual_bounce_by_the_energy_that_there_is():
    """In the step that lands it at 1/60 s, whose own loss of energy in free flight is not that of the impact."""
    sim = simulated(ball("ball", 0, 0, 0.55), 0.7, dt=1 / 60)
    while sim.v[:, 2].mean() <= 0:
        before, high = sim.v[:, 2].mean(), sim.x[:, 2].mean() - 0.05
        assert sim.step().kept and sim.t < 0.5
    assert sim.v[:, 2].mean() == pytest.approx(0.7 * np.sqrt(before**2 + 2 * 9.81 * high), rel=1e-3)
    assert sim.v[:, 2].mean() == pytest.approx(0.7 * np.sqrt(2 * 9.81 * 0.5), rel=0.06)


@pytest.mark.parametrize("response", RESPONSES[1:], ids=lambda r: type(r).__name__)
def test_two_balls_that_meet_keep_their_momentum_and_part_by_e(response):
    bodies = [ball("a", 0, 0, 0, velocity=(2, 0, 0)), ball("b", 0.13, 0, 0, density=3000)]
    sim = simulated(bodies, 0.6, response, (), gravity=(0, 0, 0))
    a, b = sim.bodies
    masses = [sim.world.mass[view.rows].sum() for view in (a, b)]
    for _ in range(40):
        assert sim.step().kept
    u, v = a.v[:, 0].mean(), b.v[:, 0].mean()
    assert masses[0] * u + masses[1] * v == pytest.approx(2 * masses[0], rel=1e-6)
    assert v - u == pytest.approx(0.6 * 2, rel=0.02)


def test_a_rod_that_lands_on_one_end_turns_as_the_impulse_there_says():
    """J at the end that touches: 1/J_eff = 1/m + (r × n)·I⁻¹(r × n), for the speed (1 + e) u that is turned round."""
    size, angle, e = np.array([0.4, 0.05, 0.05]), 30.0, 0.5
    mesh = pl.meshes.box(tuple(size)).rotated((0, 1, 0), angle).translated((0, 0, 0.2))
    rod = pl.Body(contact.Rigid(mesh, density=1000), velocity=(0, 0, -3), name="rod")
    sim = simulated(rod, e, gravity=(0, 0, 0))
    while not len(sim.contacts()):
        assert sim.step().kept and sim.t < 0.2
    (view,), end = sim.bodies, sim.contacts().point.mean(axis=0)
    mass = size.prod() * 1000
    arm = end - view.x.mean(axis=0)
    inertia = mass * (size[0] ** 2 + size[2] ** 2) / 12  # about y
    impulse = (1 + e) * 3 / (1 / mass + arm[0] ** 2 / inertia)
    assert view.v[:, 2].mean() == pytest.approx(-3 + impulse / mass, rel=0.02)
    assert spin(view)[1] == pytest.approx(-arm[0] * impulse / inertia, rel=0.02)
    assert view.v[:, 2].mean() - spin(view)[1] * arm[0] == pytest.approx(e * 3, rel=0.02)


def test_what_lies_does_not_rattle_and_a_box_lands_without_turning():
    box = pl.Body(contact.Rigid(pl.meshes.box((0.1,) * 3, (0, 0, 0.1)), density=1000), name="box")
    sim = simulated(box, 0.4, dt=1 / 120)
    top = 0.0
    for _ in range(240):
        assert sim.step().kept
        top = max(top, sim.v[:, 2].mean())
        assert np.abs(spin(sim.bodies[0])).max() < 0.05
    assert 0.3 < top < 0.4 * np.sqrt(2 * 9.81 * 0.05) * 1.05
    assert np.abs(sim.v).max() < 2e-3  # after two seconds


def test_balls_that_fall_on_each_other_and_spin_gain_no_energy():
    """At 1/60 s, with friction, where several places of two bodies land at once."""
    places = [(0.12 * i, 0.01 * i, 0.3 + 0.13 * (i % 3)) for i in range(6)]
    balls = [ball(f"ball {i}", *at, velocity=(0.3 * (-1) ** i, 0, 0)) for i, at in enumerate(places)]
    law = pl.Contact(restitution=0.8, friction=0.2)
    sim = pl.Simulation(pl.Scene(balls, [FLOOR], contact=law), pl.ImplicitEuler())
    first = before = sim.energies()["total"]
    for _ in range(26):
        assert sim.step().kept
        now = sim.energies()["total"]
        assert now < before + 2e-3 * first
        before = now
    assert before < 0.9 * first


def test_restitution_is_refused_where_nothing_would_bounce_by_it():
    soft = pl.Body(pl.tet_grid((0.1,) * 3, (1, 1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.3))
    with pytest.raises(InputError, match=r"for contact\.Rigid bodies, and there is none; soft bodies bounce"):
        simulated(soft, 0.5)
    with pytest.raises(InputError, match=r"with BDF2\(\): expected ImplicitEuler"):
        pl.Simulation(pl.Scene(ball("a", 0, 0, 1), [FLOOR], contact=pl.Contact(restitution=0.5)), pl.BDF2())
    scene = pl.Scene(ball("a", 0, 0, 1), [FLOOR], contact=pl.Contact(restitution=0.5))
    with pytest.raises(InputError, match="a Batch does not support it"):
        pl.Batch([scene, scene])
    for wrong in (-0.1, 1.5, "bouncy"):
        with pytest.raises(InputError, match=r"Contact\(restitution=…\).*from 0 to 1"):
            pl.Contact(restitution=wrong)
