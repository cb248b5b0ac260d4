"""Time goes back step by step, and on again as before."""

import numpy as np
import pytest

from pliant.view.live_loop import Loop
from pliant.view.protocol.messages import Command
from pliant.view.scene import history

from .clients import simulation


def stepped(loop: Loop, count: int) -> list[np.ndarray]:
    found = []
    for _ in range(count):
        loop._step()
        found.append(loop.sim.x.copy())
    return found


def test_steps_are_undone_one_by_one_and_taken_again_to_the_bit():
    loop = Loop(simulation())
    places = stepped(loop, 5)
    for expected in (places[3], places[2], places[1]):
        loop._obey(Command("back", {}))
        assert np.array_equal(loop.sim.x, expected) and not loop.running
    assert loop.sim.t == pytest.approx(2 / 60) and loop.state["note"][1] == ""
    again = stepped(loop, 3)
    assert all(map(np.array_equal, again, places[2:]))
    for _ in range(6):
        loop._obey(Command("back", {}))
    assert loop.sim.t == 0.0 and loop.state["note"][1].startswith("there is nothing to go back to")


def test_a_reset_ends_it_and_only_so_many_are_kept(monkeypatch):
    loop = Loop(simulation())
    stepped(loop, 2)
    loop._obey(Command("reset", {}))
    loop._obey(Command("back", {}))
    assert loop.state["note"][1].startswith("there is nothing to go back to") and len(loop.past) == 0
    monkeypatch.setattr(history, "ROOM", 3 * 6 * 8 * loop.sim.x.size)
    stepped(loop, 9)
    assert 1 <= len(loop.past) < 9
