"""Triangles of a thin sheet: plane stress in the sheet, hinges for bending."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, first_few
from ..geometry.mesh import TriMesh
from .base import Elements


class Membrane(Elements):
    """Sheet elements from a TriMesh and a thickness [m]; ``bending=False`` leaves the hinges out.

    Bending is that of the isometric model of Bergou et al. (2006), so curved rest shapes keep their curvature but not
    the side it points to.
    """

    def __init__(self, mesh: TriMesh, thickness: float, bending: bool = True):
        if not isinstance(mesh, TriMesh):
            raise InputError(f"Membrane needs a TriMesh, got {type(mesh).__name__}")
        if not isinstance(thickness, int | float) or not 0 < thickness < np.inf:
            raise InputError(f"Membrane(thickness={thickness!r}): expected a positive number of metres")
        bad = np.flatnonzero(mesh.areas <= 0)
        if len(bad):
            raise InputError(f"{len(bad)} of {len(mesh.triangles)} triangles have no area, first at {first_few(bad)}")
        X, tri = mesh.vertices, mesh.triangles
        # ∇Nᵢ = n × (opposite edge) / 2A lies in the triangle, so F has the rest normal as its null direction
        normal = mesh.area_vectors / mesh.areas[:, None]
        corner = X[tri]
        opposite = corner[:, [2, 0, 1]] - corner[:, [1, 2, 0]]
        gradients = np.cross(normal[:, None], opposite) / (2 * mesh.areas)[:, None, None]
        super().__init__(X, tri, gradients[:, None], (mesh.areas * thickness)[:, None], dimension=2)
        object.__setattr__(self, "mesh", mesh)
        object.__setattr__(self, "thickness", float(thickness))
        object.__setattr__(self, "bending", bool(bending))


class Hinges(Elements):
    """Interior edges of a TriMesh with their two triangles: F's first column is the curvature vector Σ cᵢ xᵢ."""

    def __init__(self, mesh: TriMesh):
        corners = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        opposite = mesh.triangles[:, [2, 0, 1]].reshape(-1)
        face = np.repeat(np.arange(len(mesh.triangles)), 3)
        _, inverse, counts = np.unique(np.sort(corners, axis=1), axis=0, return_inverse=True, return_counts=True)
        order = np.argsort(inverse.reshape(-1), kind="stable")
        starts = np.concatenate([[0], np.cumsum(counts)])[:-1][counts == 2]
        first, second = order[starts], order[starts + 1]
        a, b = corners[first].T
        c, d = opposite[first], opposite[second]
        X = mesh.vertices
        area = mesh.areas[face[first]] + mesh.areas[face[second]]

        def cot(at, left, right):
            u, v = X[left] - X[at], X[right] - X[at]
            return np.einsum("ij,ij->i", u, v) / np.linalg.norm(np.cross(u, v), axis=1)

        ab_c, ba_c = cot(a, b, c), cot(b, a, c)
        ab_d, ba_d = cot(a, b, d), cot(b, a, d)
        weights = np.stack([ba_c + ba_d, ab_c + ab_d, -ab_c - ba_c, -ab_d - ba_d], axis=1)
        gradients = np.zeros((len(a), 1, 4, 3))
        gradients[:, 0, :, 0] = weights
        nodes = np.stack([a, b, c, d], axis=1)
        object.__setattr__(self, "curvature", np.linalg.norm(np.einsum("mk,mkc->mc", weights, X[nodes]), axis=1))
        # On equilateral triangles Σ ½/A |Σ cᵢxᵢ|² is ∫ ½(κ₁² + κ₂² − ⅔κ₁κ₂): a plate of unit stiffness with ν = −⅓, right for
        # every sheet that rolls up. The 3/A of the isometric model counts (κ₁ + κ₂)² in the mean only, and is three times
        # too stiff there, since all the bending of a cylinder falls on some of the edges.
        super().__init__(X, nodes, gradients, (1.0 / area)[:, None])

    def __post_init__(self):
        pass  # a sheet of one triangle has none
