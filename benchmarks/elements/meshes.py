"""Meshes of the study of elements: an eighth of a hollow ball, and boxes whose inner vertices are shaken."""

from __future__ import annotations

import numpy as np

import pliant as pl


def hollow_octant(parts: int, layers: int, inner: float, outer: float) -> pl.TetMesh:
    """x, y, z ≥ 0 of a hollow ball: ``parts`` edges along each quarter circle, ``layers`` from inside to outside [m]."""
    number = {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(parts + 1) for j in range(parts + 1 - i))}
    share = np.array([(i, j, parts - i - j) for i, j in number]) / parts
    # angles in place of lengths, so that arcs are cut into equal parts
    direction = np.sin(0.5 * np.pi * share)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    up = [[number[i, j], number[i + 1, j], number[i, j + 1]] for i, j in number if i + j < parts]
    down = [[number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]] for i, j in number if i + j < parts - 1]
    radii = inner * (outer / inner) ** (np.arange(layers + 1) / layers)
    X = (radii[:, None, None] * direction).reshape(-1, 3)
    order, n = np.sort(np.array(up + down), axis=1), len(direction)
    # three tets for each prism, cut alike on faces that prisms share: along the smaller number
    one = np.concatenate([np.column_stack([order[:, : 3 - i], order[:, 2 - i :] + n]) for i in range(3)])
    tets = np.concatenate([one + n * layer for layer in range(layers)])
    turned = np.linalg.det(X[tets[:, 1:]] - X[tets[:, :1]]) < 0
    tets[turned] = tets[turned][:, [1, 0, 2, 3]]
    return pl.TetMesh(X, tets)


def hexahedral_octant(parts: int, layers: int, inner: float, outer: float) -> pl.meshes.HexMesh:
    """The same of hexahedra: three four-sided patches of ``parts`` × ``parts`` around the middle of the triangle."""
    corner, middle = np.eye(3), np.full(3, 1 / np.sqrt(3))
    X, hexes = [], []
    radii = inner * (outer / inner) ** (np.arange(layers + 1) / layers)
    block = pl.meshes.hex_box((1, 1, 1), (parts, parts, layers))
    for i in range(3):
        a, b, c = corner[i], corner[(i + 1) % 3], corner[(i + 2) % 3]
        u, v, w = block.vertices.T[..., None]
        flat = (1 - u) * (1 - v) * a + u * (1 - v) * (a + b) / np.sqrt(2) + u * v * middle + (1 - u) * v * (a + c) / np.sqrt(2)
        flat /= np.linalg.norm(flat, axis=1, keepdims=True)
        X.append(radii[np.rint(w[:, 0] * layers).astype(int)][:, None] * flat)
        hexes.append(block.hexes + i * len(block.vertices))
    every = np.concatenate(X)
    _, first, number = np.unique(every.round(9), axis=0, return_index=True, return_inverse=True)  # sides that patches share
    return pl.meshes.HexMesh(every[first], number.ravel()[np.concatenate(hexes)])


def shaken(mesh: pl.TetMesh, part: float, seed: int = 0) -> pl.TetMesh:
    """The mesh with each inner vertex moved at random by about that part of the mean edge, so that no symmetry helps."""
    X, inside = mesh.vertices.copy(), np.ones(len(mesh.vertices), bool)
    inside[mesh.boundary_vertices] = False
    ends = X[mesh.edges]
    size = part * np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean()
    X[inside] += size * np.random.default_rng(seed).uniform(-1, 1, (int(inside.sum()), 3))
    return pl.TetMesh(X, mesh.tets)
