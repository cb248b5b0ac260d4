"""Slopes across the edges of a triangle mesh, read from the folds around each: exact for every quadratic surface.

The slope across an edge is that of the plane of its triangle, or the mean of its two, which is right on regular meshes only.
What is missing for the surfaces ½ xᵀKx is made up by the folds of the edges nearby, with the smallest factors that do so. The
triangles around an edge are unfolded into one plane, neighbour by neighbour, so nothing else than lengths matters.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..geometry.mesh import TriMesh, unique_rows

EXACT = 1e-9  # how much of a quadratic surface may be missed, in units of its slope
LARGEST = (3.0, 6.0)  # sums of factors above which more folds are taken in: of inner edges, and of those of the rim
JUMP = 3.0  # ratio of stiffness above which curvature is not expected to go on across an edge
LEVELS = 3  # how many triangles away folds are looked for
FALLOFF = 2.0  # how fast weights fall with the distance


class Folds:
    """The half-edges of a mesh, numbered 3 t + i, and the fold at each edge that two triangles share.

    Half-edge 3 t + i leads from corner i of triangle t to the next; ``along`` says where the corner opposite stands above it,
    0 at its start and 1 at its end, and ``height`` how far above [m]. Edges of three triangles or more count as rims: they are
    free to turn, and then not all is ``even``.
    """

    def __init__(self, mesh: TriMesh):
        X, triangles = mesh.vertices, mesh.triangles.astype(int)
        self.start, self.end, self.apex = (triangles[:, [i, (i + 1) % 3, (i + 2) % 3]] for i in range(3))
        self.start, self.end, self.apex = (a.reshape(-1) for a in (self.start, self.end, self.apex))
        edge, above = X[self.end] - X[self.start], X[self.apex] - X[self.start]
        self.length = np.linalg.norm(edge, axis=1)
        self.along = np.einsum("ij,ij->i", above, edge) / self.length**2
        self.height = np.linalg.norm(np.cross(edge, above), axis=1) / self.length
        _, inverse, counts = unique_rows(np.sort(np.stack([self.start, self.end], axis=1), axis=1))
        self.even = bool((counts <= 2).all())
        order = np.argsort(inverse, kind="stable")
        first = np.concatenate([[0], np.cumsum(counts)])[:-1][counts == 2]
        self.inner, other = order[first], order[first + 1]  # one half-edge of each fold, and its twin
        self.twin = np.full(len(self.start), -1)
        self.twin[self.inner], self.twin[other] = other, self.inner
        self.rim = np.flatnonzero(self.twin < 0)
        self.fold = np.full(len(self.start), -1)  # number of the fold at each half-edge
        self.fold[self.inner] = self.fold[other] = np.arange(len(self.inner))

    @cached_property
    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """(folds, 4) nodes and factors of the jump in slope at each: start, end, and the two corners opposite."""
        one, other = self.inner, self.twin[self.inner]
        there = np.where(self.start[other] == self.start[one], self.along[other], 1 - self.along[other])
        near, far = 1 / self.height[one], 1 / self.height[other]
        by_end = self.along[one] * near + there * far
        factors = np.stack([by_end - near - far, -by_end, near, far], axis=1)
        return np.stack([self.start[one], self.end[one], self.apex[one], self.apex[other]], axis=1), factors

    def placed(self, half: np.ndarray) -> np.ndarray:
        """(e, 3, 2) start, end and opposite corner of half-edges laid along x about their middle, their triangles above."""
        start = np.stack([-0.5 * self.length[half], np.zeros(len(half))], axis=1)
        top = np.stack([(self.along[half] - 0.5) * self.length[half], self.height[half]], axis=1)
        return np.stack([start, -start, top], axis=1)

    def across(self, half: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The half-edges on the other side, and ``at`` (e, 3, 2) as they see it: start, end and opposite corner unfolded.

        Where there is no other side the half-edge is −1 and the places mean nothing.
        """
        twin = self.twin[half]
        same = (self.start[twin] == self.start[half])[:, None]
        start, end = np.where(same, at[:, 0], at[:, 1]), np.where(same, at[:, 1], at[:, 0])
        edge = end - start
        normal = np.stack([-edge[:, 1], edge[:, 0]], axis=1) / self.length[half][:, None]
        side = np.sign(np.einsum("ij,ij->i", at[:, 2] - start, normal))
        top = start + self.along[twin][:, None] * edge - (side * self.height[twin])[:, None] * normal
        return twin, np.stack([start, end, top], axis=1)


