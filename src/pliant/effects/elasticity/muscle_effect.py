"""Muscle effects: embedded solids with fibres that contract."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.checks import floats
from ...arguments.typing_fields import Vector
from ...elements.base import Elements
from ...elements.inlay import Inlay, inlay
from ...elements.lattice.fibre_field import FibreField
from ...energy.base import Energy, Step
from ...energy.elastic.muscle_energy import MuscleEnergy
from ...energy.sensitivity import Public
from ...errors import InputError, did_you_mean, first_few
from ...geometry.distance.sdf import Sdf
from ...material.laws.fibres import Muscle
from ...runtime.device import Device
from ..base import OnBody
from ..effect_layout import Layout, Part


@dataclass(frozen=True, eq=False)
class EmbeddedMuscle(OnBody):
    """A muscle that fills a solid inside a Lattice, Tets or Hexes body, and pulls along its fibres by the law ``Muscle``.

    ``fibres`` is one direction, a function of (n, 3) rest points [m] to (n, 3) directions, or a FibreField. ``activation``
    is from 0 to 1, or a function of time [s] to that. Muscles may overlap; the flesh around stays as it is.
    """

    shape: Sdf
    fibres: Vector | FibreField | Callable[[np.ndarray], np.ndarray]
    activation: float | Callable[[float], float] = 0.0
    peak_stress: float = 3.0e5  # [Pa]
    optimal_stretch: float = 1.0
    name: str = ""

    CHANGES = ("activation", "peak_stress", "optimal_stretch")

    def __post_init__(self):
        checks.instance("EmbeddedMuscle(name=…)", self.name, str, "text")
        if not isinstance(self.shape, Sdf):
            raise InputError(f"EmbeddedMuscle(shape={type(self.shape).__name__}): expected an Sdf, such as a spindle(…)")
        if not callable(self.fibres):
            w = floats(self.fibres)
            if w.shape != (3,) or not np.all(np.isfinite(w)) or not np.any(w):
                raise InputError(
                    f"EmbeddedMuscle(fibres={self.fibres!r}): expected a direction, a function of points, or a FibreField"
                )
        for name in ("peak_stress", "optimal_stretch", "activation"):
            given = getattr(self, name)
            if not (name == "activation" and callable(given)):
                value = Muscle.PARAMETERS[name].check("EmbeddedMuscle", name, given)
                if value.ndim:
                    raise InputError(f"EmbeddedMuscle({name}=…) has {value.size} values; expected one number")

    def level(self, time: float) -> float:
        """Activation at ``time`` [s]."""
        if not callable(self.activation):
            return float(self.activation)
        value = self.activation(time)
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not 0 <= value <= 1:
            raise InputError(f"activation of {self.name!r} is {value!r} at t = {time:g} s; expected a number from 0 to 1")
        return float(value)

    def directions(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) unit vectors along the fibres at rest points (n, 3) [m]."""
        w = floats(self.fibres(points) if callable(self.fibres) else np.broadcast_to(self.fibres, points.shape))
        if w.shape != points.shape:
            raise InputError(f"fibres of {self.name!r} have shape {w.shape}; expected {points.shape}, one per point")
        length = np.linalg.norm(w, axis=1, keepdims=True)
        bad = np.flatnonzero(~(np.isfinite(length) & (length > 0)))
        if len(bad):
            raise InputError(f"fibres of {self.name!r} have no direction at {len(bad)} points, first {first_few(bad)}")
        return w / length


def named(effects: Sequence[Any]) -> tuple[Any, ...]:
    """Effects whose muscles all have a name of their own."""
    renamed, names = [], []
    for effect in effects:
        if isinstance(effect, EmbeddedMuscle):
            effect = effect if effect.name else replace(effect, name=f"muscle {len(names)}")
            names.append(effect.name)
        renamed.append(effect)
    if len(set(names)) != len(names):
        raise InputError(f"Body(effects=…): two muscles share a name among {names}; give each its own")
    return tuple(renamed)


def activated(effects: Sequence[Any], levels: dict[str, float]) -> tuple[Any, ...]:
    """Effects whose muscles have other activations, by name."""
    names = [m.name for m in effects if isinstance(m, EmbeddedMuscle)]
    for name in levels:
        if name not in names:
            near = did_you_mean(str(name), names)
            raise InputError(f"no muscle {name!r}{near} in this body; it has {', '.join(names) or 'none'}")

    def changed(effect: Any) -> Any:
        given = isinstance(effect, EmbeddedMuscle) and effect.name in levels
        return replace(effect, activation=levels[effect.name]) if given else effect

    return tuple(changed(effect) for effect in effects)


