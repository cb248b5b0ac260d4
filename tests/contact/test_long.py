"""Long runs of a stack, a gripper and a pile: nothing is lost, nothing creeps, memory stays what it is.

A thousand steps of each; ``PLIANT_LONG=10000 pytest -m slow tests/contact/test_long.py`` takes as many as asked.
"""

import os

import pytest

from benchmarks.contact_long import GAP, LIFTED, SCENES, long

pytestmark = pytest.mark.slow

STEPS = int(os.environ.get("PLIANT_LONG", "1000"))
LIMITS = {"stack by penalty": -5e-4, "gripper": -5e-4, "stack by complementarity": -1e-5}  # m, of the worst gap


@pytest.mark.parametrize("name", SCENES)
def test_many_steps_leave_nothing_behind(name):
    found = long(name, STEPS)
    assert found.failed == 0 and found.finite
    assert found.worst_gap > LIMITS.get(name, 0.0)
    assert found.memory[1] < found.memory[0] + 16 and found.threads[1] == found.threads[0]
    if name == "gripper":
        assert found.lifts == int((STEPS / 100 - LIFTED) / (2 * LIFTED)) + 1
    else:
        assert found.drift < GAP
