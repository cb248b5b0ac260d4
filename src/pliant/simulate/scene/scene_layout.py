"""Scenes as a layout: their bodies as parts, one after the other, and what acts on each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...effects.effect_layout import Beginning, Layout, Part
from ...runtime.device import Device
from ...solve.objective.objective_kernels import objective_kernels
from .body import Scene


def layout_of(scenes: Sequence[Scene], spare: int = 0, begins: Beginning | None = None) -> Layout:
    """All bodies of scenes that know nothing of each other, and rows to spare."""
    named = [pair for scene in scenes for pair in zip(scene.names, scene.bodies)]
    parts, first = [], 0
    for index, (name, body) in enumerate(named):
        parts.append(Part(body.shape, body.material, first, name, body.acting, index, body.start, body.surface))
        first += len(body.shape.rest)
    sizes = tuple(len(scene.bodies) for scene in scenes)
    return Layout(tuple(parts), tuple(scene.acting for scene in scenes), sizes, spare, begins)


def changed(layout: Layout, scenes: Sequence[Scene]) -> Layout:
    """The layout of scenes with the same shapes and other values."""
    bodies = [body for scene in scenes for body in scene.bodies]
    parts = tuple(part.changed(body.material, body.acting) for part, body in zip(layout.parts, bodies))
    return layout.changed(parts, tuple(scene.acting for scene in scenes))


class Held:
    """Components of nodes that are prescribed, and where they belong in the step under way (``place``)."""

    def __init__(self, device: Device, layout: Layout):
        self.device, self.rest, self.holds = device, layout.rest, layout.holds
        self.rows = np.unique(np.concatenate([np.zeros(0, int), *(hold.rows for hold in self.holds)]))
        self._kernels, t = objective_kernels(device.precision), device.types
        self._rows = device.array(self.rows, wp.int32)
        self._positions = device.array(self.rest[self.rows], t.position)
        self.place = device.array(self.rest, t.position)

    def __bool__(self) -> bool:
        return bool(self.holds)

    @property
    def move(self) -> bool:
        return any(hold.motion is not None for hold in self.holds)

    def put(self, positions: np.ndarray) -> None:
        """Say where the held nodes belong (``rows``)."""
        self._positions.assign(np.asarray(positions, float))
        self.device.launch(self._kernels.put, len(self.rows), self._rows, self._positions, self.place)

    def at(self, time: float) -> np.ndarray:
        """(p, 3) where the held nodes are at ``time`` [s], the rest position in components that are free."""
        positions = self.rest[self.rows]
        for hold in self.holds:
            if hold.motion is not None:
                here = np.ix_(np.searchsorted(self.rows, hold.rows), hold.axes)
                positions[here] = hold.motion(time)[:, hold.axes]
        return positions

    def everywhere(self, time: float) -> np.ndarray:
        """(n, 3) where held components are at ``time`` [s]; the rest position elsewhere."""
        positions = self.rest.copy()
        positions[self.rows] = self.at(time)
        return positions
