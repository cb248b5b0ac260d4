"""Ways to look inside: a plane through things, and rays through their signed distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..arguments import checks
from ..arguments.typing_fields import Vector
from ..geometry.lattice.distance_advection import Advection


@dataclass(frozen=True)
class Slice:
    """A plane seen face on: through the signed distance of bodies, a field inside them, a solid or a volume.

    ``normal`` points to the eye; ``point`` [m] lies on the plane, None for the middle of what is shown. ``colour``
    names a field of a run, None for its distance. ``contour`` draws the surface, ``cells`` the edges of the elements
    that the plane cuts. A distance is carried along by ``advection``. ``labels`` are those of a volume to show, by name, None for
    all: then the plane goes through the middle of them, unless ``point`` says otherwise.
    """

    normal: Vector = (0.0, -1.0, 0.0)
    point: Vector | None = None
    colour: str | None = None
    contour: bool = True
    cells: bool = False
    advection: Advection | None = None
    labels: Mapping[str, int] | None = None

    def __post_init__(self):
        checks.direction("Slice(normal=…)", self.normal)
        if self.point is not None:
            checks.vector("Slice(point=…)", self.point, "metres")
        if self.colour is not None:
            checks.instance("Slice(colour=…)", self.colour, str, "the name of a field, or None for the distance")
        for name in ("contour", "cells"):
            checks.flag(f"Slice({name}=…)", getattr(self, name))
        _check_advection("Slice", self.advection)
        if self.labels is not None:
            fits = isinstance(self.labels, Mapping) and len(self.labels) > 0
            if not fits or not all(isinstance(n, str) and type(v) is int for n, v in self.labels.items()):
                raise checks.refusal("Slice(labels=…)", self.labels, 'whole numbers by name such as {"liver": 1}')

    @property
    def axes(self) -> np.ndarray:
        """(3, 3) rows: right, up and towards the eye; up is z as far as possible, else y."""
        out = checks.direction("Slice(normal=…)", self.normal)
        up = np.array([0.0, 0.0, 1.0] if abs(out[2]) < 0.99 else [0.0, 1.0, 0.0])
        right = np.cross(up, out)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(out, right), out])


@dataclass(frozen=True)
class RayCast:
    """Rays that march by the signed distance until they meet the surface (sphere tracing); the normal is its gradient.

    ``spacing`` [m] and ``advection`` are those of ``Run.sdf``. A volume's surface is where its values pass ``level``,
    or around ``label``.
    """

    spacing: float | None = None
    advection: Advection | None = None
    level: float | None = None
    label: int | None = None

    def __post_init__(self):
        if self.spacing is not None:
            checks.length("RayCast(spacing=…)", self.spacing)
        if self.level is not None:
            checks.number("RayCast(level=…)", self.level)
        if self.label is not None:
            checks.whole("RayCast(label=…)", self.label, -checks.MANY)
        _check_advection("RayCast", self.advection)


def _check_advection(name: str, advection: Advection | None) -> None:
    if advection is not None:
        checks.instance(f"{name}(advection=…)", advection, Advection, "DirectForward(), Shepard() or SemiLagrange()")
