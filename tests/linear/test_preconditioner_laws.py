"""What every preconditioner owes: symmetric, positive, and an answer on matrices that are hard in one way each."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant import linear
from pliant.solve.newton.linear_system import linearised

KINDS = [kind() for name in linear.__all__ if hasattr(kind := getattr(linear, name), "prepare")]


def scrambled(cells=(8, 3, 3), seed=3) -> pl.TetMesh:
    """A grid without its regularity: nodes shaken and numbered at random."""
    random, mesh = np.random.default_rng(seed), pl.tet_grid((1.0, 0.3, 0.3), cells, 6)
    order = random.permutation(len(mesh.vertices))
    inverse = np.argsort(order)
    inside = (mesh.vertices > 1e-9).all(axis=1) & (mesh.vertices < np.array([1.0, 0.3, 0.3]) - 1e-9).all(axis=1)
    shaken = mesh.vertices + 0.02 * inside[:, None] * random.uniform(-1, 1, mesh.vertices.shape)
    return pl.TetMesh(shaken[order], inverse[mesh.tets])


def system(mesh, young, precision, dt=0.05, poisson=0.4):
    """The matrix of a step from a state that is turned and strained, and the simulation that it belongs to."""
    material = pl.StableNeoHookean(young=young, poisson=poisson)
    body = pl.Body(mesh, material, pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt), precision=precision)
    sim.step()
    given = linearised(sim.world.objective, sim.state.x, project=True)
    return given, sim


def layered(mesh, ratio):
    """Young's modulus of each tet: every other slice along x is ``ratio`` times as stiff."""
    slices = np.floor(8 * mesh.vertices[mesh.tets].mean(axis=1)[:, 0]).astype(int) % 2
    return np.where(slices == 1, 1e4 * ratio, 1e4)


def right(given, seed):
    device = given.device
    b = device.array(np.random.default_rng(seed).standard_normal((given.vectors.count, 3)), device.types.vec3)
    given.mask(b)
    return b


def applied(kind, given, r):
    """M⁻¹ r as (3n,) numbers."""
    inverse, z = kind.prepare(given), given.vectors.new()
    if callable(inverse):
        inverse(r, z)
        return z.numpy().reshape(-1).astype(float)
    blocks, values = inverse.numpy().astype(float), r.numpy().astype(float)
    return (given.free.numpy() * np.einsum("nij,nj->ni", blocks, values)).reshape(-1)


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_symmetric_positive_and_blind_to_what_is_held(kind):
    given, _sim = system(scrambled(), layered(scrambled(), 1e4), "f64")
    a, b = right(given, 1), right(given, 2)
    Ma, Mb = applied(kind, given, a), applied(kind, given, b)
    flat_a, flat_b = (v.numpy().reshape(-1) for v in (a, b))
    assert abs(flat_a @ Mb - flat_b @ Ma) < 1e-10 * np.linalg.norm(Ma) * np.linalg.norm(flat_b)
    assert flat_a @ Ma > 0 and flat_b @ Mb > 0
    assert not Ma[given.free.numpy().reshape(-1) == 0].any()


@pytest.mark.parametrize("ratio", [1.0, 1e4])
@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_solves_a_scrambled_mesh_at_any_ratio_of_moduli(kind, ratio):
    given, _sim = system(scrambled(), layered(scrambled(), ratio), "f64")
    b, x = right(given, 1), given.vectors.new()
    result = linear.PCG(preconditioner=kind, iterations=4000).solve(given, b, x, 1e-11)
    left = given.vectors.new()
    given.apply(x, left)
    assert np.linalg.norm(left.numpy() - b.numpy()) < 1e-6 * np.linalg.norm(b.numpy()) and not result.negative


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_single_precision_on_a_stiff_body(kind):
    """At 10⁸ Pa and 1/20 s, where inertia adds next to nothing to the matrix."""
    given, _sim = system(scrambled(), 1e8, "f32")
    b, x, exact = right(given, 1), given.vectors.new(), given.vectors.new()
    linear.PCG(preconditioner=kind).solve(given, b, x, 1e-5)
    linear.Direct().solve(replace(given, work={}), b, exact, 0.0)
    assert np.linalg.norm(x.numpy() - exact.numpy()) < 2e-3 * np.linalg.norm(exact.numpy())
