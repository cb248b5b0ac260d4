"""Factors against dense algebra and SciPy's sparse LU: solves, new values, local changes, sparse right-hand sides."""

import numpy as np
import pytest
import warp as wp
from scipy import sparse
from scipy.sparse.linalg import splu

from pliant.errors import InputError
from pliant.linear.cholesky import analyse, factorise

from .matrices import cases, grid, random


def _error(matrix, x, b):
    """Residual over the size of what it is the difference of."""
    return np.abs(matrix @ x - b).max() / (abs(matrix).sum(axis=1).max() * np.abs(x).max() + np.abs(b).max())


@pytest.fixture(scope="module")
def block():
    """A grid large enough for blocks of more than one task, threads and a top."""
    X, matrix = grid(19)
    return X, matrix, analyse(matrix, positions=X)


@pytest.mark.parametrize("name", sorted(cases()))
@pytest.mark.parametrize("leaf", [1, 25])
def test_agrees_with_dense(name, leaf):
    matrix = cases()[name]
    factor = factorise(analyse(matrix, leaf=leaf), matrix)
    rng = np.random.default_rng(0)
    for shape in ((), (1,), (2,), (3,), (4,), (7,)):
        b = rng.standard_normal((matrix.shape[0], *shape))
        x = factor.solve(b)
        assert x.shape == b.shape
        np.testing.assert_allclose(x, np.linalg.solve(matrix.toarray(), b), rtol=0, atol=1e-11 * np.abs(x).max())


def test_agrees_with_splu(block):
    _, matrix, analysis = block
    b = np.random.default_rng(1).standard_normal((matrix.shape[0], 3))
    x = factorise(analysis, matrix).solve(b)
    expected = splu(matrix.tocsc()).solve(b)
    assert np.abs(x - expected).max() < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("seed", range(6))
def test_random_graphs(seed):
    matrix = random(200 + 150 * seed, 400 + 300 * seed, seed)
    b = np.random.default_rng(seed).standard_normal(matrix.shape[0])
    assert _error(matrix, factorise(analyse(matrix, leaf=5 + 10 * seed), matrix).solve(b), b) < 1e-14


def test_repeated_entries_add():
    rows, cols = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 0, 1, 1])
    factor = factorise(analyse(rows, cols), np.array([1.0, 2.0, -1.0, -1.0, 1.5, 1.5]))
    np.testing.assert_allclose(factor.solve(np.array([1.0, 2.0])), np.linalg.solve([[3.0, -1.0], [-1.0, 3.0]], [1.0, 2.0]))


def test_f32_is_close_and_refines_to_f64(block):
    _, matrix, analysis = block
    b = np.random.default_rng(2).standard_normal((matrix.shape[0], 3))
    factor = factorise(analysis, matrix, precision="f32")
    assert 1e-9 < _error(matrix, factor.solve(b), b) < 1e-6
    assert _error(matrix, factor.solve(b, refine=2), b) < 1e-15
    assert factor.bytes < 0.6 * factorise(analysis, matrix).bytes


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_threads_make_no_difference(block, precision):
    _, matrix, analysis = block
    b = np.random.default_rng(3).standard_normal((matrix.shape[0], 3))
    factors = [factorise(analysis, matrix, precision, threads=t) for t in (1, 2, 5)]
    assert len(factors[1].solver.plan.launches) > 1  # some fronts are shared
    for other in factors[1:]:
        assert np.array_equal(factors[0].solver.packed.numpy(), other.solver.packed.numpy())
        for width in (1, 3, 4):
            assert np.array_equal(factors[0].solve(b[:, :1].repeat(width, 1)), other.solve(b[:, :1].repeat(width, 1)))


def test_solve_device_and_its_refusals(block):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix)
    device = factor.solver.device
    b = np.random.default_rng(5).standard_normal((matrix.shape[0], 3))
    for right, kind in ((b, device.types.vec3), (b[:, 0], device.types.real)):
        given, out = device.array(right, kind), device.zeros(len(b), kind)
        factor.solve_device(given, out)
        assert _error(matrix, out.numpy(), right) < 1e-14
        assert np.array_equal(given.numpy(), right)
    with pytest.raises(InputError, match="b has shape"):
        factor.solve_device(device.zeros(3, device.types.vec3), out)
    with pytest.raises(InputError, match="precision of the factor"):
        factor.solve_device(device.zeros(len(b), wp.vec3f), device.zeros(len(b), device.types.vec3))
    with pytest.raises(InputError, match="b is a ndarray"):
        factor.solve_device(b, out)
    with pytest.raises(InputError, match="b has shape"):
        factor.solve(np.zeros(3))
    with pytest.raises(InputError, match="refine"):
        factor.solve(b, refine=-1)


def test_solve_in_place(block):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix, threads=2)
    device = factor.solver.device
    b = np.random.default_rng(8).standard_normal((matrix.shape[0], 3))
    both = device.array(b, device.types.vec3)
    factor.solve_device(both, both)
    assert np.array_equal(both.numpy(), factor.solve(b))


def test_refactor(block):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix)
    b = np.ones(matrix.shape[0])
    other = matrix.copy()
    other.data = other.data * 2.0
    factor.refactor(other)
    np.testing.assert_allclose(factor.solve(b), factorise(analysis, matrix).solve(b) / 2, rtol=1e-13)


