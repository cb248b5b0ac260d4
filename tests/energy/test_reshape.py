"""Obstacles that take another shape: contact is that of the new one at once, friction's anchors stay."""

import numpy as np
import pytest

import pliant as pl
from pliant.energy.obstacles.obstacle_energy import Obstacle, ObstacleContact
from pliant.runtime.device import Device

RANDOM = np.random.default_rng(3)
X = RANDOM.uniform(-0.3, 0.3, (60, 3))
D = RANDOM.standard_normal(X.shape)
BALL = pl.sdf.from_mesh(pl.meshes.sphere(0.25, 2), 0.05)
SHAPES = {
    "plane": pl.plane(z=0.05),
    "sphere": pl.sphere(0.2),
    "box": pl.box((0.3, 0.2, 0.4)),
    "sum": pl.sphere(0.2) | pl.box((0.5, 0.1, 0.1)).translated((0.1, 0, 0)),
    "grid": BALL,
}


def contact(precision, shapes, friction=0.3):
    device = Device("cpu", precision)
    energy = ObstacleContact(device, [Obstacle(shape) for shape in shapes], np.full(len(X), 50.0), friction)
    return energy, device.array(X, device.types.position), device.array(D, device.types.vec3)


def seen(energy, x, d):
    device = energy.device
    gradient, tangent = (device.zeros(len(X), device.types.vec3) for _ in range(2))
    value = energy.value(x)
    energy.gradient(x, gradient)
    energy.tangent(x, d, tangent)
    return [np.array(value), gradient.numpy().copy(), tangent.numpy().copy()]


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("second", SHAPES)
@pytest.mark.parametrize("first", SHAPES)
def test_another_shape_is_felt_at_once(first, second, precision):
    """Launches were recorded with the old one; there and back again it is the same. Of the same kind they go on being used."""
    energy, x, d = contact(precision, [SHAPES[first], pl.plane(z=-0.2)])
    before = seen(energy, x, d)
    other, y, e = contact(precision, [SHAPES[second], pl.plane(z=-0.2)])
    version = energy.recordable
    energy.reshape(other.obstacles)
    assert (energy.recordable == version) == (first == second) and energy.curved == other.curved
    assert all(np.array_equal(a, b) for a, b in zip(seen(energy, x, d), seen(other, y, e)))
    energy.reshape([Obstacle(SHAPES[first]), Obstacle(pl.plane(z=-0.2))])
    assert all(np.array_equal(a, b) for a, b in zip(seen(energy, x, d), before))


def test_anchors_stay_where_they_are():
    energy, x, _ = contact("f64", [pl.plane(z=0.05)])
    energy.settle(x)
    kept = {name: a.numpy().copy() for name, a in energy.memory.items()}
    assert np.any(kept["limit"] > 0)
    energy.reshape([Obstacle(pl.plane(z=0.06))])
    assert all(np.array_equal(a.numpy(), kept[name]) for name, a in energy.memory.items())


def block(**given):
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (4, 2, 2)).translated((0, 0, 1e-3))
    return pl.Body(mesh, pl.Corotated(young=2e4, density=1000), velocity=(0.2, 0, -0.3), **given)


BODIES = {
    "nodes": block,
    "a surface of its own": lambda: block(surface=pl.meshes.box((0.2, 0.1, 0.1)).translated((0.1, 0.05, 0.051))),
    "a lattice": lambda: pl.Body(
        pl.Lattice(pl.box((0.2, 0.1, 0.1)).translated((0, 0, 0.051)), 0.05),
        pl.Corotated(young=2e4, density=1000),
        velocity=(0.2, 0, -0.3),
    ),
}


@pytest.mark.parametrize("shape", ["another", "moved"])
@pytest.mark.parametrize("solver", [pl.Newton, lambda: pl.QuasiNewton(iterations=8)], ids=["Newton", "QuasiNewton"])
@pytest.mark.parametrize("bodies", BODIES)
def test_a_simulation_goes_on_as_one_built_with_the_new_shape(bodies, solver, shape):
    def made(shape):
        scene = pl.Scene([BODIES[bodies]()], obstacles=[shape], contact=pl.Contact(friction=0.3))
        return pl.Simulation(scene, pl.ImplicitEuler(0.005, solver()))

    other = pl.sphere(1.0).translated((0.1, 0.05, -0.998))
    if shape == "moved":
        other = pl.plane(point=(0.1, 0.05, 0.002), normal=(0.05, -0.03, 1.0))
    sim, fresh = made(pl.plane(z=0.0)), made(other)
    touched = []
    for _ in range(3):
        assert sim.step().kept
        touched.append(sim.energies()["contact"])
    assert max(touched) > 0
    sim.reshape(0, other)
    fresh.assign(sim.state.copy())
    for _ in range(3):
        assert sim.step().kept and fresh.step().kept
        assert np.array_equal(sim.x, fresh.x) and sim.energies() == fresh.energies()
    sim.reset()
    fresh.reset()
    assert sim.step().kept and fresh.step().kept and np.array_equal(sim.x, fresh.x)
