"""The protocol between page and server: small JSON messages up, checked field by field; binary frames down.

A frame is a header, hands, poses of obstacles, contacts, then positions as uint16 in the box of the bodies and field
values as uint8, and, where edges of elements are drawn, the number of their nodes and these as uint16; where a plane
clips bodies that are coloured, the same of the nodes inside, and their values. A scene, which comes once, is a JSON
description followed by the arrays that it points into.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments.checks import real
from ...errors import InputError, did_you_mean
from ...geometry.mesh.up_axis import UNITS

MOST_BYTES = 2048  # of a message from the page
SCENE, FRAME, EDGES, INSIDE = 1, 2, 3, 4  # kinds of binary messages
# kind, number, epoch, vertices, held, poses, contacts, flags; time; low, span, ends of the colours
HEADER = struct.Struct("<8Id8f")
RUNNING, COLOURED, NODES, TWO, WITHIN = 1, 2, 4, 8, 16  # flags of a frame
FAR = 1e6  # [m] nothing is further away

Check = Callable[[Any], bool]


def _number(low: float, high: float) -> Check:
    return lambda v: low <= real(v) <= high


def _whole(low: int, high: int) -> Check:
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def _word(most: int = 80) -> Check:
    return lambda v: isinstance(v, str) and 0 < len(v) <= most and v.isprintable()


def _several(item: Check, low: int, high: int) -> Check:
    return lambda v: isinstance(v, list) and low <= len(v) <= high and all(map(item, v))


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


_POINT = _several(_number(-FAR, FAR), 3, 3)
_HAND = _whole(0, 15)
# what may be done → name of each field → whether a value will do, and what is expected
MESSAGES: dict[str, dict[str, tuple[Check, str]]] = {
    "ack": {"frame": (_whole(0, 2**32 - 1), "the number of a frame")},
    "grab": {
        "hand": (_HAND, "a whole number 0 … 15"),
        "body": (_whole(0, 9999), "the number of a body"),
        "vertices": (_several(_whole(0, 2**31 - 1), 1, 3), "one to three surface vertices"),
        "weights": (_several(_number(-1e-6, 1.001), 1, 3), "one to three numbers 0 … 1"),
        "at": (_POINT, "three numbers in metres"),
    },
    "move": {"hand": (_HAND, "a whole number 0 … 15"), "at": (_POINT, "three numbers in metres")},
    "release": {"hand": (_HAND, "a whole number 0 … 15"), "pin": (_flag, "true or false")},
    "unpin": {"pin": (_whole(-1, 2**31 - 1), "the number of a pin, or -1 for all")},
    "cut": {
        "path": (_several(_POINT, 2, 32), "two to 32 points in metres"),
        "into": (_POINT, "three numbers"),
        "depth": (_number(1e-9, FAR), "a positive number of metres"),
    },
    "uncut": {},
    "strength": {"value": (_number(0.01, 100.0), "a factor 0.01 … 100")},
    "set": {
        "body": (_whole(0, 9999), "the number of a body"),
        "name": (_word(), "the name of a parameter"),
        "value": (_number(-1e15, 1e15), "a number"),
    },
    "preset": {"body": (_whole(0, 9999), "the number of a body"), "name": (_word(), "the name of a preset")},
    "defaults": {},
    "gravity": {"value": (_several(_number(-1000.0, 1000.0), 3, 3), "three numbers in m/s², at most 1000")},
    "friction": {"value": (_number(0.0, 100.0), "a number 0 … 100")},
    "pause": {"value": (_flag, "true or false")},
    "step": {},
    "back": {},
    "reset": {},
    "record": {"value": (_flag, "true or false")},
    "save": {"kind": (_word(8), "one of the kinds of files that the page offers")},
    "seek": {"time": (_number(-1e9, 1e9), "a time in seconds")},
    "loop": {"value": (_flag, "true or false")},
    "speed": {"value": (_number(0.01, 10.0), "a factor 0.01 … 10")},
    "colour": {"name": (_word(), "the name of a field")},
    "range": {"ends": (lambda v: v == [] or _several(_number(-1e15, 1e15), 2, 2)(v), "two numbers, or none")},
    "contacts": {"value": (_flag, "true or false")},
    "forces": {"value": (_flag, "true or false")},
    "elements": {"value": (_flag, "true or false")},
    "inside": {"value": (_flag, "true or false")},
    "solver": {"name": (_word(), "the name of a solver")},
    "example": {"name": (_word(), "the name of an example")},
    "accurate": {"value": (_flag, "true or false")},
    "place": {
        "up": (lambda v: v in ("", "x", "y", "z", "-x", "-y", "-z"), "an axis such as z or -y, or nothing"),
        "unit": (lambda v: v in ("", *UNITS), f"one of {', '.join(UNITS)}, or nothing"),
    },
}


@dataclass(frozen=True)
class Command:
    """Something to do between two steps, as ``client`` asked for it."""

    do: str
    values: dict[str, Any]
    client: int = 0

    @property
    def key(self) -> tuple | None:
        """Of two commands with the same key only the later matters; None where each counts."""
        if self.do in ("move", "set"):
            return (self.do, self.client, self.values.get("hand"), self.values.get("body"), self.values.get("name"))
        latest = (
            "gravity",
            "friction",
            "speed",
            "colour",
            "contacts",
            "elements",
            "strength",
            "seek",
            "range",
            "forces",
            "inside",
        )
        return (self.do,) if self.do in latest else None


def parse(text: str | bytes, client: int = 0) -> Command:
    """A message from the page as a command; InputError says what does not fit."""
    if not isinstance(text, str):
        raise InputError("a binary message; expected JSON text")
    if len(text) > MOST_BYTES:
        raise InputError(f"a message of {len(text)} characters; expected at most {MOST_BYTES}")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"a message that is not JSON: {text[:40]!a}; expected {{'do': …}}") from None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise InputError(f"a message without 'do': {text[:40]!a}; expected {{'do': …}}")
    do = message.pop("do")
    if do not in MESSAGES:
        near = did_you_mean(do[:40], MESSAGES)
        raise InputError(f"a message to do {do[:40]!a}{near}; expected one of {', '.join(MESSAGES)}")
    fields = MESSAGES[do]
    if message.keys() != fields.keys():
        given = ascii(", ".join(sorted(message)))[1:-1][:80] or "nothing"
        raise InputError(f"{do} with {given}; expected {', '.join(fields) or 'nothing'}")
    for name, (check, expected) in fields.items():
        if not check(message[name]):
            raise InputError(f"{do} with {name} = {ascii(message[name])[:40]}; expected {expected}")
    if do == "grab" and len(message["vertices"]) != len(message["weights"]):
        raise InputError(f"grab with {len(message['weights'])} weights; expected one for each vertex")
    return Command(do, message, client)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What a frame shows, taken between two steps."""

    number: int
    epoch: int  # which scene it belongs to
    time: float  # [s]
    running: bool
    positions: np.ndarray  # (s, 3) float32 surface vertices of all bodies [m]
    values: np.ndarray | None = None  # (s,) the field that colours them
    low: float = 0.0  # the values that the scale begins and ends with
    high: float = 1.0
    held: tuple[tuple, ...] = ()  # handle, whether pinned, anchor and target [m], force [N]
    poses: np.ndarray | None = None  # (obstacles, 4, 4)
    contacts: np.ndarray | None = None  # (c, 6) points [m] and normal forces [N]
    nodes: np.ndarray | None = None  # (n, 3) float32 where the edges of elements end [m]
    inside: tuple[np.ndarray, np.ndarray] | None = None  # (n, 3) float32 nodes inside [m], (n,) their values
    two: bool = False  # whether values lie on both sides of a neutral one


