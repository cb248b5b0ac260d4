"""Damping: Rayleigh's, of mass and stiffness, and the viscosity of the material."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import checks
from ...cut.change import Change
from ...energy.base import Energy, Step
from ...energy.capabilities import Damped, OfStep, Viscous
from ...energy.damping.damping_energy import StiffnessDamping
from ...energy.points.node_energies import Pull
from ...energy.sensitivity import Public
from ...errors import InputError
from ...runtime.device import Device
from ..base import OnBody
from ..effect_layout import Layout, Part


@dataclass(frozen=True)
class Damping(OnBody):
    """Rayleigh damping D = mass·M + stiffness·K ([1/s], [s]), and viscosity of the material [Pa s].

    K is the positive part of the elastic tangent; ``exact`` takes all of it, which has derivatives, as fits need, and may feed
    energy to bodies under strong compression.
    """

    mass: float = 0.0
    stiffness: float = 0.0
    viscosity: float = 0.0
    exact: bool = False

    CHANGES = ("mass", "stiffness", "viscosity")

    def __post_init__(self):
        checks.flag("Damping(exact=…)", self.exact)
        for name in ("mass", "stiffness", "viscosity"):
            checks.number(f"Damping({name}=…)", getattr(self, name), 0, expected="a number of at least 0")

    def keeps_rows(self, change: Change, body: Any) -> bool:
        return self == Damping()


VALUES = (Damping,)


class Drag(OfStep, Pull):
    """Damping in proportion to mass: rate/2 α ‖x − anchor‖²_M."""

    towards = "anchor"

    def __init__(self, device: Device, layout: Layout):
        self._given = _drags(layout) * layout.mass
        super().__init__(device, self._given, name="drag")

    def begin(self, step: Step) -> None:
        self.factor = step.rate
        if step.anchor is not None:
            self.vectors.copy(step.anchor, self.target)

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        by = gradients["stiffness"]
        own = {(part.index, "damping.mass"): by[part.nodes] @ part.mass for part in layout.parts}
        return {(None, "mass"): _drags(layout) * by} | own

    def adopt(self, layout: Layout) -> None:
        given = _drags(layout) * layout.mass
        if not np.array_equal(given, self._given):
            self._given = given
            self.set_stiffness(given)


class DampsParts:
    """Part of energies whose ``amount`` is the number ``of_damping`` of the Damping that all parts in ``parts_damped`` share."""

    of_damping: str
    parts_damped: tuple[int, ...]
    amount: float

    def adopt(self, layout: Layout) -> None:
        parts = [layout.parts[i] for i in self.parts_damped]
        amounts = {getattr(damping_of(part), self.of_damping) for part in parts}
        if len(amounts) > 1:
            raise InputError(
                f"Damping({self.of_damping}=…): {', '.join(part.name for part in parts)} share one law and its damping; "
                "expected the same damping for all of them, or build a new simulation"
            )
        amount = amounts.pop()
        if amount != self.amount:
            self.amount = amount
            self.set_factor(amount)


class PartsStiffnessDamping(DampsParts, StiffnessDamping):
    """Rayleigh's β K of an energy of parts."""

    of_damping = "stiffness"

    @property
    def parts_damped(self) -> tuple[int, ...]:
        return self.elastic.parts


def damping_of(part: Part) -> Damping:
    """The sum of all damping of a part."""
    given = part.of(Damping)
    sums = (sum(getattr(d, name) for d in given) for name in ("mass", "stiffness", "viscosity"))
    return Damping(*sums, any(d.exact for d in given))


def inner_damping(part: Part) -> tuple[float, float, bool]:
    """What parts must share beside their law to be damped as one: stiffness [s], viscosity [Pa s] and whether K is exact."""
    damping = damping_of(part)
    return damping.stiffness, damping.viscosity, damping.exact


def rayleigh(layout: Layout) -> tuple[float, float]:
    """The largest mass [1/s] and stiffness [s] factor of any part."""
    damping = [damping_of(part) for part in layout.parts]
    return max(d.mass for d in damping), max(d.stiffness for d in damping)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    damping = {energy: damping_of(layout.parts[energy.parts[0]]) for energy in made if energy.parts}
    stepwise: list[Energy] = []
    for energy, given in damping.items():  # the same for all parts of one energy
        if isinstance(energy, Damped) and energy.damped and given.stiffness > 0:
            stiffness = PartsStiffnessDamping(device, energy, given.stiffness, layout.count, given.exact)
            stiffness.amount = given.stiffness
            stepwise.append(stiffness)
        if isinstance(energy, Viscous) and given.viscosity > 0:
            viscosity = energy.viscous(given.viscosity, layout.count)
            viscosity.amount = given.viscosity
            stepwise.append(viscosity)
    return stepwise + ([Drag(device, layout)] if np.any(_drags(layout) > 0) else [])


def check_served(layout: Layout, made: Sequence[Energy]) -> None:
    """Refuse damping that none of the energies made for another layout of the same shapes stands for."""
    served = {(energy.of_damping, i) for energy in made if isinstance(energy, DampsParts) for i in energy.parts_damped}
    served |= {("mass", part.index) for part in layout.parts if any(isinstance(energy, Drag) for energy in made)}
    for part in layout.parts:
        for name in Damping.CHANGES:
            if getattr(damping_of(part), name) > 0 and (name, part.index) not in served:
                raise InputError(
                    f"Damping({name}=…) of {part.name} was 0 when the simulation was built, which left it out; expected 0, "
                    "or a new simulation built with a small number"
                )


def _drags(layout: Layout) -> np.ndarray:
    """(n,) mass-proportional damping of each node [1/s]."""
    return np.repeat([damping_of(part).mass for part in layout.parts], np.diff(layout.starts))
