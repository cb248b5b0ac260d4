"""Lattices that touch: each other with every response, obstacles with the pressure of Hertz, and after cuts."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench.judge import depth_in_one_another, winding_numbers
from pliant.contact.detect.edge_crossings import crossings
from pliant.cut.lattice.lattice_cut import components
from pliant.geometry.distance.mesh_distance import MeshDistance
from pliant.runtime.device import Device

SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
SIZE = (0.08, 0.08, 0.04)
RESPONSES = {
    "penalty": (pl.contact.Penalty(), pl.Newton()),
    "barrier": (pl.contact.Barrier(), pl.Newton()),
    "complementarity": (pl.contact.Complementarity(), pl.Newton(iterations=1)),
}


def touching_points(sim: pl.Simulation, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the vertices of a body's surface of contact are, and its triangles."""
    shape = sim.scene.bodies[body].shape
    return shape.outline.of(sim.bodies[body].x), shape.outline.triangles


def inside(sim: pl.Simulation, one: int, other: int, deep: float) -> int:
    """Vertices of a body that are deeper in another than ``deep`` [m]."""
    X, _ = touching_points(sim, one)
    Y, faces = touching_points(sim, other)
    within = X[winding_numbers(Y[faces], X) > 0.5]
    away = np.linalg.norm(within[:, None] - Y[faces].mean(axis=1), axis=2).min(axis=1, initial=np.inf)
    plane = np.cross(Y[faces[:, 1]] - Y[faces[:, 0]], Y[faces[:, 2]] - Y[faces[:, 0]])
    plane /= np.linalg.norm(plane, axis=1, keepdims=True)
    depth = -np.einsum("ptc,tc->pt", within[:, None] - Y[faces[:, 0]], plane)
    return int(np.count_nonzero((np.where(depth > 0, depth, np.inf).min(axis=1, initial=np.inf) > deep) & (away > deep)))


def stacked(response, solver, spacing=0.03, turned=20.0, precision="f64", device="cpu", floor=True):
    """A block above another, neither along the lattice, a little above a floor."""
    low = pl.Lattice(pl.box(SIZE).translated((0, 0, 0.0205)), spacing)
    high = pl.Lattice(pl.box(SIZE).rotated((0, 0, 1), turned).translated((0, 0, 0.062)), spacing)
    bodies = [pl.Body(shape, SOFT, name=name) for shape, name in ((low, "low"), (high, "high"))]
    contact = pl.Contact(friction=0.3, response=response)
    scene = pl.Scene(bodies, [pl.plane(z=0.0)] if floor else [], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver=solver), precision=precision, device=device)


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", RESPONSES)
def test_blocks_on_one_another_stay_there(name):
    """Without a surface of their own: the upper one lies on the lower one, with no vertex of either in the other."""
    sim = stacked(*RESPONSES[name])
    for _ in range(10):
        assert sim.step().kept
    for body, low, high in ((0, 0.0, 0.04), (1, 0.04, 0.08)):
        heights = touching_points(sim, body)[0][:, 2]
        assert heights.min() == pytest.approx(low, abs=3e-3) and heights.max() == pytest.approx(high, abs=4e-3)
    assert inside(sim, 0, 1, 5e-4) == inside(sim, 1, 0, 5e-4) == 0
    assert np.abs(sim.v).max() < 0.5


@pytest.mark.filterwarnings("ignore:Lattice")
def test_single_precision_keeps_blocks_apart(place):
    sim = stacked(pl.contact.Penalty(), pl.QuasiNewton(iterations=20), precision="f32", device=place)
    for _ in range(15):
        assert sim.step().kept
    assert sim.bodies[1].x[:, 2].mean() > 0.05 and inside(sim, 0, 1, 1e-3) == inside(sim, 1, 0, 1e-3) == 0


