"""Points of surfaces without names: zero at the truth, derivatives beside differences, and points that match nothing."""

import functools

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, PliantWarning
from pliant.inverse import Adjoint, Clouds, GemanMcClure, Huber, LevelSets, ObservationSet, Quadratic, SparsePoints
from pliant.inverse.observations import surface_places as surfaces

from .differences import check

RING = pl.torus(0.12, 0.05)
STEP = 4e-3  # [Pa]; between points that change their triangle or cell


@functools.cache
def lattice():
    return pl.Lattice(RING, 0.03)


def ring(young=2e3, dt=0.02):
    """A torus that hangs at one side."""
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000)
    body = pl.Body(lattice(), law, pinned=lambda X: X[:, 0] < -0.12)
    return pl.Simulation(pl.Scene(body), pl.BDF2(dt, pl.Newton(tolerance=1e-11)))


def bent(x: np.ndarray) -> np.ndarray:
    moved = x + 1.5 * x[:, :1] ** 2 * (0, 0, -1) + 0.2 * x[:, [1, 2, 0]] ** 2
    return moved + 0.002 * np.sin(40 * moved[:, [2, 0, 1]])


def on_triangles(surfaces, vertices: np.ndarray, count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    faces = surfaces.triangles[rng.integers(0, len(surfaces.triangles), count)]
    return np.einsum("nk,nkc->nc", rng.dirichlet((2, 2, 2), count), vertices[faces])


@pytest.fixture(scope="module")
def hanging():
    """A simulation, positions of its nodes in a bent ring, and points of that surface."""
    sim = ring()
    x = bent(sim.x)
    seen = Clouds([np.array([[0.12, 0, 0.05]] * 3)], [0.0]).bound(sim)
    return sim, x, on_triangles(seen.surfaces, seen.surfaces.matrix @ x, 300)


@pytest.mark.parametrize("loss", [Quadratic(), Huber(0.004), GemanMcClure(0.006)], ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("kind", [Clouds, SparsePoints])
def test_derivatives(hanging, kind, loss):
    sim, x, points = hanging
    points = points + np.random.default_rng(1).normal(scale=0.006, size=points.shape)
    turn = np.array([0.01, 0.02, -0.015])
    seen = kind([points], [0.0], loss=loss, sigma=0.5, rotation=turn, shift=(0.001, 0.002, 0.0)).bound(sim)
    residual = check(seen, x, step=2e-8)
    assert len(residual.r) == len(points) == seen.numbers


def test_a_cloud_of_the_truth_costs_nothing(hanging):
    sim, x, points = hanging
    seen = Clouds([points], [0.0]).bound(sim)
    assert np.abs(seen.at(0, x, seen.parameters).r).max() < 1e-14
    assert np.abs(seen.at(0, sim.x, seen.parameters).r).max() > 1e-3


def test_places_on_a_surface_that_moved_are_those_of_one_that_was_always_there(place):
    """The tree's boxes follow where the surface is turned, stretched and carried far away."""
    sim = pl.Simulation(ring().scene, pl.ImplicitEuler(dt=0.01), device=place)
    seen = surfaces.surfaces_of(sim, None, "test")
    still, points = sim.x, np.random.default_rng(3).uniform(-0.3, 0.3, (400, 3))
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for moved in (still @ turn.T * (1.0, 2.0, 0.5) + (40.0, 0.0, -7.0), still @ turn.T):
        away, found = points + moved.mean(axis=0), []
        seen.away(still, points)
        for _ in range(2):
            met = seen.away(moved, away)
            found.append(np.linalg.norm(away - np.einsum("nk,nkc->nc", met.weights, (seen.matrix @ moved)[met.chosen]), axis=1))
            assert np.allclose(found[-1], np.abs(met.values), rtol=1e-9, atol=1e-12)
            del seen.tree
        np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-12)


def test_what_was_met_is_kept_while_others_are_asked_for(place):
    """A frame's Jacobian is the same on the device, on the host, and after other frames; and in every run, bit for bit."""
    sim = pl.Simulation(ring().scene, pl.ImplicitEuler(dt=0.01), device=place)
    x, points = bent(ring().x), np.random.default_rng(5).uniform(-0.15, 0.15, (2, 1500, 3))
    seen = Clouds(list(points), [0.0, 0.1], loss=Huber(0.02), rotation=(0.1, 0.0, 0.2)).bound(sim)
    first = seen.at(0, x, seen.parameters)
    y = np.random.default_rng(6).normal(size=1500)
    pulled = first.by_x.T @ y
    other = seen.at(1, x + 0.01, seen.parameters)
    np.testing.assert_allclose(first.by_x.T @ y, pulled, rtol=1e-10, atol=1e-12 * np.abs(pulled).max())
    way = np.random.default_rng(7).normal(size=x.size)
    assert y @ (first.by_x @ way) == pytest.approx(pulled @ way, rel=1e-9)
    again = seen.at(0, x, seen.parameters)
    assert np.array_equal(again.r, first.r) and np.array_equal(again.by_x.T @ y, pulled)
    assert not np.array_equal(other.r, first.r)
    for name in first.by_own:
        np.testing.assert_array_equal(first.by_own[name], again.by_own[name])


def test_the_level_set_is_zero_on_the_surface(hanging):
    """Where the edges of cells cross the surface, as the lattice knows it."""
    sim, x, _ = hanging
    shape = sim.scene.bodies[0].shape
    corner = shape.nodes[:, [0, 0, 0, 1, 2]], shape.nodes[:, [1, 2, 4, 3, 3]]
    a, b = (c.ravel() for c in corner)
    crossed = shape.depth[a] * shape.depth[b] < 0
    a, b = a[crossed], b[crossed]
    share = (shape.depth[a] / (shape.depth[a] - shape.depth[b]))[:, None]
    seen = SparsePoints([(1 - share) * x[a] + share * x[b]], [0.0]).bound(sim)
    assert len(a) > 100 and np.abs(seen.at(0, x, seen.parameters).r).max() < 1e-12


def test_points_that_match_nothing_still_pull(hanging):
    """Ten cells away, where no cell holds them."""
    sim, x, points = hanging
    far = points[:5] + np.array([0.0, 0.0, 0.3])
    for kind in (Clouds, SparsePoints):
        seen = kind([far], [0.0], loss=GemanMcClure(0.01)).bound(sim)
        residual = check(seen, x)
        pull = (residual.by_x.T @ residual.r).reshape(-1, 3).sum(axis=0)
        assert pull[2] < -4 * 0.05 * 0.01  # down the cost is up the field


def test_level_sets_differ_by_how_far_apart_they_are(hanging):
    sim, x, _ = hanging
    seen = LevelSets([RING, RING.translated((0, 0, 0.015))], [0, 1], spacing=0.02, width=0.01, sigma=0.1).bound(sim)
    still, moved = (seen.at(frame, sim.x, seen.parameters).r for frame in (0, 1))
    assert np.sqrt(np.mean(still**2)) < 0.3 * np.sqrt(np.mean(moved**2))
    check(seen, x, step=2e-8)


def test_gradient_of_a_run_by_clouds(hanging):
    """Young's modulus, by the adjoint and by differences, of clouds at times between steps."""
    _, _, points = hanging
    sim = ring()
    observed = [Clouds([points] * 2, [0.013, 0.03], loss=Huber(0.01)), SparsePoints([points], [0.04])]
    watch, costs = ObservationSet(sim, observed), {}
    for young in (2e3, 2e3 + STEP, 2e3 - STEP):
        sim.set(young=young)
        costs[young] = Adjoint(sim).gradient(watch.steps, watch.cost, watch.see)
    exact = costs[2e3].parameters[0, "young"]
    assert exact == pytest.approx((costs[2e3 + STEP].cost - costs[2e3 - STEP].cost) / (2 * STEP), rel=1e-6)


def test_points_that_were_not_seen_are_dropped_and_counted(hanging):
    """As in organised clouds of depth sensors."""
    sim, _, points = hanging
    gap = points.copy()
    gap[[7, 30]] = np.nan
    with pytest.warns(PliantWarning, match="2 of 600 points are not finite and were dropped"):
        clouds = Clouds([points, gap], [0, 1])
    assert [len(frame) for frame in clouds.points] == [300, 298] and clouds.bound(sim).numbers == 598


def test_what_cannot_be_is_said(hanging):
    sim, _, points = hanging
    tets = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)), pl.StableNeoHookean(young=2e4, poisson=0.35, density=1100))
    for wrong, sentence in [
        (lambda: Clouds([points, points[:0]], [0, 1]), "frame 1 has no points"),
        (lambda: Clouds([points, np.full((4, 3), np.nan)], [0, 1]), "no point of frame 1 is finite"),
        (lambda: Clouds([points], [0, 1]), "1 frames"),
        (lambda: Clouds([], []), "a list of"),
        (lambda: Clouds([points[:, :2]], [0]), r"expected \(n, 3\)"),
        (lambda: Clouds([1000 * points], [0]).bound(sim), "are these millimetres.*0.001"),
        (lambda: Clouds([0.001 * points], [0]).bound(sim), "is the body in millimetres"),
        (lambda: Clouds([points + 20], [0]).bound(sim), "away from a body"),
        (lambda: Clouds([points], [0], bodies=[3]).bound(sim), "numbers of bodies"),
        (lambda: SparsePoints([points], [0]).bound(pl.Simulation(pl.Scene(tets))), "use Clouds"),
        (lambda: LevelSets([pl.plane(z=0.0)], [0], 0.01, 0.01), "no end"),
        (lambda: LevelSets([RING], [0], 1e-5, 0.01), "larger spacing"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