def test_refuses_indefinite_and_stays_as_it_was(block):
    _, matrix, analysis = block
    worse = matrix.tolil()
    worse[1234, 1234] = -1.0
    with pytest.raises(InputError, match="not positive definite"):
        factorise(analysis, worse.tocsr())
    factor = factorise(analysis, matrix)
    before = factor.solver.packed.numpy().copy()
    with pytest.raises(InputError, match="not positive definite"):
        factor.refactor(worse.tocsr())
    assert np.array_equal(before, factor.solver.packed.numpy())
    with pytest.raises(InputError, match="row 1"):
        factorise(analyse([0, 0, 1, 1], [0, 1, 0, 1]), [1.0, 2.0, 2.0, 1.0])
    with pytest.raises(InputError, match="not positive definite"):
        factorise(analyse([0], [0]), [0.0])


def test_refuses_bad_values():
    analysis = analyse(cases()["pair"])
    with pytest.raises(InputError, match="not symmetric: entries"):
        factorise(analysis, [2.0, -1.0, -0.5, 2.0])
    with pytest.raises(InputError, match="not finite"):
        factorise(analysis, [2.0, np.nan, np.nan, 2.0])
    with pytest.raises(InputError, match="does not have the pattern"):
        factorise(analysis, sparse.eye(2).tocsr())
    with pytest.raises(InputError, match="expected \\(4,\\)"):
        factorise(analysis, [2.0])
    with pytest.raises(InputError, match="precision"):
        factorise(analysis, [2.0, -1.0, -1.0, 2.0], precision="f16")


@pytest.mark.parametrize("updatable", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_update_equals_refactor(block, updatable, threads):
    X, matrix, analysis = block
    factor = factorise(analysis, matrix, threads=threads, updatable=updatable)
    corner = np.argsort(np.linalg.norm(X, axis=1))[:6]
    changed = matrix.tolil()
    for i in corner:
        changed[i, i] += 1e5
    changed = changed.tocsr()
    redone = factor.update(corner, corner, np.full(6, 1e5))
    fresh = factorise(analysis, changed)
    assert np.array_equal(factor.solver.packed.numpy(), fresh.solver.packed.numpy())
    assert redone < analysis.fronts / 2 if updatable else redone == analysis.fronts
    # off the diagonal, and once more on top of it
    i, j = int(corner[0]), int(matrix[corner[0]].indices[-1])
    factor.update([i, i, j], [j, i, j], [-50.0, 50.0, 50.0])
    b = np.ones(matrix.shape[0])
    changed = changed.tolil()
    changed[i, j] -= 50.0
    changed[j, i] -= 50.0
    changed[i, i] += 50.0
    changed[j, j] += 50.0
    assert _error(changed.tocsr(), factor.solve(b), b) < 1e-14


def test_update_refuses(block):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix, updatable=True)
    before = factor.solver.packed.numpy().copy()
    with pytest.raises(InputError, match="not in the pattern"):
        factor.update([0], [7999], [1.0])
    with pytest.raises(InputError, match="three lists"):
        factor.update([0], [0], [1.0, 2.0])
    with pytest.raises(InputError, match="not positive definite"):
        factor.update([0], [0], [-1e9])
    assert np.array_equal(before, factor.solver.packed.numpy())
    assert factor.update([], [], []) == 0


@pytest.mark.parametrize("columns", [1, 3, 6])
def test_partial_solve_equals_full(block, columns):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix)
    rng = np.random.default_rng(6)
    factor.solve(rng.standard_normal((matrix.shape[0], 3)))  # leaves numbers behind that must not matter
    nodes, wanted = rng.choice(matrix.shape[0], 5, replace=False), rng.choice(matrix.shape[0], 9, replace=False)
    values = rng.standard_normal((5, columns))
    full = np.zeros((matrix.shape[0], columns))
    full[nodes] = values
    expected = factor.solve(full)[wanted]
    np.testing.assert_allclose(factor.solve_partial(nodes, values, wanted), expected, atol=1e-13 * np.abs(expected).max())


def test_compliance_by_partial_solves(block):
    _, matrix, analysis = block
    factor = factorise(analysis, matrix)
    nodes = np.array([5, 800, 4000])
    found = factor.solve_partial(nodes, np.eye(3), nodes)
    inverse = splu(sparse.csc_matrix(matrix)).solve(np.eye(matrix.shape[0])[:, nodes])[nodes]
    np.testing.assert_allclose(found, inverse, rtol=1e-10, atol=1e-14 * np.abs(inverse).max())
    with pytest.raises(InputError, match="more than once"):
        factor.solve_partial([1, 1], np.eye(2), [0])
    with pytest.raises(InputError, match="nodes must hold"):
        factor.solve_partial([-1], np.eye(1), [0])
    with pytest.raises(InputError, match="values have shape"):
        factor.solve_partial([1], np.eye(2), [0])


@pytest.mark.cuda
@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_cuda_agrees_also_as_a_graph(block, precision):
    if not wp.is_cuda_available():
        pytest.skip("no CUDA device")
    _, matrix, analysis = block
    factor = factorise(analysis, matrix, precision, device="cuda")
    device = factor.solver.device
    b = np.random.default_rng(7).standard_normal((matrix.shape[0], 3))
    expected = factorise(analysis, matrix).solve(b)
    bound = (1e-4 if precision == "f32" else 1e-11) * np.abs(expected).max()
    assert np.abs(factor.solve(b) - expected).max() < bound
    given, out = device.array(b, device.types.vec3), device.zeros(len(b), device.types.vec3)
    replay = device.repeated(lambda: factor.solve_device(given, out), 2, {})
    out.zero_()
    replay()
    assert np.abs(out.numpy() - expected).max() < bound
    for scale in (2.0, 3.0, 4.0):  # the first is recorded, the later ones are replayed
        factor.refactor(matrix * scale)
        assert np.abs(scale * factor.solve(b) - expected).max() < bound
    with pytest.raises(InputError, match="not positive definite"):
        factor.refactor(matrix * -1.0)
    assert np.abs(4.0 * factor.solve(b) - expected).max() < bound
