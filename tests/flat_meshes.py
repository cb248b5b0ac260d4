"""Crooked triangles in a plane, for the tests of several rooms."""

import numpy as np

import pliant as pl


def crooked(cells=(4, 3), amount=0.03) -> pl.TriMesh:
    mesh = pl.cloth_grid((0.4, 0.3), cells, (0.1, 0.2, 0.5))
    move = amount * np.random.default_rng(2).uniform(-1, 1, mesh.vertices.shape) * [1, 1, 0]
    return pl.TriMesh(mesh.vertices + move, mesh.triangles)
