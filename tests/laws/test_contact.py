"""Contact and friction against Coulomb: bodies below the friction angle stay, above it slide as they must."""

import numpy as np
import pytest

import pliant as pl

GRAVITY = 9.81


def cube(cells: int = 3, **options) -> pl.Body:
    """The soft cube of 0.2 m and E = 1e5 Pa, standing on z = 0."""
    mesh = pl.tet_grid((0.2, 0.2, 0.2), (cells,) * 3, 5, origin=(-0.1, -0.1, 0.0))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000), **options)


def slope(degrees: float, friction: float, dt: float = 1 / 60, tilted: bool = False, **options) -> pl.Simulation:
    """The cube on a slope, made by tilting gravity, or the plane and the cube."""
    angle = np.deg2rad(degrees)
    if tilted:
        normal = np.array([np.sin(angle), 0.0, np.cos(angle)])
        straight = cube(**options)
        mesh = straight.shape.mesh.rotated((0, 1, 0), degrees)
        body, ground, gravity = (
            pl.Body(mesh, straight.material),
            pl.plane(point=(0, 0, 0), normal=normal),
            (0, 0, -GRAVITY),
        )
    else:
        body, ground = cube(**options), pl.plane(z=0.0)
        gravity = (GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle))
    scene = pl.Scene([body], obstacles=[ground], gravity=gravity, contact=pl.Contact(friction=friction))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=dt))


def centre(sim: pl.Simulation, values: np.ndarray) -> np.ndarray:
    """Mean of nodal values by mass."""
    m = sim.world.mass[:, None]
    return (m * values).sum(axis=0) / m.sum()


def go(sim: pl.Simulation, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """(steps, 3) position and velocity of the centre of mass."""
    x, v = [], []
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report
        x.append(centre(sim, sim.x))
        v.append(centre(sim, sim.v))
    return np.array(x), np.array(v)


@pytest.mark.parametrize(
    ("degrees", "friction", "tilted"), [(20, 0.5, False), (20, 0.38, False), (20, 0.5, True), (10, 0.18, False)]
)
def test_below_the_friction_angle_it_stays(degrees, friction, tilted):
    """tan 20° = 0.364, tan 10° = 0.176: after settling the speed is zero to rounding, not merely small."""
    sim = slope(degrees, friction, tilted=tilted)
    go(sim, 180)
    before = sim.x
    go(sim, 20)
    assert np.abs(sim.v).max() <= 1e-9
    assert np.abs(sim.x - before).max() <= 1e-10


@pytest.mark.parametrize(("degrees", "friction"), [(20, 0.0), (20, 0.2), (20, 0.35), (10, 0.17)])
def test_above_the_friction_angle_it_slides(degrees, friction):
    """a = g (sin θ − μ cos θ), within 2 %."""
    sim = slope(degrees, friction)
    _, v = go(sim, 90)
    angle = np.deg2rad(degrees)
    expected = GRAVITY * (np.sin(angle) - friction * np.cos(angle))
    found = np.polyfit(np.arange(40, 90) / 60, v[40:, 0], 1)[0]
    assert found == pytest.approx(expected, rel=0.02)
    assert np.abs(v[:, 1]).max() <= 2e-3  # the mesh is not symmetric, so a little sideways sway is due


def test_stopping_distance():
    """v₀²/2μg = 0.679579 m for v₀ = 2 m/s and μ = 0.3: within 3 % at 1/60 s (implicit Euler adds v₀h/2)."""
    sim = slope(0, 0.3, velocity=(2.0, 0.0, 0.0))
    x, _ = go(sim, 90)
    assert x[-1, 0] == pytest.approx(0.679579, rel=0.03)
    assert np.abs(sim.v).max() <= 1e-3


def test_resting_depth_is_small_and_follows_from_the_stiffness():
    """At rest the springs carry the weight: k Σ depth = m g. Found: 0.23 mm, 0.12 % of the cube's edge."""
    sim = slope(0, 0.3)
    go(sim, 180)
    depth = np.maximum(-sim.x[:, 2], 0)
    stiffness = sim.world["contact"][0].stiffness.numpy()
    assert np.sum(stiffness * depth) == pytest.approx(sim.world.mass.sum() * GRAVITY, rel=1e-6)
    assert depth.max() <= 0.3e-3


def test_drop_does_not_fall_through():
    """From 50 mm: deepest depth below 2 % of the edge, and at rest above the ground in the end."""
    mesh = cube().shape.mesh.translated((0, 0, 0.05))
    scene = pl.Scene([pl.Body(mesh, cube().material)], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 240))
    deepest = 0.0
    for _ in range(120):
        assert sim.step().kept
        deepest = min(deepest, sim.x[:, 2].min())
    assert -4e-3 <= deepest < 0


