"""Surfaces that ride on a body: each vertex is a fixed mixture of nodes of one element, or of a few around it."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..elements.base import Elements
from ..elements.lattice import Lattice
from ..elements.membrane import Membrane
from ..elements.springs import Springs
from ..elements.tets import Tets
from ..errors import InputError
from ..geometry.mesh import TriMesh
from .run import Skin
from .solid import Solid


def embedded(points: np.ndarray, elements: Tets, candidates: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """(s, 4) nodes and barycentric weights of the tet that holds each point, or of the nearest tet outside."""
    X, tets = elements.rest, elements.nodes
    tree = cKDTree(X[tets].mean(axis=1))
    near = tree.query(points, k=min(candidates, len(tets)))[1].reshape(len(points), -1)
    best, weights, choice = np.full(len(points), -np.inf), np.zeros((len(points), 4)), np.zeros(len(points), np.int64)
    for column in near.T:
        offset = points - X[tets[column, 3]]
        first = np.einsum("mkc,mc->mk", elements.gradients[column, 0, :3], offset)
        bary = np.column_stack([first, 1 - first.sum(axis=1)])
        inside = bary.min(axis=1)
        better = inside > best + 1e-12
        best[better], weights[better], choice[better] = inside[better], bary[better], column[better]
    return tets[choice], weights


def skin_of(name: str, start: int, elements: Elements, surface: TriMesh | None) -> Skin:
    """How the body is drawn: by ``surface`` if there is one, else by the elements' own boundary."""
    count = len(elements.rest)
    none = np.zeros((0, 3), np.int32)
    if isinstance(elements, Tets):
        if surface is not None:
            parents, weights = embedded(surface.vertices, elements)
            return Skin(name, start, start + count, surface.triangles, parents, weights, tets=elements.nodes)
        nodes = elements.mesh.boundary_vertices
        return Skin(
            name,
            start,
            start + count,
            elements.mesh.boundary.triangles,
            nodes[:, None],
            np.ones((len(nodes), 1)),
            tets=elements.nodes,
        )
    if isinstance(elements, Lattice):
        surface = elements.surface if surface is None else surface
        parents, weights = elements.embedding.mixtures(elements, surface.vertices)
        return Skin(name, start, start + count, surface.triangles, parents, weights, solid=Solid.of(elements))
    every = np.arange(count)[:, None]
    if isinstance(elements, Membrane):
        return Skin(name, start, start + count, elements.nodes, every, np.ones((count, 1)))
    if isinstance(elements, Springs):
        return Skin(name, start, start + count, none, every, np.ones((count, 1)), edges=elements.nodes)
    raise InputError(f"no way to draw {type(elements).__name__}; expected Tets, Lattice, Membrane or Springs")


def grip_of(elements: Elements, skin: Skin, vertex: int) -> tuple[np.ndarray, np.ndarray]:
    """(k,) body nodes and weights that a hand on a surface vertex pulls at: those that draw it, trilinear ones on lattices."""
    parents, weights = skin.parents[vertex], skin.weights[vertex]
    if isinstance(elements, Lattice) and len(parents) > 8:
        parents, weights = (part[0] for part in elements.embedded((weights @ elements.rest[parents])[None]))
    return parents, weights
