"""Shapes made from numbers alone: grids of tets, cloth, nets and rods, and closed surfaces. SI units, z up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from .mesh import EdgeMesh, TetMesh, TriMesh, unique_rows

MOST = 10**8  # vertices along one line


def _cells(cells: object, count: int) -> tuple[int, ...]:
    """Return ``count`` whole numbers of cells, few enough that their vertices can be numbered."""
    try:
        parts = tuple(cells)  # type: ignore[call-overload]
    except Exception:  # whatever is no sequence, or raises when it is walked
        parts = ()
    if len(parts) != count:
        raise checks.refusal("cells", cells, f"{count} whole numbers, one per axis")
    whole = tuple(checks.whole("each entry of cells", n) for n in parts)
    if np.prod([float(n + 1) for n in whole]) > checks.MANY:
        raise checks.refusal("cells", cells, f"fewer cells, with at most {checks.MANY} vertices")
    return whole


def _axes(size: np.ndarray, cells: Sequence[int], origin: np.ndarray) -> list[np.ndarray]:
    return [np.linspace(o, o + s, n + 1) for s, n, o in zip(size, cells, origin)]


def grid_vertices(size: np.ndarray, cells: object, origin: object) -> tuple[np.ndarray, tuple[int, ...]]:
    """Vertices (n, 3) of a box cut into cells, z fastest, and the number of cells along each axis."""
    counts = _cells(cells, 3)
    x, y, z = _axes(size, counts, checks.lengths("origin", origin, 3, False))
    return np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3), counts


def _oriented(tets: list[tuple[int, int, int, int]]) -> np.ndarray:
    """Turn tets of the unit cube, corners numbered 4x + 2y + z, to positive volume."""
    table = np.array(tets)
    corners = np.stack([table >> 2 & 1, table >> 1 & 1, table & 1], axis=-1).astype(float)
    negative = np.linalg.det(corners[:, 1:] - corners[:, :1]) < 0
    table[negative, 2:] = table[negative, :1:-1]
    return table


# A cube as five tets: one on four corners that share no edge, and one at each other corner.
_FIVE = _oriented([(0, 6, 5, 3), (4, 0, 6, 5), (2, 0, 6, 3), (1, 0, 5, 3), (7, 6, 5, 3)])
_FIVE_MIRRORED = _oriented([tuple(4 ^ c for c in tet) for tet in _FIVE.tolist()])
# Kuhn: one tet for each order in which the axes are walked from corner 0 to corner 7; neighbours always conform.
_SIX = _oriented([(0, a, a | b, 7) for a, b, _ in permutations((4, 2, 1))])


def tet_grid(size: Vector, cells: Sequence[int], tets_per_cell: int = 5, origin: Vector = (0.0, 0.0, 0.0)) -> TetMesh:
    """Fill a box with tets, 5 or 6 to a cell; vertices run with z fastest, cells likewise.

    ``size``: three box edges [m]; ``cells``: cells along each axis; ``origin``: the lower corner [m]. Five tets leave
    the grid nearly symmetric (every other cell is mirrored so that neighbours conform); six (Kuhn) share one diagonal.
    """
    vertices, counts = grid_vertices(checks.lengths("size", size, 3), cells, origin)
    checks.among("tets_per_cell", tets_per_cell, (5, 6))
    stride = np.array([(counts[1] + 1) * (counts[2] + 1), counts[2] + 1, 1])
    cell = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 3)
    corner = np.array([[c >> 2 & 1, c >> 1 & 1, c & 1] for c in range(8)]) @ stride
    nodes = (cell @ stride)[:, None] + corner  # (cells, 8)
    if tets_per_cell == 6:
        return TetMesh(vertices, nodes[:, _SIX].reshape(-1, 4))
    mirrored = (cell.sum(axis=1) % 2 == 0)[:, None, None]
    return TetMesh(vertices, np.where(mirrored, nodes[:, _FIVE_MIRRORED], nodes[:, _FIVE]).reshape(-1, 4))


def _sheet(size: object, cells: object, origin: object) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) of a rectangle in the xy plane and their numbers (nx + 1, ny + 1), y fastest."""
    counts, corner = _cells(cells, 2), checks.lengths("origin", origin, 3, False)
    x, y = _axes(checks.lengths("size", size, 2), counts, corner[:2])
    grid = np.stack(np.meshgrid(x, y, corner[2:], indexing="ij"), axis=-1)
    return grid.reshape(-1, 3), np.arange(len(x) * len(y)).reshape(len(x), len(y))


def cloth_grid(size: Vector, cells: Sequence[int], origin: Vector = (0.0, 0.0, 0.0)) -> TriMesh:
    """A rectangle of triangles in the xy plane, facing +z, with diagonals that alternate from cell to cell.

    ``size``: width and height [m]; ``cells``: cells along x and y; ``origin``: the lower corner [m].
    """
    vertices, number = _sheet(size, cells, origin)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    falling = np.add.outer(np.arange(a.shape[0]), np.arange(a.shape[1]))[..., None] % 2 == 1
    first = np.where(falling, np.stack([a, b, d], -1), np.stack([a, b, c], -1))
    second = np.where(falling, np.stack([b, c, d], -1), np.stack([a, c, d], -1))
    return TriMesh(vertices, np.stack([first, second], axis=2).reshape(-1, 3))


