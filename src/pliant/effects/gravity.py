"""Gravity: the weight of every node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments.typing_fields import Vector
from ..cut.change import Change
from ..energy.base import Energy
from ..energy.capabilities import Tearable
from ..energy.points.node_energies import DeadForces
from ..energy.sensitivity import Public
from ..runtime.device import Device
from ..runtime.scatter_writes import write
from .base import Changing
from .effect_layout import Layout


@dataclass(frozen=True)
class Gravity(Changing):
    """An acceleration [m/s²] of everything in a scene."""

    acceleration: Vector = (0.0, 0.0, -9.81)

    CHANGES = ("acceleration",)

    def keeps_rows(self, change: Change, body: Any) -> bool:
        return True


VALUES = (Gravity,)


class Weight(Tearable, DeadForces):
    """−Σ m g·x."""

    def __init__(self, device: Device, layout: Layout):
        super().__init__(device, _weights(layout), name="gravity")

    def adopt(self, layout: Layout) -> None:
        self.set(_weights(layout))

    def tear(self, layout: Layout) -> None:
        write(self.device, self.forces, _weights(layout).astype(self.device.types.numpy))

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        """By the masses, and by the acceleration of each scene, (3,) where there is one."""
        forces = gradients["forces"]
        of_scene = np.add.reduceat(layout.mass[:, None] * forces, layout.bounds[:-1], axis=0)
        by_mass = np.einsum("nc,nc->n", forces, _accelerations(layout))
        return {(None, "mass"): by_mass, (None, "gravity"): of_scene[0] if len(of_scene) == 1 else of_scene}


def _accelerations(layout: Layout) -> np.ndarray:
    """(n, 3) acceleration of each node [m/s²]."""
    of_scene = [np.sum([g.acceleration for g in scene] or [(0.0, 0.0, 0.0)], axis=0) for scene in layout.of(Gravity)]
    if len(of_scene) == 1:
        return np.broadcast_to(of_scene[0], (layout.count, 3))
    return np.repeat(of_scene, np.diff(layout.bounds), axis=0)


def _weights(layout: Layout) -> np.ndarray:
    """(n, 3) weight of each node [N]."""
    return layout.mass[:, None] * _accelerations(layout)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [Weight(device, layout)]
