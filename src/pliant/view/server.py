"""Server of the page, streaming in its own thread.

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
from collections.abc import Awaitable
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from ..errors import InputError
from .pages.downloads import Saves
from .protocol.access import Door, safe_headers
from .protocol.client import CLIENTS, Audience, Client
from .protocol.dropped_files import PART, Shelf
from .protocol.messages import MOST_BYTES, Command
from .protocol.session import Turns, sentence

FILES = {"/": ("index.html", "text/html"), "/app.js": ("app.js", "text/javascript"), "/start.js": ("start.js", "text/javascript")}
ASK, SLOW = 10.0, 600.0  # [s] to ask for something after coming, and for a file to go out
DOWNLOADS, STILL = 4, 30.0  # files that go out at once, each held in memory, and [s] that one may stand still
TAKEN = 2  # pages that send files at once
SAVES = 3  # files that are made or wait for it; each may take as much memory as the run
log = logging.getLogger("pliant.view")
_quiet = logging.getLogger("pliant.view.socket")
_quiet.setLevel(logging.CRITICAL)  # what matters is said in one line each, below


class Connection(ServerConnection):
    """One that is ended unless it asks for something soon; what it gets may then take its time."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.loop.call_later(ASK, lambda: None if getattr(self, "request", None) else transport.abort())

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        if getattr(self, "ended", None) is not None:
            self.ended()


