"""Nested dissection: a permutation, a tree that separates, and little fill."""

import numpy as np
import pytest

from pliant.geometry.mesh.primitives import tet_grid
from pliant.linear.cholesky.symbolic import satellites as satellites_module
from pliant.linear.cholesky.symbolic.graph_embedding import embed
from pliant.linear.cholesky.symbolic.ordering import dissect, postorder
from pliant.linear.cholesky.symbolic.satellites import LINKS, merged, satellites, without
from pliant.linear.cholesky.symbolic.symbolic_factor import analyse
from pliant.linear.cholesky.symbolic.symmetric_pattern import read_pattern

from .matrices import cases, grid


@pytest.mark.parametrize("name", sorted(cases()))
@pytest.mark.parametrize("leaf", [1, 20])
def test_blocks_touch_only_their_ancestors(name, leaf):
    matrix = cases()[name]
    graph = read_pattern(matrix).graph()
    found = dissect(graph, embed(graph), leaf)
    n = matrix.shape[0]
    assert np.array_equal(np.sort(found.permutation), np.arange(n))
    assert found.start[0] == 0 and found.start[-1] == n and (np.diff(found.start) > 0).all()
    _separates(graph, found)


def _separates(graph, found):
    n, up = graph.shape[0], found.parent
    assert ((up > np.arange(len(up))) | (up < 0)).all()
    block = np.empty(n, int)
    block[found.permutation] = np.repeat(np.arange(len(up)), np.diff(found.start))
    ancestors = [set() for _ in up]
    for k in range(len(up) - 1, -1, -1):
        ancestors[k] = {k} | (ancestors[up[k]] if up[k] >= 0 else set())
    edges = graph.tocoo()
    for i, j in zip(block[edges.row], block[edges.col]):
        assert max(i, j) in ancestors[min(i, j)]


def test_separators_of_a_grid_are_planes():
    X, matrix = grid(10)
    graph = read_pattern(matrix).graph()
    found = dissect(graph, X)
    assert found.start[-1] - found.start[-2] == 121  # the root is one plane of 11 × 11 nodes


def test_separator_is_the_smaller_side_of_an_uneven_cut():
    """A plane of many nodes tied to a few must be cut at the few."""
    from scipy import sparse

    hubs, leaves = 4, 100  # hub h at height 0 touches 25 nodes at height 1 and the next hub
    i = np.concatenate([np.repeat(np.arange(hubs), leaves // hubs), np.arange(hubs - 1)])
    j = np.concatenate([hubs + np.arange(leaves), np.arange(1, hubs)])
    graph = sparse.coo_matrix((np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i])), shape=(104, 104)).tocsr()
    heights = np.concatenate([np.zeros(hubs), np.linspace(1.0, 2.0, leaves)])[:, None]
    found = dissect(graph, heights, leaf=60)
    assert found.start[-1] - found.start[-2] <= hubs


def test_parts_that_do_not_touch_are_cut_apart_for_nothing():
    """Bodies in the same place cost what they cost alone, and isolated nodes hardly anything."""
    from scipy import sparse

    X, matrix = grid(8)
    alone = analyse(matrix, positions=X).nnz
    many = sparse.block_diag([matrix] * 5 + [sparse.identity(500)]).tocsr()
    found = analyse(many, positions=np.concatenate([X] * 5 + [np.zeros((500, 3))]))
    assert 5 * alone <= found.nnz <= 5 * alone + 500 * 40


def test_order_without_positions_fills_little_more():
    X, matrix = grid(14)
    known, unknown = analyse(matrix, positions=X).nnz, analyse(matrix).nnz
    assert unknown < 1.5 * known
    assert known < 430_000


def test_postorder_keeps_subtrees_together():
    parent = np.array([4, 5, 4, 5, -1, 4])
    order = postorder(parent)
    place = np.empty(6, int)
    place[order] = np.arange(6)
    assert (place[parent[[0, 1, 2, 3, 5]]] > place[[0, 1, 2, 3, 5]]).all()
    assert np.ptp(place[[1, 3, 5]]) == 2


def test_satellites_do_not_touch_and_have_few_neighbours():
    for name, matrix in cases().items():
        graph = read_pattern(matrix).graph()
        found = satellites(graph)
        assert graph[found][:, found].nnz == 0, name
        assert np.diff(graph.indptr)[found].max(initial=0) <= LINKS
        # none could be added
        few = np.diff(graph.indptr) <= LINKS
        few[found] = False
        assert (graph[np.flatnonzero(few)][:, found].sum(axis=1) > 0).all(), name


@pytest.mark.parametrize("name", ["pieces", "grid", "chain", "random", "star"])
@pytest.mark.parametrize("leaf", [1, 20])
def test_merged_blocks_touch_only_their_ancestors(name, leaf):
    graph = read_pattern(cases()[name]).graph()
    first = satellites(graph)
    rest = np.setdiff1d(np.arange(graph.shape[0]), first)
    left = without(graph, first, rest)
    found = merged(graph, first, rest, dissect(left, embed(left), leaf))
    assert np.array_equal(np.sort(found.permutation), np.arange(graph.shape[0]))
    assert found.start[0] == 0 and found.start[-1] == graph.shape[0] and (np.diff(found.start) > 0).all()
    _separates(graph, found)


def test_a_lattice_of_five_tets_to_a_cube_fills_less(monkeypatch):
    mesh = tet_grid((1.0, 0.5, 0.5), (24, 12, 12), 5)
    tets = np.asarray(mesh.tets)
    i, j = np.repeat(tets, 4, axis=1).ravel(), np.tile(tets, (1, 4)).ravel()
    first = analyse(i, j, positions=mesh.vertices).nnz
    monkeypatch.setattr(satellites_module, "LEAST_SHARE", 2.0)
    assert first < 0.9 * analyse(i, j, positions=mesh.vertices).nnz
