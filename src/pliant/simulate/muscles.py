"""Muscles inside bodies: solids with fibres that pull along themselves as they are activated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..device import Device
from ..elements.base import Elements
from ..elements.fibre_field import FibreField
from ..elements.inlay import Inlay, inlay
from ..energy.muscles import MuscleEnergy
from ..errors import InputError, did_you_mean, first_few, floats
from ..geometry.sdf import Sdf
from ..material.fibres import Muscle
from ..material.fit import principal_stress


@dataclass(frozen=True, eq=False)
class EmbeddedMuscle:
    """A muscle that fills a solid inside a Lattice or Tets body, and pulls along its fibres by the law ``Muscle``.

    ``fibres`` is one direction, a function of (n, 3) rest points [m] to (n, 3) directions, or a FibreField. ``activation``
    is from 0 to 1, or a function of time [s] to that. Muscles may overlap; the flesh around stays as it is.
    """

    shape: Sdf
    fibres: Sequence[float] | FibreField | Callable[[np.ndarray], np.ndarray]
    activation: float | Callable[[float], float] = 0.0
    peak_stress: float = 3.0e5  # [Pa]
    optimal_stretch: float = 1.0
    name: str = ""

    def __post_init__(self):
        if not isinstance(self.shape, Sdf):
            raise InputError(
                f"EmbeddedMuscle(shape={type(self.shape).__name__}): expected an Sdf, such as a spindle(…)"
            )
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
            raise InputError(
                f"activation of {self.name!r} is {value!r} at t = {time:g} s; expected a number from 0 to 1"
            )
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


def named(muscles: Sequence[EmbeddedMuscle]) -> tuple[EmbeddedMuscle, ...]:
    """Muscles that all have a name of their own."""
    found = tuple(m if m.name else replace(m, name=f"muscle {i}") for i, m in enumerate(muscles))
    names = [m.name for m in found]
    if len(set(names)) != len(names):
        raise InputError(f"Body(muscles=…): two muscles share a name among {names}; give each its own")
    return found


def activated(muscles: Sequence[EmbeddedMuscle], levels: dict[str, float]) -> tuple[EmbeddedMuscle, ...]:
    """Muscles with other activations, by name."""
    names = [m.name for m in muscles]
    for name in levels:
        if name not in names:
            near = did_you_mean(str(name), names)
            raise InputError(f"no muscle {name!r}{near} in this body; it has {', '.join(names) or 'none'}")
    return tuple(replace(m, activation=levels[m.name]) if m.name in levels else m for m in muscles)


class Muscles:
    """The muscles of one body on a device: one energy for all of them. ``first`` is the row of the body's first node."""

    def __init__(self, device: Device, shape: Elements, muscles: Sequence[EmbeddedMuscle], first: int, name: str):
        parts = [_laid(shape, m, name) for m in muscles]
        self.muscles, self.time = tuple(muscles), 0.0
        self.owner = np.repeat(np.arange(len(parts)), [part.count for part in parts])
        fields = ("nodes", "gradients", "weights", "points", "cells", *(("places", "edges") if parts[0].cubic else ()))
        joined = {key: np.concatenate([getattr(part, key) for part in parts]) for key in fields}
        self.elements = Inlay(shape.rest, **joined)
        self.directions = np.concatenate([m.directions(part.points) for m, part in zip(muscles, parts)])
        self.levels = self._levels()
        self.energy = MuscleEnergy(device, self.elements, self._law(), first)

    def _levels(self) -> np.ndarray:
        return np.array([m.level(self.time) for m in self.muscles])

    def _law(self) -> Muscle:
        peak, optimal = (np.array([getattr(m, k) for m in self.muscles]) for k in ("peak_stress", "optimal_stretch"))
        of = self.owner
        return Muscle(
            direction=self.directions, peak_stress=peak[of], activation=self.levels[of], optimal_stretch=optimal[of]
        )

    def at_time(self, time: float) -> None:
        """Bring activations that are functions of time to ``time`` [s]."""
        self.time = time
        levels = self._levels()
        if not np.array_equal(levels, self.levels):
            self.levels = levels
            self.energy.set_parameters(self._law())

    def take(self, muscles: Sequence[EmbeddedMuscle]) -> None:
        """Take over the values of muscles of the same shapes and fibres."""
        self.muscles = tuple(muscles)
        self.levels = self._levels()
        self.energy.set_parameters(self._law())


def _laid(shape: Elements, muscle: EmbeddedMuscle, body: str) -> Inlay:
    found = inlay(shape, muscle.shape)
    if found is None:
        raise InputError(
            f"muscle {muscle.name!r} fills no part of {body}; expected it inside the body, and hardly thinner than an element"
        )
    return found


class MuscleView:
    """One muscle of a running simulation, read at its points: one in each element that it reaches."""

    def __init__(self, muscles: Muscles, index: int, positions: Callable[[], np.ndarray]):
        self._muscles, self._index, self._positions = muscles, index, positions
        self._rows = muscles.owner == index
        self.name, self.shape = muscles.muscles[index].name, muscles.muscles[index].shape
        self.rest_volume = float(self.weights.sum())  # [m³]

    def __repr__(self) -> str:
        stretch, tension = (np.average(values, weights=self.weights) for values in (self.stretch, self.tension))
        return (
            f"{self.name}: activation {self.activation:.2f}, fibres at {stretch:.3f} of their length, tension "
            f"{tension / 1e3:.1f} kPa, volume {1e6 * self.rest_volume:.1f} cm³ {self.volume / self.rest_volume - 1:+.2%}"
        )

    @property
    def weights(self) -> np.ndarray:
        """(m,) rest volume at each point [m³]."""
        return self._muscles.elements.weights[self._rows, 0]

    @property
    def points(self) -> np.ndarray:
        """(m, 3) rest positions of the points [m]."""
        return self._muscles.elements.points[self._rows]

    @property
    def fibres(self) -> np.ndarray:
        """(m, 3) unit vectors along the fibres at rest."""
        return self._muscles.directions[self._rows]

    @property
    def activation(self) -> float:
        """From 0 to 1, now."""
        return float(self._muscles.levels[self._index])

    @property
    def deformation(self) -> np.ndarray:
        """(m, 3, 3) F at the points."""
        E = self._muscles.elements
        return np.einsum("mia,mib->mab", self._positions()[E.nodes[self._rows]], E.gradients[self._rows, 0])

    @property
    def stretch(self) -> np.ndarray:
        """(m,) λ = ‖F w‖ of the fibres."""
        return np.linalg.norm(np.einsum("mab,mb->ma", self.deformation, self.fibres), axis=1)

    @property
    def tension(self) -> np.ndarray:
        """(m,) T(λ) of the fibres, per rest area [Pa]."""
        m = self._muscles.muscles[self._index]
        law = Muscle(peak_stress=m.peak_stress, activation=self.activation, optimal_stretch=m.optimal_stretch)
        return principal_stress(law, self.stretch)[0]

    @property
    def volume(self) -> float:
        """Volume now [m³]."""
        return float(self.weights @ np.linalg.det(self.deformation))
