"""What OBJ and MTL files say beside places: texture points, normals, colours, materials and names of objects."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath

import numpy as np

from ....errors import InputError
from ...mesh.mesh_looks import NONE, Finish, Looks, light, shared
from ..source import Source, show

Sibling = Callable[[str], Source]


class Told:
    """What lines of an OBJ file said of the faces after them, while it is read."""

    def __init__(self):
        self.uv: list[list[bytes]] = []
        self.uv_lines: list[int] = []
        self.slashed: list[tuple[int, list[bytes], int, int, int]] = []  # face, words, uv and normals so far, line
        self.said: dict[str, list[tuple[int, str]]] = {"usemtl": [], "o": [], "g": [], "s": []}  # from a face on
        self.libraries: list[str] = []

    def take(self, key: bytes, words: list[bytes], face: int, line: int) -> None:
        """A line that is about looks."""
        text = b" ".join(words[1:]).decode("utf-8", "replace")
        if key == b"vt":
            self.uv.append(words[1:])
            self.uv_lines.append(line)
        elif key == b"mtllib":
            self.libraries.append(text)
        elif (name := key.decode()) in self.said:
            self.said[name].append((face, text))

    def numbers(self, key: str, count: int) -> tuple[np.ndarray | None, tuple[str, ...]]:
        """(count,) which of the names each face was given, −1 before the first, and the names."""
        changes = [(face, text) for face, text in self.said[key] if text]
        if not changes:
            return None, ()
        names = tuple(dict.fromkeys(text for _, text in changes))
        edges = np.array([face for face, _ in changes] + [count])
        values = np.repeat([names.index(text) for _, text in changes], np.diff(edges))
        return np.concatenate([np.full(edges[0], NONE), values]), names

    def looks(
        self, source: Source, faces: list[list[int]], vertices: list[list[bytes]], lines: list[int], normals: int,
        beside: Sibling,
    ) -> Looks | None:  # fmt: skip
        """The looks of all faces; None where they are triangles and nothing more is said."""
        sizes = np.fromiter(map(len, faces), np.int64, len(faces))
        corners = np.fromiter((v for face in faces for v in face), np.int64, sizes.sum())
        uv, shading = self._seams(source, sizes, normals)
        finish, names = self.numbers("usemtl", len(faces))
        part, parts = self.numbers("o", len(faces))
        if len(parts) < 2 and (groups := self.numbers("g", len(faces)))[0] is not None and len(groups[1]) > len(parts):
            part, parts = groups
        smooth = shared(corners, shading) if shading is not None else self._groups(sizes, corners)
        colours = _colours(source, vertices, lines)
        plain = all(item is None for item in (uv, smooth, colours, finish, part))
        if plain and np.all(sizes == 3):
            return None
        return source.build(
            Looks, sizes, corners, uv, smooth, None if colours is None else colours[corners], finish,
            _finishes(names, self.libraries, beside), part, parts,
        )  # fmt: skip

    def _seams(self, source: Source, sizes: np.ndarray, normals: int) -> tuple[np.ndarray | None, np.ndarray | None]:
        """(c, 2) texture points of the corners and (c,) numbers of their normals; None where not all corners have them."""
        if len(self.slashed) != len(sizes):
            return None, None
        found, there = [], (len(self.uv), normals)
        for column, what in enumerate(("texture point", "normal"), 1):
            numbers: list[int] = []
            for _, words, *so_far, line in self.slashed:
                for word in words:
                    own = word.split(b"/")
                    text = own[column] if len(own) > column else b""
                    number = source.number(text, int, f"the number of a {what}", line) if text else 0
                    number = number - 1 if number > 0 else so_far[column - 1] + number if number else NONE
                    if text and not 0 <= number < there[column - 1]:
                        raise source.error(f"{show(word)} names a {what} that is not there", line)
                    numbers.append(number)
            whole = bool(numbers) and min(numbers) >= 0
            found.append(np.array(numbers, np.int64) if whole else None)
        if found[0] is not None:
            rows = [[*row, b"0"][:2] for row in self.uv]
            found[0] = source.table(rows, self.uv_lines, 2, float, "a texture point")[found[0]]
        return found[0], found[1]

    def _groups(self, sizes: np.ndarray, corners: np.ndarray) -> np.ndarray | None:
        """Normals that are shared within smoothing groups; faces in none are flat."""
        group, names = self.numbers("s", len(sizes))
        if group is None:
            return None
        flat = np.array([*(name in ("0", "off") for name in names), False])[group]  # −1: before the first line, smooth
        own = np.where(flat, len(names) + np.arange(len(sizes)), group)
        return shared(corners, np.repeat(own - own.min(), sizes))


def _colours(source: Source, vertices: list[list[bytes]], lines: list[int]) -> np.ndarray | None:
    """(n, 4) colours behind the places, where every vertex has them."""
    if not vertices or any(len(row) < 6 for row in vertices):
        return None
    rgb = source.table([row[3:6] for row in vertices], lines, 3, float, "a colour")
    return np.concatenate([light(np.clip(rgb, 0.0, 1.0)), np.ones((len(rgb), 1))], axis=1)


def picture(name: str, beside: Sibling) -> np.ndarray | None:
    """The bytes of a picture: where its name says, in the folder or below, or else in the folder itself."""
    for place in dict.fromkeys((name.replace("\\", "/"), PureWindowsPath(PurePosixPath(name).name).name)):
        if place:
            with contextlib.suppress(InputError):
                return np.frombuffer(beside(place).data, np.uint8)
    return None


def _finishes(names: tuple[str, ...], libraries: list[str], beside: Sibling) -> tuple[Finish, ...]:
    """What the libraries beside the file say of materials; one that is not found has its name alone."""
    known: dict[str, Finish] = {}
    for library in libraries:
        with contextlib.suppress(InputError):  # a file that was sent without it
            known |= _materials(beside(library), beside, set(names))
    return tuple(known.get(name, Finish(name)) for name in names)


def _materials(source: Source, beside: Sibling, wanted: set[str]) -> dict[str, Finish]:
    found: dict[str, Finish] = {}
    name = ""
    for text in source.lines():
        words = text.decode("utf-8", "replace").split()
        if not words:
            continue
        key, rest = words[0], words[1:]
        if key == "newmtl":
            name = " ".join(rest)
            found[name] = Finish(name)
        elif name in wanted:
            with contextlib.suppress(ValueError, IndexError):  # a line that makes no sense changes nothing
                found[name] = _with(found[name], key, rest, beside)
    return found


def _with(finish: Finish, key: str, words: list[str], beside: Sibling) -> Finish:
    """A material with what one line of a library says."""
    if key == "Kd":
        rgb = [min(max(float(word), 0.0), 1.0) for word in words[:3]]
        return replace(finish, colour=(rgb[0], rgb[1], rgb[2], finish.colour[3]))
    if key in ("d", "Tr"):
        opacity = min(max(float(words[-1]), 0.0), 1.0)
        return replace(finish, colour=(*finish.colour[:3], opacity if key == "d" else 1.0 - opacity))
    if key == "Ns":  # as Blender has it
        return replace(finish, roughness=1.0 - min(max(float(words[0]), 0.0), 1000.0) ** 0.5 / 1000.0**0.5)
    if key in ("Pr", "Pm"):
        return replace(finish, **{{"Pr": "roughness", "Pm": "metallic"}[key]: min(max(float(words[0]), 0.0), 1.0)})
    if key == "map_Kd":
        name = _map_name(words)
        return replace(finish, texture=name, image=picture(name, beside))
    return finish


def _map_name(words: list[str]) -> str:
    """The file that a map names, after its options."""
    takes = {"-s": 3, "-o": 3, "-t": 3, "-mm": 2}
    while words and words[0].startswith("-") and len(words) > 1:
        key, words = words[0], words[1:]
        for _ in range(takes.get(key, 1)):
            if len(words) > 1 and (key not in ("-s", "-o", "-t", "-mm") or _is_number(words[0])):
                words = words[1:]
    return " ".join(words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
