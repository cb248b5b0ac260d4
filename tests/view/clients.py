"""A small body to look at, and a client that speaks to the viewer as the page does."""

import json
import struct
import time

import numpy as np
from websockets.sync.client import connect

import pliant as pl
from pliant.view.protocol.messages import EDGES, FRAME, HEADER, INSIDE, SCENE


def simulation(**changes) -> pl.Simulation:
    """A beam of 40 tets held at one end above a floor."""
    shape = pl.tet_grid((0.4, 0.1, 0.1), (8, 1, 1), origin=(0, 0, 0.3))
    body = pl.Body(shape, pl.StableNeoHookean(young=4e4, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-6, name="beam")
    scene = pl.Scene([body], [pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60), **changes)


class Page:
    """A raw client; ``frame`` and ``state`` are the latest that came."""

    def __init__(self, viewer, query: str | None = None, acknowledge: bool = True, **options):
        query = f"?token={viewer.server.token}" if query is None else query
        url = f"ws://127.0.0.1:{viewer.server.port}/live{query}"
        self._opened = connect(url, compression=None, max_size=2**26, proxy=None, **options)
        self.socket = self._opened.__enter__()
        self.acknowledge, self.frames, self.bytes = acknowledge, 0, 0
        self.scene: dict = {}
        self.edges: np.ndarray | None = None
        self.state: dict = {}
        self.statistics: dict = {}
        self.refused: list[str] = []
        self.frame: dict = {}

    def __enter__(self):
        return self

    def __exit__(self, *end):
        self._opened.__exit__(*end)

    def do(self, what: str, **values) -> None:
        self.socket.send(json.dumps({"do": what, **values}))

    def listen(self, until, seconds: float = 30.0):
        """Take messages until ``until(self)`` holds; fails after ``seconds``."""
        end = time.monotonic() + seconds
        while not until(self):
            left = end - time.monotonic()
            assert left > 0, f"nothing happened in {seconds} s; state {self.state}"
            try:
                self._take(self.socket.recv(timeout=min(left, 1.0)))
            except TimeoutError:
                continue
        return self

    def _take(self, message: str | bytes) -> None:
        if isinstance(message, str):
            found = json.loads(message)
            if found["say"] == "refused":
                self.refused.append(found["why"])
            else:
                setattr(self, found["say"], found)
        elif struct.unpack_from("<I", message)[0] == EDGES:
            self.edges = np.frombuffer(message, "<u4", offset=20).reshape(-1, 2)
        elif struct.unpack_from("<I", message)[0] == INSIDE:
            pass  # only frames are looked at
        elif struct.unpack_from("<I", message)[0] == SCENE:
            length = struct.unpack_from("<I", message, 4)[0]
            self.scene = json.loads(message[8 : 8 + length])
            self.arrays = {
                name: np.frombuffer(message, kind, count, 8 + length + offset)
                for name, (offset, kind, count) in self.scene["sections"].items()
            }
        else:
            self.frame = unpacked(message)
            self.frames, self.bytes = self.frames + 1, len(message)
            if self.acknowledge:
                self.do("ack", frame=self.frame["number"])


def unpacked(data: bytes) -> dict:
    """A frame as the page reads it."""
    kind, number, epoch, vertices, held, poses, contacts, flags, time_, *numbers = HEADER.unpack_from(data)
    assert kind == FRAME
    low, span = np.array(numbers[:3]), np.array(numbers[3:6])
    at, hands = HEADER.size, []
    for _ in range(held):
        handle, pinned, *rest = struct.unpack_from("<2I7f", data, at)
        hands.append({"handle": handle, "pinned": bool(pinned), "anchor": rest[:3], "target": rest[3:6], "force": rest[6]})
        at += 36
    placed = np.frombuffer(data, "<f4", 12 * poses, at).reshape(-1, 3, 4)
    at += 48 * poses
    touching = np.frombuffer(data, "<f4", 6 * contacts, at).reshape(-1, 6)
    at += 24 * contacts
    x = low + np.frombuffer(data, "<u2", 3 * vertices, at).reshape(-1, 3) * (span / 65535)
    at += 6 * vertices + 2 * (vertices % 2)
    colours = np.frombuffer(data, np.uint8, vertices, at) if flags & 2 else None
    at += vertices if flags & 2 else 0
    at, nodes = at + -at % 4, None
    if flags & 4:
        count = struct.unpack_from("<I", data, at)[0]
        nodes = low + np.frombuffer(data, "<u2", 3 * count, at + 4).reshape(-1, 3) * (span / 65535)
        at += 4 + 6 * count
        at += -at % 4
    inside = None
    if flags & 16:
        count = struct.unpack_from("<I", data, at)[0]
        places = low + np.frombuffer(data, "<u2", 3 * count, at + 4).reshape(-1, 3) * (span / 65535)
        inside = places, np.frombuffer(data, np.uint8, count, at + 4 + 6 * count)
    return {
        "number": number, "epoch": epoch, "time": time_, "running": bool(flags & 1), "x": x, "colours": colours, "held": hands,
        "poses": placed, "contacts": touching, "low": numbers[6], "high": numbers[7], "span": span, "nodes": nodes,
        "inside": inside,
    }  # fmt: skip
