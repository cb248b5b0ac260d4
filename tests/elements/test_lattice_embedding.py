"""Surfaces that ride on lattices: affine maps are exact, tricubic ones have continuous tangents and follow bending better."""

import numpy as np
import pytest

import pliant as pl

BODY = (pl.torus(0.3, 0.12) - pl.sphere(0.1, centre=(0.3, 0.05, 0.1))) | pl.capsule((-0.3, 0, 0), (-0.3, 0, 0.3), 0.08)
RULES = {"Trilinear": pl.embedding.Trilinear(), "Tricubic": pl.embedding.Tricubic()}


@pytest.fixture(scope="module")
def lattice():
    return pl.Lattice(BODY, 0.07, origin=(0.01, 0.02, 0.03))


@pytest.fixture(scope="module")
def points():
    return pl.surface(BODY, 0.03).vertices


def carried(rule, lattice, points, values):
    """Nodal values at points."""
    nodes, weights = rule.mixtures(lattice.cells, points)
    return np.einsum("sk,sk...->s...", weights, values[nodes])


@pytest.mark.parametrize("rule", RULES)
def test_affine_maps_are_exact_on_the_rim_and_beyond_it(rule, lattice, points):
    assert lattice.dropped > 50  # some points lie in no cell
    _, xi = lattice.located(points)
    assert np.count_nonzero(np.any((xi < -1e-6) | (xi > 1 + 1e-6), axis=1)) > 20
    A, b = np.random.default_rng(0).standard_normal((3, 3)), [1.0, 2.0, 3.0]
    far = np.concatenate([points, points * 1.5])
    assert carried(RULES[rule], lattice, far, lattice.rest @ A.T + b) == pytest.approx(far @ A.T + b, abs=1e-12)


def test_the_widths(lattice, points):
    nodes, weights = pl.embedding.Tricubic().mixtures(lattice.cells, points)
    assert nodes.shape[1] <= 64 and np.abs(weights).sum(axis=1).max() < 2.5
    nodes, weights = pl.embedding.Tricubic().mixtures(lattice.cells, lattice.rest)  # at a node, the node
    largest = np.argmax(np.abs(weights), axis=1)[:, None]
    assert np.allclose(np.take_along_axis(weights, largest, 1), 1) and np.allclose(np.abs(weights).sum(axis=1), 1)
    assert np.array_equal(np.take_along_axis(nodes, largest, 1)[:, 0], np.arange(len(nodes)))


def jumps(rule, lattice, axis):
    """Jump of the derivative along an axis where it crosses the faces between cells, of values ±1 at the nodes [1/h]."""
    values = np.random.default_rng(1).choice([-1.0, 1.0], len(lattice.rest))
    low = np.flatnonzero((np.arange(8) >> axis & 1) == 0)
    face = {tuple(sorted(c)) for c in lattice.nodes[:, low + (1 << axis)]}  # upper faces that are also lower ones
    shared = np.array([i for i, c in enumerate(lattice.nodes[:, low]) if tuple(sorted(c)) in face])
    at = np.random.default_rng(2).random((len(shared), 3))
    at[:, axis] = 0.0
    points, step = lattice.lowest[shared] + lattice.spacing * at, 1e-5 * lattice.spacing * np.eye(3)[axis]
    here = carried(rule, lattice, points, values)
    slopes = [(carried(rule, lattice, points + s * step, values) - here) * s / 1e-5 for s in (-1, 1)]
    return np.abs(slopes[1] - slopes[0]).max()


@pytest.mark.parametrize("axis", range(3))
def test_tangents_are_continuous_between_cells(lattice, axis):
    assert jumps(pl.embedding.Trilinear(), lattice, axis) > 1.0
    assert jumps(pl.embedding.Tricubic(), lattice, axis) < 1e-3


def test_quadratic_fields():
    """Exact where all neighbours are there, and several times better than trilinear at the rim."""
    ball = pl.Lattice(pl.sphere(0.5), 0.1)
    field = lambda X: X[:, 0] ** 2 - X[:, 1] * X[:, 2] + 2 * X[:, 2] ** 2
    inner = np.random.default_rng(0).uniform(-0.2, 0.2, (100, 3))
    assert carried(pl.embedding.Tricubic(), ball, inner, field(ball.rest)) == pytest.approx(field(inner), abs=1e-13)
    skin = pl.surface(pl.sphere(0.5), 0.03).vertices
    wrong = [np.sqrt(np.mean((carried(r, ball, skin, field(ball.rest)) - field(skin)) ** 2)) for r in RULES.values()]
    assert wrong[1] < 0.3 * wrong[0]


def test_parts_with_a_gap_between_them_do_not_pull_at_each_other():
    """Two blocks one empty cell apart: moving one leaves the surface of the other where it is."""
    blocks = pl.box((0.3, 0.3, 0.3), (0.15, 0.15, 0.15)) | pl.box((0.3, 0.3, 0.3), (0.55, 0.15, 0.15))
    lattice = pl.Lattice(blocks, 0.1)
    values = np.where(lattice.rest[:, 0] > 0.35, 1.0, 0.0)
    points = pl.surface(blocks, 0.05).vertices
    assert np.array_equal(
        np.round(carried(pl.embedding.Tricubic(), lattice, points, values), 12), np.where(points[:, 0] > 0.35, 1, 0)
    )


def test_runs_grabs_and_checkpoints_know_the_embedding(tmp_path):
    shape = pl.Lattice(pl.sphere(0.1), 0.05, embedding=pl.embedding.Tricubic())
    sim = pl.Simulation(pl.Scene(pl.Body(shape, pl.StableNeoHookean(young=1e4))), pl.ImplicitEuler(dt=0.01))
    skin = sim.skins[0]
    assert 32 < skin.parents.shape[1] <= 64 and sim.bodies[0].surface == pytest.approx(shape.surface.vertices, abs=1e-14)
    top = int(np.argmax(shape.surface.vertices[:, 2]))
    sim.grab(top, (0, 0, 0.2))
    nodes, weights = sim.hands.points[0][:2]
    assert len(nodes) == 8 and weights @ shape.rest[nodes] == pytest.approx(shape.surface.vertices[top])
    run = sim.run(0.02)
    assert all(r.kept for r in run.reports)
    assert skin.of(run.positions).shape == (3, len(skin.parents), 3) and skin.of(run.fields["stress"]).shape[0] == 3
    sim.save(tmp_path / "ball.npz")
    again = pl.Simulation.load(tmp_path / "ball.npz")
    assert again.scene.bodies[0].shape.embedding == pl.embedding.Tricubic()
    assert np.array_equal(again.bodies[0].surface, sim.bodies[0].surface)
    pl.export(run, tmp_path / "run.npz")
    assert np.array_equal(pl.read(tmp_path / "run.npz").skins[0].of(run.positions), skin.of(run.positions))
    with pytest.raises(pl.errors.InputError, match="embedding='cubic'"):
        pl.Lattice(pl.sphere(0.1), 0.05, embedding="cubic")
