"""Things that hang together by pairs."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from pliant.contact.together import Together


@pytest.mark.parametrize("links", [0, 1, 40, 400, 3000])
def test_the_same_as_of_a_matrix(device, links):
    rng = np.random.default_rng(links)
    together = Together(device)
    for count in (1500, 700):  # the second in the room of the first
        one, other = rng.integers(0, count, (2, links))
        graph = sparse.coo_matrix((np.ones(links, bool), (one, other)), shape=(count, count))
        assert np.array_equal(together(count, one, other), connected_components(graph, directed=False)[1])


def test_long_chains_and_rings(device):
    n = 5000
    chain = np.random.default_rng(0).permutation(n)
    got = Together(device)(n + 3, chain, np.roll(chain, 1))
    assert np.array_equal(got, [*np.zeros(n), 1, 2, 3])
