"""Straight threads between two nodes: Hooke's spring is the corotated bar k = E A / l₀ (Eq 3.16–3.18)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arguments import checks
from ..errors import InputError, first_few
from ..geometry.mesh.mesh import EdgeMesh, TriMesh
from .base import Made
from .embedded_surface import NONE, Binding


@dataclass(frozen=True, eq=False)
class Springs(Made):
    """Thread elements from an EdgeMesh and a radius [m], one for all or one per edge.

    A thread thins as it stretches; under the corotated law it has no width left at stretch 1 + 1/ν and is stiffer
    beyond.
    """

    mesh: EdgeMesh
    radius: float | np.ndarray = 1e-3

    def __post_init__(self):
        mesh = checks.instance("mesh of Springs", self.mesh, EdgeMesh, "an EdgeMesh")
        radius = checks.floats(self.radius)
        if radius.shape not in ((), (len(mesh.edges),)) or not np.all((radius > 0) & (radius < checks.FAR)):
            raise InputError(f"Springs(radius=…): expected a positive number of metres, or {len(mesh.edges)} of them")
        bad = np.flatnonzero(mesh.lengths <= 0)
        if len(bad):
            raise InputError(f"{len(bad)} of {len(mesh.edges)} edges have no length, first at {first_few(bad)}")
        X, edges, length = mesh.vertices, mesh.edges, mesh.lengths
        direction = (X[edges[:, 0]] - X[edges[:, 1]]) / length[:, None]
        first = (direction / length[:, None])[:, None]
        gradients = np.concatenate([first, -first], axis=1)[:, None]
        weights = (np.pi * radius**2 * length)[:, None]
        self._derive(rest=X, nodes=edges, gradients=gradients, weights=weights, dimension=1, radius=radius)
        super().__post_init__()

    @cached_property
    def half_thickness(self) -> np.ndarray:
        widest = np.zeros(len(self.rest))
        np.maximum.at(widest, self.nodes, np.broadcast_to(self.radius, len(self.nodes))[:, None])
        return widest

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) side of the threads that each node stands for [m²]."""
        side = np.broadcast_to(np.pi * self.radius * self.mesh.lengths, len(self.nodes))
        return np.bincount(self.nodes.ravel(), np.repeat(side, 2), len(self.rest))

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        return super().drawn(mesh) if mesh is not None else self.outline

    @cached_property
    def outline(self) -> Binding:
        return self._at_nodes(np.arange(len(self.rest)), NONE, self.nodes)
