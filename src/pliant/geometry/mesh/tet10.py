"""Ten-node tetrahedron: numbering, shape functions, quadrature, faces.

Nodes 0 to 3 are the corners, 4 to 9 the middles of the edges in the order of ``EDGES`` (that of VTK). Places in it are
barycentric coordinates λ of the corners; derivatives are by ξ = (λ₁, λ₂, λ₃), with λ₀ = 1 − ξ₁ − ξ₂ − ξ₃.
"""

from __future__ import annotations

import numpy as np

EDGES = np.array([[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]])
GMSH = np.array([0, 1, 2, 3, 4, 5, 6, 7, 9, 8])  # Gmsh has the last two the other way round; its own inverse
_CORNERS = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])  # of the faces, counter-clockwise from outside
_MIDDLE = {frozenset(edge): 4 + i for i, edge in enumerate(EDGES.tolist())}
# (4, 6) nodes of the faces: three corners a, b, c and the middles of ab, bc, ca
FACES = np.array([[*f, *(_MIDDLE[frozenset((f[i], f[(i + 1) % 3]))] for i in range(3))] for f in _CORNERS.tolist()])
FOUR = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]])  # the triangles that draw a six-node face
HALVES = np.array([pair for i, (a, b) in enumerate(EDGES.tolist()) for pair in ((a, 4 + i), (4 + i, b))])
# (8, 4) tets between the ten nodes: one at each corner, and four around the line from the middle of 02 to that of 13
EIGHT = np.array([[0, 4, 6, 7], [4, 1, 5, 8], [6, 5, 2, 9], [7, 8, 9, 3], [6, 8, 7, 4], [6, 8, 4, 5], [6, 8, 5, 9], [6, 8, 9, 7]])
_A, _B = (5 + 3 * np.sqrt(5)) / 20, (5 - np.sqrt(5)) / 20
POINTS = np.full((4, 4), _B) + (_A - _B) * np.eye(4)  # λ of the rule of degree two, each of weight 1/4
NODES = np.concatenate([np.eye(4), 0.5 * (np.eye(4)[EDGES[:, 0]] + np.eye(4)[EDGES[:, 1]])])  # λ of the ten nodes
RECOVERY = NODES @ np.linalg.inv(POINTS)  # (10, 4) what a linear function is at the nodes, from what it is at the points
# degree three, as det J of a curved tet has (Keast 1986): the centroid and four points, whose weights are
_CUBIC = np.concatenate([np.full((1, 4), 0.25), np.full((4, 4), 1 / 6) + np.eye(4) / 3])
_CUBIC_WEIGHTS = np.array([-0.8, 0.45, 0.45, 0.45, 0.45])
# shares of an element's mass that its corners and middles take when its mass matrix is made diagonal: in proportion to
# ∫ N², 6 : 32 (Hinton, Rock and Zienkiewicz 1976); sums of rows would be negative at the corners
LUMPED = np.array([1 / 36] * 4 + [4 / 27] * 6)
# six points on a triangle, exact to degree four (Cowper 1973): barycentric places and weights
_C, _D, _WC = 0.44594849091596488632, 0.09157621350977074346, 0.22338158967801146570
FACE_POINTS = np.array([np.roll([1 - 2 * c, c, c], i) for c in (_C, _D) for i in range(3)])
FACE_WEIGHTS = np.repeat([_WC, 1 / 3 - _WC], 3)


def shape_functions(lam: np.ndarray) -> np.ndarray:
    """(…, 10) values at places λ (…, 4)."""
    return np.concatenate([lam * (2 * lam - 1), 4 * lam[..., EDGES[:, 0]] * lam[..., EDGES[:, 1]]], axis=-1)


def shape_derivatives(lam: np.ndarray) -> np.ndarray:
    """(…, 10, 3) derivatives by ξ at places λ (…, 4)."""
    by_lambda = np.zeros((*lam.shape[:-1], 10, 4))
    corner = np.arange(4)
    by_lambda[..., corner, corner] = 4 * lam - 1
    middle = 4 + np.arange(6)
    by_lambda[..., middle, EDGES[:, 0]] = 4 * lam[..., EDGES[:, 1]]
    by_lambda[..., middle, EDGES[:, 1]] = 4 * lam[..., EDGES[:, 0]]
    return by_lambda[..., 1:] - by_lambda[..., :1]


