"""Numbers at the nodes of a scene, to colour it by and to read off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import warp as wp

from ..energy.elastic import ElasticEnergy
from ..energy.elastic_kernels import MEASURES
from ..energy.volume import AveragedVolume
from ..errors import InputError, did_you_mean
from .world import World

NAMES = ("stress", "pressure", "energy density", "stretch", "volume ratio")
LABELS = {"stress": "von Mises stress", "energy density": "strain energy density", "stretch": "largest stretch"}


def names(world: World) -> list[str]:
    """The fields that the bodies of a scene have; pressure and volume ratio only where all are solids."""
    solids = all(body.shape.dimension == 3 for body in world.bodies)
    pressed = solids and not any(energy.rigid for energy in world.volumes.values())
    left_out = {"pressure": not pressed, "volume ratio": not solids}
    return [name for name in NAMES if not left_out.get(name, False)]


def check(world: World, asked: list[str] | tuple[str, ...], call: str) -> None:
    """Refuse a field that the scene does not have."""
    known = names(world)
    for name in asked:
        if name in NAMES and name not in known:
            raise InputError(f"{call}: {name!r} is of solids alone, and not of incompressible ones where it is a pressure")
        if name not in known:
            raise InputError(f"{call}: unknown field {name!r}{did_you_mean(str(name), known)}; known: {', '.join(known)}")


def values(world: World, name: str, x: wp.array) -> np.ndarray:
    """(n,) a field at the nodes: the mean of the elements around each, weighted by volume.

    "stress" is von Mises' [Pa], "pressure" −tr σ/3 [Pa], "energy density" per rest volume [J/m³] (per area of sheets, per
    length of threads), "stretch" the largest principal one, "volume ratio" det F.
    """
    found = np.zeros(world.count)

    def add(energy: ElasticEnergy | AveragedVolume, measured: np.ndarray) -> None:
        found[energy.first : energy.first + energy.local] += energy.nodal(measured)

    of_elements: Callable[[ElasticEnergy], np.ndarray] = lambda e: e.element_measure(name, x)
    if name not in MEASURES:
        of_elements = lambda e: e.element_values(x) / e.elements.volumes
    for energy in world.elastic:
        add(energy, of_elements(energy))
    for energy in world.volumes.values():  # what averaged bodies keep apart
        if name == "pressure":
            add(energy, energy.pressures(x))
        elif name == "energy density" and not energy.rigid:
            add(energy, energy.element_values(x) / energy.elements.volumes)
    return found
