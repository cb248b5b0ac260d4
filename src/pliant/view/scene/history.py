"""The last steps of a simulation that is shown, so that time can go back: bounded in number and in memory."""

from __future__ import annotations

from collections import deque

from ...errors import InputError
from ...integrate.state import State
from ...simulate.scene.world import World
from ...simulate.simulation import Simulation

STEPS = 600  # kept at most
ROOM = 128 * 2**20  # [bytes] for all of them


class Past:
    """States before steps, the latest last."""

    def __init__(self) -> None:
        self._states: deque[tuple[World, State]] = deque(maxlen=STEPS)

    def __len__(self) -> int:
        return len(self._states)

    def keep(self, sim: Simulation) -> None:
        """Remember the state before a step; the oldest are forgotten where they take too much room."""
        state = sim.state.copy()
        self._states.append((sim.world, state))
        size = sum(getattr(state, name).capacity for name in State.FIELDS)
        while len(self._states) > max(ROOM // max(size, 1), 1):
            self._states.popleft()

    def forget(self, last: bool = False) -> None:
        """All of it, or only the last step, which was not taken."""
        if last:
            self._states.pop()
        else:
            self._states.clear()

    def back(self, sim: Simulation) -> None:
        """Undo the last step."""
        if self._states and self._states[-1][0] is not sim.world:
            self.forget()  # before a cut there were other nodes
        if not self._states:
            raise InputError("there is nothing to go back to: a start, a cut or the oldest step that is kept")
        sim.assign(self._states.pop()[1])