@pytest.mark.parametrize("name", ["penalty", "barrier"])
def test_a_ball_dropped_on_a_block_stays_on_it(name):
    """At 1 m/s, onto a block that is turned against its lattice; the ball's lowest vertex never goes below the block's top."""
    response, solver = RESPONSES[name]
    block = pl.Lattice(pl.box((0.1, 0.1, 0.04)).rotated((0, 0, 1), 33), 0.025)
    ball = pl.Lattice(pl.sphere(0.03, (0.004, 0.002, 0.055)), 0.015)
    bodies = [pl.Body(block, SOFT, pinned=lambda X: X[:, 2] < -0.01), pl.Body(ball, SOFT, velocity=(0, 0, -1.0))]
    sim = pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=response)), pl.ImplicitEuler(1 / 120, solver=solver))
    lowest = []
    for _ in range(12):
        assert sim.step().kept
        lowest.append(touching_points(sim, 1)[0][:, 2].min())
        assert inside(sim, 1, 0, 2e-3) == 0
    assert min(lowest) < 0.0205 and min(lowest) > 0.005 and sim.bodies[1].x[:, 2].mean() > 0.03


def test_intersection_takes_no_lattices():
    with pytest.raises(pl.errors.InputError, match=r"Lattice|tets"):
        stacked(pl.contact.Intersection(), pl.Newton())


# --- Hertz

YOUNG, POISSON = 1e5, 0.3


def of_half_space(X: np.ndarray, radius: float, force: float) -> np.ndarray:
    """(n, 3) displacement [m] of z > 0 at X (n, 3) under the upward pressure of Hertz on a disc (Boussinesq 1885)."""
    r, weights = np.polynomial.legendre.leggauss(12)
    r = radius * (r + 1) / 2
    share = np.sqrt(1 - (r / radius) ** 2) * r * weights
    angle = 2 * np.pi * np.arange(24) / 24
    places = np.stack([np.outer(r, np.cos(angle)), np.outer(r, np.sin(angle))], axis=-1).reshape(-1, 2)
    u, z = np.zeros_like(X), np.maximum(X[:, 2], 0.0)
    for (x0, y0), f in zip(places, np.repeat(force * share / share.sum() / 24, 24)):
        x, y = X[:, 0] - x0, X[:, 1] - y0
        q = np.sqrt(x * x + y * y + z * z) + 1e-12
        side = z / q**3 - (1 - 2 * POISSON) / (q * (q + z))
        part = np.stack([x * side, y * side, z * z / q**3 + 2 * (1 - POISSON) / q], axis=1)
        u += f * (1 + POISSON) / (2 * np.pi * YOUNG) * part
    return u


def of_hertz(wide: float, origin: tuple, h: float = 0.01) -> float:
    """Force over that of Hertz of a ball of 100 cells a radius, pressed onto a plane until four cells touch along a radius.

    Of the ball the part around the contact is there, ``wide`` radii of contact to each side; its rim moves as half spaces do.
    """
    R, a = 100 * h, 4 * h
    depth, W = a * a / R, wide * a
    exact = 4 / 3 * YOUNG / (1 - POISSON**2) * np.sqrt(R) * depth**1.5
    lattice = pl.Lattice(pl.sphere(R, (0, 0, R)) & pl.box((2 * W, 2 * W, 2 * W)), h, origin=origin)

    def rim(X):
        return (np.abs(X[:, :2]).max(axis=1) > W - 1.01 * h) | (X[:, 2] > W - 1.01 * h)

    def moved(X, t):
        return X - [0.0, 0.0, depth] + of_half_space(X, a, exact)

    body = pl.Body(lattice, pl.LinearElastic(young=YOUNG, poisson=POISSON), effects=[pl.Hold(rim, moved)])
    scene = pl.Scene([body], [pl.plane(z=0.0)], gravity=(0, 0, 0))
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=pl.Newton(linear=pl.linear.Direct())))
    assert sim.step().kept
    contact = sim.world["contact"][0]
    heights = np.einsum("pk,pk->p", contact.carrier.weights, sim.x[contact.carrier.nodes][:, :, 2])
    found = float(np.sum(contact.stiffness.numpy() * np.maximum(-heights, 0.0))) / exact
    print(f"{lattice.count} cells, {contact.carrier.count} points: {found - 1:+.2%} of the force of Hertz")
    return found


