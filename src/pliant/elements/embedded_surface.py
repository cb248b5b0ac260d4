"""Points embedded in a body: fixed weights on its nodes, the triangles between them and the area of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ..errors import InputError, first_few

Mixture = tuple[np.ndarray, np.ndarray]  # (s, k) nodes and their weights; each row sums to 1
NONE = np.zeros((0, 3), np.int32)


@dataclass(frozen=True, eq=False)
class Binding:
    """s points Σ w_j x_j of up to k nodes each: a drawn surface, or where a body touches others.

    ``lengths`` [m] times a modulus is a stiffness [N/m] that fits the body at each point; contact takes ten times that.
    """

    nodes: np.ndarray  # (s, k) node numbers of the body
    weights: np.ndarray  # (s, k) each row sums to 1
    triangles: np.ndarray  # (f, 3) in numbers of the points, counter-clockwise from outside; empty for threads
    areas: np.ndarray  # (s,) part of the surface that each point stands for [m²]
    lengths: np.ndarray  # (s,) [m]
    edges: np.ndarray | None = None  # (e, 2) node numbers of threads

    @property
    def count(self) -> int:
        return len(self.nodes)

    @cached_property
    def at_nodes(self) -> bool:
        """Whether every point is a node by itself."""
        return self.nodes.shape[1] == 1

    def matrix(self, count: int) -> sparse.csr_array:
        """(s, count) weights of a body's nodes in each point."""
        s, k = self.nodes.shape
        return sparse.csr_array((self.weights.ravel(), self.nodes.ravel(), k * np.arange(s + 1)), shape=(s, count))

    def of(self, values: np.ndarray) -> np.ndarray:
        """(s, …) values at the points from (n, …) values at the nodes."""
        return np.einsum("sk,sk...->s...", self.weights, values[self.nodes])


def widened(nodes: np.ndarray, weights: np.ndarray, wide: int) -> Mixture:
    """The same mixtures of ``wide`` nodes each: where there are fewer, the first is repeated with weight 0."""
    more = wide - nodes.shape[1]
    return np.concatenate([nodes, np.repeat(nodes[:, :1], more, axis=1)], axis=1), np.pad(weights, ((0, 0), (0, more)))


def vertex_areas(triangles: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(n,) a third of the area of the triangles around each vertex [m²]."""
    p = X[triangles]
    area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
    return np.bincount(triangles.ravel(), np.repeat(area / 3, 3), len(X))


def facing_areas(triangles: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(n,) what each vertex stands for of a plane that it touches [m²]: of a sharp edge that of one face alone.

    It is the largest of the areas that a third of each triangle around it shows to one of them.
    """
    p = X[triangles]
    vectors = np.repeat(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]) / 6, 3, axis=0)
    vertex = triangles.ravel()
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex, minlength=len(X))
    place = np.arange(len(vertex)) - np.repeat(np.cumsum(count) - count, count)
    around = np.zeros((len(X), int(count.max(initial=0)), 3))
    around[vertex[order], place] = vectors[order]
    best = np.zeros(len(X))
    for one in range(around.shape[1]):
        normal = around[:, one] / np.maximum(np.linalg.norm(around[:, one], axis=1, keepdims=True), 1e-300)
        best = np.maximum(best, np.maximum(np.einsum("nkc,nc->nk", around, normal), 0.0).sum(axis=1))
    return best


def nearby(points: np.ndarray, away: np.ndarray, most: np.ndarray | float, what: str, noun: str) -> None:
    """Refuse points (p, 3) further outside a body than ``most`` [m]; ``away`` (p,) is how far outside each is."""
    most = np.broadcast_to(most, len(points))
    far = np.flatnonzero(away > most)
    if len(far):
        worst = far[np.argmax(away[far])]
        raise InputError(
            f"{what}: {len(far)} of {len(points)} points lie outside the body, first {first_few(far)}, the worst by "
            f"{away[worst]:.3g} m at {points[worst].round(6).tolist()}; expected points inside, or no further out than "
            f"{noun}, {most[worst]:.3g} m"
        )
