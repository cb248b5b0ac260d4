"""The objects that a body was drawn as, and its vertices split where texture points, colours or normals are not shared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import numpy as np

from ...geometry.mesh.mesh import TriMesh, unique_rows
from ...geometry.mesh.mesh_looks import NONE, Finish, Looks, equal_rows
from ...simulate.record.run import Skin


@dataclass(frozen=True, eq=False)
class Piece:
    """One object of a body: its faces in numbers of the vertices that it picks from those of the body."""

    name: str  # "" where it has none
    pick: np.ndarray  # (p,)
    looks: Looks


def pieces(skin: Skin) -> list[Piece]:
    """The objects that draw a body; one with all of its vertices where it has no parts."""
    looks, every = skin.looks, np.arange(len(skin.parents))
    if looks is None:
        triangles = np.asarray(skin.triangles).reshape(-1, 3)
        return [Piece("", every, Looks(np.full(len(triangles), 3), triangles.ravel()))]
    found = [] if looks.part is None else np.unique(looks.part).tolist()
    if len(found) < 2:
        return [Piece(looks.parts[found[0]] if found and found[0] != NONE else "", every, looks)]
    made = []
    for number in found:
        own = looks.of(np.flatnonzero(looks.part == number))
        pick, corners = np.unique(own.corners, return_inverse=True)
        made.append(Piece("" if number == NONE else looks.parts[number], pick, replace(own, corners=corners)))
    return made


def normals(x: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 3) unit normals of vertices, up where there is none."""
    found = TriMesh(x, triangles).vertex_normals
    return np.where(np.linalg.norm(found, axis=1, keepdims=True) > 0.5, found, [[0.0, 0.0, 1.0]])


class Seams:
    """The vertices of a piece as formats want them that know one texture point, colour and normal for each."""

    def __init__(self, piece: Piece):
        looks = piece.looks
        self.pick, self.triangles = piece.pick, looks.corners[looks.fans]
        self.groups, self.group_triangles = self.pick, self.triangles  # vertices that share a normal
        self.shade = np.arange(len(self.pick))  # (s,) the group of each vertex
        self.uv = self.colours = None
        rows = [looks.corners]
        if looks.smooth is not None:
            first, inverse, _ = unique_rows(np.stack([looks.corners, looks.smooth - looks.smooth.min()], axis=1))
            self.groups, self.group_triangles = self.pick[looks.corners[first]], inverse[looks.fans]
            rows.append(inverse)
        rows += [equal_rows(values) for values in (looks.uv, looks.colours) if values is not None]
        if len(rows) > 1:
            first, inverse, _ = unique_rows(np.stack(rows, axis=1))
            self.shade = looks.corners[first] if looks.smooth is None else rows[1][first]
            self.pick, self.triangles = self.pick[looks.corners[first]], inverse[looks.fans]
            self.uv = None if looks.uv is None else looks.uv[first]
            self.colours = None if looks.colours is None else looks.colours[first]
        self.finish = None if looks.finish is None else looks.finish[looks.owners]  # (m,)
        self.finishes = looks.finishes

    def normals(self, x: np.ndarray) -> np.ndarray:
        """(s, 3) unit normals with the vertices of the body at ``x`` (n, 3); up where there is none."""
        return normals(x[self.groups], self.group_triangles)[self.shade]

    def split(self) -> list[tuple[int, np.ndarray]]:
        """(number of the finish, triangles) of all that are painted alike."""
        if self.finish is None:
            return [(NONE, self.triangles)]
        return [(int(n), self.triangles[self.finish == n]) for n in np.unique(self.finish)]


def file_name(finish: Finish) -> str:
    """The name of a picture beside what refers to it, without folders; "" for what is none of PNG or JPEG."""
    name = PurePosixPath(finish.texture.replace("\\", "/")).name
    return name if name.lower().endswith((".png", ".jpg", ".jpeg")) and name.isprintable() else ""


def pictures(skins: Iterable[Skin]) -> dict[str, bytes]:
    """Name → bytes of the pictures of bodies, which lie beside a file that refers to them."""
    finishes = [finish for skin in skins if skin.looks is not None for finish in skin.looks.finishes]
    return {file_name(f): f.image.tobytes() for f in finishes if f.kind is not None and file_name(f)}
