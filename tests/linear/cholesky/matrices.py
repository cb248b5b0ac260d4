"""Matrices to factorise: random, grid-like, in pieces, dense, and hardly there."""

import numpy as np
from scipy import sparse

from pliant.geometry.mesh.primitives import tet_grid


def grid(cells: int, stiffness: float = 1e5) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Positions [m] and k L + M/h² of linear tets on a Kuhn grid of a unit cube."""
    mesh = tet_grid((1.0, 1.0, 1.0), (cells, cells, cells), 6)
    X, tets = mesh.vertices, np.asarray(mesh.tets)
    edges = np.stack([X[tets[:, i]] - X[tets[:, 0]] for i in (1, 2, 3)], axis=1)
    volume = np.abs(np.linalg.det(edges)) / 6
    rest = np.linalg.inv(edges).transpose(0, 2, 1)
    gradients = np.concatenate([-rest.sum(axis=1, keepdims=True), rest], axis=1)
    blocks = stiffness * volume[:, None, None] * np.einsum("tai,tbi->tab", gradients, gradients)
    blocks[:, range(4), range(4)] += 1000.0 * 3600.0 * volume[:, None] / 4
    i, j = np.repeat(tets, 4, axis=1).ravel(), np.tile(tets, (1, 4)).ravel()
    return X, sparse.coo_matrix((blocks.ravel(), (i, j)), shape=(len(X), len(X))).tocsr()


def random(count: int, links: int, seed: int) -> sparse.csr_matrix:
    """A random graph's Laplacian, its edges weighted, with something on the diagonal."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, count, (2, links))
    w = rng.uniform(0.1, 2.0, links)
    off = sparse.coo_matrix((-w, (i, j)), shape=(count, count)).tocsr()
    off = off + off.T
    off.setdiag(0.0)
    off.eliminate_zeros()
    return (off + sparse.diags(rng.uniform(0.05, 1.0, count) - np.asarray(off.sum(axis=1)).ravel())).tocsr()


def cases() -> dict[str, sparse.csr_matrix]:
    two = sparse.block_diag([grid(3)[1], random(80, 200, 4), sparse.eye(5) * 3.0], format="csr")
    rng = np.random.default_rng(5)
    full = rng.standard_normal((150, 150))
    return {
        "single": sparse.csr_matrix(np.array([[4.0]])),
        "pair": sparse.csr_matrix(np.array([[2.0, -1.0], [-1.0, 2.0]])),
        "diagonal": sparse.diags(np.linspace(1.0, 9.0, 300)).tocsr(),
        "chain": sparse.diags([-np.ones(399), np.full(400, 2.1), -np.ones(399)], [-1, 0, 1]).tocsr(),
        "dense": sparse.csr_matrix(full @ full.T + 10 * np.eye(150)),
        "star": _star(500),
        "random": random(600, 1500, 1),
        "grid": grid(7)[1],
        "pieces": two,
    }


def _star(count: int) -> sparse.csr_matrix:
    """One node that touches all others."""
    m = sparse.lil_matrix((count, count))
    m.setdiag(2.0)
    m[0, 1:] = m[1:, 0] = -0.01
    return m.tocsr()
