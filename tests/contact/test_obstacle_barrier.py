"""The barrier of obstacles: its derivatives, friction on it, and that no point ever enters one, whoever moves."""

import numpy as np
import pytest

import pliant as pl
from pliant import box, sphere, torus
from pliant.contact.obstacles.obstacle_barrier import ObstacleBarrier
from pliant.contact.pairs.contact_surface import Surface
from pliant.energy.base import Step
from pliant.energy.obstacles.obstacle_energy import Obstacle
from pliant.errors import InputError
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
STIFF = pl.StableNeoHookean(young=1e8, poisson=0.3, density=1000.0)
REACH = 0.02


def _turned(angle: float, shift) -> np.ndarray:
    pose = np.eye(4)
    c, s = np.cos(angle), np.sin(angle)
    pose[:2, :2], pose[:3, 3] = [[c, -s], [s, c]], shift
    return pose


def _barrier(friction: float) -> tuple[ObstacleBarrier, np.ndarray]:
    """Points on two nodes each over three obstacles, one of which is turned, some within reach."""
    device, random = Device("cpu", "f64"), np.random.default_rng(6)
    n = 60
    x = random.uniform(-1, 1, (n, 3)) * [0.3, 0.3, 0.008] + [0, 0, 0.012]
    nodes = np.stack([np.arange(n), (np.arange(n) + 1) % n], axis=1)
    weights = np.tile([1.0, 0.0], (n, 1))
    weights[::3] = [0.98, 0.02]
    none = np.zeros((0, 3), np.int32)
    surface = Surface(nodes, weights, none, none[:, :2], np.zeros(n, int), np.full(n, 1e-3),
                      np.where(np.arange(n) % 5, 0.0, 2e-3), x, np.array([False]))  # fmt: skip
    shapes = [sphere(0.5, centre=(0.3, 0.0, -0.5)), torus(0.2, 0.1, centre=(-0.3, 0.0, -0.1)), box((0.1, 0.3, 0.2))]
    turned = lambda t: _turned(0.3, (0.0, 0.1, -0.1))
    obstacles = [Obstacle(shape, turned if i == 2 else None) for i, shape in enumerate(shapes)]
    energy = ObstacleBarrier(device, surface, obstacles, np.full(n, 1e4), REACH, friction, 3e-4)
    places = np.einsum("pk,pkx->px", weights, x[nodes])
    gap = np.min([s(places) for s in shapes[:2]], axis=0)
    x[gap < 2e-3, 2] += 0.1  # none inside
    at = device.array(x, device.types.position)
    energy.begin(Step(at, 0.0, rate=2.0, start=at))
    if friction:  # slips of a step before
        at = device.array(x + random.uniform(-2e-4, 2e-4, x.shape), device.types.position)
        energy.accept(at, 0.0)
        assert 0 < np.linalg.norm(energy.held.numpy(), axis=2).max() <= 3.001e-4
        energy.begin(Step(at, 0.0, rate=2.0, start=at))
        x = at.numpy()
    return energy, x


def _gradient(energy, x) -> np.ndarray:
    out = energy.device.zeros(len(x), energy.device.types.vec3)
    energy.gradient(energy.device.array(x, energy.device.types.position), out)
    return out.numpy()


