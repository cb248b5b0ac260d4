"""Shapes of a <flexcomp>: points and cells in MuJoCo's order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..geometry import files
from ..geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ..geometry.mesh.primitives import tet_grid
from .mjcf_settings import Given
from .omissions import LeftOut

TYPES = ("grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "gmsh", "direct")
MOST = 2_000_000  # points of all flexes of a file


def composed_shape(given: Given, beside: Callable[[str], Path], left_out: LeftOut) -> tuple[np.ndarray, np.ndarray, bool]:
    """(n, 3) points, (m, dim + 1) cells, and whether they were given one by one."""
    kind = given.one_of("type", "grid", TYPES)
    dim = 2 if kind in ("square", "disc") else int(given.whole("dim", 1, [2])[0])
    if dim not in (1, 2, 3):
        raise InputError(f"{given.what('dim')} is {dim}; expected 1, 2 or 3")
    if kind in ("mesh", "gmsh"):
        points, cells = _from_file(given, dim, beside(given.text("file")))
        return points, cells, True
    if kind == "direct":
        points, cells = given.array("point", None), given.whole("element", None)
        if not len(points) or len(points) % 3 or not len(cells) or len(cells) % (dim + 1):
            raise InputError(
                f"{given.what('point')} and element: expected 3 numbers for each point and {dim + 1} for each element"
            )
        points, cells = points.reshape(-1, 3), cells.reshape(-1, dim + 1)
        if cells.min() < 0 or cells.max() >= len(points):
            raise InputError(f"{given.what('element')} names a point outside 0…{len(points) - 1}")
        return points, cells, True
    count, spacing = given.whole("count", 3, (10, 10, 10)), given.array("spacing", 3, (0.02, 0.02, 0.02))
    if count.min() < 1 or count[:dim].min() < 2 or float(np.prod(count.astype(float))) > MOST or spacing.min() <= 0:
        raise InputError(
            f"{given.what('count')} or spacing: expected 2 or more points along each of {dim} axes, some metres apart"
        )
    if kind == "circle" or dim == 1:
        return *_thread(kind, count[0], spacing[0]), False
    if kind in ("box", "cylinder", "ellipsoid"):
        return *_around(kind, count, spacing, dim), False
    return *(_solid(count, spacing) if dim == 3 else _sheet(kind, count, spacing)), False


def _thread(kind: str, count: int, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    number = np.arange(count)
    if kind != "circle":
        points = np.zeros((count, 3))
        points[:, 0] = spacing * (number - 0.5 * (count - 1))
        return points, np.stack([number[:-1], number[1:]], axis=1)
    if count < 4:
        raise InputError(f"a circle of {count} points; expected 4 or more, of which the last is the first")
    number, step = number[:-1], 2 * np.pi / (count - 1)
    radius = 0.5 * spacing / np.sin(0.5 * step)
    points = radius * np.stack([np.cos(step * number), np.sin(step * number), 0 * number], axis=1)
    return points, np.stack([number, np.roll(number, -1)], axis=1)


def _solid(count: np.ndarray, spacing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    size = spacing * (count - 1)
    mesh = tet_grid(size, tuple(int(n) - 1 for n in count), 6, origin=-0.5 * size)
    return mesh.vertices, mesh.tets


def _sheet(kind: str, count: np.ndarray, spacing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    across = [spacing[i] * (np.arange(count[i]) - 0.5 * (count[i] - 1)) for i in (0, 1)]
    x, y = np.meshgrid(*across, indexing="ij")
    points = np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(count[0], count[1])
    a, b, c, d = (n.ravel() for n in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    falling = (points[a, 0] < -1e-9) != (points[a, 1] < -1e-9) if kind == "disc" else np.zeros(len(a), bool)
    first = np.where(falling[:, None], np.stack([a, b, d], axis=1), np.stack([a, b, c], axis=1))
    second = np.where(falling[:, None], np.stack([b, c, d], axis=1), np.stack([a, c, d], axis=1))
    if kind == "disc":
        points[:, :2] = _round(points[:, :2], 0.5 * spacing[:2] * (count[:2] - 1), points[:, :2])
    return points, np.stack([first, second], axis=1).reshape(-1, 3)


def _round(points: np.ndarray, size: np.ndarray, square: np.ndarray) -> np.ndarray:
    """Points of a square on circles: each on its ray, as far out as it is in the square; ``size`` times that."""
    far = np.abs(square).max(axis=1, keepdims=True)
    length = np.linalg.norm(points, axis=1, keepdims=True)
    return np.where(length > 0, points / np.where(length > 0, length, 1.0), points) * size * far


def _around(kind: str, count: np.ndarray, spacing: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """The surface of a box of cells, made round where asked; a solid is its tets with the middle, which is point 0.

    A sheet is open at its upper end.
    """
    if count.min() < 2:
        raise InputError(f"a {kind} of {count.tolist()} points; expected 2 or more along each axis")
    order = []
    for axis in (2, 1, 0):  # faces across z, then what is left of those across y, then x
        others = [i for i in range(3) if i != axis]
        # along each other axis all points, or those that no earlier face has
        last = count - 1
        last[2] += dim == 2
        spans = [np.arange(count[i]) if i < axis else np.arange(1, last[i]) for i in others]
        for end in (0, count[axis] - 1)[: 1 if axis == 2 and dim == 2 else 2]:
            grid = np.stack(np.meshgrid(*spans, indexing="ij"), axis=-1).reshape(-1, 2)
            face = np.empty((len(grid), 3), int)
            face[:, axis], face[:, others] = end, grid
            order.append(face)
    corners = np.concatenate(order)
    number = np.full(tuple(count), -1)
    number[tuple(corners.T)] = np.arange(len(corners))
    cells = []
    for axis in range(3):
        for end in (0, count[axis] - 1)[: 1 if axis == 2 and dim == 2 else 2]:
            face = np.take(number, end, axis=axis)
            a, b, c, d = (n.ravel() for n in (face[:-1, :-1], face[1:, :-1], face[1:, 1:], face[:-1, 1:]))
            both = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
            cells.append(both if (end > 0) == (axis != 1) else both[:, ::-1])  # facing outwards
    triangles = np.concatenate(cells)
    inside, size = 2.0 * corners / (count - 1) - 1, 0.5 * spacing * (count - 1)
    points = inside * size
    if kind == "cylinder":
        points[:, :2] = _round(inside[:, :2], size[:2], inside[:, :2])
    elif kind == "ellipsoid":
        points = inside / np.linalg.norm(inside, axis=1, keepdims=True) * size
    if dim == 2:
        return points, triangles
    middle = np.zeros((len(triangles), 1), int)
    return np.concatenate([np.zeros((1, 3)), points]), np.concatenate([middle, triangles + 1], axis=1)


def _from_file(given: Given, dim: int, path: Path) -> tuple[np.ndarray, np.ndarray]:
    if not path.is_file():
        raise InputError(f"there is no mesh file {path}; expected it where the description says")
    mesh = files.read(path)
    kinds = {1: EdgeMesh, 2: TriMesh, 3: TetMesh}
    if dim == 3 and isinstance(mesh, TriMesh):  # each triangle with one point in the middle
        origin = given.array("origin", 3, (0, 0, 0))
        last = np.full((len(mesh.triangles), 1), len(mesh.vertices))
        points, cells = np.concatenate([mesh.vertices, origin[None]]), np.concatenate([last, mesh.triangles], axis=1)
        volumes = np.linalg.det(mesh.vertices[mesh.triangles] - origin)
        if volumes.min() <= 0:
            raise InputError(
                f"{path}: {int((volumes <= 0).sum())} of {len(volumes)} triangles do not face away from {origin.tolist()}; "
                "expected a surface that is seen from there, origin=, or a file with tets"
            )
        return points, cells
    if dim == 2 and isinstance(mesh, TetMesh):
        mesh = mesh.boundary
    if not isinstance(mesh, kinds[dim]):
        raise InputError(f"{path} holds a {type(mesh).__name__}; expected {kinds[dim].__name__} for dim {dim}")
    cells = mesh.edges if isinstance(mesh, EdgeMesh) else mesh.triangles if isinstance(mesh, TriMesh) else mesh.tets
    return mesh.vertices, np.asarray(cells)
