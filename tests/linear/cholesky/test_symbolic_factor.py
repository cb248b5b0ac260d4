"""The layout of a factor holds every entry that elimination makes, and refuses what is no symmetric matrix."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from pliant.errors import InputError
from pliant.linear.cholesky import analyse, factorise
from pliant.linear.cholesky.cpu.thread_schedule import Room, schedule
from pliant.linear.cholesky.symbolic import symbolic_factor
from pliant.linear.cholesky.symbolic.symbolic_factor import analyse_blocks
from pliant.linear.cholesky.symbolic.symmetric_pattern import read_pattern

from .matrices import cases, grid


@pytest.mark.parametrize("name", sorted(cases()))
def test_fronts_hold_the_fill(name):
    matrix = cases()[name]
    a = analyse(matrix, leaf=15)
    filled = np.abs(np.linalg.cholesky(matrix.toarray()[np.ix_(a.permutation, a.permutation)])) > 1e-14
    for f in range(a.fronts):
        columns = slice(a.start[f], a.start[f + 1])
        allowed = set(range(a.start[f], a.start[f + 1])) | set(a.rows[a.row_start[f] : a.row_start[f + 1]].tolist())
        assert set(np.flatnonzero(filled[:, columns].any(axis=1)).tolist()) <= allowed
    assert a.nnz >= filled.sum()


def test_updates_land_on_the_same_rows_of_the_parent():
    a = analyse(grid(6)[1], leaf=20)
    for f in np.flatnonzero(a.parent >= 0):
        p = a.parent[f]
        parent_rows = np.concatenate([np.arange(a.start[p], a.start[p + 1]), a.rows[a.row_start[p] : a.row_start[p + 1]]])
        span = slice(a.row_start[f], a.row_start[f + 1])
        assert np.array_equal(parent_rows[a.relative[span]], a.rows[span])


@pytest.mark.parametrize("size", [1, 3])
def test_blocks_are_their_entries(size):
    """A matrix of dense blocks, ordered by its nodes, solves as the same matrix entry by entry."""
    nodes = cases()["pieces"].tocoo()
    rng = np.random.default_rng(0)
    n = nodes.shape[0]
    half = sparse.bsr_matrix(
        (rng.standard_normal((nodes.nnz, size, size)), nodes.col, np.searchsorted(nodes.row, np.arange(n + 1))),
        shape=(size * n, size * n),
    )
    matrix = (half + half.T + sparse.eye(size * n) * 60.0 * size).tobsr((size, size))
    matrix.sort_indices()
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    a = analyse_blocks(rows, matrix.indices, size, leaf=10)
    assert a.count == size * n and (a.pivots % size == 0).all() and (a.below % size == 0).all()
    b = rng.standard_normal(size * n)
    found = factorise(a, matrix.data.reshape(-1)).solve(b)
    assert np.abs(matrix @ found - b).max() < 1e-11


@pytest.mark.parametrize("name", ["single", "star", "random", "pieces"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_pattern_of_blocks_is_that_of_their_entries(name, size):
    """In any order, some of them twice."""
    nodes = cases()[name].tocoo()
    rng, each = np.random.default_rng(1), np.arange(size)
    twice = rng.integers(0, nodes.nnz, 3)
    twice = np.flatnonzero(np.isin(nodes.row, nodes.row[twice]) & (nodes.row == nodes.col))
    order = rng.permutation(np.concatenate([np.arange(nodes.nnz), twice]))
    i, j = nodes.row[order], nodes.col[order]
    found = read_pattern(i, j, nodes.shape[0]).of_blocks(size)
    rows = np.broadcast_to(size * i[:, None, None] + each[:, None], (len(i), size, size)).reshape(-1)
    cols = np.broadcast_to(size * j[:, None, None] + each, (len(j), size, size)).reshape(-1)
    expected = read_pattern(rows, cols, size * nodes.shape[0])
    for field in ("count", "rows", "cols", "lower_rows", "lower_cols", "slot", "mirror"):
        assert np.array_equal(getattr(found, field), getattr(expected, field)), field


@pytest.mark.parametrize("name", sorted(cases()))
def test_a_matrix_by_rows_is_read_as_its_entries_are(name):
    matrix = cases()[name]
    listed = matrix.tocoo()
    one, two = read_pattern(matrix), read_pattern(listed.row, listed.col, matrix.shape[0])
    for field in ("count", "rows", "cols", "lower_rows", "lower_cols", "slot", "mirror"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_schedule_covers_every_front_once_children_first(threads):
    a = analyse(grid(9)[1], leaf=20)
    plan = schedule(a, a.flops, threads)
    assert np.array_equal(np.sort(np.concatenate([*plan.bins, plan.top])), np.arange(a.fronts))
    thread = np.full(a.fronts, -1)
    for t, fronts in enumerate(plan.bins):
        thread[fronts] = t
        assert (np.diff(fronts) > 0).all()
    for f in np.flatnonzero((thread >= 0) & (a.parent >= 0)):
        assert thread[a.parent[f]] in (-1, thread[f])
    for f in plan.top:
        assert a.parent[f] < 0 or thread[a.parent[f]] == -1


def test_room_uses_again_what_was_given_back():
    room = Room(100)
    a, b, c = room.take(10), room.take(20), room.take(5)
    assert (a, b, c) == (100, 110, 130)
    room.give(b, 20)
    assert room.take(15) == 110 and room.take(5) == 125
    room.give(c, 5)
    assert room.end == 130 and room.peak == 135


def test_room_of_many_never_overlaps_and_is_empty_in_the_end():
    rng, room, held = np.random.default_rng(3), Room(10), []
    for _ in range(400):
        if held and rng.random() < 0.5:
            room.give(*held.pop(rng.integers(len(held))))
        else:
            length = int(rng.integers(1, 9))
            held.append((room.take(length), length))
        spans = sorted((at, at + length) for at, length in (*held, *room.free))
        assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(spans))
        assert sum(end - begin for begin, end in spans) == room.end - 10 <= room.peak - 10
    for one in held:
        room.give(*one)
    assert room.free == [] and room.end == 10


def test_rows_find_room_however_little_there_was(monkeypatch):
    matrix = grid(6)[1]
    first = analyse(matrix, leaf=20)
    monkeypatch.setattr(symbolic_factor, "FILL", 0)
    again = analyse(matrix, leaf=20)
    for name in ("parent", "row_start", "rows", "relative", "entry_order", "entry_place"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))


def test_refuses_what_is_no_symmetric_matrix():
    matrix = cases()["pair"]
    with pytest.raises(InputError, match="square"):
        analyse(sparse.csr_matrix(np.ones((2, 3))))
    with pytest.raises(InputError, match="both triangles"):
        analyse(sparse.tril(matrix))
    with pytest.raises(InputError, match="no diagonal entry, the first 1"):
        analyse([0], [0], count=2)
    with pytest.raises(InputError, match="count"):
        analyse([0], [0], count="many")
    with pytest.raises(InputError, match="outside"):
        analyse([0, 5], [0, 5], count=3)
    with pytest.raises(InputError, match="as many"):
        analyse([0, 1], [0])
    with pytest.raises(InputError, match="whole numbers"):
        analyse([0.5], [0.5])
    with pytest.raises(InputError, match="at least one"):
        analyse([], [])
    with pytest.raises(InputError, match="positions"):
        analyse(matrix, positions=np.zeros((3, 3)))
    with pytest.raises(InputError, match="leaf"):
        analyse(matrix, leaf=0)
    with pytest.raises(InputError, match="SciPy sparse"):
        analyse(matrix.toarray())