def pack_frame(shot: Snapshot) -> bytes:
    """A snapshot as the bytes of one frame; positions are exact to 1/65535 of the box."""
    x = shot.positions
    low, high = x.min(axis=0), x.max(axis=0)
    if shot.nodes is not None:
        low, high = np.minimum(low, shot.nodes.min(axis=0)), np.maximum(high, shot.nodes.max(axis=0))
    within = shot.inside is not None and len(shot.inside[0]) > 0
    if within:
        low, high = np.minimum(low, shot.inside[0].min(axis=0)), np.maximum(high, shot.inside[0].max(axis=0))
    span = np.maximum(high - low, np.float32(1e-9))
    flags = RUNNING * shot.running + COLOURED * (shot.values is not None) + NODES * (shot.nodes is not None)
    flags += TWO * shot.two + WITHIN * within
    placed = lambda points: ((points - low) * (np.float32(65535.0) / span) + np.float32(0.5)).astype("<u2").tobytes()
    scaled = lambda values: (
        np.clip((values - shot.low) * (255.0 / (shot.high - shot.low)) + 0.5, 0.0, 255.0).astype(np.uint8).tobytes()
    )
    poses = np.zeros((0, 12)) if shot.poses is None else shot.poses[:, :3, :].reshape(-1, 12)
    contacts = np.zeros((0, 6)) if shot.contacts is None else shot.contacts
    counts = (len(x), len(shot.held), len(poses), len(contacts), flags)
    parts = [HEADER.pack(FRAME, shot.number, shot.epoch, *counts, shot.time, *low, *span, shot.low, shot.high)]
    for handle, pinned, anchor, target, force in shot.held:
        parts.append(struct.pack("<2I7f", handle, pinned, *anchor, *target, force))
    parts += [poses.astype("<f4").tobytes(), contacts.astype("<f4").tobytes()]
    parts.append(placed(x))
    if shot.values is not None:
        parts.append(b"\0" * (2 * (len(x) % 2)))
        parts.append(scaled(shot.values))
    if shot.nodes is not None:
        parts.append(b"\0" * (-sum(map(len, parts)) % 4))
        parts += [struct.pack("<I", len(shot.nodes)), placed(shot.nodes)]
    if within:
        nodes, values = shot.inside
        parts.append(b"\0" * (-sum(map(len, parts)) % 4))
        parts += [struct.pack("<I", len(nodes)), placed(nodes), scaled(values)]
    return b"".join(parts)


def pack_scene(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """A description and the arrays that its ``sections`` point into (offset after the text, type, count)."""
    sections, offset, parts = {}, 0, []
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        data += b"\0" * (-len(data) % 4)
        sections[name] = [offset, array.dtype.str.lstrip("<|="), int(array.size)]
        parts.append(data)
        offset += len(data)
    text = json.dumps(about | {"sections": sections}, ensure_ascii=True, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([struct.pack("<2I", SCENE, len(text)), text, *parts])