@pytest.mark.filterwarnings("ignore:Lattice")
def test_a_ball_presses_as_that_of_hertz():
    assert of_hertz(2.0, (0.003, 0.004, 0.0045)) == pytest.approx(1, abs=0.03)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("origin", [(0.0, 0.0, 0.0), (0.003, 0.004, 0.0045), (0.005, 0.0, 0.002)])
def test_a_ball_presses_as_that_of_hertz_wherever_its_cells_are(origin):
    assert of_hertz(3.0, origin) == pytest.approx(1, abs=0.03)


# --- flat faces and corners


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("turned", [0.0, 20.0, 45.0])
def test_a_flat_face_is_as_stiff_as_its_area(turned):
    """Σ k = 10 E A/h over the points on the floor, to a tenth of that where edges lie across the cells."""
    h = 0.01
    lattice = pl.Lattice(pl.box(SIZE).rotated((0, 0, 1), turned).translated((0.001, 0.002, 0.0225)), h)
    sim = pl.Simulation(pl.Scene(pl.Body(lattice, SOFT), [pl.plane(z=0.0)]))
    heights = touching_points(sim, 0)[0][:, 2]
    stiffness = sim.world["contact"][0].stiffness.numpy()[heights < heights.min() + 1e-6]
    assert stiffness.sum() == pytest.approx(10 * 1e5 * SIZE[0] * SIZE[1] / h, rel=0.1 if turned else 1e-6)
    assert lattice.outline.areas.sum() == pytest.approx(2 * (0.08 * 0.08 + 2 * 0.08 * 0.04), rel=1e-5)


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("axis, degrees, reach", [((0, 1, 0), 45.0, 0.5**0.5), ((1, -1, 0), 54.7356, 0.75**0.5)])
def test_edges_and_corners_touch_where_they_are(axis, degrees, reach):
    """A cube stood on its edge or on its corner, in cells that it is not aligned with."""
    lattice = pl.Lattice(pl.box(0.1).rotated(axis, degrees).translated((0.003, 0.001, 0.002)), 0.03)
    lowest = lattice.outline.of(lattice.rest)[:, 2].min()
    assert lowest == pytest.approx(0.002 - 0.1 * reach, abs=1e-3 * 0.03)


# --- cuts


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", ["penalty", "barrier"])
def test_a_block_that_was_cut_lies_on_another(name):
    """Both halves of it are kept out of the block below."""
    sim = stacked(*RESPONSES[name], floor=False)
    for _ in range(2):
        assert sim.step().kept
    sim.cut(pl.Blade([(0.003, -1, 1), (0.01, 1, 1)], depth=3.0), body=1)
    for _ in range(6):
        assert sim.step().kept
    assert inside(sim, 0, 1, 1e-3) == inside(sim, 1, 0, 1e-3) == 0


def cut_as_it_fell(response) -> pl.Simulation:
    """A ring held at one side, bent by its weight, in two."""
    ring = pl.Lattice(pl.torus(0.1, 0.04), 0.03, refine=2, origin=(0.004, 0.007, 0.001))
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
    body = pl.Body(ring, law, pinned=lambda X: X[:, 0] < X[:, 0].min() + 0.04)
    sim = pl.Simulation(pl.Scene(body, contact=pl.Contact(response=response)), pl.ImplicitEuler(dt=0.02))
    for _ in range(2):
        assert sim.step().kept
    blade = pl.Blade([(-0.97, 0.214, -0.357), (0.515, 1.19, -0.203)], 1.784, into=(0.218, -0.918, 0.332))
    assert sim.cut(blade)[0].components == 2
    return sim


def inside_parts(sim: pl.Simulation) -> tuple[int, float]:
    """How many vertices of a part of a cut lattice are inside another, and how deep [m]."""
    shape = sim.scene.bodies[0].shape
    own = components(shape.nodes, len(shape.rest))[shape.contact_surface.holders]
    return depth_in_one_another(shape.contact_surface.triangles, own, shape.outline.of(sim.x))


