"""Dropped files: announced, taken in parts, kept temporarily."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...arguments.atomic_files import scratch_folder
from ...errors import InputError, did_you_mean
from ...geometry.file_suffixes import MESHES, VOLUMES
from ...simulate.simulation import Simulation

MOST = 256 * 2**20  # [bytes] of all files that come together
PART = 2**16  # [bytes] of a message that carries a part of one
TOGETHER = 16  # files at once: a header and its data, a scene and its meshes
KEPT = 8  # drops that can be chosen again in the menu
LAYERED = ("usd", "usda", "usdc", "usdz")  # may name layers anywhere on this machine, so no page may send one
SUFFIXES = ("toml", *(s for s in dict.fromkeys((*MESHES, *VOLUMES)) if s not in LAYERED))  # of the one that is read
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # names that are devices on Windows

Maker = Callable[[], Simulation]
Reader = Callable[..., Maker]  # of a path, and ``up`` and ``unit`` or None, as in ``read``


def safe_name(name: str) -> str:
    """The last part of a path as the name of a file: no folder, no dot at its front, nothing that a system minds."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(c if c.isprintable() and c not in '<>:"|?*' else "_" for c in last).strip(" ").lstrip(".").rstrip(". ")
    kept = kept.encode("utf-8", "replace").decode()[-100:]
    if not kept.strip("_"):
        raise InputError(f"a file called {name[:40]!a}; expected a name with letters")
    return f"_{kept}" if _RESERVED.fullmatch(kept) else kept


def suffix_of(name: str) -> str:
    """The ending that names a format, without its dot and in small letters."""
    return "nii.gz" if name.lower().endswith(".nii.gz") else name.lower().rpartition(".")[2] if "." in name else ""


def announced(text: str | bytes) -> dict[str, int]:
    """Name → bytes of the files that a page wants to send; InputError says what does not fit."""
    try:
        files = json.loads(text)["files"] if isinstance(text, str) else None
        right = isinstance(files, list) and all(
            isinstance(f, list) and len(f) == 2 and isinstance(f[0], str) and type(f[1]) is int for f in files
        )
    except (ValueError, RecursionError, KeyError, TypeError):
        right = False
    if not right or not 0 < len(files) <= TOGETHER:
        raise InputError(f"expected names and sizes of 1 … {TOGETHER} files")
    found = {safe_name(name): size for name, size in files}
    if len(found) < len(files):
        raise InputError("two of the files have the same name; expected different ones")
    for name, size in found.items():
        if suffix_of(name) in LAYERED:
            raise InputError(f"{name} may name other files of this machine, so no page takes it; use pliant view {name}")
        if size <= 0:
            raise InputError(f"{name} is empty; expected a mesh, a volume or a scene file")
    if sum(found.values()) > MOST:
        given = sum(found.values()) / 2**20
        raise InputError(f"{first_read(found)} has {given:.0f} MiB; a page takes at most {MOST >> 20}: use pliant view FILE")
    first_read(found)
    return found


def first_read(names: Any) -> str:
    """Of files that come together the one that is read: a scene, else the first that is a mesh or a volume."""
    for name in sorted(names, key=lambda name: suffix_of(name) != "toml"):
        if suffix_of(name) in SUFFIXES:
            return name
    first = next(iter(names))
    near = did_you_mean(suffix_of(first), SUFFIXES)
    given = f"suffix {Path(first).suffix!r}" if Path(first).suffix else "no suffix"
    raise InputError(f"{first} has {given}{near}; expected one of {', '.join(SUFFIXES)}")


class Parcel:
    """Files on their way into a folder of their own, one after the other."""

    def __init__(self, folder: Path, sizes: dict[str, int]):
        self.folder, self._sizes = folder, sizes
        self.path = folder / first_read(sizes)  # what is read
        self._left = [[folder / name, size] for name, size in sizes.items()]

    @property
    def whole(self) -> bool:
        return not self._left

    def take(self, data: str | bytes) -> None:
        """The next part of the file under way; one that is longer than was said is refused."""
        file, left = self._left[0] if self._left else (None, 0)
        if not isinstance(data, bytes) or not data or len(data) > left:
            raise InputError(f"{self.path.name} is not as long as announced; send it again")
        with open(file, "ab") as opened:
            opened.write(data)
        self._left[0][1] -= len(data)
        if not self._left[0][1]:
            self._left.pop(0)


class Shelf:
    """What pages brought; ``reader`` makes of a path a function that makes a simulation."""

    def __init__(self, reader: Reader):
        if not callable(reader):
            raise InputError(
                f"view(reader={reader!r:.60}): expected a function of a path that returns one which makes a simulation"
            )
        self.reader, self.paths = reader, dict[str, Path]()  # name in the menu → what is read
        self.placing: dict[str, tuple[str, str]] = {}  # name → axis that points up, and unit; "" where not said
        self._folder: Path | None = None
        self._number, self._closed, self._lock = 0, False, threading.Lock()

    def begin(self, text: str | bytes) -> Parcel:
        """A place for the files that a page announces."""
        sizes = announced(text)
        with self._lock:
            if self._closed:
                raise InputError("the viewer is closing")
            if self._folder is None:
                self._folder = scratch_folder()
            self._number += 1
            place = self._folder / str(self._number)
            place.mkdir()
        return Parcel(place, sizes)

    def maker(self, path: Path, up: str = "", unit: str = "") -> Maker:
        """The function that makes the simulation of a file."""
        return self.reader(path, up=up or None, unit=unit or None)

    def tidy(self, name: str, before: Path | None) -> list[str]:
        """After ``name`` was opened in place of what was there ``before``: names that had to go, as too many are kept."""
        if before is not None and before != self.paths[name]:
            self.discard(before)
        gone = [other for other in self.paths if other != name][: max(len(self.paths) - KEPT, 0)]
        for old in gone:
            self.placing.pop(old)
            self.discard(self.paths.pop(old))
        return gone

    def named(self, text: str, path: Path) -> str:
        """A sentence that calls files by their names alone: nobody knows the folder."""
        return text.replace(f"{path.parent}{os.sep}", "").replace(str(path.parent), "its folder")

    def discard(self, path: Path) -> None:
        """Take away a file and what came with it."""
        shutil.rmtree(path.parent, ignore_errors=True)

    def close(self) -> None:
        """Take everything away."""
        with self._lock:
            self._closed = True
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
