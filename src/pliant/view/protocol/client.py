"""Client: a connected page, by socket or notebook."""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ...errors import InputError
from .messages import Command, Snapshot, pack_frame, parse
from .session import Turns

IN_FLIGHT = 2  # frames that a client has not yet acknowledged
CLIENTS = 16
REFUSALS = 10  # messages of a client that may be refused before it has to go
PER_SECOND, BURST = 240.0, 480.0  # messages of a client
log = logging.getLogger("pliant.view")


class Client:
    """One page that looks at a loop; ``wake`` is called when there may be something to send."""

    def __init__(self, number: int, audience: Audience, peer: str, wake: Callable[[], None]):
        self.number, self.audience, self.peer, self.wake = number, audience, peer, wake
        self.epoch = self.state = self.last = 0
        self.sent_statistics: dict[str, Any] | None = None
        self.edges: bytes | None = None
        self.inside: bytes | None = None
        self.flight: set[int] = set()
        self.notes: deque[dict[str, Any]] = deque(maxlen=8)
        self.refused, self._allowance, self._then = 0, BURST, time.monotonic()

    @property
    def room(self) -> bool:
        return len(self.flight) < IN_FLIGHT

    def owed(self) -> Iterator[str | bytes]:
        """Messages that are new to it: of states, statistics and frames always only the latest."""
        loop = self.audience.loop
        epoch, scene = loop.scene
        if self.epoch != epoch:
            yield scene
            self.epoch = epoch
            self.flight.clear()
        edges = loop.edges
        if edges is not self.edges:
            self.edges = edges
            if edges is not None:
                yield edges
        inside = loop.inside
        if inside is not self.inside:
            self.inside = inside
            if inside is not None:
                yield inside
        state = loop.state
        if state["version"] != self.state:
            self.state = state["version"]
            yield json.dumps(state)
        while self.notes:
            yield json.dumps(self.notes.popleft())
        statistics = loop.statistics
        if statistics and statistics is not self.sent_statistics and self.room:
            self.sent_statistics = statistics
            yield json.dumps(statistics)
        shot = loop.latest
        if shot is not None and shot.number != self.last and shot.epoch == self.epoch and self.room:
            self.last = shot.number
            self.flight.add(shot.number)
            self.audience.demand()
            yield self.audience.packed(shot)
            self.audience.frames_sent += 1

    def hear(self, text: str | bytes) -> str:
        """Take what it says; returns why it has to go, or nothing."""
        if self._too_fast():
            log.warning("closed %s: over %g messages a second", self.peer, PER_SECOND)
            return "too many messages"
        try:
            command = parse(text, self.number)
            if command.do == "ack":
                self.flight.discard(command.values["frame"])
                self.audience.loop.met()
                self.audience.demand()
                self.wake()
            elif command.do == "save":
                self.audience.save(self, command.values["kind"])
            elif not self.audience.loop.post(command):
                raise InputError(f"{command.do}: too many commands wait already; try again")
        except InputError as error:
            self.refused += 1
            log.warning("refused a message from %s: %s", self.peer, error)
            if self.refused >= REFUSALS:
                return "too many messages that do not fit"
            self.refuse(str(error))
        return ""

    def refuse(self, why: str, **more: str) -> None:
        """Say why something that it asked for will not be."""
        self.note({"say": "refused", "why": why} | more)

    def note(self, message: dict[str, Any]) -> None:
        """Something for this client alone."""
        self.notes.append(message)
        self.wake()

    def _too_fast(self) -> bool:
        """Count a message against the rate that is allowed."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._then) * PER_SECOND) - 1
        self._then = now
        return self._allowance < 0


class Audience:
    """All clients of a loop, in one thread; the loop takes snapshots only while one of them has room."""

    def __init__(self, loop: Turns, saver: Callable[[Client, str], None] | None = None):
        self.loop, self.clients, self._saver = loop, dict[int, Client](), saver
        self.frames_sent = self._next = 0
        self._packed: tuple[Snapshot | None, bytes] = (None, b"")

    @property
    def full(self) -> bool:
        return len(self.clients) >= CLIENTS

    def join(self, peer: str, wake: Callable[[], None]) -> Client:
        """Another page; it is owed everything, so wake it."""
        self._next += 1
        client = self.clients[self._next] = Client(self._next, self, peer, wake)
        self.demand()
        return client

    def leave(self, client: Client) -> None:
        """A page that is gone: its hands open."""
        del self.clients[client.number]
        self.demand()
        self.loop.post(Command("leave", {}, client.number))

    def save(self, client: Client, kind: str) -> None:
        """Begin to make a file of what was recorded; a server has a way to send one, others have not."""
        if self._saver is None:
            raise InputError("files cannot be fetched from here; write them in Python: pl.export(widget.recording, 'a.glb')")
        self._saver(client, kind)

    def wake(self) -> None:
        for client in list(self.clients.values()):
            client.wake()

    def demand(self) -> None:
        """Tell the loop whether anybody has room for a frame."""
        before, self.loop.wanted = self.loop.wanted, any(client.room for client in self.clients.values())
        if self.loop.wanted and not before:
            self.loop.commands.wake()

    def packed(self, shot: Snapshot) -> bytes:
        """The bytes of a snapshot, packed once for all clients."""
        if self._packed[0] is not shot:
            self._packed = (shot, pack_frame(shot))
        return self._packed[1]
