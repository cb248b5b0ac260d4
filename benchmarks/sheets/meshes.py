"""Flat shapes cut out of four kinds of mesh, turned by any angle, with even points along the rim."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial import ConvexHull

import pliant as pl

KINDS = ("equilateral", "alternating", "one diagonal", "random")
Distance = Callable[[np.ndarray], np.ndarray]  # (n, 2) places → (n,) how deep they are inside [m]


def cut_out(kind: str, depth: Distance, rims: list[np.ndarray], h: float, degrees: float = 0.0) -> pl.TriMesh:
    """The mesh of edge ``h`` in the shape, the points of ``rims`` being its vertices too; the first is the outer one."""
    reach = 1 + int(2 * np.abs(np.concatenate(rims)).max() / h)
    i = np.stack(np.meshgrid(*2 * [np.arange(-reach, reach + 1)], indexing="ij"), axis=-1).reshape(-1, 2)
    inner = h * i.astype(float)
    if kind == "equilateral":
        inner = inner @ np.array([[1, 0], [0.5, np.sqrt(0.75)]])
    if kind == "random":
        inner += 0.3 * h * np.random.default_rng(0).uniform(-1, 1, inner.shape)
    # which of two equal diagonals is an edge: the lower of both in a lifted picture of the points, whose hull is the mesh
    lift = {"alternating": i.sum(axis=1) % 2 * 1.0, "one diagonal": -0.5 * i.prod(axis=1)}.get(kind, 0.0 * i[:, 0])
    angle = np.deg2rad(degrees)
    inner = inner @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    kept = depth(inner) > 0.45 * h
    points = np.concatenate([inner[kept], *rims])
    lift = np.concatenate([lift[kept], np.zeros(len(points) - kept.sum())])
    hull = ConvexHull(np.column_stack([points, (points**2).sum(axis=1) + 1e-3 * h**2 * lift]))
    triangles = hull.simplices[hull.equations[:, 2] < 0]
    a, b, c = (points[triangles[:, k]] for k in range(3))
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    twice = ux * vy - uy * vx
    triangles[twice < 0] = triangles[twice < 0][:, ::-1]
    return pl.TriMesh(np.column_stack([points, 0 * lift]), triangles[np.abs(twice) > 1e-6 * h**2])


def rectangle(kind: str, low: tuple, high: tuple, h: float, degrees: float = 0.0, clamp: float = 0.0) -> pl.TriMesh:
    """From one corner to the other; with a ``clamp`` there is another rim, so far outside."""
    low, high = np.array(low, float), np.array(high, float)
    inset = [-clamp, 0.0] if clamp else [0.0]
    rims = [_frame(low + s, high - s, h) for s in inset]
    return cut_out(kind, lambda X: np.minimum(X - low, high - X).min(axis=1), rims, h, degrees)


def disc(kind: str, radius: float, h: float, clamp: float = 0.0) -> pl.TriMesh:
    inset = [-clamp, 0.0] if clamp else [0.0]
    angles = np.arange(round(2 * np.pi * radius / h)) * h / radius
    angles *= 2 * np.pi / (len(angles) * h / radius)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rims = [(radius - s) * circle for s in inset]
    return cut_out(kind, lambda X: radius - np.linalg.norm(X, axis=1), rims, h)


def clamped_strip(kind: str, cells: int, degrees: float = 0.0) -> pl.TriMesh:
    """A strip of 1 m by 0.2 m with a column of nodes at x = 0 and one an edge before it."""
    h = 1 / cells
    low, high = np.array([-h, 0.0]), np.array([1.0, 0.2])
    frame = _frame(low, high, h)
    second = frame[frame[:, 0] < 0] + [h, 0]
    rims = [frame, second[(second[:, 1] > 1e-9) & (second[:, 1] < 0.2 - 1e-9)]]
    return cut_out(kind, lambda X: np.minimum(X, high - X).min(axis=1), rims, h, degrees)


def _frame(low: np.ndarray, high: np.ndarray, h: float) -> np.ndarray:
    """Points around a rectangle, about h apart."""
    counts = np.maximum(1, np.round((high - low) / h)).astype(int)
    x, y = (np.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts))
    sides = [(x, low[1]), (x, high[1]), (low[0], y[1:-1]), (high[0], y[1:-1])]
    return np.concatenate([np.column_stack(np.broadcast_arrays(a, b)) for a, b in sides])
