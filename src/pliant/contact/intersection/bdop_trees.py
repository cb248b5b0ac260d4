"""Bounding volume trees in barycentric coordinates of the tets (BD-OP).

A node knows the least and greatest barycentric coordinates b of its triangles (spec: b-DOP). Along any axis the nodes of the
deformed tet lie at pᵢ, and the node's triangles lie between max(Σ lᵢpᵢ + (1 − Σl) min p, Σ uᵢpᵢ + (1 − Σu) max p) and the same
with min and max exchanged, whether or not the tet is inverted: no refit is needed to find which tets may meet, or what a ray
hits. Only in tets that may meet nodes get boxes, which separate more triangles, in a tenth of the time for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...geometry.mesh.surface_partition import Partition

PAD = 1e-7  # of barycentric coordinates, by which bounds of single precision are widened, to be conservative


@dataclass(frozen=True, eq=False)
class Trees:
    """A tree for each of c tets that hold pieces; the children of a node follow each other.

    ``order`` lists the triangles so that those of a node follow each other, from ``first`` on.
    """

    tets: np.ndarray  # (c,)
    roots: np.ndarray  # (c,)
    first: np.ndarray  # (nodes,)
    count: np.ndarray  # (nodes,)
    child: np.ndarray  # (nodes,) the first of two children, −1 for a single triangle
    low: np.ndarray  # (nodes, 4)
    high: np.ndarray  # (nodes, 4)
    order: np.ndarray  # (t,)

    @cached_property
    def inner(self) -> np.ndarray:
        """(t, 2) the first triangle and the number of them of each node with children, each node before those below it.

        A tet's begin where its triangles do, and leave its last place free: the node of n triangles at a place has its first
        child, of n // 2, at the next and its other child n // 2 places after itself.
        """
        place = np.zeros(len(self.first), np.int32)
        out = np.zeros((len(self.order), 2), np.int32)
        at = self.roots
        place[at] = self.first[at]
        while len(at := at[self.child[at] >= 0]):
            out[place[at]] = np.column_stack([self.first[at], self.count[at]])
            one = self.child[at]
            place[one], place[one + 1] = place[at] + 1, place[at] + self.count[one]
            at = np.concatenate([one, one + 1])
        return out


def plant(parts: Partition) -> Trees:
    """Trees over all pieces: each node is split in halves along its longest barycentric coordinate."""
    tets, first, count = np.unique(parts.tets, return_index=True, return_counts=True)
    low, high = parts.corners.min(axis=1), parts.corners.max(axis=1)
    middle = parts.corners.mean(axis=1)
    order = np.arange(parts.count)
    levels = [(first, count)]
    children = []
    total = len(tets)
    while True:
        first, count = levels[-1]
        wide = np.flatnonzero(count > 1)
        child = np.full(len(first), -1)
        child[wide] = total + 2 * np.arange(len(wide))
        children.append(child)
        if not len(wide):
            break
        total += 2 * len(wide)
        # all triangles of nodes that are cut, node by node
        sizes = count[wide]
        node = np.repeat(np.arange(len(wide)), sizes)
        places = first[wide][node] + np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        own = order[places]
        starts = np.cumsum(sizes) - sizes
        extent = np.maximum.reduceat(high[own], starts) - np.minimum.reduceat(low[own], starts)
        key = middle[own, np.argmax(extent, axis=1)[node]]
        order[places] = own[np.lexsort((own, key, node))]
        half = sizes // 2
        pair = np.column_stack([first[wide], first[wide] + half]).ravel()
        levels.append((pair, np.column_stack([half, sizes - half]).ravel()))
    first, count = (np.concatenate(part) for part in zip(*levels))
    child = np.concatenate(children)
    bounds = np.empty((len(first), 4)), np.empty((len(first), 4))
    single = np.flatnonzero(child < 0)
    for own, values in zip(bounds, (low, high)):
        own[single] = values[order[first[single]]]
    end = len(first)
    for length in [len(level[0]) for level in levels[::-1]]:
        at = np.arange(end - length, end)
        at = at[child[at] >= 0]
        bounds[0][at] = np.minimum(bounds[0][child[at]], bounds[0][child[at] + 1])
        bounds[1][at] = np.maximum(bounds[1][child[at]], bounds[1][child[at] + 1])
        end -= length
    low, high = (bounds[0] - PAD).astype(np.float32), (bounds[1] + PAD).astype(np.float32)
    whole = (own.astype(np.int32) for own in (first, count, child))
    return Trees(tets, np.arange(len(tets)), *whole, low, high, order.astype(np.int32))
