"""Linear tetrahedra: constant F, one quadrature point."""

from __future__ import annotations

import numpy as np

from ..errors import InputError, first_few
from ..geometry.mesh import TetMesh
from .base import Elements


class Tets(Elements):
    """Solid elements from a TetMesh. Inverted or flat tets are refused, never dropped."""

    def __init__(self, mesh: TetMesh):
        if not isinstance(mesh, TetMesh):
            raise InputError(f"Tets needs a TetMesh, got {type(mesh).__name__}; see tetrahedralise() for surfaces")
        X, tets = mesh.vertices, mesh.tets
        bad = np.flatnonzero(mesh.volumes <= 0)
        if len(bad):
            raise InputError(
                f"{len(bad)} of {len(tets)} tets are inverted or flat, first at {first_few(bad)}; "
                "swap two vertices of each inverted one, and remove the flat ones"
            )
        # D = [X₀−X₃, X₁−X₃, X₂−X₃]; the rows of D⁻¹ are ∇N₀, ∇N₁, ∇N₂ (Eq 3.13–3.15)
        D = np.stack([X[tets[:, i]] - X[tets[:, 3]] for i in range(3)], axis=2)
        first = np.linalg.inv(D) if len(tets) else np.zeros((0, 3, 3))
        gradients = np.concatenate([first, -first.sum(axis=1, keepdims=True)], axis=1)[:, None]
        super().__init__(X, tets, gradients, mesh.volumes[:, None])
        object.__setattr__(self, "mesh", mesh)