class Server:
    """A web server for one loop; ``start`` returns when it listens, ``port`` is then known."""

    def __init__(self, loop: Turns, host: str, port: int, token: str):
        self.loop, self.host, self.port, self.token = loop, host, port, token
        self.door = Door(host, token)
        self.audience, self.saves = Audience(loop, self._save), Saves()
        self._saving: dict[int, asyncio.Task] = {}
        self._downloads: dict[ServerConnection, asyncio.Task] = {}
        self.clients = self.audience.clients
        self._taken = 0  # pages that send files
        self._ready, self._failed = threading.Event(), None
        self._thread = threading.Thread(target=self._run, name="pliant server", daemon=True)

    @property
    def frames_sent(self) -> int:
        return self.audience.frames_sent

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
        self.saves.close()

    def _news(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._aio.call_soon_threadsafe(self.audience.wake)

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
            self._client, self.host, self.port, process_request=self._answer, compression=None, max_size=PART,
            max_queue=32, ping_interval=20, ping_timeout=20, close_timeout=1, logger=_quiet, server_header=None,
            create_connection=Connection, open_timeout=SLOW,
        ) as server:  # fmt: skip
            self.port = server.sockets[0].getsockname()[1]
            self.loop.listeners.append(self._news)
            self.audience.demand()
            self._ready.set()
            await self._end.wait()
            self.loop.listeners.remove(self._news)

    def _answer(self, connection: ServerConnection, request: Request) -> Response | Awaitable[Response] | None:
        """The page and its files; None lets a WebSocket begin."""
        refused = self.door.refusal(request.path, request.headers)
        if not refused and getattr(request, "method", "GET") != "GET":  # older websockets refuse others themselves
            refused = (405, "expected GET")
        path = "" if refused else urlsplit(request.path).path
        if path == "/live":
            if not self.audience.full:
                return None
            refused = (503, f"{CLIENTS} pages are open already")
        elif path == "/open" and self.loop.shelf is not None:
            if self._taken < TAKEN:
                return None
            refused = (503, f"{TAKEN} pages send files already; try again")
        elif path.startswith("/recording/") and len(self._downloads) >= DOWNLOADS:
            refused = (503, f"{DOWNLOADS} files go out already; try again")
        if refused is not None:
            log.warning("refused a request from %s: %s", _peer(connection), refused[1])
            return self._response(request, refused[0], "text/plain", f"Refused: {refused[1]}.\n".encode())
        if path.startswith("/recording/"):
            return self._download(connection, request, path)
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
        headers["Content-Type"] = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        headers["Content-Length"] = str(len(body))
        headers["Connection"] = "close"
        if status == 405:
            headers["Allow"] = "GET"
        return Response(status, http.HTTPStatus(status).phrase, headers, body)

    def _save(self, client: Client, kind: str) -> None:
        """Have a file made in another thread; the client is told when it can be fetched."""
        if client.number in self._saving:
            raise InputError("a file is being written already; wait for it")
        if len(self._saving) >= SAVES:
            raise InputError(f"{SAVES} files are being written for other pages; try again when they are done")
        self._saving[client.number] = asyncio.create_task(self._made(client, kind))

    async def _made(self, client: Client, kind: str) -> None:
        def make() -> dict[str, Any]:
            if client.number not in self.clients:
                raise InputError("the page that asked for it has gone")
            return self.saves.make(self.loop.recorded, kind, self.loop.recorded_as)

        try:
            client.note({"say": "saved", "kind": kind} | await asyncio.to_thread(make))
        except Exception as error:
            log.warning("could not save as %s: %s", kind, sentence(error))
            client.refuse(sentence(error), do="save")
        finally:
            del self._saving[client.number]

    async def _download(self, connection: ServerConnection, request: Request, path: str) -> Response:
        self._downloads[connection] = asyncio.create_task(self._watch(connection))
        connection.ended = lambda: self._downloads.pop(connection).cancel()
        file = await asyncio.to_thread(self.saves.read, path)
        if file is None:
            return self._response(request, 404, "text/plain", b"There is no such file any more; save it again.\n")
        name, kind, body = file
        connection.close_timeout = SLOW
        response = self._response(request, 200, kind, body)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def _watch(self, connection: ServerConnection) -> None:
        """End a download of which nothing is taken for a while, so that another may begin."""
        left, since = -1, time.monotonic()
        while time.monotonic() - since < STILL:
            await asyncio.sleep(STILL / 8)
            now = connection.transport.get_write_buffer_size()
            if now != left:
                left, since = now, time.monotonic()
        log.warning("ended a download of %s, which took nothing for %g s", _peer(connection), STILL)
        connection.transport.abort()

    async def _open(self, connection: ServerConnection, shelf: Shelf) -> None:
        """Take files from a page: their names and sizes first, then one part after the other, then the loop reads them."""
        parcel, self._taken = None, self._taken + 1

        async def said() -> str | bytes:
            return await asyncio.wait_for(connection.recv(), STILL)

        try:
            parcel = shelf.begin(await said())
            await connection.send('{"say": "go"}')
            while not parcel.whole:
                parcel.take(await said())
            if not self.loop.post(Command("opened", {"path": parcel.path})):
                raise InputError("too many commands wait already; try again")
            parcel = None  # from here on it is the loop's
            await connection.send('{"say": "taken"}')
        except (InputError, OSError) as error:
            why = "it stood still for too long; send it again" if isinstance(error, TimeoutError) else sentence(error)
            log.warning("refused a file from %s: %s", _peer(connection), why)
            with contextlib.suppress(ConnectionClosed):
                await connection.send(json.dumps({"say": "refused", "why": why}))
        except ConnectionClosed:
            log.warning("a file from %s did not arrive whole", _peer(connection))
        finally:
            self._taken -= 1
            if parcel is not None:
                shelf.discard(parcel.path)

    async def _client(self, connection: ServerConnection) -> None:
        if urlsplit(connection.request.path).path == "/open":
            return await self._open(connection, self.loop.shelf)
        news = asyncio.Event()
        news.set()
        client = self.audience.join(_peer(connection), news.set)
        writer = asyncio.create_task(self._write(client, connection, news))
        try:
            async for text in connection:
                if len(text) > MOST_BYTES:
                    log.warning("refused a message from %s: over %d bytes", client.peer, MOST_BYTES)
                    await connection.close(1009, "too long")
                    return
                if why := client.hear(text):
                    await connection.close(1008, why)
                    return
        except ConnectionClosed as closed:
            sent = closed.sent
            if sent is not None and sent.code == 1009:
                log.warning("refused a message from %s: over %d bytes", client.peer, MOST_BYTES)
        finally:
            writer.cancel()
            self.audience.leave(client)
            with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
                await writer

    async def _write(self, client: Client, connection: ServerConnection, news: asyncio.Event) -> None:
        """Send what is new, whenever there is something."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await news.wait()
                news.clear()
                for message in client.owed():
                    await connection.send(message)


def _peer(connection: ServerConnection) -> str:
    address = connection.remote_address
    return str(address[0]) if address else "somebody who left"