def test_conveyor_carries_the_cube_along():
    """A moving obstacle takes a body with it by friction, without slip once they move alike."""

    def motion(t: float) -> np.ndarray:
        pose = np.eye(4)
        pose[0, 3] = 0.2 * t
        return pose

    ground = pl.Obstacle(pl.plane(z=0.0), motion)
    sim = pl.Simulation(pl.Scene([cube()], obstacles=[ground], contact=pl.Contact(friction=0.5)), pl.ImplicitEuler(dt=1 / 60))
    _, v = go(sim, 150)
    assert v[-1, 0] == pytest.approx(0.2, rel=1e-4)


def test_several_obstacles_and_bodies():
    """Two cubes of different weight in a trough of two planes come to rest, touching both."""
    walls = [pl.plane(point=(0, 0, 0), normal=(s, 0, 1)) for s in (1, -1)]
    bodies = [
        pl.Body(cube().shape.mesh.translated((0, y, 0.15)), pl.StableNeoHookean(young=1e5, density=d))
        for y, d in ((0, 500.0), (0.5, 2000.0))
    ]
    springs = pl.Contact(friction=0.3, response=pl.contact.Penalty())
    sim = pl.Simulation(pl.Scene(bodies, obstacles=walls, contact=springs), pl.ImplicitEuler(dt=1 / 60))
    go(sim, 150)
    assert np.abs(sim.v).max() <= 1e-2
    for body in sim.bodies:
        for wall in walls:
            assert wall(body.x).min() <= 1e-3
            assert wall(body.x).min() >= -3e-3


def test_node_leaves_without_glue():
    """A cube pressed into the ground and let go without gravity flies off: contact never pulls."""
    scene = pl.Scene([cube()], obstacles=[pl.plane(z=0.0)], gravity=(0, 0, 0), contact=pl.Contact(friction=0.5))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 240))
    sim.x = sim.x - [0, 0, 2e-3]
    go(sim, 60)
    assert sim.x[:, 2].min() > 0
    assert centre(sim, sim.v)[2] > 0.01


RESTING = pl.Lattice(pl.sphere(0.1, centre=(0, 0, 0.101)), 0.05)


@pytest.mark.parametrize(("shape", "degrees"), [(cube().shape, 10), (RESTING, 0)], ids=["tets", "lattice"])
def test_smooth_contact_carries_the_weight(shape, degrees):
    """Σ k s log(1 + e^{−φ/s}) = m g at rest, a little above the ground or in it; it sticks on a slope as the sharp one does."""
    s, angle = 1e-3, np.deg2rad(degrees)
    body = pl.Body(shape, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=pl.Damping(mass=5.0))
    gravity = (GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle))
    contact = pl.Contact(friction=0.5, smoothing=s)
    sim = pl.Simulation(pl.Scene([body], [pl.plane(z=0.0)], gravity, contact), pl.ImplicitEuler(dt=1 / 60))
    go(sim, 120)
    energy = sim.world["contact"][0]
    carrier = energy.carrier
    phi = (sim.x if carrier is None else np.einsum("pk,pkc->pc", carrier.weights, sim.x[carrier.nodes]))[:, 2]
    push = energy.stiffness.numpy() * s * np.logaddexp(0, -phi / s)
    assert push.sum() == pytest.approx(sim.world.mass.sum() * GRAVITY * np.cos(angle), rel=1e-3)
    assert np.abs(sim.v).max() <= 1e-3
    assert -2e-3 < sim.bodies[0].surface[:, 2].min() < 5 * s
