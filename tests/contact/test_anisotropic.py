"""Friction that is another along a direction than across it, against the motion of least resistance on a slope."""

import numpy as np
import pytest
from scipy.optimize import minimize

import pliant as pl
from pliant import contact
from pliant.contact import Anisotropic, Pair, Rigid
from pliant.errors import InputError

G, DT = 9.81, 1 / 200
NEAR = contact.Barrier(reach=2e-4)  # so that blocks begin at rest
SOFT = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000)


def slope(degrees: float) -> pl.Obstacle:
    """A plane that goes down along x."""
    angle = np.radians(degrees)
    return pl.Obstacle(pl.plane(point=(0, 0, 0), normal=(np.sin(angle), 0, np.cos(angle))), name="slope")


def frame(degrees: float) -> np.ndarray:
    """Down the slope, across it, and its normal."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), 0, -np.sin(angle)], [0, 1, 0], [np.sin(angle), 0, np.cos(angle)]])


def block(degrees: float, rigid: bool) -> pl.Body:
    if rigid:
        mesh = pl.meshes.box((0.1, 0.1, 0.04)).translated((0, 0, 0.0202)).rotated((0, 1, 0), degrees)
        return pl.Body(Rigid(mesh, density=1000), name="block")
    mesh = pl.tet_grid((0.1, 0.1, 0.04), (2, 2, 1), origin=(-0.05, -0.05, 0.0002)).rotated((0, 1, 0), degrees)
    return pl.Body(mesh, SOFT, name="block")


def simulated(degrees, turned, along=0.1, across=0.5, rigid=True, obstacle=None, precision="f64"):
    """A block on a slope, whose friction has its direction ``turned`` by so many degrees from straight down."""
    s, y, _ = frame(degrees)
    direction = np.cos(np.radians(turned)) * s + np.sin(np.radians(turned)) * y
    law = pl.Contact(
        response=NEAR, friction=0.3,
        pairs=[Pair("block", "slope", friction=Anisotropic(along, across, direction))],
    )  # fmt: skip
    scene = pl.Scene([block(degrees, rigid)], [obstacle or slope(degrees)], contact=law)
    return pl.Simulation(scene, pl.ImplicitEuler(DT), precision=precision)


def acceleration(sim, degrees, steps=40) -> np.ndarray:
    """(2,) down the slope and across it, of the centre, from what speed it gains in the later half [m/s²]."""
    speeds = []
    for _ in range(steps):
        report = sim.step()
        assert report.kept and report.friction_loss >= -1e-12, report.why
        mass = sim.world.mass
        speeds.append(frame(degrees)[:2] @ (mass @ sim.v / mass.sum()))
    return (speeds[-1] - speeds[steps // 2 - 1]) / (DT * steps / 2)


def expected(degrees, turned, along, across) -> np.ndarray:
    """The acceleration of a point from rest by the principle of least constraint: ½|a − g|² + N |M a| is least."""
    angle, way = np.radians(degrees), np.radians(turned)
    turn = np.array([[np.cos(way), np.sin(way)], [-np.sin(way), np.cos(way)]])
    M, pull = np.diag([along, across]) @ turn, np.array([G * np.sin(angle), 0.0])
    cost = lambda a: 0.5 * np.sum((a - pull) ** 2) + G * np.cos(angle) * np.sqrt(np.sum((M @ a) ** 2) + 1e-16)
    return minimize(cost, pull, tol=1e-14, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-15}).x


@pytest.mark.parametrize("rigid", [True, False])
@pytest.mark.parametrize("turned", [0, 30, 45, -60])
def test_a_block_slides_askew_as_least_resistance_says(turned, rigid):
    found = acceleration(simulated(20, turned, rigid=rigid), 20)
    wanted = expected(20, turned, 0.1, 0.5)
    assert found == pytest.approx(wanted, abs=0.01 * np.linalg.norm(wanted) + 2e-3)
    assert turned == 0 or abs(wanted[1]) > 0.2  # it leaves the line straight down, to the side of the direction
    assert turned == 0 or np.sign(wanted[1]) == np.sign(turned)


@pytest.mark.parametrize("turned, sticks", [(90, True), (0, False), (60, False), (80, True)])
def test_it_stands_inside_of_the_ellipse(turned, sticks):
    """At tan θ = 0.3 of a slope: against 0.1 along the direction and 0.5 across it."""
    degrees, way = np.degrees(np.arctan(0.3)), np.radians(turned)
    assert (np.hypot(np.cos(way) / 0.1, np.sin(way) / 0.5) * 0.3 < 1) == sticks
    sim = simulated(degrees, turned)
    moved = acceleration(sim, degrees, 60)
    if sticks:
        assert np.abs(sim.v).max() < 1e-4 and np.abs(moved).max() < 1e-3
    else:
        assert np.linalg.norm(moved) > 0.05


def test_equal_both_ways_it_is_friction_as_ever():
    bodies = {}
    for friction in (0.2, Anisotropic(0.2, 0.2, (1, 0, 0))):
        law = pl.Contact(response=NEAR, pairs=[Pair("block", "slope", friction=friction)])
        sim = pl.Simulation(pl.Scene([block(20, False)], [slope(20)], contact=law), pl.ImplicitEuler(DT))
        for _ in range(12):
            assert sim.step().kept
        bodies[str(friction)] = sim.x
    assert np.array_equal(*bodies.values())


def test_the_direction_turns_with_its_obstacle():
    """A belt that lies still but whose frame is turned by a right angle: what was along is across."""
    turn = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    lost = []
    for pose in (np.eye(4), turn):
        floor = pl.Obstacle(pl.plane(z=0.0), motion=lambda t, pose=pose: pose, name="floor")
        body = block(0, True)
        body = pl.Body(body.shape, name="block", velocity=(1, 0, 0))
        law = pl.Contact(response=NEAR, pairs=[Pair("block", "floor", friction=Anisotropic(0.1, 0.5, (1, 0, 0)))])
        sim = pl.Simulation(pl.Scene([body], [floor], contact=law), pl.ImplicitEuler(DT))
        for _ in range(30):
            assert sim.step().kept
        before = sim.v[:, 0].mean()
        for _ in range(10):
            assert sim.step().kept
        lost.append((before - sim.v[:, 0].mean()) / (10 * DT * G))
    assert lost == pytest.approx([0.1, 0.5], rel=0.01)


def test_faces_on_a_round_obstacle_know_it():
    """A plate on a long cylinder: it slides along the axis, or is held."""
    losses = []
    for direction in ((0, 1, 0), (1, 0, 0)):
        pipe = pl.Obstacle(pl.capsule((0, -5, -0.1), (0, 5, -0.1), 0.1), name="pipe")
        plate = pl.Body(
            Rigid(pl.meshes.box((0.1, 0.1, 0.01)).translated((0, 0, 0.0052)), density=1000),
            velocity=(0, 1, 0),
            name="plate",
        )
        law = pl.Contact(
            response=NEAR,
            pairs=[Pair("plate", "pipe", friction=Anisotropic(0.05, 0.4, direction))],
        )
        sim = pl.Simulation(pl.Scene([plate], [pipe], contact=law), pl.ImplicitEuler(DT))
        speeds = []
        for _ in range(7):  # until it begins to tip over its front
            assert sim.step().kept
            speeds.append(sim.v[:, 1].mean())
        losses.append((speeds[0] - speeds[-1]) / (6 * DT * G))
    assert losses == pytest.approx([0.05, 0.4], rel=0.03)


def test_it_is_kept_and_refused_where_it_has_no_meaning(tmp_path):
    from pliant.cli.inputs.scene_file import read_scene

    sim = simulated(20, 45)
    for _ in range(5):
        sim.step()
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert again.scene.contact == sim.scene.contact
    for one in (sim, again):
        for _ in range(3):
            one.step()
    assert np.array_equal(sim.x, again.x)
    (tmp_path / "scene.toml").write_text(
        """
        obstacles = [{ Obstacle = { shape = { plane = { z = 0.0 } }, name = "floor" } }]
        [[bodies]]
        name = "a"
        shape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
        material = { StableNeoHookean = { young = 1e4 } }
        [run]
        seconds = 0.1
        [contact]
        response = { Barrier = {} }
        [[contact.pairs]]
        first = "a"
        second = "floor"
        friction = { Anisotropic = { along = 0.1, across = 0.5, direction = [1, 0, 0] } }
        """
    )
    (pair,) = read_scene(tmp_path / "scene.toml").scene.contact.pairs
    assert pair == Pair("a", "floor", friction=Anisotropic(0.1, 0.5, (1, 0, 0)))
    askew = Anisotropic(0.1, 0.5, (1, 0, 0))
    with pytest.raises(InputError, match=r"is for response=contact.Barrier\(\)"):
        pl.Contact(response=contact.Penalty(), pairs=[Pair("a", "b", friction=askew)])
    bodies = [pl.Body(block(0, False).shape, SOFT, name=name) for name in "ab"]
    with pytest.raises(InputError, match=r"means 'a' and 'b'; expected a body and an obstacle"):
        pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=NEAR, pairs=[Pair("a", "b", friction=askew)])))
    for wrong in ({"along": -0.1}, {"direction": (0, 0, 0)}):
        with pytest.raises(InputError, match=r"Anisotropic\("):
            Anisotropic(**{"along": 0.1, "across": 0.5, "direction": (1, 0, 0)} | wrong)
