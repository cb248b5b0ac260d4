"""Springs to points inside bodies: what holds a bone, and who takes part in the matrix."""

import numpy as np
import pytest

import pliant as pl
from pliant.energy.points.tethers import TetherEnergy
from pliant.runtime.device import Device

LAW = pl.StableNeoHookean(young=2e4, poisson=0.4)
BALL = pl.sphere(0.1, centre=(0.003, 0.001, 0.15))
BONE = np.array([[0.0, 0.0, 0.13], [0.01, 0.0, 0.15], [0.0, 0.02, 0.17], [-0.02, -0.01, 0.16]])
SHAPES = {"Lattice": lambda: pl.Lattice(BALL, 0.05), "Tets": lambda: pl.Tets(pl.tetrahedralise(BALL, edge=0.06))}


def riding(sim: pl.Simulation, points: np.ndarray) -> np.ndarray:
    """Where points that rest at ``points`` are now."""
    nodes, weights = sim.scene.bodies[0].shape.bind_points(points, "test")
    return np.einsum("pk,pkc->pc", weights, sim.x[nodes])


@pytest.mark.parametrize("name", list(SHAPES))
def test_energy_and_force_are_those_of_springs(name):
    """½ k |Σ N x − t|² and the resultant k (t − Σ N x), at any positions."""
    shape, device = SHAPES[name](), Device("cpu", "f64")
    nodes, weights = shape.bind_points(BONE, "test")
    k = np.array([10.0, 20.0, 30.0, 40.0])
    energy = TetherEnergy(device, shape.rest, nodes, weights, k)
    assert energy.value(device.array(shape.rest, device.types.vec3)) == pytest.approx(0.0, abs=1e-25)
    x = shape.rest @ np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.0, 0.0, 1.0]]).T + [0.1, 0.2, 0.3]
    r = np.einsum("pk,pkc->pc", weights, x[nodes]) - BONE
    assert energy.value(device.array(x, device.types.vec3)) == pytest.approx(0.5 * np.sum(k[:, None] * r * r), rel=1e-12)
    out = device.zeros(len(x), device.types.vec3)
    energy.gradient(device.array(x, device.types.vec3), out)
    assert out.numpy().sum(axis=0) == pytest.approx((k[:, None] * r).sum(axis=0), rel=1e-12)
    L = energy.laplacian(len(x)).toarray()
    dense = np.zeros((4, len(x)))
    np.put_along_axis(dense, nodes, weights, axis=1)
    assert np.abs(L - dense.T @ np.diag(k) @ dense).max() <= 1e-12 * k.max()


@pytest.mark.parametrize(
    "solver", [pl.Newton(linear=pl.linear.Direct()), pl.QuasiNewton(iterations=100)], ids=["Newton", "QuasiNewton"]
)
@pytest.mark.parametrize("name", list(SHAPES))
def test_a_bone_holds_and_drives_the_body(name, solver):
    """Stiff springs keep the points where they are told under gravity, and take the body along when they move."""

    def motion(X, t):
        return X + np.array([0.0, 0.0, 0.05 * min(t / 0.2, 1.0)])

    body = pl.Body(
        SHAPES[name](), LAW, effects=pl.Hold(BONE, motion=motion, by=pl.hold.Springs(2e4)), damping=pl.Damping(mass=5.0)
    )
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=solver))
    before = sim.x.mean(axis=0)
    for _ in range(40):
        assert sim.step().kept
    weight = sim.world.mass.sum() * 9.81
    assert np.abs(riding(sim, BONE) - motion(BONE, sim.t)).max() < 2 * weight / 2e4
    assert 0.03 < (sim.x.mean(axis=0) - before)[2] < 0.06


def test_at_rest_the_springs_carry_the_weight():
    body = pl.Body(pl.Lattice(BALL, 0.05), pl.LinearElastic(young=2e4), effects=[pl.Hold(BONE, by=pl.hold.Springs(900.0))])
    sim = pl.Simulation(pl.Scene([body]), pl.QuasiStatic(dt=1.0, solver=pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9)))
    assert sim.step().kept
    pull = 900.0 * (BONE - riding(sim, BONE)).sum(axis=0)
    assert pull == pytest.approx([0, 0, sim.world.mass.sum() * 9.81], abs=1e-5 * sim.world.mass.sum() * 9.81)


def test_points_a_little_outside_are_taken_and_others_named():
    top = np.array([0.003, 0.001, 0.25])
    near, far = (top + np.array([0, 0, out]) for out in (0.02, 0.03))
    for shape in (pl.Lattice(BALL, 0.05), pl.tetrahedralise(BALL, edge=0.06)):
        body = pl.Body(shape, LAW, effects=pl.Hold([near], by=pl.hold.Springs(1e3)))
        sim = pl.Simulation(pl.Scene([body]))
        assert np.abs(riding(sim, near[None]) - near).max() <= 1e-12
    with pytest.raises(pl.errors.InputError, match=r"1 of 2 points lie outside the body, first 1, the worst by 0.03 m"):
        pl.Simulation(pl.Scene([pl.Body(pl.Lattice(BALL, 0.05), LAW, effects=pl.Hold([top, far], by=pl.hold.Springs(1e3)))]))


def test_a_mesh_of_points_and_a_checkpoint(tmp_path):
    bone = pl.meshes.sphere(0.03).translated((0, 0, 0.15))
    body = pl.Body(
        pl.Lattice(BALL, 0.05),
        LAW,
        effects=[pl.Hold(bone, by=pl.hold.Springs(50.0)), pl.Hold([0, 1], by=pl.hold.Springs(5.0))],
    )
    sim = pl.Simulation(pl.Scene([body]))
    assert len(body.effects[0].points) == len(bone.vertices)
    for _ in range(3):
        assert sim.step().kept
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)
