"""The table of contacts: its forces balance every body and obstacle, and closed forms of blocks that lie, slide and press."""

import numpy as np
import pytest

import pliant as pl
from pliant import contact
from pliant.errors import InputError

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
STIFF = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000)
FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")
CONVERGED = pl.ImplicitEuler(dt=0.01, solver=pl.Newton(tolerance=1e-9))
RESPONSES = {
    "penalty": contact.Penalty(), "barrier": contact.Barrier(), "complementarity": contact.Complementarity(),
    "intersection": contact.Intersection(), "automatic": contact.Automatic(),
}  # fmt: skip


def cube(*corner: float, size: float = 0.1, material=SOFT, **options) -> pl.Body:
    return pl.Body(pl.tet_grid((size,) * 3, (2, 2, 2), origin=corner), material, **options)


def heap(response: object, rigid: bool = False) -> pl.Scene:
    """A cube falls askew on another, which falls on a floor and beside a ball that moves; rods are of tets as well."""
    drift = lambda t: np.block([[np.eye(3), np.array([[0.2 * t], [0], [0]])], [np.zeros((1, 3)), np.ones((1, 1))]])
    ball = pl.Obstacle(pl.sphere(0.05, centre=(-0.053, 0.05, 0.05)), motion=drift, name="wedge")
    high = {"velocity": (0.3, 0, -0.5), "name": "high"}
    if rigid:
        above = pl.Body(contact.Rigid(pl.meshes.box((0.1,) * 3, (0.07, 0.06, 0.153)), density=1000), **high)
    else:
        mesh = pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(0.02, 0.01, 0.102)).rotated((0, 0, 1), 12)
        above = pl.Body(mesh, SOFT, **high)
    law = pl.Contact(friction=0.3, response=response)
    return pl.Scene([cube(0, 0, 0.001, name="low", velocity=(0.1, 0, 0)), above], [FLOOR, ball], contact=law)


def balanced(sim: pl.Simulation, before: np.ndarray, tolerance: float) -> None:
    """Each body has m(a − g) of the table, and each obstacle minus what it does to them."""
    table, mass, forces = sim.contacts(), sim.world.mass[:, None], sim.forces()
    weight = mass.sum() * 9.81
    for view in sim.bodies:
        own = (mass[view.rows] * ((sim.v - before)[view.rows] / sim.integrator.dt - sim.scene.gravity)).sum(axis=0)
        assert np.abs(table.of(view.name).total - own).max() < tolerance * weight
    for obstacle in sim.scene.obstacles:
        assert np.abs(table.of(obstacle.name).total - forces[obstacle.name]).max() < 1e-9 * weight


@pytest.mark.parametrize(
    ("name", "rigid"),
    [(name, rigid) for name in RESPONSES for rigid in (False, True) if not (rigid and name == "intersection")],
)  # intersections are for bodies of tets
def test_forces_of_the_table_balance_bodies_and_obstacles(name, rigid, place):
    sim, touched = pl.Simulation(heap(RESPONSES[name], rigid), CONVERGED, place), set()
    twin = pl.Simulation(sim.scene, CONVERGED, place)
    for _ in range(7):
        before = sim.v
        assert sim.step().kept and twin.step().kept
        balanced(sim, before, 1e-6)
        assert np.array_equal(sim.x, twin.x) and np.array_equal(sim.v, twin.v)  # asking is free of consequences
        table = sim.contacts()
        touched |= set(table.pairs)
        assert np.allclose(np.linalg.norm(table.normal, axis=1), 1) and (table.normal_force >= 0).all()
        pressing = table.normal_force > 0
        assert np.abs(np.einsum("ij,ij->i", table.slip, table.normal)).max(initial=0) < 1e-9
        assert np.isfinite(table.gap[pressing]).all() and np.isinf(table.gap[~pressing]).all()
        assert set(table.first) <= {"low", "high"}
    assert touched == {("low", "high"), ("low", "floor"), ("low", "wedge")}


@pytest.mark.parametrize("scheme", [pl.ImplicitMidpoint, pl.BDF2])
def test_other_schemes_balance_the_forces_of_obstacles(scheme):
    sim = pl.Simulation(heap(contact.Penalty()), scheme(dt=0.01, solver=pl.Newton(tolerance=1e-9)))
    for _ in range(6):
        assert sim.step().kept
        table, forces = sim.contacts(), sim.forces()
        for name in ("low", "high", "floor", "wedge"):
            assert np.abs(table.of(name).total - forces[name]).max() < 1e-9 * 2 * 9.81
    assert len(table) > 10


def test_an_explicit_scheme_tells_what_presses_now():
    sim = pl.Simulation(heap(contact.Penalty()), pl.SymplecticEuler(dt=1e-4))
    for _ in range(150):
        assert sim.step().kept
    table, forces = sim.contacts(), sim.forces()
    assert ("low", "floor") in table.pairs
    for name in ("low", "floor", "wedge"):
        assert np.abs(table.of(name).total - forces[name]).max() < 1e-9 * 2 * 9.81