@pytest.mark.parametrize("friction", [0.0, 0.4], ids=["smooth", "rough"])
def test_gradient_and_tangent_are_derivatives_and_blocks_are_positive(friction):
    energy, x = _barrier(friction)
    device, vec3 = energy.device, energy.device.types.vec3
    random = np.random.default_rng(3)
    x = x + random.uniform(-1, 1, x.shape) * np.where(np.arange(len(x)) % 2, 1e-4, 5e-4)[:, None]
    assert np.isfinite(energy.value(device.array(x, vec3)))
    assert np.count_nonzero(np.linalg.norm(_gradient(energy, x), axis=1)) > 10
    pattern = BlockMatrix(device, len(x), [energy.cells()])
    energy.attach(pattern)
    at, h = device.array(x, vec3), 1e-8
    energy.blocks(at, pattern)
    for _ in range(3):
        d = random.normal(size=x.shape)
        slope = (energy.value(device.array(x + h * d, vec3)) - energy.value(device.array(x - h * d, vec3))) / (2 * h)
        assert slope == pytest.approx(float((_gradient(energy, x) * d).sum()), rel=1e-5)
        way, out, positive, product = device.array(d, vec3), *(device.zeros(len(x), vec3) for _ in range(3))
        energy.tangent(at, way, out)
        change = (_gradient(energy, x + h * d) - _gradient(energy, x - h * d)) / (2 * h)
        np.testing.assert_allclose(out.numpy(), change, atol=1e-4 * np.abs(change).max())
        energy.tangent(at, way, positive, project=True)
        pattern.multiply(1.0, way, product)
        np.testing.assert_allclose(positive.numpy(), product.numpy(), atol=1e-9 * np.abs(product.numpy()).max())
        assert (positive.numpy() * d).sum() > 0
    pattern.clear()
    product.zero_()
    energy.blocks(at, pattern, project=False)
    pattern.multiply(1.0, way, product)
    np.testing.assert_allclose(product.numpy(), out.numpy(), atol=1e-5 * np.abs(change).max())
    assert np.abs(product.numpy() - positive.numpy()).max() > 1e-3 * np.abs(change).max()


def test_a_way_is_safe_up_to_where_it_touches_whoever_goes_it():
    energy, x = _barrier(0.0)
    device, vec3 = energy.device, energy.device.types.vec3
    start = energy.posed, x.copy()
    d = np.tile([0.0, 0.0, -3.0], (len(x), 1))  # through all of them
    by_points = energy.step_limit(device.array(x, vec3), device.array(d, vec3))
    energy.obstacles = tuple(Obstacle(o.shape, lambda t, o=o: _turned(0, (0, 0, 3.0)) @ o.pose(0)) for o in energy.obstacles)
    energy.begin(Step(device.array(x, vec3), 1.0, start=device.array(x, vec3)))
    energy.start_drive()
    by_obstacles = energy.step_limit(device.array(x, vec3), device.zeros(len(x), vec3))
    assert 0 < by_points < 0.02 and by_obstacles == pytest.approx(by_points, rel=1e-9)
    energy.advance_drive(by_obstacles)
    assert np.isfinite(energy.value(device.array(start[1], vec3))) and energy.has_way_left


def _cube(at, size=0.1, cells=2, **more) -> pl.Body:
    return pl.Body(pl.tet_grid((size,) * 3, (cells,) * 3, origin=at), more.pop("law", SOFT), **more)


def _law(friction: float = 0.0, **more) -> pl.Contact:
    return pl.Contact(friction=friction, response=pl.contact.Barrier(**more))


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_a_bullet_does_not_pass_an_obstacle_of_a_millimetre(precision):
    wall = pl.box((0.5, 0.5, 0.001))
    scene = pl.Scene([_cube((0, 0, 0.2), 0.02, 1, velocity=(0, 0, -1000.0), law=STIFF)], [wall], (0, 0, 0), contact=_law())
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 1000), precision=precision)
    touched = 0
    for _ in range(3):
        report = simulation.step()
        touched += report.contacts
        assert report.kept and simulation.x[:, 2].min() > 0.0005 and report.worst_gap > 0
    assert touched


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_friction_on_a_slope_is_coulombs(friction):
    slope = pl.plane(point=(0, 0, 0), normal=(np.sin(0.25), 0, np.cos(0.25)))
    mesh = pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(0, 0, 0.003)).rotated((0, 1, 0), np.degrees(0.25))
    law = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
    scene = pl.Scene([pl.Body(mesh, law)], [slope], contact=_law(friction))
    simulation, speeds = pl.Simulation(scene, pl.ImplicitEuler(1 / 100)), []
    for _ in range(80):
        assert simulation.step().kept
        speeds.append(float(simulation.v.mean(axis=0) @ [np.cos(0.25), 0.0, -np.sin(0.25)]))
    slides = 9.81 * (np.sin(0.25) - friction * np.cos(0.25))
    if slides > 0:
        assert (speeds[39] - speeds[19]) / 0.2 == pytest.approx(slides, rel=0.02)
    else:
        assert abs(speeds[-1]) < 1e-6