def rod(start: Vector, end: Vector, segments: int) -> EdgeMesh:
    """A straight rod of equal edges from ``start`` to ``end`` [m]."""
    ends = [checks.lengths("start", start, 3, False), checks.lengths("end", end, 3, False)]
    count = checks.whole("segments", segments, 1, MOST)
    if np.array_equal(*ends):
        raise InputError(f"start and end are both {ends[0].tolist()}; expected two different points")
    along = np.arange(count)
    return EdgeMesh(np.linspace(*ends, count + 1), np.stack([along, along + 1], axis=1))


def net(size: Vector, cells: Sequence[int], bend: bool = True, origin: Vector = (0.0, 0.0, 0.0)) -> EdgeMesh:
    """A mass–spring cloth in the xy plane: structural edges, both shear diagonals, and skip-one bending edges.

    ``size``: width and height [m]; ``cells``: cells along x and y; ``bend``: whether to add the bending edges;
    ``origin``: the lower corner [m]. Edges come in that order, so each kind is one slice.
    """
    vertices, number = _sheet(size, cells, origin)
    pairs = [
        (number[:-1], number[1:]),
        (number[:, :-1], number[:, 1:]),
        (number[:-1, :-1], number[1:, 1:]),
        (number[1:, :-1], number[:-1, 1:]),
    ]
    if checks.flag("bend", bend):
        pairs += [(number[:-2], number[2:]), (number[:, :-2], number[:, 2:])]
    return EdgeMesh(vertices, np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs]))


def box(size: float | Vector, centre: Vector = (0.0, 0.0, 0.0)) -> TriMesh:
    """A closed box of twelve triangles with full edge lengths ``size`` [m], one number or three, about ``centre`` [m]."""
    edges = checks.lengths("size", (size,) * 3 if checks.floats(size).ndim == 0 else size, 3)
    return tet_grid(edges, (1, 1, 1), 6, checks.lengths("centre", centre, 3, False) - 0.5 * edges).boundary


def sphere(radius: float, subdivisions: int = 3, centre: Vector = (0.0, 0.0, 0.0)) -> TriMesh:
    """A closed sphere from an icosahedron cut in four ``subdivisions`` times: 20·4ˢ nearly equal triangles.

    ``radius`` and ``centre`` [m]; the vertices lie on the sphere, so the volume is a little too small.
    """
    length, middle = checks.length("radius", radius), checks.lengths("centre", centre, 3, False)
    checks.whole("subdivisions", subdivisions, 0, 12, ", which is 335 million triangles")
    golden = (1 + 5**0.5) / 2
    rectangle = np.array([(0, s, t * golden) for s in (-1, 1) for t in (-1, 1)])
    points = np.concatenate([np.roll(rectangle, turn, axis=1) for turn in range(3)])
    gap = np.linalg.norm(points[:, None] - points, axis=2)
    near = np.abs(gap - 2) < 1e-9  # the icosahedron's edges have length 2 here
    triangles = np.array(
        [(i, j, k) for i in range(12) for j in range(i) for k in range(j) if near[i, j] & near[j, k] & near[k, i]]
    )
    inward = np.linalg.det(points[triangles]) < 0
    triangles[inward] = triangles[inward, ::-1]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for _ in range(subdivisions):
        pairs = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        first, inverse, _ = unique_rows(pairs)
        (a, b, c), (ab, bc, ca) = triangles.T, len(points) + inverse.reshape(-1, 3).T
        points = np.concatenate([points, points[pairs[first]].mean(axis=1)])
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        corners = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = np.stack([np.stack(corner, axis=1) for corner in corners], axis=1).reshape(-1, 3)
    return TriMesh(middle + length * points, triangles)


def torus(major: float, minor: float, segments: int = 48, sides: int = 24, centre: Vector = (0.0, 0.0, 0.0)) -> TriMesh:
    """A closed torus about the z axis.

    ``major``: from the centre to the middle of the tube [m]; ``minor``: radius of the tube [m], smaller than
    ``major``; ``segments``: around the axis; ``sides``: around the tube; ``centre`` [m].
    """
    big, small = checks.length("major", major), checks.length("minor", minor)
    middle = checks.lengths("centre", centre, 3, False)
    if small >= big:
        raise InputError(f"minor is {small} m and major {big} m; expected a tube thinner than the ring")
    around, across = checks.whole("segments", segments, 3, MOST), checks.whole("sides", sides, 3, MOST)
    if around * across > MOST:
        raise InputError(f"segments times sides is {around * across}; expected at most {MOST}")
    u, v = np.meshgrid(2 * np.pi * np.arange(around) / around, 2 * np.pi * np.arange(across) / across, indexing="ij")
    reach = big + small * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    number = np.arange(around * across).reshape(around, across)
    a, b, d = number, np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    c = np.roll(b, -1, axis=1)
    triangles = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2).reshape(-1, 3)
    return TriMesh(middle + points, triangles)
