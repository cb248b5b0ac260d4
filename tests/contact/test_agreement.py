"""Where their models are the same, the three responses of contact end in the same place."""

import numpy as np
import pytest

import pliant as pl
from benchmarks.contact_agreement import SCENES, differences, run


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_responses_agree_within_a_hundredth_of_the_motion(name):
    found = differences(name)
    assert found["motion"] > 1.9e-3
    apart = {pair: value for pair, value in found.items() if "–" in pair}
    assert len(apart) == 3 and all(value < 0.01 for value in apart.values()), apart


def test_points_that_slide_over_a_round_bar_meet_it_where_they_are():
    """Their ways cut through the bar, elsewhere than where they touch it."""
    (_, forces, _), (_, springs, _) = (run("beam", response) for response in ("complementarity", "penalty"))
    assert np.linalg.norm(forces - springs, axis=1).max() < 1.5e-4


def test_springs_hold_a_rim_that_crosses_nearly_flat_edges():
    """The upper block's rim lies across edges of the lower one that bend by less than half a degree, between its points."""
    (start, barrier, _), (_, springs, _) = (run("stacked", response) for response in ("barrier", "penalty"))
    way = np.linalg.norm(barrier - start, axis=1).max()
    assert np.linalg.norm(springs - barrier, axis=1).max() < 0.01 * way


def test_springs_of_blocks_whose_meshes_coincide_come_to_rest():
    """Edges lie on edges there, and each stays with the one that it pressed."""
    law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    blocks = [pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(0, 0, 1e-4 + 0.1002 * k)), law) for k in range(3)]
    contact = pl.Contact(friction=0.5, response=pl.contact.Penalty())
    simulation = pl.Simulation(pl.Scene(blocks, [pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(1 / 100))
    for _ in range(60):
        assert simulation.step().kept
    assert np.abs(simulation.v).max() < 1e-3
