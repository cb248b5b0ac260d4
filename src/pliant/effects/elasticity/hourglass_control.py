"""Stabilisation of lattices with one quadrature point per cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...energy.base import Energy
from ...energy.capabilities import Damped
from ...energy.sensitivity import Public
from ...energy.volume.hourglass_energy import Hourglass
from ...runtime.device import Device
from ..effect_layout import Layout, Part
from .elasticity import local_material, local_pulled_back

VALUES = ()


class PartHourglass(Damped, Hourglass):
    """That of one part."""

    def __init__(self, device: Device, part: Part):
        material, rows = local_material(part)
        super().__init__(device, part.elements, material, part.first, rows)
        self.parts, self._given = (part.index,), part.material

    @property
    def undifferentiable(self) -> str | None:
        own = [law for law in self._given.terms if self._given.moduli is None and law.projective is None and law.isotropic]
        if not any(set(law.parameters()) - {"density"} for law in own):
            return None
        return (
            f"Lattice with one point per cell: {self._given.name} has no moduli for hourglass control; expected a law that has, "
            "or another quadrature"
        )

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        part = layout.parts[self.parts[0]]
        by_name = self.pulled_back_stiffness(local_material(part)[0], gradients["stiffness"])
        return {(part.index, name): value for name, value in local_pulled_back(part, by_name).items()}

    def adopt(self, layout: Layout) -> None:
        part = layout.parts[self.parts[0]]
        if part.material is not self._given:
            self._given = part.material
            self.set_parameters(local_material(part)[0])


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [PartHourglass(device, part) for part in layout.parts if _needs(part)]


def _needs(part: Part) -> bool:
    return part.elements.stabilised