def jacobians(X: np.ndarray, lam: np.ndarray) -> np.ndarray:
    """(m, q, 3, 3) J = ∂X/∂ξ of tets with nodes X (m, 10, 3) at the places λ (q, 4)."""
    return np.einsum("mkc,qkd->mqcd", X, shape_derivatives(lam))


def volumes(X: np.ndarray) -> np.ndarray:
    """(m,) signed volumes of tets with nodes X (m, 10, 3), exact for curved ones too."""
    return np.linalg.det(jacobians(X, _CUBIC)) @ _CUBIC_WEIGHTS / 6


def mean_gradients(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m,) volumes of tets with nodes X (m, 10, 3), and (m, 10, 3) means of ∇N over each, exact for bent ones too."""
    J = jacobians(X, _CUBIC)
    parts = np.linalg.det(J) * _CUBIC_WEIGHTS / 6
    total = np.einsum("mq,qkd,mqdc->mkc", parts, shape_derivatives(_CUBIC), np.linalg.inv(J))
    V = parts.sum(axis=1)
    return V, total / V[:, None, None]


def evenness(X: np.ndarray) -> np.ndarray:
    """(m,) least det J of tets with nodes X (m, 10, 3), at the nodes and the quadrature points, over 6 V of their corners.

    1 in straight tets with middles half-way; from 0 down a tet is turned over somewhere.
    """
    straight = np.linalg.det(X[:, 1:4] - X[:, :1])
    least = np.linalg.det(jacobians(X, np.concatenate([POINTS, NODES]))).min(axis=1)
    return np.divide(least, straight, out=np.full(len(X), -np.inf), where=straight > 0)


def face_functions(lam: np.ndarray) -> np.ndarray:
    """(…, 6) values of the functions of a six-node face at its places λ (…, 3)."""
    return np.concatenate([lam * (2 * lam - 1), 4 * lam * np.roll(lam, -1, axis=-1)], axis=-1)


def face_derivatives(lam: np.ndarray) -> np.ndarray:
    """(…, 6, 2) their derivatives by (λ₁, λ₂), with λ₀ = 1 − λ₁ − λ₂."""
    by_lambda, corner = np.zeros((*lam.shape[:-1], 6, 3)), np.arange(3)
    after = (corner + 1) % 3
    by_lambda[..., corner, corner] = 4 * lam - 1
    by_lambda[..., 3 + corner, corner] = 4 * lam[..., after]
    by_lambda[..., 3 + corner, after] = 4 * lam
    return by_lambda[..., 1:] - by_lambda[..., :1]


def face_shares(X: np.ndarray) -> np.ndarray:
    """(f, 6) ∫ N dA [m²] of six-node faces with nodes X (f, 6, 3)."""
    tangents = np.einsum("fkc,qkd->fqdc", X, face_derivatives(FACE_POINTS))
    area = 0.5 * np.linalg.norm(np.cross(tangents[:, :, 0], tangents[:, :, 1]), axis=2)
    return np.einsum("fq,q,qk->fk", area, FACE_WEIGHTS, face_functions(FACE_POINTS))


def _enclosing() -> tuple[np.ndarray, np.ndarray]:
    """Triples of a face's nodes and their factors c, such that the volume under it is Σ c det(xᵢ, xⱼ, xₖ) / 6.

    V = ⅓ ∫ x · (∂x/∂λ₁ × ∂x/∂λ₂) is linear in each of three nodes, and of degree four in λ, so the rule is exact.
    """
    N, dN = face_functions(FACE_POINTS), face_derivatives(FACE_POINTS)
    T = np.einsum("q,qi,qj,qk->ijk", FACE_WEIGHTS, N, dN[:, :, 0], dN[:, :, 1])
    triples = [(i, j, k) for i in range(6) for j in range(i + 1, 6) for k in range(j + 1, 6)]
    factors = np.array([T[i, j, k] + T[j, k, i] + T[k, i, j] - T[i, k, j] - T[k, j, i] - T[j, i, k] for i, j, k in triples])
    kept = np.abs(factors) > 1e-12
    return np.array(triples)[kept], factors[kept]


ENCLOSING, ENCLOSING_FACTORS = _enclosing()
