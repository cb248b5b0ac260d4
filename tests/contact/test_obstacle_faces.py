"""Faces and edges of coarse bodies against round obstacles: deepest places, their energies, and friction that holds there."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.obstacles.deepest_points import Deepest, posed
from pliant.contact.obstacles.obstacle_faces import FaceBarrier, FaceContact
from pliant.contact.pairs.contact_surface import Surface
from pliant.energy.base import Step
from pliant.energy.obstacles.obstacle_energy import Obstacle
from pliant.geometry.distance.sdf import upload
from pliant.geometry.mesh.mesh import edges_of
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device
from tests.intersections import depths_in_obstacles

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
RESPONSES = {kind.__name__: kind for kind in (pl.contact.Penalty, pl.contact.Barrier, pl.contact.Complementarity)}
DEEPEST = {"Penalty": 2e-4, "Barrier": 0.0, "Complementarity": 1e-3}  # m: the last is the gap
BALL = pl.sphere(0.02, centre=(0, 0, 0.03))


def _sheet(random: np.random.Generator, faces: int = 40) -> Surface:
    """Loose triangles, on nodes of their own and on mixtures of them."""
    turn = random.uniform(0, 2 * np.pi, (faces, 1)) + np.radians([0, 120, 240])
    around = 0.06 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=2)
    corners = around + random.uniform(-0.04, 0.04, (faces, 1, 3)) * [1, 1, 0.1] + random.uniform(-0.005, 0.005, (faces, 3, 3))
    rest = corners.reshape(-1, 3)
    p, triangles = len(rest), np.arange(3 * faces, dtype=np.int32).reshape(-1, 3)
    nodes = np.stack([np.arange(p), (np.arange(p) + 1) % p], axis=1)
    weights = np.where(np.arange(p)[:, None] % 4 == 0, [[0.9, 0.1]], [[1.0, 0.0]])
    return Surface(nodes, weights, triangles, edges_of(triangles), np.zeros(p, int), np.full(p, 1e-3), np.zeros(p), rest,
                   np.array([False]))  # fmt: skip


def test_places_are_the_deepest_of_faces_and_edges():
    """Of a ball it is the point nearest to its middle; none of a grid of points of a face is deeper by more than the rule."""
    device, surface = Device("cpu", "f64"), _sheet(np.random.default_rng(4))
    i, j = np.meshgrid(np.arange(41), np.arange(41))
    inner = i + j <= 40
    grid = np.stack([i[inner], j[inner], 40 - i[inner] - j[inner]], axis=1) / 40
    x = device.array(surface.rest, device.types.position)
    ball, box = pl.sphere(0.03, centre=(0, 0, -0.04)), pl.box((0.05, 0.08, 0.06), centre=(0, 0, -0.04))
    for shape in (ball, box, pl.torus(0.06, 0.02, centre=(0, 0, -0.03)), pl.sphere(0.5, centre=(0, 0, -0.51))):
        obstacles, deepest = [Obstacle(shape)], Deepest(device, surface, 1)
        given = posed(upload([shape], device), obstacles, np.eye(4)[None], device)
        deepest.aim(0, 0, given, 1.0, x, x)
        corners, share = surface.rest[deepest.spans], deepest.share.numpy()
        found = shape(np.einsum("fk,fkx->fx", share, corners))
        every = shape(np.einsum("sk,fkx->fsx", grid, corners).reshape(-1, 3)).reshape(len(corners), -1)
        edge = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        missed = (found - every.min(axis=1)) / edge
        assert share.min() >= 0 and np.abs(share.sum(axis=1) - 1).max() < 1e-12
        assert np.quantile(missed, 0.94) < 0.01 and missed.mean() < 2e-3  # within a ring there are two deepest places
        np.testing.assert_allclose(
            deepest.bulge.numpy(), shape(corners.reshape(-1, 3)).reshape(-1, 3).min(axis=1) - found, atol=1e-15
        )


@pytest.mark.parametrize("kind", ["barrier", "springs"])
def test_gradient_and_tangent_are_derivatives(kind):
    device, random = Device("cpu", "f64"), np.random.default_rng(7)
    surface = _sheet(random)
    low = -0.045 if kind == "barrier" else -0.02
    shapes = (pl.sphere(0.03, centre=(0, 0, low)), pl.plane(z=-0.2), pl.sphere(0.5, centre=(0, 0, low - 0.47)))
    obstacles, x = [Obstacle(shape) for shape in shapes], surface.rest
    position, vec3 = device.types.position, device.types.vec3
    if kind == "barrier":
        energy = FaceBarrier(device, surface, obstacles, np.full(surface.count, 1e4), 0.03)
    else:
        energy = FaceContact(device, surface, obstacles, np.full(surface.count, 1e3), 0.0)
    at = device.array(x, position)
    energy.begin(Step(at, 0.0, rate=2.0, start=at))
    pattern = BlockMatrix(device, len(x), [energy.cells()])
    energy.attach(pattern)
    energy.blocks(at, pattern, project=False)

    def gradient(where):
        out = device.zeros(len(x), vec3)
        energy.gradient(device.array(where, position), out)
        return out.numpy()

    assert np.count_nonzero(np.linalg.norm(gradient(x), axis=1)) > 10 and np.isfinite(energy.value(at))
    h = 1e-8
    for _ in range(2):
        d = random.normal(size=x.shape)
        slope = (energy.value(device.array(x + h * d, position)) - energy.value(device.array(x - h * d, position))) / (2 * h)
        assert slope == pytest.approx(float((gradient(x) * d).sum()), rel=1e-4)
        change = (gradient(x + h * d) - gradient(x - h * d)) / (2 * h)
        way, turned, multiplied = device.array(d, vec3), *(device.zeros(len(x), vec3) for _ in range(2))
        energy.tangent(at, way, turned)
        pattern.multiply(1.0, way, multiplied)
        for product in (turned, multiplied):
            np.testing.assert_allclose(product.numpy(), change, atol=1e-3 * np.abs(change).max())


def _run(response: str, obstacles, precision: str = "f64", friction: float = 0.3, seconds: float = 0.25, **more) -> pl.Run:
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=more.pop("at", (-0.043, -0.061, 0.055)))
    body = pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=20.0), **more)
    contact = pl.Contact(friction=friction, response=RESPONSES[response]())
    scene = pl.Scene([body], obstacles=obstacles, contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 100), precision=precision).run(seconds, fields=())


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("response", RESPONSES)
def test_no_face_of_a_coarse_box_goes_into_a_small_ball(response, precision):
    run = _run(response, [BALL, pl.plane(z=0.0)], precision)
    points, faces = depths_in_obstacles(run, [pl.Obstacle(BALL)])
    assert all(report.kept for report in run.reports) and run.contacts.max() > 0
    assert points < -0.03 and faces <= DEEPEST[response]  # no point is anywhere near


@pytest.mark.parametrize("response", RESPONSES)
def test_a_flat_floor_is_touched_as_without_faces_bit_for_bit(response):
    """A ball far away has places on all faces, and none of them does anything."""
    floor, far = pl.plane(z=0.05), pl.sphere(0.1, centre=(5.0, 0, 0))
    alone, beside = (_run(response, obstacles, seconds=0.1) for obstacles in ([floor], [floor, far]))
    assert alone.contacts.max() > 0
    np.testing.assert_array_equal(alone.positions, beside.positions)


def _on_balls(response: str, balls, friction: float = 0.0, gravity=(0, 0, -9.81)) -> pl.Scene:
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(-0.05, -0.05, 0.0102))
    body = pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=50.0))
    more = {"reach": 1e-3} if response == "Barrier" else {}
    contact = pl.Contact(friction=friction, response=RESPONSES[response](**more))
    return pl.Scene([body], balls, gravity=gravity, contact=contact)


@pytest.mark.parametrize("response", RESPONSES)
def test_a_box_on_three_balls_sticks_without_creeping(response):
    balls = [pl.sphere(0.01, centre=(x, y, 0.0)) for x, y in ((-0.03, -0.025), (0.03, -0.025), (0.0, 0.03))]
    slope = np.radians(5.0)
    gravity = (9.81 * np.sin(slope), 0, -9.81 * np.cos(slope))
    sim = pl.Simulation(_on_balls(response, balls, friction=0.8, gravity=gravity), pl.ImplicitEuler(1 / 60))
    sim.run(0.6, fields=())
    before = sim.x.mean(axis=0)
    sim.run(0.2, fields=())
    assert np.linalg.norm(sim.x.mean(axis=0) - before) < 2e-5 and before[2] > 0.05  # m


@pytest.mark.parametrize("response", RESPONSES)
def test_forces_on_an_obstacle_are_those_of_points_and_of_faces(response):
    balls = [pl.Obstacle(pl.sphere(0.01, centre=(x, y, 0.0))) for x, y in ((-0.03, -0.025), (0.03, -0.025), (0.0, 0.03))]
    sim = pl.Simulation(_on_balls(response, balls, friction=0.5), pl.ImplicitEuler(1 / 60))
    sim.run(0.5, fields=())
    total = sum(sim.force(f"obstacle {o}")[2] for o in range(3))
    assert total == pytest.approx(-9.81, rel=0.02)


def test_a_face_that_slides_by_more_than_the_reach_in_a_step_stays_outside():
    """Where it touches when a step begins is not where it is nearest in the end; the force that is told is that of the end."""
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(-0.07, -0.061, 0.0502))
    body = pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=20.0), velocity=(1.0, 0, -0.5))
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier(reach=1e-4))
    sim = pl.Simulation(pl.Scene([body], [BALL], contact=contact), pl.ImplicitEuler(1 / 100))
    mass = sim.world.mass
    for _ in range(4):
        before, report = mass @ sim.v, sim.step()
        assert report.converged and BALL(_between(sim.x[sim.skins[0].triangles])).min() > -2e-5  # metres
        change = (mass @ sim.v - before) * 100 - mass.sum() * np.array([0, 0, -9.81])
        np.testing.assert_allclose(sim.force("obstacle 0"), -change, atol=1e-3)


def _between(corners: np.ndarray) -> np.ndarray:
    """Points of faces."""
    i, j = np.meshgrid(np.arange(31), np.arange(31))
    inner = i + j <= 30
    shares = np.stack([i[inner], j[inner], 30 - i[inner] - j[inner]], axis=1) / 30
    return np.einsum("sk,fkx->fsx", shares, corners).reshape(-1, 3)


@pytest.mark.parametrize("response", RESPONSES)
def test_a_floor_that_becomes_a_ball_is_touched_by_faces(response):
    """A box that rests on a floor goes on with a ball in its place, that no corner is near to; a hand stays where it is."""
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(-0.043, -0.061, 0.0502))
    scene = pl.Scene([pl.Body(mesh, SOFT)], [pl.plane(z=0.05)], contact=pl.Contact(response=RESPONSES[response]()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 100))
    sim.grab(7, (0.06, 0.04, 0.15), stiffness=1.0)
    sim.run(0.03, fields=())
    before, held = sim.x, dict(sim.hands.points)
    sim.reshape(0, BALL)
    assert np.array_equal(sim.x, before) and sim.hands.points.keys() == held.keys() and sim.t == pytest.approx(0.03)
    run = sim.run(0.1, fields=())
    assert run.contacts.max() > 0 and depths_in_obstacles(run, [pl.Obstacle(BALL)])[1] <= max(DEEPEST[response], 1e-5)
    sim.reshape(0, pl.plane(z=0.0))
    assert sim.step().kept


def test_a_ball_where_a_body_was_at_rest_is_no_hindrance():
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(-0.05, -0.05, 0.1))
    scene = pl.Scene([pl.Body(mesh, SOFT, velocity=(0, 0, 2.0))], [pl.plane(z=0.0)],
                     contact=pl.Contact(response=pl.contact.Barrier()))  # fmt: skip
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 100))
    sim.run(0.1, fields=())
    sim.reshape(0, pl.sphere(0.1, centre=(0, 0, 0.1)))
    assert sim.step().kept


@pytest.mark.parametrize("response", RESPONSES)
def test_a_body_at_rest_leaves_no_launches_behind(response):
    """One that is recorded with an array of its step would keep it."""
    balls = [pl.sphere(0.02, centre=(x, y, -0.02)) for x, y in ((0.03, 0.02), (-0.03, 0.02), (0.0, -0.035))]
    sim = pl.Simulation(_on_balls(response, balls, 0.3), pl.ImplicitEuler(dt=0.01))

    def recorded():
        devices = {id(device): device for e in sim.world.energies for device in (e.device, getattr(e, "wide", e.device))}
        return sum(len(device._recorded) for device in devices.values())

    counts = []
    for _ in range(24):
        assert sim.step().kept
        counts.append(recorded())
    assert max(counts[16:]) <= max(counts[:16]) > 0
