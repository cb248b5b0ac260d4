"""The body-centred cubic lattice: numbering, the edges that a surface cuts, and the tets between cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ...errors import InputError
from .stuffing_table import bcc_tets

POINTS = 8_000_000  # most lattice points: about 4 GB while at work


@dataclass(frozen=True, eq=False)
class Lattice:
    """Cubic cells of one size with their centres: corners are numbered first, then centres."""

    origin: np.ndarray  # lower corner [m]
    edge: float  # [m]
    cells: tuple[int, int, int]

    @cached_property
    def corners(self) -> np.ndarray:
        """(nx + 1, ny + 1, nz + 1) numbers of the cell corners."""
        shape = tuple(n + 1 for n in self.cells)
        return np.arange(np.prod(shape), dtype=np.int32).reshape(shape)

    @cached_property
    def centres(self) -> np.ndarray:
        """(nx, ny, nz) numbers of the cell centres."""
        return np.arange(np.prod(self.cells), dtype=np.int32).reshape(self.cells) + np.int32(self.corners.size)

    @property
    def size(self) -> int:
        """Number of lattice points."""
        return self.corners.size + self.centres.size

    def split(self, data: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Views of one datum per point, shaped as corners and as centres."""
        return data[: self.corners.size].reshape(self.corners.shape), data[self.corners.size :].reshape(self.cells)

    def indices(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) place of points in half cells: even for corners, odd for centres."""
        centre = points >= self.corners.size
        corner = np.stack(np.unravel_index(np.where(centre, 0, points), self.corners.shape), axis=-1)
        middle = np.stack(np.unravel_index(np.where(centre, points - self.corners.size, 0), self.cells), axis=-1)
        return np.where(centre[:, None], 2 * middle + 1, 2 * corner)

    def positions(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) positions [m]."""
        return self.origin + 0.5 * self.edge * self.indices(points)

    def sampled(self, distance: Callable[[np.ndarray], np.ndarray], true_size: bool) -> np.ndarray:
        """(size,) signed distances [m] at every point.

        Where the distance is ``true_size``, nothing changes sign within it: blocks of cells that are farther from
        the surface than they are large, by one edge more, get the value at their middle; none of their edges is cut.
        """
        values = np.full(self.size, np.nan)
        if true_size:
            self._fill_far_blocks(distance, values)
        unknown = np.flatnonzero(np.isnan(values))
        for begin in range(0, len(unknown), 65536):  # so many fit the cache
            points = unknown[begin : begin + 65536]
            values[points] = distance(self.positions(points))
        return values

    def _fill_far_blocks(self, distance: Callable[[np.ndarray], np.ndarray], values: np.ndarray) -> None:
        corner, centre = self.split(values)
        children = np.array(list(product((0, 1), repeat=3)))
        near = np.argwhere(np.ones([-(-n // 8) for n in corner.shape], dtype=bool))
        for width in (8, 4, 2):
            shape = [-(-n // width) for n in corner.shape]
            near = near[(near < shape).all(axis=1)]
            reach = 0.5 * (width - 0.5) * self.edge  # a block holds this many corners, and centres half a cell on
            middle = distance(self.origin + width * self.edge * near + reach)
            far = np.abs(middle) > np.sqrt(3.0) * reach + self.edge
            block = np.full(shape, np.nan)
            block[tuple(near[far].T)] = middle[far]
            for axis in range(3):
                block = block.repeat(width, axis=axis)
            for view in (corner, centre):
                part = block[tuple(slice(0, n) for n in view.shape)]
                np.copyto(view, part, where=~np.isnan(part))
            near = (2 * near[~far][:, None] + children).reshape(-1, 3)

    def cut_edges(self, sign: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m, 2) edges whose ends have opposite signs, and (m,) whether each is long."""
        corner, centre = self.split(sign)
        families = []
        for shift in product((0, 1), repeat=3):
            there = tuple(slice(s, s + n) for s, n in zip(shift, self.cells))
            families.append((centre, corner[there], self.centres, self.corners[there], False))
        for axis in range(3):
            low = tuple(slice(None, -1) if i == axis else slice(None) for i in range(3))
            high = tuple(slice(1, None) if i == axis else slice(None) for i in range(3))
            for data, number in ((corner, self.corners), (centre, self.centres)):
                families.append((data[low], data[high], number[low], number[high], True))
        edges, long = [], []
        for a, b, number_a, number_b, is_long in families:
            cut = a * b < 0
            edges.append(np.stack([number_a[cut], number_b[cut]], axis=1))
            long.append(np.full(len(edges[-1]), is_long))
        return np.concatenate(edges), np.concatenate(long)

    def tets(self, kind: int, allowed: np.ndarray | None, data: np.ndarray) -> np.ndarray:
        """(m, 4) lattice tets of one kind between two allowed cells that touch a point where ``data`` is positive."""
        corner, centre = self.split(data)
        offsets = bcc_tets()[kind]
        shape = tuple(np.array(self.cells) - offsets[3] // 2)
        windows = [tuple(slice(o, o + n) for o, n in zip(offset // 2, shape)) for offset in offsets]
        used = (corner[windows[0]] > 0) | (corner[windows[1]] > 0)
        used |= (centre[windows[2]] > 0) | (centre[windows[3]] > 0)
        if allowed is not None:
            used &= allowed[windows[2]] & allowed[windows[3]]
        numbers = (self.corners, self.corners, self.centres, self.centres)
        return np.stack([number[window][used] for number, window in zip(numbers, windows)], axis=1)


def enclosing_lattice(bounds: np.ndarray, edge: float, multiple: int) -> Lattice:
    """A lattice around a box, one cell wider on each side at least, its number of cells a multiple of ``multiple``.

    It is centred on the box, so that a box whose sides are whole numbers of edges gets flat faces.
    """
    if not np.isfinite(bounds).all():
        raise InputError("the shape is not bounded; intersect it with a box before cutting it into tetrahedra")
    with np.errstate(over="ignore"):  # an edge so short that the lattice is endless is refused below
        wanted = np.minimum(np.ceil((bounds[1] - bounds[0]) / edge - 1e-9) + 2, 1e100)
    cells = wanted + (-wanted) % multiple
    count = float(np.prod(cells + 1) + np.prod(cells))
    if count > POINTS:
        enough = edge * (count / POINTS) ** (1 / 3) * 1.02
        raise InputError(
            f"edge {edge:g} m needs {count:.3g} lattice points; expected at most {POINTS:.3g} (about 4 GB): "
            f"use an edge of at least {enough:.3g} m"
        )
    # the added cells go above, or a side of whole edges would fall between two layers of the lattice
    origin = 0.5 * (bounds[0] + bounds[1]) - 0.5 * edge * wanted
    return Lattice(origin, edge, tuple(int(n) for n in cells))
