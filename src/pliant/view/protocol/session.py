"""Session: the common part of live simulations and replays."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from ...errors import InputError, PliantError
from ...simulate.record.run import Run
from .command_queue import Mailbox
from .dropped_files import Shelf
from .finite_numbers import finite
from .messages import Command, Snapshot

RATE = 60.0  # [1/s] snapshots at most
STATISTICS = 0.15  # [s] between two statements of energies and times
PATIENCE = 0.25  # [s] to wait at most before looking around
# commands after which nothing else is chosen, or which say so themselves
QUIET = ("grab", "move", "release", "unpin", "leave", "seek", "example", "accurate", "opened", "place")
log = logging.getLogger("pliant.view")


class Turns:
    """Something that moves on in turns, in its own thread after ``start`` or one by one by whoever calls ``turn``.

    What it says is in ``scene``, ``state``, ``statistics`` and ``latest``. These are replaced, never changed, so other
    threads read them without a lock; ``listeners`` are called after each change. A command ``x`` is the method ``do_x``
    of ``actions``; what has been chosen is said after it.
    """

    KIND = ""
    WITHOUT = ""  # the sentence that refuses a command which it does not know
    scene: tuple[int, bytes]  # its number and its description, packed
    shelf: Shelf | None = None  # where files that people drop on a page go; None where none are taken

    def __init__(self, name: str):
        self.name = name
        self.commands = Mailbox()
        self.listeners: list[Callable[[], None]] = []
        self.wanted = True  # whether anybody has room for a frame
        self.epoch, self.state_version = 0, 0
        self.latest: Snapshot | None = None
        self.edges: bytes | None = None  # the message that names the edges of elements, while they are shown
        self.inside: bytes | None = None  # that which names the tets inside of bodies, while a page clips them
        self.state: dict[str, Any] = {}
        self.statistics: dict[str, Any] = {}
        self.running = True
        self.speed = 1.0
        self.actions: Any = self  # whose methods the commands are
        self._note = (0, "")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"pliant {self.KIND}", daemon=True)

    @property
    def field(self) -> str:
        """What the bodies are coloured by, or "none"."""
        raise NotImplementedError(f"{type(self).__name__} needs field, as every Turns has")

    @property
    def recorded(self) -> Run | None:
        """What there is to save."""
        raise NotImplementedError(f"{type(self).__name__} needs recorded, as every Turns has")

    @property
    def recorded_as(self) -> str:
        """What it is called."""
        raise NotImplementedError(f"{type(self).__name__} needs recorded_as, as every Turns has")

    # --- from other threads

    def start(self) -> None:
        self._thread.start()

    def stop(self, timeout: float = 60.0) -> None:
        """End the thread after the turn under way."""
        self._stopping.set()
        self.commands.wake()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    def met(self) -> None:
        """Somebody looks: called from another thread whenever a page has drawn a frame."""

    def post(self, command: Command) -> bool:
        """Leave a command for the next turn; False where too many wait."""
        return self.commands.put(command)

    # --- one turn after the other

    def _run(self) -> None:
        self.begin()
        while not self._stopping.is_set():
            wait = self.due()
            self.turn(self.commands.take(min(wait, PATIENCE)), wait)

    def begin(self) -> None:
        """Before the first turn: from here on the clock counts."""
        raise NotImplementedError(f"{type(self).__name__} needs begin(), as every Turns has")

    def due(self) -> float:
        """Seconds until the next turn is due; 0 where it is due now."""
        raise NotImplementedError(f"{type(self).__name__} needs due(), as every Turns has")

    def turn(self, commands: list[Command], wait: float) -> None:
        """Obey commands, move on where it was time without a ``wait`` [s], and show what is new."""
        raise NotImplementedError(f"{type(self).__name__} needs turn(commands, wait), as every Turns has")

    def _obey(self, command: Command) -> None:
        try:
            action = getattr(self.actions, f"do_{command.do}", None)
            if action is None:
                raise InputError(f"{command.do}: {self.WITHOUT}")
            action(command.client, **command.values)
            if command.do not in QUIET:
                self.changed()
        except Exception as error:
            why = sentence(error)
            log.warning("refused %s: %s", command.do, why)
            self._mention(why)

    # --- what others see

    def _mention(self, text: str) -> None:
        """Say something once on all pages."""
        self._note = (self._note[0] + 1, text)
        self.changed()

    def changed(self) -> None:
        """Say what has been chosen, as it is now."""
        self.state_version += 1
        self.state = finite({
            "say": "state", "version": self.state_version, "epoch": self.epoch, "running": self.running, "speed": self.speed,
            "field": self.field, "note": list(self._note), **self._settings(),
        })  # fmt: skip
        self._tell()

    def _settings(self) -> dict[str, Any]:
        """What there is to know beside what all have."""
        raise NotImplementedError(f"{type(self).__name__} needs _settings(), as every Turns has")

    def _tell(self) -> None:
        for listener in self.listeners:
            listener()


def sentence(error: Exception) -> str:
    """What went wrong; faults of ours are named as such."""
    text = " ".join(str(error).split())[:300]
    return text if isinstance(error, PliantError) else f"unexpected {type(error).__name__}: {text}"
