"""The surfaces of all bodies of a scene, cut along their tets, as one: pieces, patches, edges and trees."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..geometry.mesh import unique_rows
from ..geometry.partition import Partition
from .bdop import Trees, plant

NUDGE = 1e-9  # of the size of a scene, by which corners are moved where intersections are found, so that none touch by chance


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
            self.nodes,
            self.weights,
            self.triangles,
            self.tet_of,
            self.corners,
            self.patch,
            np.zeros(len(self.patch), int),
        )
        self.trees: Trees = plant(whole)
        self.cell_body = self.body[self.trees.order[self.trees.first[self.trees.roots]]]
        self._measure(X)
        size = float(np.linalg.norm(np.ptp(X, axis=0)))
        self.place = np.zeros(len(self.nodes), np.int64)  # of corners among those that a flood looks at
        self.marked_edges, self.marked_triangles = np.zeros(len(self.edges), bool), np.zeros(len(self.triangles), bool)
        self.nudge = NUDGE * size * np.random.default_rng(0).uniform(-1, 1, (len(self.nodes), 3))

    def _measure(self, X: np.ndarray) -> None:
        """Areas at rest, the middle of each patch in barycentric coordinates, and what its vector area follows from."""
        at = np.einsum("vk,vkc->vc", self.weights, X[self.nodes])
        p = at[self.triangles]
        vector = 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        area = np.linalg.norm(vector, axis=1)
        add = lambda rows: np.add.reduceat(rows, self.patch_first[:-1])
        share = area + 1e-12 * area.max(initial=1e-300)  # pieces on faces of tets may have no area
        self.patch_middle = add(share[:, None] * self.corners.mean(axis=1)) / add(share)[:, None]
        # N = cof(D_s) cof(D_m)⁻¹ N₀, as cof(F) = cof(D_s) cof(D_m)⁻¹ (A.4): of each triangle its last two factors, and its area
        # times the place of its middle
        inverse = np.linalg.inv(cofactors(X[self.tets]))
        factors = np.einsum("tij,tj->ti", inverse[self.tet_of], vector)
        self.measures = np.column_stack([factors, share[:, None] * self.corners.mean(axis=1)])
        self.patch_measures = add(self.measures)
        self.area = share

    def vector_areas(self, patches: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(s, 3) of whole patches for nodes at x, one product each (A.4), whether or not their tets are turned over."""
        return self.mapped(patches, self.patch_measures[patches, :3], x)

    def mapped(self, patches: np.ndarray, factors: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(s, 3) vector areas from their factors (see ``_measure``), for nodes at x."""
        return np.einsum("sij,sj->si", cofactors(x[self.tets[self.patch_tet[patches]]]), factors)

    def at(self, x: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """(s, 3) some corners for nodes at x, moved by the nudge."""
        return np.einsum("vk,vkc->vc", self.weights[corners], x[self.nodes[corners]]) + self.nudge[corners]

    @cached_property
    def patch_edges(self) -> tuple[np.ndarray, np.ndarray]:
        """The edges of each patch, each once: starts and lists."""
        pairs = np.column_stack([np.repeat(self.patch, 3), self.sides.ravel()])
        pairs = pairs[unique_rows(pairs)[0]]
        return np.searchsorted(pairs[:, 0], np.arange(self.bounds[-1] + 1)), pairs[:, 1]

    @cached_property
    def neighbours(self) -> list[np.ndarray]:
        """(k, 2) patches of each body with an edge in common."""
        order = np.argsort(self.sides.ravel(), kind="stable")
        edge, patch = self.sides.ravel()[order], self.patch[order // 3]
        same = (edge[1:] == edge[:-1]) & (patch[1:] != patch[:-1])
        pairs = np.sort(np.column_stack([patch[:-1][same], patch[1:][same]]), axis=1)
        pairs = pairs[unique_rows(pairs)[0]]
        return np.split(pairs, np.searchsorted(pairs[:, 0], self.bounds[1:-1]))

    @cached_property
    def rims(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Edges between two patches, by patch: starts, edges, and the patch on the other side."""
        order = np.argsort(self.sides.ravel(), kind="stable")
        edge, patch = self.sides.ravel()[order], self.patch[order // 3]
        same = np.flatnonzero((edge[1:] == edge[:-1]) & (patch[1:] != patch[:-1]))
        own = np.concatenate([patch[same], patch[same + 1]])
        other = np.concatenate([patch[same + 1], patch[same]])
        edges = np.concatenate([edge[same], edge[same]])
        order = np.argsort(own, kind="stable")
        return np.searchsorted(own[order], np.arange(self.bounds[-1] + 1)), edges[order], other[order]

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
    """(s, 3) products of vectors, for few of them in a fifth of the time of NumPy's own."""
    out = np.empty(a.shape)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out


def ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """start … end−1 of all of them, one after the other."""
    sizes = ends - starts
    return np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