def test_sides_of_a_cut_begin_a_kerf_apart_where_they_are():
    """However the cells around are bent, and whatever cell carries a part of another."""
    sim = cut_as_it_fell(None)
    shape = sim.scene.bodies[0].shape
    mesh, at = shape.contact_surface, shape.outline.of(sim.x)
    own = components(shape.nodes, len(shape.rest))[mesh.holders]
    faces = mesh.triangles[own[mesh.triangles[:, 0]] == 1]
    gaps = MeshDistance(pl.TriMesh(at, faces))(at[own == 0])
    assert inside_parts(sim)[0] == 0 and gaps.min() == pytest.approx(0.01 * 0.03, rel=1e-6)


def test_parts_of_a_ring_that_was_cut_as_it_fell_stay_apart():
    sim = cut_as_it_fell(pl.contact.Barrier())
    reports = [sim.step() for _ in range(4)]
    assert all(report.ok for report in reports) and max(report.iterations for report in reports) < 50
    assert inside_parts(sim)[0] == 0


def test_points_far_beside_a_sharp_edge_are_outside():
    """Next to a corner at which blade and skin meet, points are behind faces and yet outside: some were pushed 7 cm away."""
    sim = cut_as_it_fell(pl.contact.Penalty())
    assert sim.energies()["body contact"] < 0.05  # 20 J, of a body that weighs 4 N
    assert sim.step().ok


@pytest.mark.filterwarnings("ignore:Lattice")
def test_sides_of_a_slit_do_not_cross():
    """A flap that is heavy enough to bend down through what lies below."""
    law = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
    held = lambda X: (X[:, 0] < -0.1 + 1e-9) | (X[:, 2] < -0.05 + 1e-9)
    body = pl.Body(pl.Lattice(pl.box((0.2, 0.05, 0.1)), 0.034), law, pinned=held, damping=pl.Damping(stiffness=0.005))
    scene = pl.Scene(body, gravity=(0, 0, -39.0), contact=pl.Contact(response=pl.contact.Barrier()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    (done,) = sim.cut(pl.Blade([(-0.02, -0.1, 0.003), (0.3, -0.1, 0.003)], 0.4, into=(0, 1, 0)))
    assert done.components == 1
    surface, outline = sim.world["barrier"][0].surface, sim.scene.bodies[0].shape.outline
    for _ in range(3):
        assert sim.step().kept
        at = outline.of(sim.x)
        assert not len(crossings(Device("cpu", "f64"), surface, at))
    assert at[surface.rest[:, 0] > 0.099, 2].max() < 0.04  # the flap has come down by more than its slit is wide


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", ["penalty", "complementarity"])
def test_halves_of_a_block_that_was_cut_askew_stay_apart(name):
    """The upper half lies on the slope that the blade has left, and neither has a vertex deep in the other."""
    response, solver = RESPONSES[name]
    lattice = pl.Lattice(pl.box((0.08, 0.08, 0.08)).rotated((0, 0, 1), 15).translated((0, 0, 0.0405)), 0.03)
    scene = pl.Scene(pl.Body(lattice, SOFT), [pl.plane(z=0.0)], contact=pl.Contact(friction=0.9, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver=solver))
    assert sim.step().kept
    (done,) = sim.cut(pl.Blade([(-1, -1, 0.03), (1, -1, 0.05)], 3.0, into=(0, 1, 0)))
    assert done.components == 2
    for _ in range(12):
        assert sim.step().kept
    assert inside_parts(sim)[1] < 3e-4
    shape = sim.scene.bodies[0].shape
    own, at = components(shape.nodes, len(shape.rest))[shape.contact_surface.holders], shape.outline.of(sim.x)
    upper = own == own[np.argmax(at[:, 2])]
    assert at[upper, 2].mean() > at[~upper, 2].mean() + 0.03 and at[upper, 2].max() > 0.078
