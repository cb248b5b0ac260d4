"""Beams, and linear elastodynamics assembled without the engine to compare them with."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

import pliant as pl
from pliant.material.base import lame

GRAVITY = 9.81


def beam(cells: tuple[int, int, int]) -> pl.TetMesh:
    """The beam 1.0 × 0.2 × 0.2 m of the comparison with other simulators, cells of five tets."""
    return pl.tet_grid((1.0, 0.2, 0.2), cells, 5)


def clamped(X: np.ndarray) -> np.ndarray:
    return X[:, 0] < 1e-9


def tip(mesh: pl.TetMesh) -> np.ndarray:
    return mesh.vertices[:, 0] > mesh.vertices[:, 0].max() - 1e-9


def assemble(mesh: pl.TetMesh, young: float, poisson: float, density: float):
    """Stiffness of linear elasticity and lumped mass, straight from the textbook."""
    X, T, n = mesh.vertices, mesh.tets, len(mesh.vertices)
    mu, lam = lame(young, poisson)
    D = np.stack([X[T[:, i]] - X[T[:, 3]] for i in range(3)], axis=2)
    G = np.linalg.inv(D)
    G = np.concatenate([G, -G.sum(axis=1, keepdims=True)], axis=1)
    V = np.linalg.det(D) / 6 * -1 if np.linalg.det(D[0]) < 0 else np.linalg.det(D) / 6
    K = (
        lam * np.einsum("m,mai,mbj->maibj", V, G, G)
        + mu * np.einsum("m,maj,mbi->maibj", V, G, G)
        + mu * np.einsum("m,mak,mbk,ij->maibj", V, G, G, np.eye(3))
    )
    rows = (3 * T[:, :, None] + np.arange(3)).reshape(len(T), 12)
    entries = (np.repeat(rows, 12, axis=1).ravel(), np.tile(rows, (1, 12)).ravel())
    mass = np.bincount(T.ravel(), np.repeat(density * V / 4, 4), n)
    return sparse.coo_matrix((K.ravel(), entries), (3 * n, 3 * n)).tocsc(), mass


def backward_euler(mesh: pl.TetMesh, young: float, poisson: float, density: float, dt: float, steps: int) -> np.ndarray:
    """(steps, n, 3) displacements of the clamped beam released under gravity: the exact backward-Euler solution."""
    K, mass = assemble(mesh, young, poisson, density)
    free = np.flatnonzero(np.repeat(~clamped(mesh.vertices), 3))
    f = np.zeros((len(mass), 3))
    f[:, 2] = -GRAVITY * mass
    M = sparse.diags(np.repeat(mass, 3)[free]).tocsc()
    K, f = K[free][:, free].tocsc(), f.ravel()[free]
    factor = splu((M + dt * dt * K).tocsc())
    u, v = np.zeros(len(free)), np.zeros(len(free))
    out = np.zeros((steps, 3 * len(mass)))
    for k in range(steps):
        v = factor.solve(M @ v + dt * (f - K @ u))
        u = u + dt * v
        out[k, free] = u
    return out.reshape(steps, -1, 3)
