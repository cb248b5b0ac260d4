"""Somebody who cuts, tears and drags at random, by the messages of the page; benchmarks/cut_in_viewer.py plays for minutes."""

import numpy as np
import pytest

from benchmarks.cut_in_viewer import handled, turned


def test_cutting_tearing_and_dragging_at_random_raises_nothing():
    loop, person, faults = turned(16, seed=0)
    assert faults.unexpected == [] and sum(person.did.values()) > 20
    assert np.isfinite(loop.sim.x).all() and np.isfinite(loop.latest.positions).all()


@pytest.mark.slow
def test_a_minute_in_the_thread_of_the_viewer():
    found = handled(60.0, seed=2, every=20.0)
    assert found["unexpected"] == [] and found["threads that died"] == [] and found["finite"]
    assert found["steps"] > 10 and found["did"]["cut"] > 5
