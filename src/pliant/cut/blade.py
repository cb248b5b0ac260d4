"""A blade: a path swept along a depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arguments import checks
from ..arguments.short_repr import brief
from ..arguments.typing_fields import Vector
from ..errors import InputError, first_few
from ..geometry.mesh.mesh import TriMesh
from . import blade_native

SLACK = 1e-9  # of the size of a blade: a point this close to the rim counts as on the blade
SMALL = 0.1  # of a path: shorter loops are ignored
LAP = 0.1  # of a loop: overlap of consecutive strokes


@dataclass(frozen=True, eq=False)
class Blade:
    """A cutting sheet in world coordinates: a ``path`` of (k, 3) points [m], swept by ``depth`` [m] along ``into``.

    Two points make a plane patch, more of them a sheet with bends. Where the path, seen along ``into``, crosses itself, as
    around a lump that is cut out, it is cut in ``strokes``.
    """

    path: Sequence[Vector] | np.ndarray
    depth: float
    into: Vector = (0.0, 0.0, -1.0)
    __repr__ = brief

    def __post_init__(self):
        empty = isinstance(self.path, list | tuple) and len(self.path) == 0
        path = np.zeros((0, 3)) if empty else checks.points("points of Blade(path=…)", self.path)
        if len(path) < 2:
            raise InputError(f"Blade(path=…) has {len(path)} points; expected two or more in metres")
        path.setflags(write=False)
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "depth", checks.length("Blade(depth=…)", self.depth))
        object.__setattr__(self, "into", tuple(checks.direction("Blade(into=…)", self.into).tolist()))
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        short = np.flatnonzero(np.linalg.norm(self._along, axis=1) <= 1e-9 * max(steps.max(), 1e-300))
        if len(short):
            raise InputError(
                f"Blade(path=…): {len(short)} of its {len(steps)} pieces run along into={self.into} or have no length, first "
                f"{first_few(short)}; expected pieces that run across it"
            )

    @cached_property
    def _across(self) -> np.ndarray:
        """(2, 3) unit vectors that span the plane seen along ``into``, right-handed with it."""
        into = np.array(self.into)
        first = np.cross(into, np.eye(3)[np.argmin(np.abs(into))])
        first /= np.linalg.norm(first)
        return np.stack([first, np.cross(into, first)])

    @cached_property
    def _flat(self) -> np.ndarray:
        """(k, 2) the path as seen along ``into`` [m]."""
        return self.path @ self._across.T

    @cached_property
    def _along(self) -> np.ndarray:
        """(k − 1, 2) its segments as seen along ``into`` [m]."""
        return np.diff(self._flat, axis=0)

    @property
    def surface(self) -> TriMesh:
        """The sheet as triangles."""
        n, down = len(self.path), self.depth * np.array(self.into)
        i = np.arange(n - 1)
        triangles = [np.stack([i, i + 1, i + n], axis=1), np.stack([i + 1, i + n + 1, i + n], axis=1)]
        return TriMesh(np.concatenate([self.path, self.path + down]), np.concatenate(triangles))

    def part(self, first: float, last: float) -> Blade:
        """The blade of a part of the stroke, from one fraction 0 … 1 of its length to a larger one."""
        passed = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.path, axis=0), axis=1))])
        ends = np.array([first, last]) * passed[-1]
        between = _between(passed, *ends, passed[-1])
        begin, end = (np.array([np.interp(at, passed, coordinate) for coordinate in self.path.T]) for at in ends)
        return replace(self, path=np.concatenate([[begin], self.path[between], [end]]))

    @property
    def strokes(self) -> tuple[Blade, ...]:
        """Blades that cut this one out together, one after the other: itself where its path never comes back to itself, else
        parts of it that lap over and of which none does."""
        if len(self.path) < 4:
            return (self,)
        steps = np.linalg.norm(np.diff(self.path, axis=0), axis=1)
        passed = np.concatenate([[0.0], np.cumsum(steps)])
        loops = self._loops(passed, steps)
        breaks: list[float] = []
        for first, last in loops:
            quarter = (last - first) / 4
            if not any(first + quarter <= at <= last - quarter for at in breaks):
                breaks.append((first + last) / 2)
        if not breaks:
            return (self,)
        lap = LAP * min(last - first for first, last in loops)
        ends = np.array([0.0, *sorted(breaks), passed[-1]])
        return tuple(self._around(first, last, passed) for first, last in zip(ends[:-1] - lap, ends[1:] + lap))

    @property
    def _closed(self) -> bool:
        return bool(np.ptp(self._flat[[0, -1]], axis=0).max() <= SLACK * np.ptp(self._flat, axis=0).max())

    def _loops(self, passed: np.ndarray, steps: np.ndarray) -> list[tuple[float, float]]:
        """Self-crossings of the path, seen along ``into``, as arc lengths [m], the shortest loops first."""
        start, along = self._flat[:-1], self._along
        i, j = np.triu_indices(len(along), 2)
        turn = lambda a, b: a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        way, across = start[j] - start[i], turn(along[i], along[j])
        met = np.abs(across) > SLACK * steps[i] * steps[j]
        i, j, way, across = i[met], j[met], way[met], across[met]
        share, other = turn(way, along[j]) / across, turn(way, along[i]) / across
        met = (share >= 0) & (share <= 1) & (other >= 0) & (other <= 1)
        first, last = (passed[k[met]] + at[met] * steps[k[met]] for k, at in ((i, share), (j, other)))
        loops = sorted(zip(last - first, first, last))
        if len(along) > 2 and self._closed:
            loops.append((passed[-1], 0.0, passed[-1]))
        return [(float(a), float(b)) for length, a, b in loops if length >= SMALL * passed[-1]]

    def _around(self, first: float, last: float, passed: np.ndarray) -> Blade:
        """The blade between two lengths along the path [m], beyond its ends where it is closed."""
        path, at, whole = self.path, passed, passed[-1]
        if self._closed:
            path = np.concatenate([path[:-1], path[:-1], path])
            at = np.concatenate([passed[:-1] - whole, passed[:-1], passed + whole])
        first, last = max(first, at[0]), min(last, at[-1])
        between = _between(at, first, last, whole)
        ends = np.array([[np.interp(end, at, coordinate) for coordinate in path.T] for end in (first, last)])
        return replace(self, path=np.concatenate([ends[:1], path[between], ends[1:]]))

    def heights(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) signed distance [m] of points (n, 3) from the infinite sheet, and whether their projection is on the blade.

        Beyond its ends the path is extended straight. The positive side lies to the left of the path, seen along ``into``.
        """
        return self._feet(points)[:2]

    def distances(self, points: np.ndarray) -> np.ndarray:
        """(n,) the heights alone [m]."""
        return self._feet(points, every=False)[0]

    def unrolled(self, points: np.ndarray) -> np.ndarray:
        """(n, 2) projections of points (n, 3) on the unrolled sheet [m]: arc length along the path, and depth."""
        return np.stack([self._feet(points)[2], points @ np.array(self.into)], axis=1)

    def rolled(self, flat: np.ndarray) -> np.ndarray:
        """(n, 3) points of the sheet [m] at ``flat`` (n, 2), their coordinates on the unrolled sheet."""
        length = np.linalg.norm(self._along, axis=1)
        passed = np.concatenate([[0.0], np.cumsum(length)])
        piece = np.clip(np.searchsorted(passed, flat[:, 0], "right") - 1, 0, len(length) - 1)
        share = (flat[:, 0] - passed[piece]) / length[piece]
        seen = self._flat[piece] + share[:, None] * self._along[piece]
        return seen @ self._across + flat[:, 1:] * np.array(self.into)

    def _feet(self, points: np.ndarray, every: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Heights of points, and where all is asked whether feet are on the blade and how far along its path they are [m]."""
        points = np.ascontiguousarray(points, float)
        height, rest = np.empty(len(points)), len(points) if every else 0
        within, travelled = np.empty(rest, bool), np.empty(rest)
        blade_native.feet(points, len(points), *self.sheet, int(every), height, within, travelled)
        return height, within, travelled

    @cached_property
    def sheet(self) -> tuple[np.ndarray, np.ndarray, int, np.ndarray]:
        """For routines: (3, 3) directions, (k − 1, 10) pieces, how many; what past a rim is on it, and the depth [m]."""
        length = np.linalg.norm(self._along, axis=1)
        limits = np.array([SLACK * (length.sum() + self.depth), self.depth])
        return np.concatenate([self._across, [self.into]]), self._pieces, len(length), limits

    @cached_property
    def _pieces(self) -> np.ndarray:
        """(k − 1, 10) start, direction, normal, length, top, rise of the top and length before of each piece, from ``into``."""
        length = np.linalg.norm(self._along, axis=1)
        normals = np.stack([-self._along[:, 1], self._along[:, 0]], axis=1) / length[:, None]
        top = self.path @ np.array(self.into)
        before = np.cumsum(length) - length
        lines = (length, top[:-1], np.diff(top), before)
        return np.column_stack([self._flat[:-1], self._along, normals, *lines])


def _between(passed: np.ndarray, first: float, last: float, whole: float) -> np.ndarray:
    """Which points of a path, by arc length, lie strictly between two, to rounding."""
    return (passed > first + SLACK * whole) & (passed < last - SLACK * whole)
