"""Nodal fields of a scene, such as stress: to colour it by and to read."""

from __future__ import annotations

import numpy as np
import warp as wp

from ..errors import InputError, did_you_mean
from .world import World

NAMES = ("stress", "pressure", "energy density", "stretch", "volume ratio")
OF_SOLIDS = ("pressure", "volume ratio")
LABELS = {"stress": "von Mises stress", "energy density": "strain energy density", "stretch": "largest stretch"}


def names(world: World) -> list[str]:
    """The fields that the bodies of a scene have; pressure and volume ratio only where all are solids."""
    solids = all(part.elements.dimension == 3 for part in world.layout.parts)
    of_all = [name for name in NAMES if solids or name not in OF_SOLIDS]
    return [name for name in of_all if not any(energy.lacks(name) for energy in world.energies)]


def check(world: World, fields: list[str] | tuple[str, ...], call: str) -> None:
    """Refuse a field that the scene does not have."""
    known = names(world)
    for name in fields:
        if name in NAMES and name not in known:
            raise InputError(f"{call}: {name!r} is of solids alone")
        if name not in known:
            raise InputError(
                f"{call}: unknown field {name!r}{did_you_mean(str(name), known)}; known: {', '.join(known)}"
            )


def values(world: World, name: str, x: wp.array) -> np.ndarray:
    """(n,) a field at the nodes: the mean of the elements around each, weighted by volume.

    "stress" is von Mises' [Pa], "pressure" −tr σ/3 [Pa], "energy density" per rest volume [J/m³] (per area of sheets,
    per length of threads), "stretch" the largest principal one, "volume ratio" det F.
    """
    total = np.zeros(world.count)
    for energy in world.energies:
        of_elements = energy.element_field(name, x)
        if of_elements is not None:
            total[energy.first : energy.first + energy.local] += energy.nodal(of_elements)
    return total
