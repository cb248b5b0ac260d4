"""Graph embedding: positions from distances to a few nodes."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

LANDMARKS = 8
DIMENSIONS = 6  # more cut directions than dimensions, since graph distances are not isotropic
SMOOTHINGS = 4


def embed(graph: sparse.csr_matrix) -> np.ndarray:
    """Positions (n, 6) in edges such that neighbours are near each other; disconnected parts are separated.

    Each landmark is the node of its part farthest from the landmarks before it, so the result depends on nothing
    random. Averaging over neighbours then breaks the ties that whole distances leave.
    """
    n = graph.shape[0]
    parts, part = csgraph.connected_components(graph, directed=False)
    first = np.unique(part, return_index=True)[1]
    source = _farthest(_distances(graph, first), part, parts)
    nearest = np.full(n, np.inf)
    columns = []
    for _ in range(LANDMARKS):
        distance = _distances(graph, source)
        columns.append(distance)
        nearest = np.minimum(nearest, distance)
        source = _farthest(nearest, part, parts)
    coordinates = np.stack(columns, axis=1)
    sizes = np.bincount(part, minlength=parts)
    for axis in range(LANDMARKS):  # centred in each part, or size would separate the parts
        coordinates[:, axis] -= (np.bincount(part, coordinates[:, axis], parts) / sizes)[part]
    degree = np.maximum(np.diff(graph.indptr), 1)[:, None]
    for _ in range(SMOOTHINGS):
        coordinates = 0.5 * coordinates + 0.5 * (graph @ coordinates) / degree
    _, axes = np.linalg.eigh(coordinates.T @ coordinates)
    placed = coordinates @ axes[:, ::-1][:, :DIMENSIONS]
    if parts > 1:
        reach = np.ptp(placed[:, 0]) + 1.0
        placed[:, 0] += 2.0 * reach * part
    return placed


def _distances(graph: sparse.csr_matrix, source: np.ndarray) -> np.ndarray:
    """Edges from each node to the nearest source; every part of the graph has one."""
    return csgraph.dijkstra(graph, directed=True, indices=source, unweighted=True, min_only=True)


def _farthest(distance: np.ndarray, part: np.ndarray, parts: int) -> np.ndarray:
    """The farthest node of each part."""
    order = np.lexsort((distance, part))
    return order[np.searchsorted(part[order], np.arange(parts), side="right") - 1]
