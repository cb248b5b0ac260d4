"""Scenes on a device: their layout, the energies of all effects on it, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property

import numpy as np
import warp as wp

from ...effects.contact.body_contact import BodyContact, ForcedContact, LeavesSome
from ...effects.contact.intersection_contact import BodyIntersection
from ...effects.contact.penalty_contact import BodyPenalty
from ...effects.effect_layout import Beginning, Layout, Part
from ...effects.registry import check_change, placed
from ...energy.base import Energy, Step
from ...energy.capabilities import InversionPolicy, Invertible, Tearable, Touching, Wall
from ...energy.sensitivity import Differentiable
from ...integrate.energy_balance import Balance
from ...integrate.rigid_scheme import RigidBodies
from ...runtime.device import Device
from ...solve.objective.step_objective import Objective
from .body import Scene
from .energy_watch import EnergyWatch
from .scene_layout import Held, changed, layout_of
from .step_guess import AmongWalls, Approach

BETWEEN_BODIES = (BodyContact, BodyIntersection, BodyPenalty, ForcedContact)


class World:
    """Everything of a scene, or of several that know nothing of each other, that a step needs.

    ``before`` is a world whose bodies had the first of the nodes of these: what has not changed since is not made anew.
    ``begins`` says where they begin without one, at rest unless told.
    ``world["elastic"]`` are the energies of that name; ``placed`` has all of them, each with the number of its part or None.
    """

    def __init__(
        self, scenes: Sequence[Scene], device: Device, before: World | None = None, spare: int = 0,
        begins: Beginning | None = None,
    ):  # fmt: skip
        begins = (begins or Beginning()) if before is None else None
        self.device, self.layout = device, layout_of(scenes, spare, begins)
        self.bounds, self.count = self.layout.bounds, self.layout.count
        self.held = Held(device, self.layout)
        self.masses = device.array(self.mass, device.types.real)
        self.placed = placed(self.layout, device)
        energies = [energy for _, energy in self.placed]
        if spare:
            for energy in energies:
                if isinstance(energy, Tearable):
                    energy.reserve(self.count)
        where = (self.layout.rest, self.bounds, self._bodies, [part.name for part in self.layout.parts])
        self.objective = Objective(device, energies, self.free, *where)
        self.objective.alive = self.alive
        numbers = None if before is None else self.layout.numbers(before.layout)
        if numbers is not None:
            self.objective.follow(before.objective, numbers)
        self._inverted = device.zeros((len(InversionPolicy), self.objective.groups, 2), wp.float64)
        self._of_kind = [self._inverted[i] for i in range(len(InversionPolicy))]
        self.begun: Step | None = None  # what energies were told last
        self.last: tuple[Step, wp.array] | None = None  # the step that led to the present state, and its solution
        self.by_name: dict[str, Energy] = {}  # each energy under a name of its own
        for energy in energies:
            alike = sum(1 for other in self.by_name.values() if other.name == energy.name)
            self.by_name[f"{energy.name} {alike + 1}" if alike else energy.name] = energy

    def __getitem__(self, name: str) -> list[Energy]:
        return [energy for energy in self.energies if energy.name == name]

    @property
    def energies(self) -> list[Energy]:
        return self.objective.energies

    @property
    def alive(self) -> int:
        """Nodes; ``count`` has the rows to spare too."""
        return int(self.layout.starts[-1])

    @property
    def rest(self) -> np.ndarray:
        """(n, 3) where nodes are at rest [m]."""
        return self.layout.rest[: self.alive]

    @property
    def free(self) -> np.ndarray:
        """(count, 3) 1 where a component may move."""
        return self.layout.free

    @property
    def velocity(self) -> np.ndarray:
        """(count, 3) velocities at the start [m/s]."""
        return self.layout.velocity

    @property
    def starts(self) -> np.ndarray:
        """The first rows of the bodies, and the number of nodes."""
        return self.layout.starts

    @property
    def _bodies(self) -> np.ndarray:
        """The same, rows to spare counted with the last body."""
        return np.append(self.starts[:-1], self.count)

    @cached_property
    def differentiable(self) -> list[tuple[int | None, Differentiable]]:
        """Those of ``placed`` that adjoints ask."""
        return [(part, energy) for part, energy in self.placed if isinstance(energy, Differentiable)]

    @cached_property
    def touching(self) -> list[Touching]:
        """The energies that are contacts."""
        return self.objective.having(Touching)

    @cached_property
    def rigid(self) -> RigidBodies | None:
        """The rigid bodies; None where there are none."""
        objective = self.objective
        if objective.turning is None:
            return None
        return RigidBodies(self.device, objective.turning.first, objective.free, self.masses, objective.rest)

    @cached_property
    def approach(self) -> Approach:
        """How a step comes to its first guess and its solution."""
        return AmongWalls(self) if self.objective.having(Wall) else Approach(self)

    @property
    def bodies_touch(self) -> bool:
        """Whether bodies touch each other, by any response."""
        return any(isinstance(energy, BETWEEN_BODIES) for energy in self.energies)

    @property
    def mass(self) -> np.ndarray:
        """(n,) mass of each node [kg]."""
        return self.layout.mass

    @cached_property
    def balance(self) -> Balance:
        """What the scenes gained of energy that nothing put in."""
        return Balance(self.objective, self.masses, self.held.move)

    @cached_property
    def energy_watch(self) -> EnergyWatch:
        """The energy that scenes gain under schemes that lose it."""
        return EnergyWatch(self)

    def adopt(self, scenes: Sequence[Scene]) -> None:
        """Adopt the values of scenes with the same shapes: materials, gravity, obstacles and what follows from them.

        What cannot change raises, and then all values are those from before; memories are the caller's to put back.
        """
        before, after = self.layout, changed(self.layout, scenes)
        check_change(before, after, self.energies)
        mass = after.mass  # says now what does not fit
        self.__dict__.pop("energy_watch", None)
        try:
            self.layout = after
            for part, energy in self.placed:
                energy.adopt(_where(after, part))
        except BaseException:
            self.layout = before
            for part, energy in self.placed:
                with suppress(Exception):
                    energy.adopt(_where(before, part))
            raise
        if mass is not before.mass:
            self.masses.assign(mass.astype(self.device.types.numpy))
            if "balance" in self.__dict__:
                self.balance.weigh()

    def begin(self, step: Step) -> None:
        """Tell every energy what a step starts from."""
        self.begun = step
        for energy in self.energies:
            energy.begin(step)

    def drawn_apart(self, x: np.ndarray) -> np.ndarray | None:
        """(n, 3) how nodes at x (n, 3) give way so that the sides of a cut have the distance that contact needs; None where they
        have it."""
        for energy in self.energies:
            if isinstance(energy, LeavesSome):
                return energy.drawn_apart(x)
        return None

    def still(self, x: wp.array, time: float) -> None:
        """Bring everything to ``time`` [s] without inertia and damping: the objective is the potential alone."""
        self.begin(Step(x, time))

    def count_inverted(self, x: wp.array) -> dict[InversionPolicy, np.ndarray]:
        """(scenes,) number of places that are inverted, by what that says of a solution."""
        if not any(energy.inversion for energy in self.objective.having(Invertible)):
            return {kind: np.zeros(self.objective.groups) for kind in InversionPolicy}
        self._inverted.zero_()
        self.add_inverted(x, self._of_kind)
        return dict(zip(InversionPolicy, self.device.read(self._inverted)[:, :, 0].copy()))

    def add_inverted(self, x: wp.array, outs: Sequence[wp.array]) -> None:
        """out[g, 0] += the number of those places of each scene, for each kind an ``out``."""
        for kind, out in zip(InversionPolicy, outs):
            for energy in self.objective.having(Invertible):
                if energy.inversion is kind:
                    energy.count_inverted(x, out)

    def accept(self, x: wp.array, time: float) -> None:
        """Tell every energy that a good step has ended."""
        for energy in self.energies:
            energy.accept(x, time)


def _where(layout: Layout, part: int | None) -> Layout | Part:
    """What an energy was made for."""
    return layout if part is None else layout.parts[part]
