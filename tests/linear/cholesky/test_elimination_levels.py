"""The solve for a GPU, run here on the CPU: against the CPU's own, and what makes it quick on a GPU."""

import numpy as np
import pytest

from pliant.linear.cholesky import analyse, factorise
from pliant.linear.cholesky.gpu import elimination_levels as levels_module
from pliant.linear.cholesky.gpu.level_kernels import FIELDS
from pliant.linear.cholesky.gpu.level_solve import LevelSolver
from pliant.linear.cholesky.symbolic.front_layout import GRANULE, STEP

from .matrices import cases, grid

BOUND = {"f32": 1e-5, "f64": 1e-14}


@pytest.fixture(scope="module")
def block():
    X, matrix = grid(19)
    return matrix, analyse(matrix, positions=X)


def levelled(factor) -> LevelSolver:
    solver = LevelSolver(factor.analysis, factor.solver.device, factor.numeric.packed_start)
    solver.take(factor.numeric.packed)
    return solver


def solved(solver, b: np.ndarray) -> np.ndarray:
    width = b.shape[1]
    right = solver.device.array(b[:, 0] if width == 1 else b, solver.kind(width))
    out = solver.device.zeros(len(b), solver.kind(width))
    solver.solve(right, out, width)
    return out.numpy().reshape(b.shape).astype(float)


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("width", [1, 3, 4])
def test_agrees_with_lists(block, precision, width):
    matrix, analysis = block
    factor = factorise(analysis, matrix, precision)
    b = np.random.default_rng(4).standard_normal((matrix.shape[0], width))
    expected = solved(factor.solver, b)
    assert np.abs(solved(levelled(factor), b) - expected).max() < BOUND[precision] * np.abs(expected).max()


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("leaf", [1, 25])
@pytest.mark.parametrize("name", sorted(cases()))
def test_agrees_on_every_matrix(name, leaf, precision):
    matrix = cases()[name]
    factor = factorise(analyse(matrix, leaf=leaf), matrix, precision)
    solver = levelled(factor)
    for width in (1, 3, 4):
        b = np.random.default_rng(width).standard_normal((matrix.shape[0], width))
        expected = solved(factor.solver, b)
        assert np.abs(solved(solver, b) - expected).max() <= 10 * BOUND[precision] * np.abs(expected).max()


@pytest.mark.parametrize("segment", [16, 32, 64])
def test_any_length_of_segments_will_do(block, segment, monkeypatch):
    """Fronts of several strips either way, and strips that end inside the pivots."""
    monkeypatch.setattr(levels_module, "SEGMENT", segment)
    monkeypatch.setattr(levels_module, "ENOUGH", 0)
    matrix, analysis = block
    factor = factorise(analysis, matrix)
    solver = levelled(factor)
    assert analysis.pivots.max() > 4 * segment
    b = np.random.default_rng(4).standard_normal((matrix.shape[0], 3))
    expected = factor.solve(b)
    assert np.abs(solved(solver, b) - expected).max() < 1e-14 * np.abs(expected).max()


def test_takes_new_values_and_forgets_bad_ones(block):
    matrix, analysis = block
    factor = factorise(analysis, matrix)
    solver = levelled(factor)
    b = np.random.default_rng(4).standard_normal((matrix.shape[0], 3))
    first = solved(solver, b)
    assert not np.isfinite(solved(solver, b * np.nan)).any()
    assert np.array_equal(solved(solver, b), first)  # bit for bit, and nothing left behind
    factor.refactor(matrix * 2.0)
    solver.take(factor.numeric.packed)
    np.testing.assert_allclose(solved(solver, b), first / 2, rtol=0, atol=1e-14 * np.abs(first).max())


def test_solves_in_place(block):
    matrix, analysis = block
    solver = levelled(factorise(analysis, matrix))
    b = np.random.default_rng(8).standard_normal((matrix.shape[0], 3))
    both = solver.device.array(b, solver.kind(3))
    solver.solve(both, both, 3)
    assert np.array_equal(both.numpy(), solved(solver, b))


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_threads_read_whole_sectors(block, precision):
    """Blocks start at and step by 32 bytes, pieces come in granules, and little is stored beside L itself."""
    matrix, analysis = block
    solver = levelled(factorise(analysis, matrix, precision))
    for blocks in (solver.levels.lower, solver.levels.upper):
        table = blocks.table.numpy().reshape(-1, len(FIELDS))
        field = dict(zip(FIELDS, table.T))
        for name in ("first", "lanes", "place"):
            assert (field[name] % GRANULE == 0).all()
        assert (field["length"] % STEP == 0).all() and field["length"].min() > 0
        assert np.array_equal(np.repeat(np.arange(len(table)), field["lanes"] // GRANULE), blocks.block_of.numpy())
        assert sum(count for _, count in blocks.spans) == blocks.pieces == field["lanes"].sum()
        assert analysis.nnz <= blocks.entries < 1.45 * analysis.nnz  # small fronts: padding and the diagonal blocks
    for stored in (solver.lower, solver.upper):
        assert np.isclose(np.abs(stored.numpy()).sum(dtype=float), np.abs(_packed(solver, analysis)).sum(dtype=float))
    size = 4 if precision == "f32" else 8
    assert solver.bytes > size * (solver.levels.lower.entries + solver.levels.upper.entries)


def _packed(solver: LevelSolver, analysis) -> np.ndarray:
    """The factor as the CPU keeps it, with nothing but zeros for padding."""
    matrix = grid(19)[1]
    return factorise(analysis, matrix, solver.device.precision).numeric.packed.numpy()


def test_factor_states_what_a_gpu_keeps(block):
    matrix, analysis = block
    factor = factorise(analysis, matrix, "f32")
    there = levelled(factor)
    on_gpu = type(factor)(analysis, factor.numeric, there, factor.lower)
    assert on_gpu.bytes == factor.bytes + there.bytes > factor.bytes + 8 * analysis.nnz
    b = np.ones((matrix.shape[0], 3))
    np.testing.assert_allclose(on_gpu.solve(b), factor.solve(b), rtol=1e-4)
    nodes = np.array([3, 500])
    expected = factor.solve_partial(nodes, np.eye(2), nodes)
    np.testing.assert_allclose(on_gpu.solve_partial(nodes, np.eye(2), nodes), expected, rtol=1e-4)
    on_gpu.refactor(matrix * 2.0)
    np.testing.assert_allclose(2 * on_gpu.solve(b), factorise(analysis, matrix, "f32").solve(b), rtol=1e-4)
