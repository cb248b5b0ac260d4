"""Hands: springs that pull at points of bodies while a simulation runs."""

from __future__ import annotations

from collections.abc import Sequence

from ..energy.base import Energy
from ..energy.points.grabs import Grabs
from ..runtime.device import Device
from .effect_layout import Layout

VALUES = ()


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [Grabs(device)]
