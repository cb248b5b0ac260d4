"""The block matrix and the lists by which contributions are gathered."""

import gc
import weakref

import numpy as np
import pytest

from pliant.linear.matrix.block_matrix import BlockGather, BlockMatrix
from pliant.linear.matrix.gather import gather_lists
from pliant.runtime.device import Device


def test_a_matrix_holds_every_pair_of_every_cell():
    cells = [np.array([[0, 1, 2, 3], [2, 3, 4, 5]]), np.array([[6, 0]])]
    matrix = BlockMatrix(Device(), 8, cells)
    wanted = {(i, i) for i in range(8)} | {(int(a), int(b)) for group in cells for cell in group for a in cell for b in cell}
    rows = np.repeat(np.arange(8), np.diff(matrix.row_start))
    assert set(zip(rows.tolist(), matrix.columns.tolist())) == wanted
    assert matrix.entries == len(wanted)
    for r, c in wanted:
        at = int(matrix.find([r], [c])[0])
        assert matrix.row_start[r] <= at < matrix.row_start[r + 1] and matrix.columns[at] == c
    assert np.array_equal(matrix.columns[matrix.diagonal], np.arange(8))


def test_a_matrix_multiplies_like_the_dense_one():
    device = Device()
    matrix = BlockMatrix(device, 3, [np.array([[0, 1]])])
    random = np.random.default_rng(0)
    matrix.values.assign(random.standard_normal((matrix.entries, 3, 3)))
    dense = np.zeros((3, 3, 3, 3))
    dense[np.repeat(np.arange(3), np.diff(matrix.row_start)), :, matrix.columns, :] = matrix.values.numpy()
    x = random.standard_normal((3, 3))
    out = device.array(np.ones((3, 3)), device.types.vec3)
    matrix.multiply(2.0, device.array(x, device.types.vec3), out)
    assert np.abs(out.numpy() - 1 - 2 * np.einsum("iajb,jb->ia", dense, x)).max() < 1e-13
    matrix.clear()
    assert not matrix.values.numpy().any()


def test_gather_lists_keep_the_order():
    targets = np.array([2, 0, 2, 1, 2])
    starts, lists = gather_lists(targets, 4)
    assert starts.tolist() == [0, 1, 2, 5, 5]
    assert lists.tolist() == [1, 3, 0, 2, 4]


def test_the_parts_of_a_gather_keep_their_memory():
    """A recorded program writes into them also when the gather was made anew."""
    device = Device()
    matrix = BlockMatrix(device, 4, [np.array([[0, 1, 2, 3]])])
    gather = BlockGather(device, matrix, np.array([[0, 1, 2, 3]]), [(0, 0), (0, 1)])
    memory, parts = weakref.ref(gather._flat), gather.parts
    del gather
    gc.collect()
    assert memory() is not None and parts.ptr == memory().ptr


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_blocks_are_gathered_where_their_corners_are_whatever_their_order(precision):
    device, random = Device(precision=precision), np.random.default_rng(1)
    cells = np.array([[3, 0, 2, 1], [1, 4, 3, -1], [4, 2, 0, 3]])
    pairs = [(i, j) for i in range(4) for j in range(i, 4)]
    matrix = BlockMatrix(device, 5, [cells[:1], cells[1:2, :3], cells[2:]])
    gather = BlockGather(device, matrix, cells, pairs)
    parts = random.standard_normal((len(pairs), 3, 3, 3)).astype(device.types.numpy)  # by pair and cell
    for k, (i, j) in enumerate(pairs):
        if i == j:
            parts[k] += parts[k].transpose(0, 2, 1)
    gather.parts.assign(parts)
    gather.add_to(matrix)
    expected = np.zeros((5, 3, 5, 3))
    for k, (i, j) in enumerate(pairs):
        for e, cell in enumerate(cells):
            if cell[i] >= 0 and cell[j] >= 0:
                expected[cell[i], :, cell[j], :] += parts[k, e]
                if i != j:
                    expected[cell[j], :, cell[i], :] += parts[k, e].T
    dense = np.zeros((5, 3, 5, 3))
    rows = np.repeat(np.arange(5), np.diff(matrix.row_start))
    for row, column, value in zip(rows, matrix.columns, matrix.values.numpy()):
        dense[row, :, column, :] = value
    assert np.abs(dense - expected).max() <= (1e-14 if precision == "f64" else 1e-5)
