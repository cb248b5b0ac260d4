"""Tearing: how much a body bears before its elements come apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arguments import checks
from ..arguments.short_repr import brief
from ..arguments.typing_fields import Vector
from ..cut.change import Change
from ..elements.base import Elements
from ..elements.sheets.membrane import Membrane
from ..elements.springs import Springs
from ..elements.tets import Tets
from ..energy.base import Energy
from ..errors import InputError
from ..runtime.device import Device
from .base import OnBody, Where
from .effect_layout import Layout

TEARS = (Membrane, Springs, Tets)


@dataclass(frozen=True, eq=False)
class Tearing(OnBody):
    """A body that tears after a step where the mean ``stretch`` or ``stress`` [Pa] of the elements around a node is larger.

    It comes apart across the direction of the largest stretch, along edges of triangles or faces of tets that exist; a thread
    comes off one of its nodes. ``stress`` is that of von Mises. Each is one number, or one for each region or element.
    ``toughness`` [J/m²] is the energy that a new face takes: a node tears only if the elements around it have as much. ``noise``
    makes elements weaker or stronger by up to this share, chosen by ``seed``. Nodes that are held, and those that ``where`` does
    not choose, start no tear. In one step a tear grows by one edge, and one new tear begins.
    """

    stretch: float | Vector | None = None
    stress: float | Vector | None = None
    toughness: float = 0.0
    noise: float = 0.0
    seed: int = 0
    where: Where = True
    __repr__ = brief

    CHANGES = ("stretch", "stress", "toughness")
    tears = True

    def keeps_rows(self, change: Change, body: Any) -> bool:
        return change is Change.TEAR

    def __post_init__(self):
        if (self.stretch is None) == (self.stress is None):
            raise InputError("Tearing(…): expected one of stretch=…, such as 1.2, and stress=… in Pa")
        name, low = ("stretch", 1.0) if self.stress is None else ("stress", 0.0)
        given = getattr(self, name)
        values = checks.floats(given)
        if isinstance(given, bool) or values.ndim > 1 or not values.size or not np.all(np.isfinite(values) & (values > low)):
            raise checks.refusal(f"Tearing({name}=…)", given, f"numbers larger than {low:g}")
        checks.number("Tearing(toughness=…)", self.toughness, 0, expected="a number of at least 0, in J/m²")
        if not 0 <= checks.number("Tearing(noise=…)", self.noise, 0, expected="a share from 0 to below 1") < 1:
            raise InputError(f"Tearing(noise={self.noise!r}): expected a share from 0 to below 1")
        checks.whole("Tearing(seed=…)", self.seed, 0)

    def check(self, elements: Elements) -> None:
        """Refuse elements that do not tear, and strengths that do not fit them."""
        if type(elements) not in TEARS:
            raise InputError(f"Tearing: {type(elements).__name__} does not tear; expected Membrane, Springs or Tets")
        self.strengths(elements)

    def strengths(self, elements: Elements) -> np.ndarray:
        """(m,) of each element: the stretch less 1, or the stress, that it bears."""
        values = checks.floats(self.stretch) - 1.0 if self.stress is None else checks.floats(self.stress)
        regions, count = getattr(elements.mesh, "regions", None), elements.count
        if values.ndim and len(values) not in (1, count):
            if regions is None or len(values) != int(np.max(regions)) + 1:
                known = "" if regions is None else f", {int(np.max(regions)) + 1} (one for each region)"
                raise InputError(f"Tearing(…) has {len(values)} strengths; expected 1{known} or {count} (one for each element)")
            values = values[np.asarray(regions)]
        spread = np.random.default_rng(self.seed).uniform(-1.0, 1.0, count)
        return np.broadcast_to(values, count) * (1.0 + self.noise * spread)


VALUES = (Tearing,)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    """None: a body that has not torn is as any other."""
    return []
