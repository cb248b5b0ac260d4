"""Surfaces that ride on a body: each vertex is a fixed mixture of nodes of one element, or of a few around it."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ..elements.base import Elements
from ..elements.lattice import Lattice
from ..elements.membrane import Membrane
from ..elements.springs import Springs
from ..elements.tets import Tets
from ..errors import InputError, first_few
from ..geometry.distance import MeshDistance
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


def hung(points: np.ndarray, elements: Elements, what: str) -> tuple[np.ndarray, np.ndarray]:
    """(p, k) nodes and weights of points of a solid; none may lie further outside it than half a cell or tet."""
    if isinstance(elements, Lattice):
        nodes, weights = elements.embedded(points)
        away, most = elements.shape(points), np.full(len(points), 0.5 * elements.spacing)
    elif isinstance(elements, Tets):
        nodes, weights = embedded(points, elements)
        away, out = np.zeros(len(points)), np.flatnonzero(weights.min(axis=1) < -1e-9)
        if len(out):
            away[out] = MeshDistance(elements.mesh.boundary)(points[out])
        sides = elements.rest[nodes][:, 1:] - elements.rest[nodes][:, :1]
        most = 0.5 * np.cbrt(np.sqrt(2.0) * np.abs(np.linalg.det(sides)))  # half the edge of a regular tet as large
    else:
        raise InputError(f"{what}: {type(elements).__name__} has no inside; expected a solid, or use Attachment(where, …)")
    far = np.flatnonzero(away > most)
    if len(far):
        worst = far[np.argmax(away[far])]
        raise InputError(
            f"{what}: {len(far)} of {len(points)} points lie outside the body, first {first_few(far)}, the worst by "
            f"{away[worst]:.3g} m at {points[worst].round(6).tolist()}; expected points inside, or no further out than "
            f"half a cell, {most[worst]:.3g} m"
        )
    return nodes, weights


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
    if elements.faces is not None:
        return Skin(name, start, start + count, elements.faces, every, np.ones((count, 1)))
    given = f"no way to draw {type(elements).__name__}"
    raise InputError(f"{given}; expected Tets, Lattice, Membrane or Springs, or elements with faces=…")


def grip_of(elements: Elements, skin: Skin, vertex: int) -> tuple[np.ndarray, np.ndarray]:
    """(k,) body nodes and weights that a hand on a surface vertex pulls at: those that draw it, trilinear ones on lattices."""
    parents, weights = skin.parents[vertex], skin.weights[vertex]
    if isinstance(elements, Lattice) and len(parents) > 8:
        parents, weights = (part[0] for part in elements.embedded((weights @ elements.rest[parents])[None]))
    return parents, weights