def corrections(
    folds: Folds, stiffness: np.ndarray, wanted: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half-edge, fold and factor of every part of a slope that a fold adds to the mean of planes, into the own triangle.

    Listed are ``folds.inner``, whose twins see the opposite, and ``folds.rim``. Between triangles of very different ``stiffness``
    (m,), infinite where they are rigid, curvature jumps and the slope is that of the stiffer one's plane. ``wanted`` (m,) are the
    triangles whose slopes must all be there.
    """
    here, there = stiffness[folds.inner // 3], stiffness[folds.twin[folds.inner] // 3]
    jumps = np.maximum(here, there) > JUMP * np.minimum(here, there)
    parts = [(folds.inner[jumps], np.flatnonzero(jumps), np.where(here > there, 0.5, -0.5)[jumps])]
    loose = (folds.inner[~jumps & np.isfinite(here)], folds.rim[np.isfinite(stiffness[folds.rim // 3])])
    for half, largest in zip(loose, LARGEST):
        left = half if wanted is None else half[wanted[half // 3] | wanted[folds.twin[half] // 3]]
        for level in range(LEVELS + 1):
            over, factors, missed = _fitted(folds, left, level)
            good = (missed <= EXACT) & (np.abs(factors).sum(axis=1) <= largest) | (level == LEVELS)
            used = (over[good] >= 0) & (np.abs(factors[good]) > 1e-12)
            parts.append((np.repeat(left[good], used.sum(axis=1)), over[good][used], factors[good][used]))
            left = left[~good]
            if not len(left):
                break
    return tuple(np.concatenate(column) for column in zip(*parts))


def _fitted(folds: Folds, half: np.ndarray, level: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(e, s) folds up to ``level`` triangles away (−1 for none), their factors, and (e,) what they miss.

    At level 0 of inner edges none is used: the mean of the two planes.
    """
    count = len(half)
    at = folds.placed(half)
    twin, beyond = folds.across(half, at)
    inner = twin >= 0
    # distances and surfaces are measured in the frame in which the nodes of the edge are as far as they are wide
    nodes = np.concatenate([at, beyond[:, 2:] * inner[:, None, None]], axis=1)
    frame = np.linalg.inv(np.linalg.cholesky(np.einsum("eni,enj->eij", nodes, nodes) / 4))

    def surfaces(places: np.ndarray) -> np.ndarray:
        """(e, 3) x², xy and y² there."""
        x = frame[:, 0, 0] * places[:, 0] + frame[:, 0, 1] * places[:, 1]
        y = frame[:, 1, 0] * places[:, 0] + frame[:, 1, 1] * places[:, 1]
        return np.stack([x * x, x * y, y * y], axis=1)

    def risen(half: np.ndarray, at: np.ndarray) -> np.ndarray:
        """(e, 3) how high the corners opposite stand over the lines through the ends, as surfaces have it."""
        along = folds.along[half][:, None]
        return surfaces(at[:, 2]) - (1 - along) * surfaces(at[:, 0]) - along * surfaces(at[:, 1])

    own = risen(half, at) / folds.height[half][:, None]
    other = np.where(inner[:, None], risen(twin, beyond) / folds.height[twin][:, None], -own)
    slope = 0.5 * (
        own - other
    )  # of the planes, where there should be none: in the middle of the edge the surfaces are level
    if level == 0:
        return np.full((count, 1), -1), np.zeros((count, 1)), np.abs(slope).max(axis=1)
    over, bends, weights, heights = [], [], [], []

    def take(half: np.ndarray, at: np.ndarray, twin: np.ndarray, beyond: np.ndarray, there: np.ndarray) -> None:
        over.append(np.where(there, folds.fold[half], -1))
        height = folds.height[twin]
        jump = risen(twin, beyond) + risen(half, at) * (height / folds.height[half])[:, None]
        away = np.einsum("eij,ej->ei", frame, beyond[:, 2])
        bends.append(jump)
        weights.append(np.where(there, (0.2 + (away**2).sum(axis=1)) ** -FALLOFF, 0.0))
        heights.append(height)

    take(half, at, twin, beyond, inner)
    front = [(half, at, np.ones(count, bool)), (twin, beyond, inner)]
    for _ in range(level):
        reached = []
        for near, places, there in front:
            for turn in (1, 2):
                next_half = near - near % 3 + (near + turn) % 3
                order = [1, 2, 0] if turn == 1 else [2, 0, 1]
                next_twin, next_beyond = folds.across(next_half, places[:, order])
                exists = there & (next_twin >= 0)
                take(next_half, places[:, order], next_twin, next_beyond, exists)
                reached.append((next_twin, next_beyond, exists))
        front = reached
    G, w, h = np.stack(bends, axis=2), np.stack(weights, axis=1), np.stack(heights, axis=1)
    values, vectors = np.linalg.eigh((G * w[:, None]) @ G.transpose(0, 2, 1))
    inverse = np.divide(1, values, out=np.zeros_like(values), where=values > 1e-8 * values[:, -1:])
    lift = vectors @ (inverse[:, :, None] * (vectors.transpose(0, 2, 1) @ -slope[:, :, None]))
    u = w * (lift.transpose(0, 2, 1) @ G)[:, 0]
    missed = np.abs(slope + (G @ u[:, :, None])[:, :, 0]).max(axis=1)
    return np.stack(over, axis=1), u * h, missed