VALUES = (EmbeddedMuscle,)


class Muscles(MuscleEnergy):
    """The muscles of one part, or of parts of scenes side by side whose elements are alike: one energy for all of them."""

    def __init__(self, device: Device, *parts: Part, rest: np.ndarray | None = None):
        self.parts = tuple(part.index for part in parts)
        self.part = self.parts[0]  # where there is one
        self.muscles = tuple(muscle for part in parts for muscle in part.of(EmbeddedMuscle))
        self.whose = np.repeat(np.arange(len(parts)), [len(part.of(EmbeddedMuscle)) for part in parts])
        inlays = _inlays(parts)
        self.owner = np.repeat(np.arange(len(inlays)), [piece.count for piece in inlays])
        fields = ("gradients", "weights", "points", "cells", *(("places", "edges") if inlays[0].cubic else ()))
        joined = {key: np.concatenate([getattr(piece, key) for piece in inlays]) for key in fields}
        first = parts[0].first if rest is None else 0
        moved = [parts[k].first - first for k in self.whose]
        joined["nodes"] = np.concatenate([piece.nodes + by for piece, by in zip(inlays, moved)])
        self.directions = np.concatenate([m.directions(piece.points) for m, piece in zip(self.muscles, inlays)])
        self.time = 0.0
        self.levels = self._levels()
        rest = parts[0].elements.rest if rest is None else rest
        super().__init__(device, Inlay(rest, **joined), self._law(), first)

    def _levels(self) -> np.ndarray:
        return np.array([m.level(self.time) for m in self.muscles])

    def _law(self) -> Muscle:
        peak, optimal = (np.array([getattr(m, k) for m in self.muscles]) for k in ("peak_stress", "optimal_stretch"))
        of = self.owner
        return Muscle(direction=self.directions, peak_stress=peak[of], activation=self.levels[of], optimal_stretch=optimal[of])

    def begin(self, step: Step) -> None:
        """Bring activations that are functions of time to the time of the step."""
        self.time = step.time
        levels = self._levels()
        if not np.array_equal(levels, self.levels):
            self.levels = levels
            self.set_parameters(self._law())

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        """By the numbers of each muscle; an activation that is a function of time is none."""
        every: Public = {}
        for i, muscle in enumerate(self.muscles):
            by = gradients["table"][self.owner == i].sum(axis=0)
            for name, value in zip(Muscle.DEVICE, by[3:]):
                if not callable(getattr(muscle, name)):
                    every[self.parts[self.whose[i]], f"{muscle.name}.{name}"] = value
        return every

    def adopt(self, layout: Layout) -> None:
        muscles = tuple(muscle for part in self.parts for muscle in layout.parts[part].of(EmbeddedMuscle))
        if any(now is not before for now, before in zip(muscles, self.muscles)):
            self.muscles = muscles
            self.levels = self._levels()
            self.set_parameters(self._law())


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    """One for each part; where scenes stand side by side, one for all parts whose elements are alike."""
    parts = [part for part in layout.parts if part.of(EmbeddedMuscle)]
    if layout.sizes is None or len(layout.sizes) == 1:
        return [Muscles(device, part) for part in parts]
    alike: dict[tuple, list[Part]] = {}
    for part in parts:
        alike.setdefault((part.elements.nodes.shape[1], part.elements.cubic), []).append(part)
    return [Muscles(device, *group, rest=layout.rest) for group in alike.values()]


def _inlays(parts: Sequence[Part]) -> list[Inlay]:
    """Where the muscles of all parts lie; of the same solid in the same elements it is found once."""
    found: dict[tuple[int, int], Inlay] = {}
    for part in parts:
        for muscle in part.of(EmbeddedMuscle):
            key = id(part.elements), id(muscle.shape)
            found[key] = found[key] if key in found else _laid(part.elements, muscle, part.name)
    return [found[id(part.elements), id(m.shape)] for part in parts for m in part.of(EmbeddedMuscle)]


def _laid(shape: Elements, muscle: EmbeddedMuscle, body: str) -> Inlay:
    laid = inlay(shape, muscle.shape)
    if laid is None:
        raise InputError(
            f"muscle {muscle.name!r} contains no point of {body}; expected it inside the body, and not thinner than an element"
        )
    return laid
