"""Elastic energy of parts whose material is plastic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...elements.base import Form
from ...energy.base import Energy
from ...energy.elastic.point_stress import gradients_at_points
from ...energy.memory import Memory, Parents
from ...energy.plasticity.plastic_energy import AdditiveEnergy, Flowing, PlasticEnergy, general
from ...errors import InputError
from ...material.plasticity.plastic_law import Plastic
from ...runtime.device import Device
from ..effect_layout import Layout, Part
from .damping import inner_damping
from .elasticity import Elastic, Piece, merged
from .holds import Hold, Weakly

VALUES = ()
STRAIN = "plastic strain"


class _FlowingParts(Elastic, Flowing):
    """Elastic energy of the parts' own elements, which flow."""

    fields = (STRAIN,)

    def law(self, part: Part) -> Plastic:
        return part.material

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """Copies of cells have flowed as the cell has, point by point."""
        memory = super().carried(nearest, count, parents)
        own = [parents[part] if parents else None for part in self.parts]
        if all(each is None for each in own):
            return memory
        starts = np.cumsum([0, *self.sizes[:-1]])
        rows = np.concatenate(
            [first + (np.arange(n) if each is None else each) for first, n, each in zip(starts, self.sizes, own)]
        )
        return {name: wp.array(np.take(a.numpy(), rows, axis=1), dtype=a.dtype, device=a.device) for name, a in memory.items()}

    def element_field(self, name: str, x: wp.array) -> np.ndarray | None:
        if name == STRAIN:
            return self._mean(self.alpha.numpy().T)
        if name == "stretch":  # that of F, where the others are of Fe or the same for both
            F = gradients_at_points(self.elements, x.numpy()[self.first :])
            return self._mean(np.linalg.svd(F, compute_uv=False)[..., 0])
        return super().element_field(name, x)

    def _mean(self, points: np.ndarray) -> np.ndarray:
        """(m,) of (m, q) values at the points."""
        return np.einsum("mq,mq->m", self.elements.weights / self.elements.volumes[:, None], points)


class PlasticParts(_FlowingParts, PlasticEnergy):
    """With F = Fe Fp."""


class AdditiveParts(_FlowingParts, AdditiveEnergy):
    """With ε = ε_e + ε_p."""


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    pieces: dict[type, list[Piece]] = {PlasticParts: [], AdditiveParts: []}
    for part in layout.parts:
        if isinstance(part.material, Plastic):
            _check(part)
            rows = part.rows() if len(part.material.table()) > 1 else None
            kind = AdditiveParts if part.material.is_additive else PlasticParts
            pieces[kind].append(Piece(part, general(part.elements), part.material, rows, inner_damping(part)))
    return [energy for kind, some in pieces.items() for energy in merged(kind, device, layout, some)]


def _check(part: Part) -> None:
    """Refuse bodies of which another energy would hold on to the shape from before the flow."""
    kind = type(part.elements).__name__
    if part.elements.form is Form.PLANE_STRAIN:
        raise InputError(
            f"{part.name}: Plastic also flows normal to the plane, which PlaneStrain() does not allow; expected "
            "planar.PlaneStress() or a solid"
        )
    if part.elements.stabilised:
        raise InputError(
            f"{part.name}: {kind} with one point per cell has hourglass springs that do not flow; expected another "
            "quadrature for Plastic, such as quadrature.Moments()"
        )
    if any(isinstance(hold.by, Weakly) for hold in part.of(Hold)):
        raise InputError(f"{part.name}: hold.Weakly() does not flow; expected hold.Rigidly() or hold.Springs(…) for Plastic")
