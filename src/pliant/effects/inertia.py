"""Inertia: what pulls the nodes to where they would fly, c/2h² ‖x − y‖²_M."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ..energy.base import Energy, Step
from ..energy.capabilities import OfStep, Tearable
from ..energy.points.node_energies import Pull
from ..energy.sensitivity import Public
from ..runtime.device import Device
from ..runtime.scatter_writes import write
from .effect_layout import Layout

VALUES = ()


class Inertia(OfStep, Tearable, Pull):
    """c/2h² ‖x − y‖²_M of the step under way."""

    def __init__(self, device: Device, layout: Layout):
        super().__init__(device, layout.mass, name="inertia")
        self._mass = layout.mass

    @property
    def ahead(self) -> wp.array | None:
        return self.target if self.factor > 0 else None

    def begin(self, step: Step) -> None:
        self.factor = step.inertia
        if step.target is not None:
            self.vectors.copy(step.target, self.target)

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        return {(None, "mass"): gradients["stiffness"]}

    def tear(self, layout: Layout) -> None:
        """Other masses around a tear: no change of values, which would ask for a new factor."""
        self._mass = layout.mass
        write(self.device, self.stiffness, layout.mass.astype(self.device.types.numpy))

    def adopt(self, layout: Layout) -> None:
        if layout.mass is not self._mass:
            self._mass = layout.mass
            self.set_stiffness(layout.mass)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [Inertia(device, layout)]
