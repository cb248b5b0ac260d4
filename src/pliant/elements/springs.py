"""Straight threads between two nodes: Hooke's spring is the corotated bar k = E A / l₀ (Eq 3.16–3.18)."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, first_few, floats
from ..geometry.mesh import EdgeMesh
from .base import Elements


class Springs(Elements):
    """Thread elements from an EdgeMesh and a radius [m], one for all or one per edge.

    A thread thins as it stretches; under the corotated law it has no width left at stretch 1 + 1/ν and is stiffer beyond.
    """

    def __init__(self, mesh: EdgeMesh, radius: float | np.ndarray = 1e-3):
        if not isinstance(mesh, EdgeMesh):
            raise InputError(f"Springs needs an EdgeMesh, got {type(mesh).__name__}")
        radius = floats(radius)
        if radius.shape not in ((), (len(mesh.edges),)) or not np.all((radius > 0) & np.isfinite(radius)):
            raise InputError(f"Springs(radius=…): expected a positive number of metres, or {len(mesh.edges)} of them")
        bad = np.flatnonzero(mesh.lengths <= 0)
        if len(bad):
            raise InputError(f"{len(bad)} of {len(mesh.edges)} edges have no length, first at {first_few(bad)}")
        X, edges, length = mesh.vertices, mesh.edges, mesh.lengths
        direction = (X[edges[:, 0]] - X[edges[:, 1]]) / length[:, None]
        first = (direction / length[:, None])[:, None]
        gradients = np.concatenate([first, -first], axis=1)[:, None]
        super().__init__(X, edges, gradients, (np.pi * radius**2 * length)[:, None], dimension=1)
        object.__setattr__(self, "mesh", mesh)
        object.__setattr__(self, "radius", radius)
