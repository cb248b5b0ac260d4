"""What pairs add to a matrix: each entry has its place, and what has none is written nowhere else."""

import numpy as np
import pytest
import warp as wp

from pliant.contact.pairs.pair_coupling import Coupling
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device


@pytest.mark.parametrize("spare", [0, 50])
def test_what_has_no_place_comes_after_the_entries_of_a_matrix_with_room_for_more(spare):
    """Its arrays are longer than its entries are many where it may be cut in place."""
    device = Device("cpu", "f64")
    matrix = BlockMatrix(device, 6, [np.array([[0, 1, 2, 3]])], spare=spare)
    nodes = device.array(np.array([[0, 1, 2, 3, 4, 5], [1, 2, 3, 0, 5, 4]]), wp.int32)
    weights = device.array(np.array([[1.0, 0.5, 1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 0.0, 0.0, 0.0, 0.0]]), wp.float64)
    coupling = Coupling(device, 2, nodes, weights)
    coupling.attach(matrix)
    pairs = device.array([[0, 1, 2, 3], [0, 1, 2, 4]], wp.vec4i)
    order = device.array([0, 1], wp.int32)
    assert coupling.find(pairs, order, 1)  # nodes of weight 0 need no place
    assert not coupling.find(pairs, order, 2)  # nodes 0 and 4 are not coupled
    size = 2 * coupling.each
    places, entries = coupling.places.numpy()[:size], coupling.entries.numpy()[:size]
    assert places.min() == 0 and places.max() == matrix.room == len(coupling.starts) - 1
    starts, ends = coupling.starts.numpy(), coupling.ends.numpy()
    for place in np.unique(places):
        np.testing.assert_array_equal(places[starts[place] : ends[place]], place)
    assert (ends - starts).sum() == size and len(np.unique(entries)) == size
