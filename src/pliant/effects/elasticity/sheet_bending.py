"""Bending of sheets: each triangle of a membrane as a plate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...elements.sheets.plates import Plates
from ...energy.base import Energy
from ...energy.capabilities import Viscous
from ...energy.sensitivity import Public
from ...energy.sheets.bending_energy import BendingEnergy, BendingViscosity
from ...energy.sheets.bending_flow import BendingFlow
from ...errors import InputError
from ...material.base import Elastic, engineering
from ...material.laws.bending_law import Bending
from ...material.parameter_gradients import EPSILON, Gradients, moduli_of
from ...material.plasticity.plastic_law import Plastic
from ...runtime.device import Device
from ..effect_layout import Layout, Part
from .damping import DampsParts, inner_damping
from .elasticity import MergedElastic, Piece, merged

VALUES = ()


class SheetViscosity(DampsParts, BendingViscosity):
    """Viscosity of the plates of parts."""

    of_damping = "viscosity"


class SheetFlow(BendingFlow):
    """Of the plates of all sheets that are plastic."""

    def __init__(self, device: Device, layout: Layout, plates: Sequence[SheetBending]):
        parts = [part for part in layout.parts if _flows(part)]
        first = dict(zip([part.index for part in parts], np.cumsum([0, *(part.elements.count for part in parts)])))
        nodes = np.concatenate([part.first + part.elements.nodes[:, 0] for part in parts])
        numbers = [np.concatenate([first[i] + one.groups[i].triangles for i in one.parts]) for one in plates]
        super().__init__(device, plates, numbers, [one.limits(layout) for one in plates], nodes)

    def adopt(self, layout: Layout) -> None:
        for limits, one in zip(self.limits, self.plates):
            limits.assign(one.limits(layout).astype(self.device.types.numpy))
        self.derive()


class SheetBending(Viscous, MergedElastic, BendingEnergy):
    """Kirchhoff's energy of the plates; ``thickness`` [m] is that of the sheet at each."""

    name = "bending"

    def __init__(self, device: Device, rest: np.ndarray, pieces: Sequence[Piece]):
        super().__init__(device, rest, pieces)
        self.groups = {piece.part.index: piece.elements for piece in pieces}
        self.numbers = np.concatenate([(piece.part.index << 40) + piece.elements.triangles for piece in pieces])
        of = [piece.part.elements.thickness for piece in pieces]
        self.thickness = np.repeat(of, [piece.elements.count for piece in pieces])
        self.flows = _flows(pieces[0].part)

    def law(self, part: Part) -> Bending:
        return plate(part, self.groups[part.index])

    def limits(self, layout: Layout) -> np.ndarray:
        """(m, 5) the ``LIMITS`` of the plates, of parts that flow."""
        return np.concatenate([yields(layout.parts[i])[self.groups[i].triangles] for i in self.parts])

    def viscous(self, eta: float, count: int) -> Energy:
        viscosity = SheetViscosity(self.device, self, eta * self.thickness**3 / 6, count)
        viscosity.per_viscosity = self.thickness**3 / 6
        return viscosity

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        every: Public = {}
        for i, by in zip(self.parts, self.split(gradients["table"])):
            of_part = pulled_back_plate(layout.parts[i], self.groups[i], by[:, :2])
            every |= {(i, name): value for name, value in of_part.items()}
        return every


def moduli(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """(m,) bending stiffness E t³ / 12(1−ν²) and ν of each triangle, E and ν being those of all laws of a sum together."""
    material = part.material
    if material.moduli is None:
        raise InputError(
            f"{material.name} has no Young's modulus, so {part.name} does not resist bending; add a law that has one, or use "
            "Membrane(…, bending=False)"
        )
    own = isinstance(material, Elastic)
    young, poisson = (material.young, material.poisson) if own else engineering(*material.moduli)
    young, poisson = np.broadcast_arrays(np.atleast_1d(young), np.atleast_1d(poisson))
    stiffness, row = young * part.elements.thickness**3 / (12 * (1 - poisson**2)), _rows(part, len(young))
    return stiffness[row], poisson[row]


def _flows(part: Part) -> bool:
    return part.elements.bending and isinstance(part.material, Plastic)


def yields(part: Part) -> np.ndarray:
    """(m, 5) yield moment σ_y t²/4, its growth with α, t/4, limit and time of creep of each triangle of a plastic sheet."""
    law, t = part.material, part.elements.thickness
    every = np.broadcast_arrays(*map(np.atleast_1d, (law.yield_stress, law.hardening, law.limit, law.creep_time)))
    stress, hardening, limit, creep = (values[_rows(part, len(values))] for values in every)
    return np.stack([stress * t**2 / 4, hardening * t**2 / 4, np.full(len(stress), t / 4), limit, creep], axis=1)


def _rows(part: Part, count: int) -> np.ndarray:
    """(m,) which of ``count`` rows of parameters each triangle has."""
    return part.rows() if count > 1 else np.zeros(part.elements.count, int)


def plate(part: Part, group: Plates) -> Bending:
    stiffness, poisson = moduli(part)
    return Bending(stiffness=stiffness[group.triangles], poisson=poisson[group.triangles], rest=group.curvature)


def pulled_back_plate(part: Part, group: Plates, gradient: np.ndarray) -> Gradients:
    """Gradient by the parameters for that (triangles, 2) by the stiffness and Poisson's ratio of ``plate``."""
    material, third = part.material, part.elements.thickness**3 / 12

    def bending(law: np.ndarray) -> np.ndarray:
        """(rows, 2) D and ν from what is summed over the laws."""
        young, poisson = engineering(law[:, 0], law[:, 1])
        return np.stack([young * third / (1 - poisson**2), poisson], axis=1)

    lame = np.stack(np.broadcast_arrays(*material.moduli), axis=-1)
    row = _rows(part, len(lame))[group.triangles]
    by = np.stack([np.bincount(row, column, len(lame)) for column in gradient.T], axis=1)
    slopes = [np.imag(bending(lame + 1j * EPSILON * axis)) / EPSILON for axis in np.eye(2)]
    return material.pulled_back_from(moduli_of, np.stack([(by * slope).sum(axis=1) for slope in slopes], axis=-1))


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    pieces = []
    for part in layout.parts:
        if part.elements.bending:
            held = ~layout.free[part.nodes].any(axis=1)
            for group in part.elements.bent(moduli(part)[0], held).plates:
                rows = np.arange(group.count) if group.count > 1 else None
                pieces.append(Piece(part, group, plate(part, group), rows, (*inner_damping(part), _flows(part))))
    sheets = merged(SheetBending, device, layout, pieces)
    plastic = [one for one in sheets if one.flows]
    return [*sheets, SheetFlow(device, layout, plastic)] if plastic else sheets
