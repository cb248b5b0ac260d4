"""Conforming tets for the references: slices of triangles, extruded, whatever the number of them."""

from __future__ import annotations

import numpy as np

import pliant as pl


def disc(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of the unit disc: 6k points on ring k."""
    points, triangles, first = [np.zeros((1, 2))], [], 0
    for k in range(1, rings + 1):
        angle = 2 * np.pi * np.arange(6 * k) / (6 * k)
        points.append(k / rings * np.stack([np.cos(angle), np.sin(angle)], axis=1))
        inner, outer = max(1, 6 * (k - 1)), 6 * k
        start = first + inner
        for side in range(6):
            for i in range(k):
                o, n = side * k + i, side * (k - 1) + i
                triangles.append([first + n % inner, start + o, start + (o + 1) % outer])
                if i < k - 1:
                    triangles.append([first + n % inner, start + (o + 1) % outer, first + (n + 1) % inner])
        first = start
    return np.concatenate(points), np.array(triangles)


def annulus(inner: float, outer: float, across: int, around: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles between two circles."""
    radius, angle = np.linspace(inner, outer, across + 1), 2 * np.pi * np.arange(around) / around
    points = (radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)).reshape(-1, 2)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(across), np.arange(around), indexing="ij"))
    a, b = around * i + j, around * i + (j + 1) % around
    c, d = a + around, b + around
    flip = (i + j) % 2 == 0  # diagonals in turn, so that neither way round is preferred
    one = np.where(flip[:, None], np.stack([a, b, d], axis=1), np.stack([a, b, c], axis=1))
    two = np.where(flip[:, None], np.stack([a, d, c], axis=1), np.stack([b, d, c], axis=1))
    return points, np.concatenate([one, two])


def extruded(points: np.ndarray, triangles: np.ndarray, heights: np.ndarray, scale: np.ndarray) -> pl.TetMesh:
    """Tets between slices (x, y) of triangles at ``heights`` z, each brought to its ``scale`` [m]."""
    n = len(points)
    xy = (np.asarray(scale)[:, None, None] * points).reshape(-1, 2)
    vertices = np.column_stack([xy, np.repeat(heights, n)])
    a, b, c = np.sort(triangles, axis=1).T  # a prism is cut from its lowest numbers, so that neighbours agree
    slab = np.concatenate([np.stack(t, axis=1) for t in ((a, b, c, c + n), (a, b, b + n, c + n), (a, a + n, b + n, c + n))])
    tets = (slab + n * np.arange(len(heights) - 1)[:, None, None]).reshape(-1, 4)
    p = vertices[tets]
    wrong = np.linalg.det(p[:, 1:] - p[:, :1]) < 0
    tets[wrong] = tets[wrong][:, [0, 2, 1, 3]]
    return pl.TetMesh(vertices, tets)
