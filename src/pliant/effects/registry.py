"""Every effect of the package: the one list of them, in the order in which their energies are summed."""

from __future__ import annotations

from typing import Any

from ..energy.base import Energy
from ..errors import InputError
from ..runtime.device import Device
from . import grabs, gravity, inertia, loads, tearing, wind
from .contact import body_contact, intersection_contact, obstacle_contact, penalty_contact
from .effect_layout import Layout
from .elasticity import (
    damping,
    dapd_effect,
    elasticity,
    holds,
    hourglass_control,
    muscle_effect,
    plastic_effect,
    sheet_bending,
    volume_averaging,
)
from .joints import joint_energies

EFFECTS = (
    inertia, gravity, elasticity, plastic_effect, dapd_effect, sheet_bending, hourglass_control, volume_averaging,
    muscle_effect, grabs, holds, loads, wind, damping, joint_energies,
    obstacle_contact, body_contact, penalty_contact, intersection_contact, tearing,
)  # fmt: skip
VALUES: tuple[type, ...] = tuple(kind for effect in EFFECTS for kind in effect.VALUES)  # what a user writes


def placed(layout: Layout, device: Device) -> list[tuple[int | None, Energy]]:
    """The energies of a layout, each with the number of the part it was made for, or None for the whole layout.

    A file of this folder makes its energies from the layout and from the energies made before; an effect of a user's own
    from the part, or the layout, that it was given to.
    """
    energies: list[Energy] = []
    for effect in EFFECTS:
        energies += effect.energies(layout, device, energies)
    numbered: list[tuple[int | None, Energy]] = [(None, energy) for energy in energies]
    for part in layout.parts:
        for effect in _own(part.effects):
            numbered += [(part.index, energy) for energy in effect.energies(part, device)]
    for effects in layout.effects[:1]:
        for effect in _own(effects):
            numbered += [(None, energy) for energy in effect.energies(layout, device)]
    return numbered


def check_change(before: Layout, now: Layout, made: list[Energy]) -> None:
    """Refuse values that the energies ``made`` for one layout cannot take over from another of the same shapes."""
    for one, other in zip(before.parts, now.parts):
        _check_paired(one.name, one.effects, other.effects)
    for one, other in zip(before.effects, now.effects):
        _check_paired("the scene", one, other)
    damping.check_served(now, made)


def _check_paired(owner: str, before: tuple[Any, ...], now: tuple[Any, ...]) -> None:
    kinds, others = ([type(effect).__name__ for effect in effects] for effects in (before, now))
    if kinds != others:
        raise InputError(f"{owner} was built with the effects {kinds}, not {others}; build a new simulation")
    for one, other in zip(before, now):
        if one is not other and isinstance(one, VALUES):
            one.check_change(other)


def _own(effects: tuple[Any, ...]) -> list[Any]:
    return [effect for effect in effects if not isinstance(effect, VALUES)]
