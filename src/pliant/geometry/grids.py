"""Shapes made from numbers alone: grids of tets, cloth, nets and rods, and closed surfaces. SI units, z up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from numbers import Integral

import numpy as np

from ..errors import InputError
from .mesh import EdgeMesh, TetMesh, TriMesh, unique_rows


def _lengths(name: str, value: object, count: int, positive: bool = True) -> np.ndarray:
    """Return ``count`` finite numbers [m], positive where asked, or say what was given."""
    try:
        lengths = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        lengths = np.full(0, np.nan)
    if lengths.shape != (count,) or not np.isfinite(lengths).all() or (positive and (lengths <= 0).any()):
        kind = "positive" if positive else "finite"
        raise InputError(f"{name} is {value!r}; expected {count} {kind} numbers in metres")
    return lengths


def _length(name: str, value: object) -> float:
    """Return one positive finite number [m], or say what was given."""
    return float(_lengths(name, [value], 1)[0])


def _whole(name: str, value: object, least: int) -> int:
    """Return a whole number no smaller than ``least``, or say what was given."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise InputError(f"{name} is {value!r}; expected a whole number from {least} up")
    return int(value)


def _cells(cells: object, count: int) -> tuple[int, ...]:
    """Return ``count`` whole numbers of cells, few enough that their vertices can be numbered."""
    try:
        parts = tuple(cells)  # type: ignore[call-overload]
    except TypeError:
        parts = ()
    if len(parts) != count:
        raise InputError(f"cells is {cells!r}; expected {count} whole numbers, one per axis")
    whole = tuple(_whole("each entry of cells", n, 1) for n in parts)
    if np.prod([float(n + 1) for n in whole]) >= 2**31:
        raise InputError(f"cells is {cells!r}, more than 2147483647 vertices; expected fewer cells")
    return whole


def _axes(size: np.ndarray, cells: Sequence[int], origin: np.ndarray) -> list[np.ndarray]:
    return [np.linspace(o, o + s, n + 1) for s, n, o in zip(size, cells, origin)]


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


def tet_grid(
    size: Sequence[float], cells: Sequence[int], tets_per_cell: int = 5, origin: Sequence[float] = (0.0, 0.0, 0.0)
) -> TetMesh:
    """Fill a box with tets, 5 or 6 to a cell; vertices run with z fastest, cells likewise.

    ``size``: three box edges [m]; ``cells``: cells along each axis; ``origin``: the lower corner [m]. Five tets leave
    the grid nearly symmetric (every other cell is mirrored so that neighbours conform); six (Kuhn) share one diagonal.
    """
    box, counts = _lengths("size", size, 3), _cells(cells, 3)
    x, y, z = _axes(box, counts, _lengths("origin", origin, 3, positive=False))
    if tets_per_cell not in (5, 6):
        raise InputError(f"tets_per_cell is {tets_per_cell!r}; expected 5 or 6")
    vertices = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
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
    counts, corner = _cells(cells, 2), _lengths("origin", origin, 3, positive=False)
    x, y = _axes(_lengths("size", size, 2), counts, corner[:2])
    grid = np.stack(np.meshgrid(x, y, corner[2:], indexing="ij"), axis=-1)
    return grid.reshape(-1, 3), np.arange(len(x) * len(y)).reshape(len(x), len(y))


def cloth_grid(size: Sequence[float], cells: Sequence[int], origin: Sequence[float] = (0.0, 0.0, 0.0)) -> TriMesh:
    """A rectangle of triangles in the xy plane, facing +z, with diagonals that alternate from cell to cell.

    ``size``: width and height [m]; ``cells``: cells along x and y; ``origin``: the lower corner [m].
    """
    vertices, number = _sheet(size, cells, origin)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    falling = np.add.outer(np.arange(a.shape[0]), np.arange(a.shape[1]))[..., None] % 2 == 1
    first = np.where(falling, np.stack([a, b, d], -1), np.stack([a, b, c], -1))
    second = np.where(falling, np.stack([b, c, d], -1), np.stack([a, c, d], -1))
    return TriMesh(vertices, np.stack([first, second], axis=2).reshape(-1, 3))


def rod_grid(start: Sequence[float], end: Sequence[float], segments: int) -> EdgeMesh:
    """A straight rod of equal edges from ``start`` to ``end`` [m]."""
    ends = [_lengths("start", start, 3, positive=False), _lengths("end", end, 3, positive=False)]
    count = _whole("segments", segments, 1)
    if np.array_equal(*ends):
        raise InputError(f"start and end are both {ends[0].tolist()}; expected two different points")
    along = np.arange(count)
    return EdgeMesh(np.linspace(*ends, count + 1), np.stack([along, along + 1], axis=1))


def net_grid(
    size: Sequence[float], cells: Sequence[int], bend: bool = True, origin: Sequence[float] = (0.0, 0.0, 0.0)
) -> EdgeMesh:
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
    if bend:
        pairs += [(number[:-2], number[2:]), (number[:, :-2], number[:, 2:])]
    return EdgeMesh(vertices, np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs]))


def box_mesh(size: Sequence[float], origin: Sequence[float] = (0.0, 0.0, 0.0)) -> TriMesh:
    """A closed box of twelve triangles; ``size``: three edges [m]; ``origin``: the lower corner [m]."""
    return tet_grid(size, (1, 1, 1), 6, origin).boundary


def sphere_mesh(radius: float, subdivisions: int = 3, center: Sequence[float] = (0.0, 0.0, 0.0)) -> TriMesh:
    """A closed sphere from an icosahedron cut in four ``subdivisions`` times: 20·4ˢ nearly equal triangles.

    ``radius`` and ``center`` [m]; the vertices lie on the sphere, so the volume is a little too small.
    """
    length, middle = _length("radius", radius), _lengths("center", center, 3, positive=False)
    if _whole("subdivisions", subdivisions, 0) > 12:
        raise InputError(f"subdivisions is {subdivisions}; expected at most 12, which is 335 million triangles")
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


def torus_mesh(
    radius: float, tube: float, segments: int = 48, sides: int = 24, center: Sequence[float] = (0.0, 0.0, 0.0)
) -> TriMesh:
    """A closed torus about the z axis.

    ``radius``: from the centre to the middle of the tube [m]; ``tube``: radius of the tube [m], smaller than
    ``radius``; ``segments``: around the axis; ``sides``: around the tube; ``center`` [m].
    """
    big, small = _length("radius", radius), _length("tube", tube)
    middle = _lengths("center", center, 3, positive=False)
    if small >= big:
        raise InputError(f"tube is {small} m and radius {big} m; expected a tube thinner than the radius")
    around, across = _whole("segments", segments, 3), _whole("sides", sides, 3)
    u, v = np.meshgrid(2 * np.pi * np.arange(around) / around, 2 * np.pi * np.arange(across) / across, indexing="ij")
    reach = big + small * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    number = np.arange(around * across).reshape(around, across)
    a, b, d = number, np.roll(number, -1, axis=0), np.roll(number, -1, axis=1)
    c = np.roll(b, -1, axis=1)
    triangles = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2).reshape(-1, 3)
    return TriMesh(middle + points, triangles)
