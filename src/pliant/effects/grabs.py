"""Hands: springs that pull at points of bodies while a simulation runs."""

from __future__ import annotations

from collections.abc import Sequence

from ..device import Device
from ..energy.base import Energy
from ..energy.grabs import Grabs
from .layout import Layout

VALUES = ()


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [Grabs(device)]
