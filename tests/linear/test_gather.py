"""Sums by lists: every contribution is counted once, wherever it is summed first."""

import itertools

import numpy as np
import pytest

from pliant.geometry.mesh.primitives import tet_grid
from pliant.linear.matrix.gather import BLOCK, folded_lists, gather_lists


def given_to_nodes(nodes, count, given):
    """What nodes get when blocks of elements sum their own first, as ``folded_lists`` says."""
    fold, starts, lists = folded_lists(nodes, count)
    blocks = fold[0]
    firsts, rest = fold[1 : blocks + 2], fold[blocks + 2 :]
    begins, entries = rest[: firsts[-1] + 1], rest[firsts[-1] + 1 :].astype(np.int32).view(np.uint16)
    corner, thread = np.divmod(entries[: nodes.size].astype(int), BLOCK)
    block = np.searchsorted(firsts, np.repeat(np.arange(firsts[-1]), np.diff(begins)), side="right") - 1
    sums = np.add.reduceat(given[block * BLOCK + thread, corner], begins[:-1])
    assert len(lists) == firsts[-1]
    return np.array([sums[lists[a:b]].sum() for a, b in itertools.pairwise(starts)])


def some_nodes(kind):
    if kind == "grid":
        mesh = tet_grid((1.0, 0.7, 0.5), (7, 6, 5), 5)
        return mesh.tets, len(mesh.vertices) + 3  # the last three have no tet
    if kind == "one":
        return np.array([[2, 0, 3, 1]]), 4
    rng = np.random.default_rng(0)
    return np.array([rng.permutation(90)[:4] for _ in range(3 * BLOCK + 1)]), 90


@pytest.mark.parametrize("kind", ("grid", "one", "random"))
def test_blocks_of_elements_sum_everything_once(kind):
    nodes, count = some_nodes(kind)
    given = np.random.default_rng(1).integers(-9, 9, nodes.shape).astype(float)  # whose sums are exact
    plain = np.zeros(count)
    np.add.at(plain, nodes.ravel(), given.ravel())
    assert np.array_equal(given_to_nodes(nodes, count, given), plain)


def test_blocks_of_a_mesh_leave_much_less_to_be_summed():
    mesh = tet_grid((1.0, 1.0, 1.0), (12, 12, 12), 6)
    _, _, lists = folded_lists(mesh.tets, len(mesh.vertices))
    assert len(lists) < mesh.tets.size / 4


def test_lists_are_in_ascending_order():
    starts, lists = gather_lists(np.array([2, 0, 2, 1, 0, 2]), 4)
    assert starts.tolist() == [0, 2, 3, 6, 6]
    assert lists.tolist() == [1, 4, 3, 0, 2, 5]