@pytest.mark.parametrize("turns", [False, True], ids=["pushes", "sweeps"])
def test_an_obstacle_that_moves_further_than_the_gap_pushes_a_body_along(turns):
    """A wall that goes 20 mm a step, ten times the reach, or a paddle that turns as fast at the cube."""
    motion = lambda t: _turned(2.0 * t, (0, 0, 0)) if turns else _turned(0.0, (1.2 * t, 0, 0))
    centre, size = ((0.4, -0.06, 0.05), (0.8, 0.02, 0.4)) if turns else ((-0.05, 0.05, 0.05), (0.02, 0.4, 0.4))
    paddle = Obstacle(box(size, centre=centre), motion)
    scene = pl.Scene([_cube((0.5, 0.0, 0.0) if turns else (0, 0, 0))], [paddle], (0, 0, 0), contact=_law(reach=0.002))
    simulation, gaps = pl.Simulation(scene, pl.ImplicitEuler(1 / 60)), []
    for _ in range(12):
        report = simulation.step()
        assert report.kept, report.why
        pose = motion(simulation.t)
        gaps.append(paddle.shape((simulation.x - pose[:3, 3]) @ pose[:3, :3]).min())
    assert min(gaps) > 0 and min(gaps) < 0.002
    assert (simulation.x[:, 1] if turns else simulation.x[:, 0]).mean() > 0.2


def test_what_is_inside_an_obstacle_at_the_start_is_refused():
    with pytest.raises(InputError, match=r"9 points of cheese are inside or on obstacle 0? ?at the start, up to 0\.01 m deep"):
        pl.Simulation(pl.Scene([_cube((0, 0, -0.01), name="cheese")], [pl.plane(z=0.0)], contact=_law()))


@pytest.mark.parametrize("values", [{"stiffness": 1e4}, {"smoothing": 1e-3}], ids=["stiffness", "smoothing"])
def test_what_a_barrier_does_not_have_is_refused(values):
    with pytest.raises(InputError, match=r"a barrier has none; expected Barrier\(reach"):
        pl.Contact(response=pl.contact.Barrier(), **values)


def test_an_obstacle_that_leaves_no_room_fails_the_step_and_keeps_the_state():
    press = Obstacle(box((0.5, 0.5, 0.1), centre=(0, 0, 0.2)), lambda t: _turned(0, (0, 0, -10 * t)))
    simulation = pl.Simulation(pl.Scene([_cube((0, 0, 0.01))], [pl.plane(z=0.0), press], contact=_law()))
    before = simulation.x
    report = simulation.step()
    assert not report.kept and "obstacles" in report.why and np.array_equal(simulation.x, before)


@pytest.mark.parametrize(("precision", "speed", "gap"), [("f64", 50, 0.01), ("f32", 50, 0.01), ("f32", 48, 0.01002)])
def test_a_block_that_is_crushed_by_its_landing_converges(precision, speed, gap):
    """Eight of its heights in a step: energies fall as slopes say, mostly, while forces do not, which is not rounding."""
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, gap)), law, velocity=(0, 0, -speed))
    scene = pl.Scene([block], [pl.plane(z=0.0)], contact=pl.Contact(friction=0.3, response=pl.contact.Barrier()))
    report = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision).step()
    assert report.ok and report.worst_gap > 0 and report.residual < (1e-7 if precision == "f64" else 2e-3)
