"""Octree of larger interior cells (Labelle & Shewchuk 2007, §4).

Only cells whose points, and the centres across whose faces, all lie inside and stayed in place are merged, so every
tet that the surface touches is of the uniform lattice and keeps its angles; the tets made here have none below 45°.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.ndimage import binary_erosion

from .stuffing_lattice import Lattice
from .stuffing_table import bcc_tets


def _whole(cells: np.ndarray) -> np.ndarray:
    """Which blocks of 2×2×2 cells are all true."""
    x, y, z = (n // 2 for n in cells.shape)
    return cells.reshape(x, 2, y, 2, z, 2).all(axis=(1, 3, 5))


def _children(cells: np.ndarray) -> np.ndarray:
    return cells.repeat(2, axis=0).repeat(2, axis=1).repeat(2, axis=2)


def _eroded(cells: np.ndarray) -> np.ndarray:
    """Cells whose 26 neighbours are true too; outside counts as false."""
    return binary_erosion(cells, np.ones((3, 3, 3), dtype=bool))


def merged_cells(lattice: Lattice, sign: np.ndarray, levels: int) -> list[np.ndarray]:
    """For each level l, which blocks of 2^l cells need not be finer; neighbours differ by one level at most."""
    corner, centre = lattice.split(sign > 0)
    safe = binary_erosion(centre)  # the centres across its six faces become corners of its tets
    for shift in product((0, 1), repeat=3):
        safe &= corner[tuple(slice(s, s + n) for s, n in zip(shift, lattice.cells))]
    merged = [np.ones(lattice.cells, dtype=bool), _whole(safe)]
    while len(merged) <= levels and merged[-1].any():
        merged.append(_whole(_eroded(merged[-1])))  # all that touch it are at most one level finer
    return merged[: levels + 1]


def fine_cells(merged: list[np.ndarray]) -> np.ndarray:
    """Cells that stay as they are."""
    return ~_children(merged[1])


def coarse_tets(lattice: Lattice, merged: list[np.ndarray]) -> np.ndarray:
    """(m, 4) tets between merged cells, and between them and cells one level finer."""
    pieces = [np.zeros((0, 4), dtype=np.int32)]
    for level in range(1, len(merged)):
        leaf = merged[level].copy()
        if level + 1 < len(merged):
            leaf &= ~_children(merged[level + 1])
        for kind in range(12):
            pieces.append(_between_equals(lattice, merged[level], leaf, level, kind))
        for axis, upper in product(range(3), (0, 1)):
            pieces.append(_towards_finer(lattice, merged[level], leaf, level, axis, upper))
    return np.concatenate(pieces)


def _numbers(lattice: Lattice, cells: np.ndarray, offset: np.ndarray, level: int) -> np.ndarray:
    """Points at an offset, in half cells of a level, from the lower corner of cells of that level."""
    return lattice.corners[tuple(((2 * cells + offset) * 2 ** (level - 1)).T)]


def _between_equals(lattice: Lattice, merged: np.ndarray, leaf: np.ndarray, level: int, kind: int) -> np.ndarray:
    """BCC tets between two leaves of a level; an edge that a finer cell touches is halved, and its tet with it."""
    offsets = bcc_tets()[kind]
    along = offsets[3] // 2
    shape = np.array(leaf.shape) - along
    cells = np.argwhere(leaf[tuple(slice(0, n) for n in shape)] & leaf[tuple(slice(a, a + n) for a, n in zip(along, shape))])
    a, b, c, d = (_numbers(lattice, cells, offset, level) for offset in offsets)
    middle = (offsets[0] + offsets[1]) // 2
    beyond = np.where((along == 0) & (middle != 1), middle - 1, 0)  # towards the two other cells around the edge
    halved = ~(merged[tuple((cells + beyond).T)] & merged[tuple((cells + along + beyond).T)])
    whole = np.stack([a, b, c, d], axis=1)[~halved]
    m, a, b, c, d = (n[halved] for n in (_numbers(lattice, cells, middle, level), a, b, c, d))
    return np.concatenate([whole, np.stack([a, m, c, d], axis=1), np.stack([m, b, c, d], axis=1)])


def _towards_finer(lattice: Lattice, merged: np.ndarray, leaf: np.ndarray, level: int, axis: int, upper: int) -> np.ndarray:
    """Tets on both sides of the four squares where a leaf meets cells of half its size."""
    along, first, second = np.eye(3, dtype=int)[[axis, (axis + 1) % 3, (axis + 2) % 3]]
    cells = np.argwhere(leaf)
    neighbour = cells + (along if upper else -along)
    cells = cells[~merged[tuple(neighbour.T)]]
    pieces = []
    for p, q in product((0, 2), repeat=2):
        face = 2 * upper * along
        centre, corner = face + first + second, face + p * first + q * second  # the diagonal runs from one to the other
        sides = (face + p * first + second, face + first + q * second)
        own = np.ones(3, dtype=int)
        other = (2 * upper - 1 + upper) * along + (p // 2) * first + (q // 2) * second  # its cell, in half cells
        if level == 1:
            beyond = lattice.centres[tuple((2 * cells + other).T)]
        else:
            beyond = lattice.corners[tuple(((2 * (2 * cells + other) + 1) * 2 ** (level - 2)).T)]
        for side, (apex, apex_at) in product(sides, ((_numbers(lattice, cells, own, level), own), (beyond, other + 0.5))):
            points = [centre, side, corner]
            if np.linalg.det(np.array([p - apex_at for p in points])) < 0:
                points.reverse()
            # (b − a)×(c − a)·(d − a) > 0 with the apex last means that b, c, a turn the other way seen from it
            tet = [_numbers(lattice, cells, offset, level) for offset in points]
            pieces.append(np.stack([tet[0], tet[2], tet[1], apex], axis=1))
    return np.concatenate(pieces)
