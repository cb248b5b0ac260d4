"""Averaged volume of cells: the resistance to volume, taken out of the law and given to the mean of each cell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...energy.base import Energy
from ...energy.capabilities import Damped, Observable
from ...energy.sensitivity import Public
from ...energy.volume.volume_energy import AveragedVolume
from ...errors import InputError
from ...material.base import Material
from ...material.parameter_gradients import Gradients
from ...runtime.device import Device
from ..effect_layout import Layout, Part

VALUES = ()


class PartVolume(Damped, Observable, AveragedVolume):
    """That of one part."""

    def __init__(self, device: Device, part: Part):
        averaged = part.elements.volume
        measure = averaged.measure or split(part)[2]
        if averaged.aggregate and measure not in ("log", "excess"):
            given = f"Averaged(aggregate=True): {part.material.name} does not measure J"
            raise InputError(f"{given}; expected NeoHookean or another that does")
        super().__init__(device, part.elements, modulus(part), measure, averaged.aggregate, part.first)
        self.parts, self._given = (part.index,), part.material

    @property
    def damped(self) -> bool:
        return not self.rigid

    def adopt(self, layout: Layout) -> None:
        part = layout.parts[self.parts[0]]
        if part.material is not self._given:
            self._given = part.material
            self.set_modulus(modulus(part))

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        part = layout.parts[self.parts[0]]
        by_name = pulled_back_modulus(part, gradients["kappa"])
        return {(part.index, name): value for name, value in by_name.items()}

    def element_field(self, name: str, x: wp.array) -> np.ndarray | None:
        """What the law without its volume leaves out."""
        if name == "pressure":
            return self.pressures(x)
        return self.element_values(x) / self.elements.volumes if name == "energy density" and not self.rigid else None

    def element_tensor(self, kind: str, x: wp.array) -> np.ndarray | None:
        """The pressure of each element, as "pressure" has it."""
        return -self.pressures(x)[:, None, None] * np.eye(3) if kind == "stress" else None


def averages(part: Part) -> bool:
    return part.elements.volume is not None


def split(part: Part) -> tuple[Material, np.ndarray, str]:
    """The law without its resistance to volume, that resistance [Pa], and the measure by which it resists."""
    parts = part.material.without_volume()
    if parts is None:
        given = f"{type(part.elements).__name__}(volume={part.elements.volume})"
        raise InputError(f"{given}: {part.material.name} is not ψ₀ + κ/2 M²; expected NeoHookean or another that is")
    return parts


def modulus(part: Part) -> np.ndarray:
    """() or (m,) modulus of each cell [Pa]."""
    if part.elements.volume.incompressible:
        return np.asarray(np.inf)
    kappa, rows = np.asarray(split(part)[1]), part.rows()
    return kappa if kappa.ndim == 0 or rows is None else kappa[rows]


def pulled_back_modulus(part: Part, gradient: np.ndarray) -> Gradients:
    """Gradient by the parameters for that (m,) by ``modulus``."""
    rest, kappa, _ = split(part)
    rows = part.rows()
    single = np.size(kappa) == 1
    by = gradient.sum().reshape(np.shape(kappa)) if single else np.bincount(rows, gradient, len(kappa))
    nothing = {name: np.zeros(np.shape(value)) for name, value in rest.parameters().items()}
    return part.material.pulled_back_volume(nothing, by)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [PartVolume(device, part) for part in layout.parts if averages(part)]
