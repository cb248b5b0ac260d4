"""Stress and strain tensors at the points of elements.

The law is asked at a deformation gradient F by a tetrahedron with corners 0, e₁, e₂, e₃ that is brought to 0, F e₁, F e₂, F e₃:
the forces on its last three corners are the columns of the first Piola–Kirchhoff stress times its volume.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import warp as wp

from ...elements.base import Elements

if TYPE_CHECKING:
    from .elastic_energy import ElasticEnergy

CORNERS = np.vstack([np.zeros(3), np.eye(3)])
GRADIENTS = np.vstack([-np.ones(3), np.eye(3)])


def gradients_at_points(elements: Elements, x: np.ndarray) -> np.ndarray:
    """(m, q, 3, 3) F = Σ xᵢ ⊗ ∇Nᵢ of nodes at x (n, 3)."""
    F = np.einsum("mkc,mqkd->mqcd", x[elements.nodes], elements.gradients)
    if elements.plane_strain:
        F[..., 2, 2] += 1.0
    return F


def stress_at_points(energy: ElasticEnergy, x: np.ndarray) -> np.ndarray:
    """(m, q, 3, 3) Cauchy's stress σ = P Fᵀ / det F [Pa] of a solid whose nodes are at x (n, 3)."""
    F = energy.deformed(x)
    m, q = F.shape[:2]
    own = energy.static_rows if len(energy.static_rows) > 1 else np.zeros(m, int)
    # point by point, or alike at all
    own = own.reshape(q, m).T if len(own) == q * m else np.repeat(own[:, None], q, axis=1)
    P = piola(energy, F.reshape(-1, 3, 3), own.reshape(-1)).reshape(F.shape)
    return np.einsum("mqij,mqkj->mqik", P, F) / np.linalg.det(F)[..., None, None]


def piola(energy: ElasticEnergy, F: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(s, 3, 3) P of the law of ``energy``, with its rows of parameters (s,), at F (s, 3, 3) [Pa]."""
    from .elastic_energy import ElasticEnergy

    count, device = len(F), energy.device
    elements = Elements(
        np.tile(CORNERS, (count, 1)), np.arange(4 * count, dtype=np.int32).reshape(-1, 4),
        np.broadcast_to(GRADIENTS, (count, 1, 4, 3)), np.ones((count, 1)),
    )  # fmt: skip
    samples = ElasticEnergy(device, elements, energy.material, rows=rows)
    samples.table = energy.static_table
    x = np.zeros((count, 4, 3))
    x[:, 1:] = F.transpose(0, 2, 1)
    place = device.array(x.reshape(-1, 3), device.types.position)
    forces = wp.zeros(4 * count, dtype=device.types.vec3, device=device.name)
    samples.gradient(place, forces)
    return forces.numpy().reshape(count, 4, 3)[:, 1:].transpose(0, 2, 1).astype(float)


def strain_at_points(elements: Elements, x: np.ndarray) -> np.ndarray:
    """(m, q, 3, 3) Green's strain ½(FᵀF − 1) of nodes at x (n, 3); for small strain that of engineers."""
    F = gradients_at_points(elements, x)
    return 0.5 * (np.einsum("mqki,mqkj->mqij", F, F) - np.eye(3))
