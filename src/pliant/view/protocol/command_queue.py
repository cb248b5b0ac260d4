"""The command queue, the only way from the page back to the simulation: it never blocks and its size is bounded."""

from __future__ import annotations

import threading

from .messages import Command

LIMIT = 512  # commands that wait at most
ALWAYS = ("release", "leave")  # taken even then, as a hand must not stay closed


class Mailbox:
    """Commands in order; one that overtakes another of the same key replaces it."""

    def __init__(self, limit: int = LIMIT):
        self._limit, self._next = limit, 0
        self._waiting: dict[object, Command] = {}
        self._arrived = threading.Condition()

    def put(self, command: Command) -> bool:
        """Leave a command; False where too many wait already."""
        with self._arrived:
            key: object = command.key
            if key is not None:
                self._waiting.pop(key, None)
            if len(self._waiting) >= self._limit and command.do not in ALWAYS:
                return False
            if key is None:
                self._next += 1
                key = self._next
            self._waiting[key] = command
            self._arrived.notify()
            return True

    def take(self, timeout: float = 0.0) -> list[Command]:
        """All that wait, in order; where none does, wait for one up to ``timeout`` seconds."""
        with self._arrived:
            if not self._waiting and timeout > 0:
                self._arrived.wait(timeout)
            commands, self._waiting = list(self._waiting.values()), {}
            return commands

    def wake(self) -> None:
        """End a wait."""
        with self._arrived:
            self._arrived.notify()
