"""Meshes of published problems: boxes of ten-node tets bent by a map, and strips of triangles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import pliant as pl

Map = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # three coordinates from 0 to 1 → (n, 3) [m]


def bent(cells: Sequence[int], place: Map, kind: int = 5) -> tuple[pl.TetMesh, np.ndarray]:
    """Ten-node tets of a unit cube put where ``place`` says, edges bent with it, and (3, n) where nodes were in the cube."""
    cube = pl.tet_grid((1, 1, 1), cells, kind).quadratic()
    u, v, w = cube.vertices.T
    return mapped(cube, place(u, v, w)), cube.vertices.T


def mapped(mesh: pl.TetMesh, X: np.ndarray) -> pl.TetMesh:
    """The same ten-node tets elsewhere, turned over where that mirrors them."""
    tets, middles, corners = mesh.tets, mesh.middles, X[mesh.tets[0]]
    if np.linalg.det(corners[1:] - corners[0]) < 0:
        tets, middles = tets[:, [0, 2, 1, 3]], middles[:, [2, 1, 0, 3, 5, 4]]
    return pl.TetMesh(X, tets, middles=middles)


def box(size: Sequence[float], cells: Sequence[int], tets: int = 5) -> pl.TetMesh:
    """Ten-node tets of a box with a corner at the origin."""
    return pl.tet_grid(size, cells, tets).quadratic()


def near(a: np.ndarray, b: float) -> np.ndarray:
    return np.abs(a - b) < 1e-9


def at(*coordinates: tuple[np.ndarray, float]) -> np.ndarray:
    """Numbers of the nodes whose coordinates are the given ones."""
    return np.flatnonzero(np.all([near(a, b) for a, b in coordinates], axis=0))


def rolled(where: np.ndarray, axes: str) -> pl.Hold:
    """Nodes of a mask held along some axes: rollers, symmetry, diaphragms."""
    return pl.Hold(np.flatnonzero(where), by=pl.hold.Rigidly(axes))


def slope(t: float) -> float:
    """A load that grows from nothing to its full size in 1 s."""
    return t
