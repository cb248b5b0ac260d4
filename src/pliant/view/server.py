"""Serves the page and streams to it, in a thread of its own.

Each client gets what it has room for: no client waits for another, and the simulation waits for none.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import http
import json
import logging
import threading
import time
from collections import deque
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from ..errors import InputError
from .access import Door, safe_headers
from .loop import Loop
from .protocol import MOST_BYTES, Command, Snapshot, pack_frame, parse

IN_FLIGHT = 2  # frames that a client has not yet acknowledged
CLIENTS = 16
REFUSALS = 10  # messages of a client that may be refused before it has to go
PER_SECOND, BURST = 240.0, 480.0  # messages of a client
FILES = {
    "/": ("index.html", "text/html"),
    "/app.js": ("app.js", "text/javascript"),
    "/start.js": ("start.js", "text/javascript"),
}
log = logging.getLogger("pliant.view")
_quiet = logging.getLogger("pliant.view.socket")
_quiet.setLevel(logging.CRITICAL)  # what matters is said in one line each, below


class Client:
    """One page: what it has been sent, and what it may still send."""

    def __init__(self, number: int, connection: ServerConnection):
        self.number, self.connection = number, connection
        self.wake = asyncio.Event()
        self.epoch = self.state = self.last = 0
        self.told: dict[str, Any] | None = None
        self.flight: set[int] = set()
        self.notes: deque[dict[str, Any]] = deque(maxlen=8)
        self.refused, self._allowance, self._then = 0, BURST, time.monotonic()

    @property
    def room(self) -> bool:
        return len(self.flight) < IN_FLIGHT

    def too_fast(self) -> bool:
        """Count a message against the rate that is allowed."""
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._then) * PER_SECOND) - 1
        self._then = now
        return self._allowance < 0


class Server:
    """A web server for one loop; ``start`` returns when it listens, ``port`` is then known."""

    def __init__(self, loop: Loop, host: str, port: int, token: str):
        self.loop, self.host, self.port, self.token = loop, host, port, token
        self.door = Door(host, token)
        self.clients: dict[int, Client] = {}
        self.frames_sent = self.bytes_sent = 0
        self._next = 0
        self._packed: tuple[Snapshot | None, bytes] = (None, b"")
        self._ready, self._failed = threading.Event(), None
        self._thread = threading.Thread(target=self._run, name="pliant server", daemon=True)

    # --- from other threads

    def start(self) -> None:
        self._thread.start()
        self._ready.wait()
        if self._failed is not None:
            where = f"{self.host}:{self.port}"
            raise InputError(f"cannot listen on {where}: {self._failed}; choose another port or host")

    def stop(self) -> None:
        """Close all connections and end the thread."""
        if self._thread.is_alive() and not self._aio.is_closed():
            with contextlib.suppress(RuntimeError):  # it may end by itself just now
                self._aio.call_soon_threadsafe(self._end.set)
            self._thread.join(10.0)

    def _news(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._aio.call_soon_threadsafe(self._wake)

    # --- the thread

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._failed = error.strerror or str(error)
        except Exception as error:
            self._failed = f"{type(error).__name__}: {error}"
            log.exception("the server ended")
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._aio, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with serve(
            self._client, self.host, self.port, process_request=self._answer, compression=None, max_size=MOST_BYTES,
            max_queue=32, ping_interval=20, ping_timeout=20, close_timeout=1, logger=_quiet, server_header=None,
        ) as server:  # fmt: skip
            self.port = server.sockets[0].getsockname()[1]
            self.loop.listeners.append(self._news)
            self._demand()
            self._ready.set()
            await self._end.wait()
            self.loop.listeners.remove(self._news)

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The page and its files; None lets a WebSocket begin."""
        path = urlsplit(request.path).path
        refused = self.door.refusal(request.path, request.headers)
        if refused is None and path == "/live":
            if len(self.clients) < CLIENTS:
                return None
            refused = (503, f"{CLIENTS} pages are open already")
        if refused is not None:
            log.warning("refused %s from %s: %s", path[:80], _peer(connection), refused[1])
            return self._response(request, refused[0], "text/plain", f"Refused: {refused[1]}.\n".encode())
        if path not in FILES:
            return self._response(request, 404, "text/plain", b"There is no such page.\n")
        name, kind = FILES[path]
        body = resources.files(__package__).joinpath("static", name).read_bytes()
        if name == "index.html":
            query = f"?{urlsplit(request.path).query}" if urlsplit(request.path).query else ""
            body = body.replace(b"{query}", html.escape(query).encode())
        return self._response(request, 200, kind, body)

    def _response(self, request: Request, status: int, kind: str, body: bytes) -> Response:
        host = request.headers.get("Host", "") if status == 200 else "localhost"
        headers = Headers(safe_headers(host))
        headers["Content-Type"] = f"{kind}; charset=utf-8"
        headers["Content-Length"] = str(len(body))
        headers["Connection"] = "close"
        return Response(status, http.HTTPStatus(status).phrase, headers, body)

    async def _client(self, connection: ServerConnection) -> None:
        self._next += 1
        client = Client(self._next, connection)
        self.clients[client.number] = client
        writer = asyncio.create_task(self._write(client))
        client.wake.set()
        self._demand()
        try:
            await self._read(client)
        except ConnectionClosed as closed:
            sent = closed.sent
            if sent is not None and sent.code == 1009:
                log.warning("refused a message from %s: over %d bytes", _peer(connection), MOST_BYTES)
        finally:
            writer.cancel()
            del self.clients[client.number]
            self._demand()
            self.loop.post(Command("leave", {}, client.number))
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    async def _read(self, client: Client) -> None:
        async for text in client.connection:
            if client.too_fast():
                log.warning("closed %s: over %g messages a second", _peer(client.connection), PER_SECOND)
                await client.connection.close(1008, "too many messages")
                return
            try:
                command = parse(text, client.number)
                if command.do == "ack":
                    self._acknowledged(client, command.values["frame"])
                elif not self.loop.post(command):
                    raise InputError(f"{command.do}: too many commands wait already; try again")
            except InputError as error:
                client.refused += 1
                log.warning("refused a message from %s: %s", _peer(client.connection), error)
                if client.refused >= REFUSALS:
                    await client.connection.close(1008, "too many messages that do not fit")
                    return
                client.notes.append({"say": "refused", "why": str(error)})
                client.wake.set()

    def _acknowledged(self, client: Client, number: int) -> None:
        client.flight.discard(number)
        client.wake.set()
        self._demand()

    async def _write(self, client: Client) -> None:
        """Send what is new: of states, statistics and frames always only the latest."""
        loop, connection = self.loop, client.connection
        with contextlib.suppress(ConnectionClosed):
            while True:
                await client.wake.wait()
                client.wake.clear()
                epoch, scene = loop.scene
                if client.epoch != epoch:
                    await connection.send(scene)
                    client.epoch = epoch
                    client.flight.clear()
                state = loop.state
                if state["version"] != client.state:
                    client.state = state["version"]
                    await connection.send(json.dumps(state))
                while client.notes:
                    await connection.send(json.dumps(client.notes.popleft()))
                statistics = loop.statistics
                if statistics and statistics is not client.told and client.room:
                    client.told = statistics
                    await connection.send(json.dumps(statistics))
                shot = loop.latest
                if shot is not None and shot.number != client.last and shot.epoch == client.epoch and client.room:
                    client.last = shot.number
                    client.flight.add(shot.number)
                    self._demand()
                    data = self._frame(shot)
                    await connection.send(data)
                    self.frames_sent += 1
                    self.bytes_sent += len(data)

    def _frame(self, shot: Snapshot) -> bytes:
        """The bytes of a snapshot, packed once for all clients."""
        if self._packed[0] is not shot:
            self._packed = (shot, pack_frame(shot))
        return self._packed[1]

    def _wake(self) -> None:
        for client in self.clients.values():
            client.wake.set()

    def _demand(self) -> None:
        """Tell the loop whether anybody has room for a frame."""
        before, self.loop.wanted = self.loop.wanted, any(client.room for client in self.clients.values())
        if self.loop.wanted and not before:
            self.loop.commands.wake()


def _peer(connection: ServerConnection) -> str:
    address = connection.remote_address
    return str(address[0]) if address else "somebody who left"
