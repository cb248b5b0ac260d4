"""Forces and torques on what holds and touches bodies: closed forms, and the balance of momentum in every step."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from pliant import contact, hold
from pliant.elements.rigid import Rigid
from pliant.errors import InputError
from pliant.material.base import lame
from pliant.output.export import export
from pliant.output.reader import read

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")


def cube(*corner: float, **options) -> pl.Body:
    return pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=corner), SOFT, **options)


def top(X: np.ndarray) -> np.ndarray:
    return X[:, 2] > X[:, 2].max() - 1e-9


def bottom(X: np.ndarray) -> np.ndarray:
    return X[:, 2] < X[:, 2].min() + 1e-9


def scene(response: object, friction: float = 0.3) -> pl.Scene:
    """Two cubes fall on each other, on a floor and on a wedge that moves; one hangs from pins that shake, one on springs."""
    shaken = pl.Hold(top, motion=lambda X, t: X + np.array([0.01 * np.sin(30 * t), 0, 0]), name="shaker")
    drift = lambda t: np.block([[np.eye(3), np.array([[0.2 * t], [0], [0]])], [np.zeros((1, 3)), np.ones((1, 1))]])
    bodies = [
        cube(0, 0, 0.001, name="low", velocity=(0.1, 0, 0)), cube(0.02, 0.01, 0.102, name="high"),
        cube(0.5, 0, 0.3, name="hung", effects=[shaken]),
        cube(0.8, 0, 0.3, name="sprung", effects=[pl.Hold(top, by=hold.Springs(500.0), name="string")]),
    ]  # fmt: skip
    wedge = pl.Obstacle(pl.sphere(0.05, centre=(-0.053, 0.05, 0.05)), motion=drift, name="wedge")
    return pl.Scene(bodies, [FLOOR, wedge], contact=pl.Contact(friction=friction, response=response))


RESPONSES = {
    "penalty": contact.Penalty(), "barrier": contact.Barrier(), "complementarity": contact.Complementarity(),
    "obstacles alone": None,
}  # fmt: skip


@pytest.mark.parametrize("name", RESPONSES)
def test_forces_add_up_to_the_change_of_momentum_in_every_step_and_change_none(name, place):
    given, integrator = scene(RESPONSES[name]), pl.ImplicitEuler(dt=0.01)
    sim, twin = (pl.Simulation(given, integrator, place) for _ in range(2))
    mass, touched = sim.world.mass[:, None], set()
    weight = mass.sum() * np.array(given.gravity)
    for _ in range(4):
        before = sim.v
        assert sim.step().kept and twin.step().kept
        forces = sim.forces()
        assert np.array_equal(sim.x, twin.x) and np.array_equal(sim.v, twin.v)  # asking is free of consequences
        on_bodies = sum(forces[body] for body in given.names)
        things = [thing for thing in forces if thing not in given.names]
        change = (mass * (sim.v - before)).sum(axis=0) / integrator.dt
        assert np.abs(change - weight - on_bodies).max() < 1e-6 * np.abs(weight).max()
        assert np.abs(on_bodies + sum(forces[thing] for thing in things)).max() < 1e-9 * np.abs(weight).max()
        for body, view in zip(given.names, sim.bodies):
            own = (mass[view.rows] * (view.v - before[view.rows])).sum(axis=0) / integrator.dt
            assert np.abs(own - weight / 4 - forces[body]).max() < 1e-6 * np.abs(weight).max(), body
        touched |= {thing for thing in things if np.abs(forces[thing]).max() > 0.1}
    assert touched == {"floor", "wedge", "shaker", "string"}


@pytest.mark.parametrize("name", ["penalty", "barrier", "complementarity"])
def test_torques_add_up_to_the_change_of_angular_momentum(name):
    """Spin of a step of implicit Euler: Σ x⁺ × m (v⁺ − v)/h, which is what forces at x⁺ turn it with."""
    given, integrator = scene(RESPONSES[name], friction=0.0), pl.ImplicitEuler(dt=0.01)  # which acts across a gap
    sim = pl.Simulation(given, integrator)
    mass = sim.world.mass[:, None]
    for _ in range(6):
        before = sim.v
        assert sim.step().kept
    spin = np.cross(sim.x, mass * ((sim.v - before) / integrator.dt - given.gravity)).sum(axis=0)
    origin = (0.0, 0.0, 0.0)
    on_bodies = sum(sim.torque(body, about=origin) for body in given.names)
    on_things = sum(sim.torque(thing, about=origin) for thing in ("floor", "wedge", "shaker", "string"))
    assert np.abs(spin - on_bodies).max() < 1e-6 * np.abs(spin).max()
    linear = name == "complementarity"  # whose normals are those of where contacts were found
    assert np.abs(on_bodies + on_things).max() < (1e-4 if linear else 1e-9) * np.abs(spin).max()
    force, centre = sim.force("wedge"), np.array([-0.053 + 0.2 * sim.t, 0.05, 0.05])
    assert sim.torque("wedge") == pytest.approx(sim.torque("wedge", about=centre), abs=1e-12)
    assert sim.torque("wedge", about=centre + 1) == pytest.approx(sim.torque("wedge") - np.cross(np.ones(3), force))


@pytest.mark.parametrize("response", [None, contact.Barrier(), contact.Complementarity()])
def test_ten_bodies_at_rest_weigh_on_the_floor(response):
    mesh = lambda i: pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(0.2 * i, 0, 0.0002))
    bodies = [pl.Body(mesh(i), SOFT, name=f"cube {i}", damping=pl.Damping(mass=20.0)) for i in range(10)]
    law = pl.Contact(response=response)
    sim = pl.Simulation(pl.Scene(bodies, [FLOOR], contact=law), pl.ImplicitEuler(dt=0.05, solver=pl.Newton(tolerance=1e-10)))
    run = sim.run(4.0, frames_per_second=2, fields=(), forces=True)
    weight = 10 * 0.001 * 1000 * 9.81
    assert run.force("floor").shape == (len(run), 3)
    assert np.abs(run.force("floor")[-1] - [0, 0, -weight]).max() < 1e-6 * weight
    for i in range(10):
        assert np.abs(run.force(f"cube {i}")[-1] - [0, 0, 0.1 * weight]).max() < 1e-6 * weight
    assert np.abs(run.torque("floor", about=(0.95, 0.05, 0))[-1]).max() < 1e-6 * weight


@pytest.mark.parametrize("by", [hold.Rigidly("xy"), hold.Springs(1e7)])
def test_torque_of_a_twisted_bar_is_saint_venants(by):
    """A square bar with free warping: T = 0.1406 μ a⁴ θ/l (Timoshenko and Goodier, §109)."""
    side, length, angle, linear = 0.02, 0.1, 1e-3, pl.LinearElastic(young=1e6, poisson=0.3)
    mesh = pl.tet_grid((side, side, length), (4, 4, 10), origin=(-side / 2, -side / 2, 0)).quadratic()

    def turned(X: np.ndarray, t: float) -> np.ndarray:
        return X + angle * np.cross([0, 0, 1], X)

    fixed = np.flatnonzero(np.linalg.norm(mesh.vertices - [0, 0, 0], axis=1) < 1e-9)
    held = [pl.Hold(bottom, by=hold.Rigidly("xy"), name="clamp"), pl.Hold(fixed, by=hold.Rigidly("z"), name="end")]
    held += [pl.Hold(top, motion=turned, by=by, name="wrench")]
    body = pl.Body(mesh, linear, effects=held)
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton(tolerance=1e-9)))
    assert sim.step().kept
    mu = float(lame(1e6, 0.3)[0])
    expected = 0.140577 * mu * side**4 * angle / length
    free = isinstance(by, hold.Rigidly)  # springs hold the end against warping too
    assert -sim.torque("wrench")[2] == pytest.approx(expected, rel=0.01 if free else 0.06)
    assert sim.torque("clamp")[2] == pytest.approx(-sim.torque("wrench")[2], rel=1e-6)
    assert np.abs(sim.force("wrench")).max() < 1e-6 * expected / side


def test_force_of_a_pulled_bar_follows_its_law():
    """Neo-Hookean in uniaxial tension: P = μ(λ − 1/λ) + Λ log J/λ, with the width that leaves its sides free."""
    young, poisson, area = 1e5, 0.3, 0.02**2
    mu, lam = (float(v) for v in lame(young, poisson))
    mesh = pl.tet_grid((0.02, 0.02, 0.05), (1, 1, 2))
    pull = pl.Hold(top, motion=lambda X, t: X * [1, 1, 1 + t], by=hold.Rigidly("z"), name="grip")
    sides = [pl.Hold(lambda X, a=a: X[:, a] < 1e-9, by=hold.Rigidly("xyz"[a]), name="xyz"[a]) for a in range(3)]
    body = pl.Body(mesh, pl.NeoHookean(young=young, poisson=poisson), effects=[pull, *sides])
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.1, solver=pl.Newton(tolerance=1e-11)))
    run = sim.run(1.0, fields=(), forces=["grip", "z"])
    assert list(run.forces) == ["grip", "z"]
    for stretch, force in zip(1 + run.times, run.force("grip")):
        s = brentq(lambda s, l=stretch: mu * (s - 1 / s) + lam * np.log(l * s * s) / s, 0.3, 1.5, xtol=1e-14)
        P = mu * (stretch - 1 / stretch) + lam * np.log(stretch * s * s) / stretch
        assert force[2] == pytest.approx(-P * area, rel=1e-6, abs=1e-7)
    assert run.force("z")[:, 2] == pytest.approx(-run.force("grip")[:, 2], rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("law", [pl.LinearElastic(young=1e5, poisson=0.3), SOFT])
def test_a_weak_clamp_carries_the_weight(law):
    lattice = pl.Lattice(pl.box((0.1, 0.05, 0.05), centre=(0.003, 0.001, 0.002)), spacing=0.02)
    clamp = pl.Hold(lambda X: X[:, 0] < X[:, 0].min() + 1e-9, by=hold.Weakly(), name="wall")
    body = pl.Body(lattice, law, effects=[clamp])
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(solver=pl.Newton(tolerance=1e-9)))
    assert sim.step().kept
    weight = sim.world.mass.sum() * 9.81
    assert np.abs(sim.force("wall") - [0, 0, -weight]).max() < 1e-6 * weight
    middle = sim.world.mass @ sim.x / sim.world.mass.sum()
    if law is SOFT:  # linear elasticity does not know that it has turned
        assert np.abs(sim.torque("wall", about=middle)).max() < 1e-6 * weight * 0.1


def test_hands_joints_and_rigid_bodies():
    ball = Rigid(pl.sphere(0.05, centre=(0, 0, 0.2)), mass=1.0, spacing=0.02)
    bodies = [pl.Body(ball, name="ball"), cube(-0.05, -0.05, 0.0, name="cube", pinned=bottom)]
    weld = contact.Weld("ball", [[0, 0, 0.15], [0.01, 0, 0.15], [0, 0.01, 0.15]])
    law = pl.Contact(response=contact.Complementarity(joints=(weld,)))
    sim = pl.Simulation(pl.Scene(bodies, contact=law))
    assert set(sim.forces()) == {"ball", "cube", "pinned", "joint 0"}
    hand = sim.grab(0, (0.05, 0, 0.25), body=0, stiffness=10.0)
    for _ in range(3):
        assert sim.step().kept
    pull = sim.force(f"hand {hand}")
    assert np.abs(pull).max() > 0.01
    assert sim.force("joint 0") == pytest.approx([0, 0, -9.81] - pull, abs=2e-3)
    assert sim.force("joint 0") == pytest.approx(-sim.world.objective.constraint.joint_force(0))
    assert sim.force("ball") == pytest.approx([0, 0, 9.81], abs=2e-3)
    sim.release(hand)
    assert f"hand {hand}" not in sim.forces()


def test_incompressible_bodies_push_on_their_pins():
    solid = pl.Lattice(pl.box(0.1), spacing=0.05, volume=pl.quadrature.Averaged(incompressible=True))
    body = pl.Body(solid, pl.StableNeoHookean(young=1e4, poisson=0.45), pinned=bottom)
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(solver=pl.Mixed()))
    assert sim.step().kept
    assert sim.force("pinned") == pytest.approx([0, 0, -sim.world.mass.sum() * 9.81], rel=1e-5, abs=1e-5)


def test_explicit_steps_have_the_forces_of_their_state():
    sim = pl.Simulation(pl.Scene(cube(0, 0, 0, pinned=top, damping=pl.Damping(mass=30.0))), pl.SymplecticEuler(dt=5e-4))
    for _ in range(2000):
        sim.step()
    weight = sim.world.mass.sum() * 9.81
    assert sim.force("pinned") == pytest.approx([0, 0, -weight], rel=1e-4, abs=1e-4 * weight)


def test_names_are_the_users_and_others_are_refused_with_a_hint():
    obstacles = [pl.plane(z=-1), pl.Obstacle(pl.plane(z=-2)), pl.Obstacle(pl.plane(z=-3))]
    one = cube(0, 0, 0, name="one", pinned=top, effects=[pl.Hold(bottom, by=hold.Springs(1.0))])
    sim = pl.Simulation(pl.Scene([one, cube(1, 0, 0, name="two", pinned=top)], obstacles))
    expected = {"one", "two", "obstacle 0", "obstacle 1", "obstacle 2", "pinned of one", "pinned of two", "hold 1"}
    assert set(sim.forces()) == expected
    with pytest.raises(InputError, match=r"nothing here is called 'obstacle1' \(did you mean 'obstacle 1'\?\)"):
        sim.force("obstacle1")
    with pytest.raises(InputError, match="about='here'; expected three finite numbers"):
        sim.torque("one", about="here")
    with pytest.raises(InputError, match="nothing here is called 'flor'"):
        sim.run(0.1, forces=["flor"])
    with pytest.raises(InputError, match="no forces are in this run; record them with"):
        sim.run(0.02).force("one")
    with pytest.raises(InputError, match="Hold\\(name"):
        pl.Hold(top, name=3)


def test_a_run_carries_its_forces_into_files_and_through_stops(tmp_path):
    given = pl.Scene([cube(0, 0, 0.001, name="cube")], [FLOOR])
    whole = pl.Simulation(given).run(0.2, forces=True)
    stopped = pl.Simulation(given)
    first = stopped.run(0.2, forces=True, on_step=lambda sim, report: sim.state.steps == 5)
    rest = stopped.run(0.2, forces=True, after=first)
    assert np.array_equal(rest.force("floor"), whole.force("floor")) and np.abs(whole.force("floor")).max() > 1
    assert np.array_equal(whole.selected([0, 3]).torque("cube"), whole.torque("cube")[[0, 3]])
    back = read(export(whole, tmp_path / "run.npz"))
    assert np.array_equal(back.force("floor"), whole.force("floor"))
    lines = (export(whole, tmp_path / "run.csv")).read_text().splitlines()
    column = lines[0].replace('"', "").split(",time")[0]
    assert column.startswith("time [s]") and "force on floor" in lines[0] and len(lines) == len(whole) + 1
    table = np.loadtxt(tmp_path / "run.csv", delimiter=",", skiprows=1)
    names = next(__import__("csv").reader(lines[:1]))
    assert np.array_equal(table[:, names.index("force on floor, z [N]")], whole.force("floor")[:, 2])
    beside = whole.beside(whole, (1, 0, 0))
    assert np.allclose(beside.torque("floor of the other", about=(1, 0, 0)), whole.torque("floor", about=(0, 0, 0)))


def test_a_loaded_or_changed_state_has_the_forces_that_it_stands_with(tmp_path):
    sim = pl.Simulation(pl.Scene(cube(0, 0, 0, pinned=top)), pl.QuasiStatic())
    assert sim.step().kept
    force = sim.force("pinned")
    sim.save(tmp_path / "state.npz")
    assert pl.Simulation.load(tmp_path / "state.npz").force("pinned") == pytest.approx(force, rel=1e-6)
    sim.set(gravity=(0, 0, 0))
    # what the material pulls with: the weight of all but the quarter that the held nodes have
    assert sim.force("pinned") == pytest.approx(0.75 * force, rel=1e-6, abs=1e-9)
    assert not np.allclose(sim.force("pinned"), force)
