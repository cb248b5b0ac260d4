"""Slopes across the edges of a triangle mesh, read from the folds around each: exact for every quadratic surface.

The slope across an edge is that of the plane of its triangle, or the mean of its two, which is right on regular meshes only.
What is missing for the surfaces ½ xᵀKx is made up by the folds of the edges nearby, with the smallest factors that do so. The
triangles around an edge are unfolded into one plane, neighbour by neighbour, so nothing else than lengths matters.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...geometry.mesh.mesh import TriMesh, unique_rows

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
        """The half-edges on the other side, and ``at`` (…, 3, 2) as they see it: start, end and opposite corner unfolded.

        Where there is no other side the half-edge is −1 and the places mean nothing.
        """
        twin = self.twin[half]
        same = (self.start[twin] == self.start[half])[..., None]
        seen = np.empty(at.shape)
        seen[..., 0, :] = start = np.where(same, at[..., 0, :], at[..., 1, :])
        seen[..., 1, :] = end = np.where(same, at[..., 1, :], at[..., 0, :])
        edge, above, length = end - start, at[..., 2, :] - start, self.length[half]
        x, y = -edge[..., 1] / length, edge[..., 0] / length  # the normal
        rise = np.sign(above[..., 0] * x + above[..., 1] * y) * self.height[twin]
        along = self.along[twin]
        seen[..., 2, 0] = start[..., 0] + along * edge[..., 0] - rise * x
        seen[..., 2, 1] = start[..., 1] + along * edge[..., 1] - rise * y
        return twin, seen


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
        """(e, f, …, 3) x², xy and y² there."""
        a, b, c, d = (frame[:, i, j].reshape(-1, *[1] * (places.ndim - 2)) for i in range(2) for j in range(2))
        x, y = a * places[..., 0] + b * places[..., 1], c * places[..., 0] + d * places[..., 1]
        made = np.empty((*x.shape, 3))
        made[..., 0], made[..., 1], made[..., 2] = x * x, x * y, y * y
        return made

    def risen(half: np.ndarray, at: np.ndarray) -> np.ndarray:
        """(e, f, 3) how high the corners opposite stand over the lines through the ends, as surfaces have it."""
        along, every = folds.along[half][..., None], surfaces(at)
        return every[..., 2, :] - (1 - along) * every[..., 0, :] - along * every[..., 1, :]

    own = risen(half[:, None], at[:, None])[:, 0] / folds.height[half][:, None]
    risen_twin = risen(twin[:, None], beyond[:, None])[:, 0]
    other = np.where(inner[:, None], risen_twin / folds.height[twin][:, None], -own)
    # of the planes, where there should be none: in the middle of the edge the surfaces are level
    slope = 0.5 * (own - other)
    if level == 0:
        return np.full((count, 1), -1), np.zeros((count, 1)), np.abs(slope).max(axis=1)
    over, bends, weights, heights = [], [], [], []

    def take(half: np.ndarray, at: np.ndarray, twin: np.ndarray, beyond: np.ndarray, there: np.ndarray) -> None:
        over.append(np.where(there, folds.fold[half], -1))
        height = folds.height[twin]
        jump = risen(twin, beyond) + risen(half, at) * (height / folds.height[half])[..., None]
        away = np.einsum("eij,efj->efi", frame, beyond[..., 2, :])
        bends.append(jump)
        weights.append(np.where(there, (0.2 + (away**2).sum(axis=2)) ** -FALLOFF, 0.0))
        heights.append(height)

    take(half[:, None], at[:, None], twin[:, None], beyond[:, None], inner[:, None])
    near, places = np.stack([half, twin], axis=1), np.stack([at, beyond], axis=1)
    there = np.stack([np.ones(count, bool), inner], axis=1)
    for _ in range(level):  # all that were reached, (e, f), go on across their two other edges
        near = np.concatenate([near - near % 3 + (near + turn) % 3 for turn in (1, 2)], axis=1)
        places = np.concatenate([places[:, :, [1, 2, 0]], places[:, :, [2, 0, 1]]], axis=1)
        twins, beyond = folds.across(near, places)
        there = np.concatenate([there, there], axis=1) & (twins >= 0)
        take(near, places, twins, beyond, there)
        near, places = twins, beyond
    over, w, h = (np.concatenate(each, axis=1) for each in (over, weights, heights))
    G = np.concatenate(bends, axis=1).transpose(0, 2, 1)
    values, vectors = np.linalg.eigh((G * w[:, None]) @ G.transpose(0, 2, 1))
    inverse = np.divide(1, values, out=np.zeros_like(values), where=values > 1e-8 * values[:, -1:])
    lift = vectors @ (inverse[:, :, None] * (vectors.transpose(0, 2, 1) @ -slope[:, :, None]))
    u = w * (lift.transpose(0, 2, 1) @ G)[:, 0]
    missed = np.abs(slope + (G @ u[:, :, None])[:, :, 0]).max(axis=1)
    return over, u * h, missed
