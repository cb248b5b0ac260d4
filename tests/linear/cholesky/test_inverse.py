"""The sparse inverse of a factor as a GPU has it: the same answers as by substitutions, which a CPU goes on with."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import read_scene
from pliant.linear.cholesky import analyse
from pliant.linear.cholesky.factor import on_device
from pliant.linear.cholesky.gpu import sparse_inverse_device
from pliant.runtime.device import Device
from pliant.solve.quasi_newton.constant_factor import prefactored

from .matrices import cases, grid

BOUND = {"f32": 2e-5, "f64": 1e-13}


def inverted(matrix, precision, **more):
    """The factor of a matrix with its inverse, as on a GPU."""
    analysis = analyse(matrix, **more)
    factor = on_device(analysis, Device("cpu", precision)).inverted()
    factor.take(analysis.pattern.lower_values(matrix))
    return factor


def both(factor, width, seed=0):
    """A⁻¹ b by products and by substitutions."""
    device, kind = factor.solver.device, factor.solver.kind(width)
    n = factor.analysis.count
    right = np.random.default_rng(seed).standard_normal((n, width))
    b, products, substitutions = (
        device.array(right[:, 0] if width == 1 else right, kind),
        *(device.zeros(n, kind) for _ in range(2)),
    )
    factor.solve_device(b, products)
    factor.solver.solve(b, substitutions, width)
    return products.numpy().astype(float), substitutions.numpy().astype(float)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("name", sorted(cases()))
def test_products_are_substitutions_to_rounding(name, precision):
    factor = inverted(cases()[name], precision)
    for width in (1, 3):
        products, substitutions = both(factor, width)
        assert np.abs(products - substitutions).max() <= BOUND[precision] * np.abs(substitutions).max()


def test_it_is_the_inverse_of_the_factor_and_as_sparse_as_the_tree():
    """Entries are those of the fronts on the path of each unknown, and no more; A⁻¹ = Sᵀ S."""
    X, matrix = grid(4)
    factor = inverted(matrix, "f64", positions=X)
    a, rows = factor.analysis, factor.inverse.rows
    above = np.zeros(a.fronts, np.int64)
    for f in range(a.fronts - 1, -1, -1):
        if a.parent[f] >= 0:
            above[f] = above[a.parent[f]] + a.pivots[a.parent[f]]
    assert rows.entries == (a.pivots * (a.pivots + above)).sum() < a.count**2
    S = np.zeros((a.count, a.count))
    values = factor.inverse.values.numpy()
    for f in range(a.fronts):
        c, w = int(a.pivots[f]), int(rows.width[f])
        block = values[rows.place[f] : rows.place[f] + c * w].reshape(c, w)
        S[rows.first[f] : rows.first[f] + c, rows.low[f] : rows.low[f] + w] = block
    dense = np.linalg.inv(matrix.toarray()[np.ix_(rows.order, rows.order)])
    assert np.abs(S.T @ S - dense).max() < 1e-13 * np.abs(dense).max() and not np.triu(S, 1).any()
    assert factor.inverse.bytes > 8 * rows.entries and factor.bytes > factor.inverse.bytes


def test_it_follows_new_values_and_local_changes():
    X, matrix = grid(4)
    factor = inverted(matrix, "f64", positions=X)
    first = both(factor, 1)[0]
    factor.update([3, 5], [3, 5], [1e3, 2e3])
    changed = both(factor, 1)
    assert np.abs(changed[0] - changed[1]).max() < 1e-13 * np.abs(first).max() < np.abs(changed[0] - first).max()
    factor.refactor(2.0 * matrix)
    halved = both(factor, 1)[0]
    assert np.abs(2.0 * halved - first).max() < 1e-12 * np.abs(first).max()


def beam(solver, precision="f64", obstacles=(), steps=8, law=None):
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2), origin=(0, 0, 0.02))
    law = law or pl.StableNeoHookean(young=2e4, poisson=0.3)
    body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
    scene = pl.Scene([body], obstacles=list(obstacles))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver=solver), precision=precision)
    reports = [sim.step() for _ in range(steps)]
    assert all(report.kept for report in reports)
    return sim


@pytest.mark.parametrize("kind", [pl.QuasiNewton, pl.ProjectiveDynamics])
def test_on_a_cpu_it_is_substitutions(kind):
    """Bit for bit, also after a cut."""
    ends = []
    for linear in (pl.linear.Direct(), pl.linear.SparseInverse()):
        sim = beam(kind(iterations=10, linear=linear), steps=2, law=pl.Arap(young=2e4))
        sim.cut(pl.Blade(path=[(0.2, -0.05, 0.2), (0.2, 0.05, 0.2)], depth=0.3))
        assert sim.step().kept and prefactored(sim.world.objective).factor.inverse is None
        ends.append(sim.x)
    assert np.array_equal(*ends)


def test_one_that_does_not_fit_into_an_array_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(sparse_inverse_device, "MOST_ENTRIES", 100)
    with pytest.raises(pl.errors.InputError, match=r"of 125 unknowns would have \d+ entries.*expected .* linear=Direct\(\)"):
        inverted(grid(4)[1], "f64")


def test_a_scene_file_names_it(tmp_path):
    text = """integrator = { ImplicitEuler = { dt = 0.01, solver = { QuasiNewton = { linear = { SparseInverse = {} } } } } }
[[bodies]]
shape = { tet_grid = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
material = { Arap = { young = 1e4 } }
[run]
seconds = 0.1
"""
    (tmp_path / "scene.toml").write_text(text)
    assert read_scene(tmp_path / "scene.toml").settings["integrator"].solver.linear == pl.linear.SparseInverse()


@pytest.mark.parametrize("kind", [pl.QuasiNewton, pl.ProjectiveDynamics])
def test_other_linear_solvers_are_refused(kind):
    with pytest.raises(pl.errors.InputError, match=r"linear=….* is .*PCG.*; expected Direct\(\) or SparseInverse\(\)"):
        kind(linear=pl.linear.PCG())
