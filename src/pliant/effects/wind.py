"""Wind on the triangles of sheets, and on those of a solid's surface that face it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import checks
from ..arguments.checks import floats
from ..arguments.short_repr import brief
from ..arguments.typing_fields import Vector
from ..cut.change import Change
from ..energy.base import Energy, Step
from ..energy.capabilities import Tearable
from ..energy.loads.wind_energy import WindEnergy
from ..errors import InputError
from ..runtime.device import Device
from .base import Course, OnBody, Where, factor
from .effect_layout import Layout, Part

Flow = Callable[[np.ndarray, float], np.ndarray]  # (places, time) → velocities


@dataclass(frozen=True, eq=False)
class Wind(OnBody):
    """Air that moves with ``velocity`` [m/s] past a body: drag along it and lift across it, on the triangles of chosen nodes.

    ``velocity`` is a vector, times ``course(t)``, or a function of places (m, 3) [m] and the time [s] that returns (3,) or
    (m, 3). A plate of area A at an angle α to the air's velocity u relative to it feels the drag ½ρ|u|²A C_D sin α and the lift
    ½ρ|u|²A C_L sin α cos α; ``lift`` is at most ``drag``. Air at rest, (0, 0, 0), resists motion. Of solids only the triangles
    that face the wind feel it. What is behind a body is not sheltered.
    """

    velocity: Vector | Flow
    drag: float = 1.2
    lift: float = 0.6
    density: float = 1.2
    where: Where = True
    course: Course | None = None
    __repr__ = brief

    CHANGES = ("velocity", "drag", "lift", "density", "course")

    def __post_init__(self):
        if not callable(self.velocity):
            checks.vector("Wind(velocity=…)", self.velocity, "m/s")
        checks.function("Wind(course=…)", self.course, "a function of time that returns a factor")
        for name in ("drag", "lift", "density"):
            checks.number(f"Wind({name}=…)", getattr(self, name), 0, expected="a number of at least 0")
        if self.lift > self.drag:
            raise InputError(
                f"Wind(drag={self.drag:g}, lift={self.lift:g}): expected a lift of at most the drag, so that air at rest slows "
                "a body down"
            )

    def keeps_rows(self, change: Change, body: Any) -> bool:
        return change is Change.TEAR and body.shape.dimension != 3


VALUES = (Wind,)


class PartWind(Tearable, WindEnergy):
    """One wind on one part; each step begins with the air where the triangles are expected."""

    def __init__(self, device: Device, layout: Layout, part: Part, number: int):
        wind, elements = part.of(Wind)[number], part.elements
        chosen = self._chosen(part, wind)
        super().__init__(device, chosen + part.first, layout.count, two_sided=elements.dimension == 2)
        self.place, self.known = (part.index, number), None
        self.take(wind)

    @staticmethod
    def _chosen(part: Part, wind: Wind) -> np.ndarray:
        """(m, 3) nodes of the triangles that it blows on."""
        elements, faces = part.elements, part.elements.surface_faces
        if not len(faces) or elements.held_axes or elements.held_whole:
            raise InputError(
                f"Wind on {part.name}: {type(elements).__name__} has no triangles for it to act on; expected Membrane, Tets or "
                "Hexes"
            )
        picked = np.zeros(part.count, bool)
        picked[wind.chosen(elements, f"Wind on {part.name}")] = True
        chosen = faces if picked.all() else faces[picked[faces].all(axis=1)]
        if not len(chosen):
            raise InputError(f"Wind on {part.name}: no triangle of its surface has all its nodes chosen")
        return chosen

    @property
    def tears(self) -> bool:
        return bool(self.two_sided)  # the surface of a solid has more triangles after a tear

    def tear(self, layout: Layout) -> None:
        part, number = self.place
        self.of = layout.parts[part].of(Wind)[number]
        self.on_more_nodes(self._chosen(layout.parts[part], self.of) + layout.parts[part].first)

    def take(self, wind: Wind) -> None:
        self.of, self.known = wind, None

    def adopt(self, layout: Layout) -> None:
        part, number = self.place
        wind = layout.parts[part].of(Wind)[number]
        if wind is not self.of:
            self.take(wind)

    def begin(self, step: Step) -> None:
        wind = self.of
        known = factor(wind.course, step.time)
        if callable(wind.velocity):
            self.blow(wind.drag, wind.lift, wind.density, known * self._flow(step))
        elif known != self.known:
            self.blow(wind.drag, wind.lift, wind.density, known * floats(wind.velocity))
        self.known = known
        super().begin(step)

    def _flow(self, step: Step) -> np.ndarray:
        places = step.at.numpy()[self.triangles].mean(axis=1)
        velocity = floats(checks.called("Wind(velocity=…)", self.of.velocity, places, step.time))
        if velocity.shape not in ((3,), places.shape) or not np.all(np.isfinite(velocity)):
            raise InputError(
                f"Wind(velocity=…) returned shape {velocity.shape} at t = {step.time:g} s; expected (3,) or {places.shape}, all "
                "finite"
            )
        return velocity


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    return [PartWind(device, layout, part, i) for part in layout.parts for i in range(len(part.of(Wind)))]
