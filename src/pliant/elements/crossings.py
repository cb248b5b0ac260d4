"""Where the surface of a solid crosses the edges of lattice cells: the points at which a lattice touches others.

A crossing rides on the two nodes of its edge, at i = φ_a/(φ_a − φ_b) (Weiß 2018, §2.9), and stands for the part of the
cut surface that is nearer to it than to any other. Surface with no crossing near, such as the tip of a fin, and surface
that stands out between them, such as that of a ball of a few cells, has points of its own in each cell.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..geometry.fragments import CORNERS, Fragments, shape_functions
from .cells import Cells
from .patches import Patches
from .surface import NONE, Binding

EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(CORNERS[a] - CORNERS[b]).sum() == 1])
FAR = 0.75  # surface further than this from every crossing gets points of its own [cells]
BULGE = 0.03  # and surface that stands out from the nearest one by this


def crossings(fragments: Fragments, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(s, 2) nodes and weights of the points where φ = 0 on the edges of cells (m, 8), each once.

    A node on the surface is a point by itself.
    """
    cells, phi = _along_edges(fragments)
    parts = phi.shape[2] - 1
    first, last = phi[:, :, :-1], phi[:, :, 1:]
    cell, edge, part = np.nonzero((first < 0) != (last < 0))
    f, g = first[cell, edge, part], last[cell, edge, part]
    at = (part + f / (f - g)) / parts
    ends = nodes[cells[cell][:, None], EDGES[edge]]
    corner, which = np.nonzero(fragments.values[cells] == 0)  # nodes on the surface
    flat = nodes[cells[corner], which]
    pairs = np.concatenate([ends, np.stack([flat, flat], axis=1)])
    weights = np.concatenate([np.stack([1 - at, at], axis=1), np.tile([1.0, 0.0], (len(flat), 1))])
    part = np.concatenate([part, np.zeros(len(flat), int)])
    on_node = np.argmax(weights, axis=1)
    whole = weights.max(axis=1) >= 1.0
    node = pairs[np.arange(len(pairs)), on_node]
    pairs[whole], weights[whole], part[whole] = node[whole][:, None], [1.0, 0.0], 0
    _, once = np.unique(np.column_stack([pairs, part]), axis=0, return_index=True)
    return pairs[once], weights[once]


def _along_edges(fragments: Fragments) -> tuple[np.ndarray, np.ndarray]:
    """(b,) cells that the surface may pass through, and (b, 12, r + 1) φ along their edges, lower end first."""
    if fragments.subcells is None:
        return np.arange(len(fragments.values)), fragments.values[:, EDGES]
    parts = round(fragments.subcells.shape[1] ** (1 / 3))
    steps = np.arange(parts + 1)[:, None]
    place = parts * CORNERS[EDGES[:, 0]][:, None] + steps * (CORNERS[EDGES[:, 1]] - CORNERS[EDGES[:, 0]])[:, None]
    lower = np.minimum(place, parts - 1)
    return np.flatnonzero(fragments.rows >= 0), fragments.subcells[
        :, lower @ [1, parts, parts**2], (place - lower) @ [1, 2, 4]
    ]


def touching_points(fragments: Fragments, cells: Cells, cut: Patches, rest: np.ndarray) -> Binding:
    """The crossings of the surface with the edges of cells, with the parts of the cut surface that they stand for."""
    h = cells.spacing
    nodes, weights = crossings(fragments, cells.nodes)
    owner, alone = np.zeros(len(cut.cells), int), np.arange(len(cut.cells))
    if len(nodes):
        points = np.einsum("sk,skc->sc", weights, rest[nodes])
        away, owner = cKDTree(points).query(cut.centres)
        bulge = np.einsum("tc,tc->t", cut.centres - points[owner], cut.area_vectors) / np.maximum(cut.areas, 1e-300)
        alone = np.flatnonzero((away > FAR * h) | (bulge > BULGE * h))
    if len(alone):  # one point for the triangles of a cell that look the same way
        axis = np.argmax(np.abs(cut.area_vectors[alone]), axis=1)
        side = 2 * axis + (np.take_along_axis(cut.area_vectors[alone], axis[:, None], axis=1)[:, 0] > 0)
        groups, own = np.unique(np.stack([cut.cells[alone], side], axis=1), axis=0, return_inverse=True)
        own = own.ravel()
        size = np.maximum(np.bincount(own, cut.areas[alone], len(groups)), 1e-300)
        middle = [np.bincount(own, cut.areas[alone] * x, len(groups)) / size for x in cut.centres[alone].T]
        middle = np.stack(middle, axis=1)
        normal = np.stack([np.bincount(own, v, len(groups)) / size for v in cut.area_vectors[alone].T], axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
        out = np.zeros(len(groups))  # how far the triangles stand out from their middle
        np.maximum.at(out, own, np.einsum("tc,tc->t", cut.centres[alone] - middle[own], normal[own]))
        xi = np.clip((middle + out[:, None] * normal - cells.lowest[groups[:, 0]]) / h, 0.0, 1.0)
        owner[alone] = len(nodes) + own
        pad = ((0, 0), (0, 6))
        nodes = np.concatenate([np.pad(nodes, pad, mode="edge"), cells.nodes[groups[:, 0]]])
        weights = np.concatenate([np.pad(weights, pad), shape_functions(xi)])
    areas = np.bincount(owner, cut.areas, len(nodes))
    kept = areas > 0
    return Binding(nodes[kept], weights[kept], NONE, areas[kept], areas[kept] / h)
