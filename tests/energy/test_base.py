"""The sparsity pattern and the lists by which contributions are gathered."""

import numpy as np

from pliant.device import Device
from pliant.energy.base import Energy, Pattern, gather_lists


def test_pattern_holds_every_pair_of_every_cell():
    cells = [np.array([[0, 1, 2, 3], [2, 3, 4, 5]]), np.array([[6, 0]])]
    pattern = Pattern(Device(), 8, cells)
    wanted = {(i, i) for i in range(8)} | {(int(a), int(b)) for group in cells for cell in group for a in cell for b in cell}
    rows = np.repeat(np.arange(8), np.diff(pattern.row_start))
    assert set(zip(rows.tolist(), pattern.columns.tolist())) == wanted
    assert pattern.entries == len(wanted)
    for r, c in wanted:
        at = int(pattern.find([r], [c])[0])
        assert pattern.row_start[r] <= at < pattern.row_start[r + 1] and pattern.columns[at] == c
    assert np.array_equal(pattern.columns[pattern.diagonal], np.arange(8))


def test_a_pattern_multiplies_like_the_matrix_it_holds():
    device = Device()
    pattern = Pattern(device, 3, [np.array([[0, 1]])])
    random = np.random.default_rng(0)
    pattern.values.assign(random.standard_normal((pattern.entries, 3, 3)))
    dense = np.zeros((3, 3, 3, 3))
    dense[np.repeat(np.arange(3), np.diff(pattern.row_start)), :, pattern.columns, :] = pattern.values.numpy()
    x = random.standard_normal((3, 3))
    out = device.array(np.ones((3, 3)), device.types.vec3)
    pattern.multiply(2.0, device.array(x, device.types.vec3), out)
    assert np.abs(out.numpy() - 1 - 2 * np.einsum("iajb,jb->ia", dense, x)).max() < 1e-13
    pattern.clear()
    assert not pattern.values.numpy().any()



def test_gather_lists_keep_the_order():
    targets = np.array([2, 0, 2, 1, 2])
    starts, lists = gather_lists(targets, 4)
    assert starts.tolist() == [0, 1, 2, 5, 5]
    assert lists.tolist() == [1, 3, 0, 2, 4]


def test_an_energy_is_nothing_unless_told():
    energy = Energy(Device())
    assert energy.value(None) == 0.0 and energy.step_limit(None, None) == 1.0
    assert energy.cells() is None and energy.sensitivity(None, None) is None
