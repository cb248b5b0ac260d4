"""Surface pieces of all bodies, cut along tets: patches, edges, trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.mesh.mesh import unique_rows
from ...geometry.mesh.surface_partition import Partition
from .bdop_trees import Trees, plant

NUDGE = 1e-9  # of the size of a scene: perturbation of corners in intersection tests, against degenerate contacts


@dataclass(frozen=True, eq=False)
class Listing:
    """Unique items of each patch: the ``items`` of patch p from ``starts[p]`` on, and the ``owner`` of each item."""

    starts: np.ndarray  # (patches + 1,)
    items: np.ndarray  # (l,)
    owner: np.ndarray  # (l,)
    of: np.ndarray  # (t, 3) where those of a triangle are among the items


def _listing(patch: np.ndarray, thing: np.ndarray, patches: int) -> Listing:
    pairs = np.column_stack([patch, thing])
    first, inverse, _ = unique_rows(pairs)
    owner, items = pairs[first].T
    return Listing(np.searchsorted(owner, np.arange(patches + 1)), items, owner, inverse.reshape(-1, 3))


class Pieces:
    """Partitions of bodies in one, whose tets (m, 4) have nodes of the scene at rest X (n, 3).

    ``tets`` are those of each body in numbers of the scene, ``first`` the first node of each.
    """

    def __init__(self, parts: Sequence[Partition], tets: Sequence[np.ndarray], first: Sequence[int], X: np.ndarray):
        self.bodies = len(parts)
        corner = np.cumsum([0, *(len(part.nodes) for part in parts)])
        tet = np.cumsum([0, *(len(own) for own in tets)])
        patch = np.cumsum([0, *(int(part.patches[-1]) + 1 for part in parts)])
        edge = np.cumsum([0, *(len(part.edges) for part in parts)])
        joined = lambda rows: np.concatenate(list(rows))
        self.nodes = joined(part.nodes + i for part, i in zip(parts, first)).astype(np.int32)
        self.weights = joined(part.weights for part in parts)
        self.triangles = joined(part.triangles + i for part, i in zip(parts, corner)).astype(np.int32)
        self.corners = joined(part.corners for part in parts)
        self.patch = joined(part.patches + i for part, i in zip(parts, patch))
        self.edges = joined(part.edges + i for part, i in zip(parts, corner))
        self.sides = joined(part.sides + i for part, i in zip(parts, edge))
        self.tet_of = joined(part.tets + i for part, i in zip(parts, tet))
        self.tets = np.concatenate(tets).astype(np.int64)
        self.body = np.repeat(np.arange(self.bodies), [part.count for part in parts])  # of triangles
        self.bounds = patch  # the patches of each body
        self.patch_first = np.searchsorted(self.patch, np.arange(patch[-1] + 1))  # of its triangles, with the end
        start = self.patch_first[:-1]
        self.patch_body, self.patch_tet = self.body[start], self.tet_of[start]
        whole = Partition(
            self.nodes, self.weights, self.triangles, self.tet_of, self.corners, self.patch, np.zeros(len(self.patch), int)
        )
        self.trees: Trees = plant(whole)
        self.cell_body = self.body[self.trees.order[self.trees.first[self.trees.roots]]]
        self._measure(X)
        size = float(np.linalg.norm(np.ptp(X, axis=0)))
        self.nudge = NUDGE * size * np.random.default_rng(0).uniform(-1, 1, (len(self.nodes), 3))

    def _measure(self, X: np.ndarray) -> None:
        """Areas at rest, the centroid of each patch in barycentric coordinates, and the factors of its vector area."""
        at = np.einsum("vk,vkc->vc", self.weights, X[self.nodes])
        p = at[self.triangles]
        vector = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        area = np.linalg.norm(vector, axis=1)
        add = lambda rows: np.add.reduceat(rows, self.patch_first[:-1])
        share = area + 1e-12 * area.max(initial=1e-300)  # pieces on faces of tets may have no area
        self.patch_middle = add(share[:, None] * self.corners.mean(axis=1)) / add(share)[:, None]
        # N = cof(D_s) cof(D_m)⁻¹ N₀, as cof(F) = cof(D_s) cof(D_m)⁻¹ (A.4): of each triangle its last two factors, and its area
        # times its centroid
        inverse = np.linalg.inv(cofactors(X[self.tets]))
        factors = np.einsum("tij,tj->ti", inverse[self.tet_of], vector)
        self.measures = np.column_stack([factors, share[:, None] * self.corners.mean(axis=1)])
        self.patch_measures = add(self.measures)
        self.area = share

    def vector_areas(self, patches: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(s, 3) of whole patches for nodes at x, one product each (A.4), whether or not their tets are inverted."""
        return self.mapped(patches, self.patch_measures[patches, :3], x)

    def mapped(self, patches: np.ndarray, factors: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(s, 3) vector areas from their factors (see ``_measure``), for nodes at x."""
        return np.einsum("sij,sj->si", cofactors(x[self.tets[self.patch_tet[patches]]]), factors)

    def at(self, x: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """(s, 3) some corners for nodes at x, moved by the nudge."""
        return np.einsum("vk,vkc->vc", self.weights[corners], x[self.nodes[corners]]) + self.nudge[corners]

    @cached_property
    def patch_corners(self) -> Listing:
        """The corners of each patch, each once; ``of`` (t, 3) are those of a triangle."""
        return _listing(np.repeat(self.patch, 3), self.triangles.ravel(), self.bounds[-1])

    @cached_property
    def patch_edges(self) -> Listing:
        """The edges of each patch, each once; ``of`` (t, 3) are the sides of a triangle."""
        return _listing(np.repeat(self.patch, 3), self.sides.ravel(), self.bounds[-1])

    @cached_property
    def edge_ends(self) -> np.ndarray:
        """(l, 2) of the edges of patches, where the lower and the upper end are among the corners of their patch."""
        edges, corners = self.patch_edges, self.patch_corners
        out = np.empty((len(edges.items), 2), np.int64)
        for i in range(3):
            lower, upper = (np.sort(corners.of[:, [i, (i + 1) % 3]], axis=1)[:, k] for k in (0, 1))
            out[edges.of[:, i]] = np.column_stack([lower, upper])
        return out - corners.starts[edges.owner][:, None]

    @cached_property
    def edge_places(self) -> tuple[np.ndarray, np.ndarray]:
        """Where each edge is among those of patches, of which it has two where it lies between them: starts and places."""
        order = np.argsort(self.patch_edges.items, kind="stable")
        return np.searchsorted(self.patch_edges.items[order], np.arange(len(self.edges) + 1)), order

    @cached_property
    def shared_corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners that two patches share, by the first of them: starts, and (k, 3) its place there, the other patch and the
        place in that. Patches around a corner are chained, so that all of them are connected."""
        corners = self.patch_corners
        order = np.argsort(corners.items, kind="stable")
        local = np.arange(len(corners.items)) - corners.starts[corners.owner]
        same = np.flatnonzero(corners.items[order][1:] == corners.items[order][:-1])
        one, other = order[same], order[same + 1]
        own, others = np.concatenate([one, other]), np.concatenate([other, one])
        by = np.argsort(corners.owner[own], kind="stable")
        rows = np.column_stack([local[own], corners.owner[others], local[others]])[by]
        return np.searchsorted(corners.owner[own][by], np.arange(self.bounds[-1] + 1)), rows

    @cached_property
    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """(k, 2) patches with an edge in common, and where those of each body begin."""
        order = np.argsort(self.sides.ravel(), kind="stable")
        edge, patch = self.sides.ravel()[order], self.patch[order // 3]
        same = (edge[1:] == edge[:-1]) & (patch[1:] != patch[:-1])
        pairs = np.sort(np.column_stack([patch[:-1][same], patch[1:][same]]), axis=1)
        pairs = pairs[unique_rows(pairs)[0]]
        return np.searchsorted(pairs[:, 0], self.bounds), pairs

    @cached_property
    def cell_corners(self) -> tuple[np.ndarray, np.ndarray]:
        """The corners of the pieces in each tet with any: starts and lists."""
        cell = np.searchsorted(self.trees.tets, self.tet_of)
        pairs = np.column_stack([np.repeat(cell, 3), self.triangles.ravel()])
        pairs = pairs[unique_rows(pairs)[0]]
        return np.searchsorted(pairs[:, 0], np.arange(len(self.trees.tets) + 1)), pairs[:, 1]


def cofactors(nodes: np.ndarray) -> np.ndarray:
    """(s, 3, 3) of D = [x₁−x₀, x₂−x₀, x₃−x₀] for nodes (s, 4, 3): its columns are products of two edges."""
    a, b, c = (nodes[:, i] - nodes[:, 0] for i in (1, 2, 3))
    return np.stack([cross(b, c), cross(c, a), cross(a, b)], axis=2)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(s, 3) cross products, for few vectors in a fifth of the time of NumPy's."""
    out = np.empty(a.shape)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out


def ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """start … end−1 of all of them, one after the other."""
    sizes = ends - starts
    return np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
