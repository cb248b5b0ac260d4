"""Slopes across edges: exact for quadratic surfaces, from folds near by, with factors that stay small."""

import numpy as np
import pytest

from benchmarks.sheets.meshes import KINDS, rectangle
from pliant.elements.sheets.edge_slopes import LARGEST, Folds, corrections


def slopes(mesh, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Half-edges, and the slopes of w across their middles into the own triangle."""
    folds = Folds(mesh)
    nodes, factors = folds.jumps
    jump = (factors * w[nodes]).sum(axis=1)
    along = folds.along
    total = (w[folds.apex] - (1 - along) * w[folds.start] - along * w[folds.end]) / folds.height
    total[folds.inner] -= 0.5 * jump[folds.fold[folds.inner]]
    half, fold, factor = corrections(folds, np.ones(len(folds.start) // 3))
    np.add.at(total, half, factor * jump[fold])
    half = np.concatenate([folds.inner, folds.rim])
    return half, total[half]


@pytest.mark.parametrize("kind", KINDS)
def test_slopes_of_quadratic_surfaces(kind):
    mesh = rectangle(kind, (0, 0), (1, 1), 0.1)
    X = mesh.vertices
    K, g = np.array([[1.3, 0.4], [0.4, -0.7]]), np.array([0.2, -0.5])
    half, found = slopes(mesh, 0.5 * np.einsum("ni,ij,nj->n", X[:, :2], K, X[:, :2]) + X[:, :2] @ g)
    folds = Folds(mesh)
    a, b, c = (X[nodes[half], :2] for nodes in (folds.start, folds.end, folds.apex))
    t = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
    n = (c - a) - np.einsum("ei,ei->e", c - a, t)[:, None] * t
    n /= np.linalg.norm(n, axis=1)[:, None]
    assert found == pytest.approx(np.einsum("ei,ei->e", n, 0.5 * (a + b) @ K + g), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_factors_stay_small(kind):
    folds = Folds(rectangle(kind, (0, 0), (1, 1), 0.1))
    half, _, factor = corrections(folds, np.ones(len(folds.start) // 3))
    sums = np.bincount(half, np.abs(factor), len(folds.twin))
    assert sums[folds.inner].max() <= LARGEST[0] and sums[folds.rim].max() <= LARGEST[1]
    if kind == "equilateral":  # away from the rim the mean of two planes is right
        assert np.mean(sums[folds.inner] == 0) > 0.7