@pytest.mark.parametrize("response", [None, contact.Barrier(), contact.Complementarity()])
def test_a_block_at_rest_presses_with_its_weight(response):
    body = cube(0, 0, 0.0005, material=STIFF, name="block", damping=pl.Damping(mass=30.0))
    scene = pl.Scene(body, [FLOOR], contact=pl.Contact(response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.05, solver=pl.Newton(tolerance=1e-10)))
    sim.run(3.0, fields=())
    table = sim.contacts()
    assert len(table) == 9 and table.pairs == [("block", "floor")]
    assert np.abs(table.of("block").total - [0, 0, 9.81]).max() < 1e-5 * 9.81
    assert np.abs(table.between("floor", "block").total - [0, 0, -9.81]).max() < 1e-5 * 9.81
    assert np.allclose(table.normal, [0, 0, 1]) and np.abs(table.point[:, 2] - table.gap).max() < 1e-9
    below = sim.patch("block", lambda X: X[:, 2] < 0.001)
    assert below.area == pytest.approx(0.01, rel=1e-2) and below.force[2] == pytest.approx(9.81, rel=1e-5)
    assert below.pressure == pytest.approx(981.0, rel=1e-2)
    half = sim.patch("block", lambda X: (X[:, 2] < 0.001) & (X[:, 0] < 0.04))
    assert 0 < half.force[2] < 0.5 * 9.81
    assert len(sim.patch("block", lambda X: X[:, 2] > 0.09).contacts) == 0


@pytest.mark.parametrize("response", [None, contact.Barrier(), contact.Complementarity()])
@pytest.mark.parametrize("sticks", [True, False])
def test_friction_of_a_block_on_a_slope_is_coulombs(response, sticks):
    angle, mu = 0.3, 0.6 if sticks else 0.1
    normal = np.array([np.sin(angle), 0, np.cos(angle)])
    mesh = pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(-0.05, -0.05, 0.0005)).rotated((0, 1, 0), np.degrees(angle))
    body = pl.Body(mesh, STIFF, name="block", damping=pl.Damping(mass=5.0 if sticks else 0.0))
    slope = pl.Obstacle(pl.plane(point=(0, 0, 0), normal=tuple(normal)), name="slope")
    law = pl.Contact(friction=mu, response=response)
    sim = pl.Simulation(pl.Scene(body, [slope], contact=law), pl.ImplicitEuler(dt=0.01, solver=pl.Newton(tolerance=1e-10)))
    sim.run(1.5 if sticks else 0.4, fields=())
    table = sim.contacts()
    friction, uphill = table.friction.sum(axis=0), np.array([-np.cos(angle), 0, np.sin(angle)])
    weight, push = 9.81, table.normal_force.sum()
    assert push == pytest.approx(weight * np.cos(angle), rel=0.01)
    assert friction @ uphill == pytest.approx(weight * np.sin(angle) if sticks else mu * push, rel=0.01)
    if sticks:
        assert np.abs(table.total - [0, 0, weight]).max() < 2e-3 * weight
        assert np.linalg.norm(table.slip, axis=1).max() < 1e-4
    else:
        assert (table.slip @ uphill < -0.5).all()


def test_slip_is_past_an_obstacle_that_moves():
    """A belt that starts to run at 2 m/s under a block at rest, without friction: it slips back past the block."""
    belt = lambda t: np.block([[np.eye(3), np.array([[2.0 * t], [0], [0]])], [np.zeros((1, 3)), np.ones((1, 1))]])
    scene = pl.Scene(cube(0, 0, 0, name="block"), [pl.Obstacle(pl.plane(z=0.0), motion=belt, name="belt")])
    sim = pl.Simulation(scene, CONVERGED)
    assert sim.step().kept
    table = sim.contacts()
    assert len(table) == 9 and np.abs(table.slip.mean(axis=0) - [-2, 0, 0]).max() < 1e-6


def test_a_table_is_read_by_names_and_in_either_order():
    sim = pl.Simulation(heap(contact.Penalty()), CONVERGED)
    empty = sim.contacts()
    assert len(empty) == 0 and "nothing touches" in repr(empty) and np.array_equal(empty.total, np.zeros(3))
    for _ in range(6):
        sim.step()
    table = sim.contacts()
    assert "low on floor with" in repr(table) and table.time == sim.t
    one, other = table.between("low", "high"), table.between("high", "low")
    assert len(one) == len(other) > 0 and np.array_equal(one.force, -other.force)
    assert np.array_equal(one.normal, -other.normal) and np.array_equal(one.point, other.point)
    assert set(one.first) == {"low"} and set(other.first) == {"high"}
    assert np.allclose(sum(table.forces[pair] for pair in table.pairs if pair[0] == "low"), table.of("low").total)
    records = table.structured
    assert records.dtype.names == table.COLUMNS and records["first"][0] == table.first[0]
    assert set(table.columns) == set(table.COLUMNS) and len(table.columns["gap"]) == len(table)
    with pytest.raises(InputError, match=r"contacts\(\).of\(…\): nothing here is called 'hihg' .did you mean 'high'"):
        table.of("hihg")
    with pytest.raises(InputError, match="patch"):
        sim.patch("floor", True)


def test_a_checkpoint_knows_contacts_again_after_a_step(tmp_path):
    for response in (contact.Penalty(), contact.Complementarity()):
        sim = pl.Simulation(heap(response), CONVERGED)
        for _ in range(5):
            sim.step()
        sim.contacts()
        sim.save(tmp_path / "a.npz")
        again = pl.Simulation.load(tmp_path / "a.npz", sim.scene)
        if isinstance(response, contact.Complementarity):
            with pytest.raises(InputError, match="make a step first"):
                again.contacts()
        sim.step()
        again.step()
        assert np.array_equal(sim.contacts().force, again.contacts().force)
