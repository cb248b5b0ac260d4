"""Free parameters of a fit, by name between bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.checks import real, shown
from ...errors import InputError
from ...simulate.scene.body import Scene
from ...simulate.simulation import Simulation
from ..gradients.free_values import Key, Values
from ..observations.observation_set import ObservationSet
from .spatial_prior import Smooth, neighbours

DECADE = 10.0  # bounds further apart than this factor are searched on a logarithmic scale


@dataclass(frozen=True)
class Free:
    """A parameter that may lie from ``low`` to ``high``; ``log``: on a logarithmic scale.

    ``prior`` = (value, standard deviation) is prior knowledge, weighed against the ``sigma`` of observations.
    ``spatial_prior``, for one value per element: similar neighbours, inverse.Smooth(0.05) or inverse.TotalVariation(0.05).
    """

    low: float
    high: float
    log: bool = False
    prior: tuple[float, float] | None = None
    spatial_prior: Smooth | None = None

    def __post_init__(self):
        checks.flag("Free(log=…)", self.log)
        low, high = real(self.low), real(self.high)
        if not -np.inf < low < high < np.inf:
            given = f"low={shown(self.low)}, high={shown(self.high)}"
            raise InputError(f"Free({given}): expected two finite numbers, the smaller one first")
        if self.log and low <= 0:
            raise InputError(f"Free(low={self.low:g}, log=True): expected a positive number, or log=False")
        if self.prior is not None:
            prior = checks.floats(self.prior)
            if prior.shape != (2,) or not np.all(np.isfinite(prior)) or not prior[1] > 0:
                raise InputError(
                    f"Free(prior={shown(self.prior)}): expected a value and its positive standard deviation, or None"
                )

        if self.spatial_prior is not None and not isinstance(self.spatial_prior, Smooth):
            raise checks.refusal(
                "Free(spatial_prior=…)", self.spatial_prior, "inverse.Smooth(0.05), inverse.TotalVariation(0.05) or None"
            )

    @classmethod
    def between(cls, low: float, high: float, prior: tuple[float, float] | None = None) -> Free:
        """Bounds with ``log`` where they are positive and a decade or more apart."""
        return cls(low, high, log=low > 0 and high >= DECADE * low, prior=prior)

    def share(self, value: np.ndarray) -> np.ndarray:
        """The position of a value between the bounds, from 0 to 1."""
        if self.log:
            return np.log(value / self.low) / np.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, share: np.ndarray) -> np.ndarray:
        """The value at a position between the bounds."""
        if self.log:
            return np.clip(self.low * (self.high / self.low) ** share, self.low, self.high)
        return self.low + (self.high - self.low) * share

    def slope(self, value: np.ndarray) -> np.ndarray:
        """The derivative of the value by its share."""
        return value * np.log(self.high / self.low) if self.log else np.full_like(value, self.high - self.low)


class Parameters:
    """The free parameters of a simulation, as one vector of shares of their bounds."""

    def __init__(self, sim: Simulation, free: Mapping[Any, Any], watch: ObservationSet | None = None):
        if not isinstance(free, Mapping) or not free:
            raise InputError(f'fit(free={shown(free)}): expected such as {{"young": (1e3, 1e5)}}')
        sim._without_spare()
        self.sim, self.watch, self._all = sim, watch, Values(sim)
        self.free: dict[Key, Free] = {self._key(key): self._bounds(key, bounds) for key, bounds in free.items()}
        self.start, self.pairs = {}, {}
        for key, bounds in self.free.items():
            value = self.start[key] = self._all.read(key, "fit(free=…)", {} if watch is None else watch.parameters)
            if np.any(value < bounds.low) or np.any(value > bounds.high):
                raise InputError(
                    f"fit: {key!r} begins at {shown(value.tolist())}, outside of its bounds {bounds.low:g} … {bounds.high:g}; "
                    "expected a start between them"
                )
            if (source := self._all.source(key)) != key and source in self.free:
                raise InputError(f"fit(free=…): {key!r} and {source!r} are the same; expected one of them")
            if bounds.spatial_prior is not None:
                self.pairs[key] = self._pairs(key)

    def _key(self, name: Any) -> Key:
        """The key of a number that is called by its name alone."""
        if not isinstance(name, str):
            return name
        known = self._all.known | ({} if self.watch is None else self.watch.parameters)
        bodies = [(i, name) for i in range(len(self.sim.scene.bodies))]
        found = [key for key in known if key[1] == name] or [key for key in bodies if self._all.long(key) in known]
        if len(found) > 1:
            raise InputError(f"fit(free=…): {len(found)} bodies have {name!r}; expected one of them, {found[0]!r}: (low, high)")
        return found[0] if found else (0, name)

    def _bounds(self, key: Any, bounds: Any) -> Free:
        if isinstance(bounds, Free):
            return bounds
        if not isinstance(bounds, list | tuple) or len(bounds) != 2 or np.isnan([*map(real, bounds)]).any():
            raise InputError(f"fit(free=…): {key!r} has {shown(bounds)}; expected bounds (low, high), or Free(low, high)")
        return Free.between(*bounds)

    def _pairs(self, key: Key) -> np.ndarray:
        """(p, 2) neighbours among the elements of a parameter with one value each."""
        shape = None if key[0] is None else self.sim.scene.bodies[key[0]].shape
        if shape is None or self.start[key].shape != (shape.count,):
            given = "one for all" if not self.start[key].ndim else f"{len(self.start[key])}"
            raise InputError(
                f"Free(spatial_prior=…): {key!r} has {given}; expected one number for each element of a body, as in "
                "StableNeoHookean(young=np.full(elements, 1e4))"
            )
        return neighbours(shape)

    @property
    def shares(self) -> np.ndarray:
        """Those of the start."""
        return self.shares_of(self.start)

    def shares_of(self, values: Mapping[Key, np.ndarray]) -> np.ndarray:
        """Those of some values, which must be of the shapes that the simulation has."""
        for key, now in self.start.items():
            if np.shape(values[key]) != now.shape:
                raise InputError(
                    f"fit: {key!r} has {np.size(values[key])} numbers in one simulation and {now.size} in another; expected "
                    "one for all, or as many regions"
                )
        return np.concatenate([bounds.share(values[key]).ravel() for key, bounds in self.free.items()])

    def values(self, shares: np.ndarray) -> dict[Key, np.ndarray]:
        """Key → value."""
        out, first = {}, 0
        for key, bounds in self.free.items():
            start = self.start[key]
            out[key] = bounds.value(shares[first : first + start.size]).reshape(start.shape)
            first += start.size
        return out

    def by_share(self, values: Mapping[Key, np.ndarray], *gradients: Mapping[Key, np.ndarray]) -> np.ndarray:
        """The sum of gradients by values as that by shares."""
        parts = []
        for key, bounds in self.free.items():
            source = self._all.source(key)
            total = sum(np.asarray(gradient[source]) for gradient in gradients if source in gradient)
            by = self._all.by_value(key, values[key], {source: total})
            parts.append(np.ravel(by * bounds.slope(values[key])))
        return np.concatenate(parts)

    def directions(self, values: Mapping[Key, np.ndarray]) -> dict[int, dict[Key, np.ndarray]]:
        """Number of a share → change of the simulation's values by it, without those of observations."""
        out, first = {}, 0
        own = {} if self.watch is None else self.watch.parameters
        for key, bounds in self.free.items():
            value = values[key]
            for i, slope in enumerate(np.ravel(bounds.slope(value)) if key not in own else ()):
                change = np.zeros(value.size)
                change[i] = slope
                out[first + i] = self._all.on_top(key, value, change.reshape(value.shape))
            first += value.size
        return out

    def put(self, values: Mapping[Key, np.ndarray]) -> None:
        """Give the simulation these values."""
        if self.watch is not None:
            self.watch.put(values)
        self._all.put(self._of_scene(values))

    def scene_with(self, values: Mapping[Key, np.ndarray]) -> Scene:
        """The scene with these values."""
        return self._all.scene_with(self._of_scene(values))

    def start_with(self, values: Mapping[Key, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """(n, 3) positions and velocities at the start with these values."""
        return self._all.start_with(self._of_scene(values))

    def _of_scene(self, values: Mapping[Key, np.ndarray]) -> dict[Key, np.ndarray]:
        """Those that are not of observations."""
        own = {} if self.watch is None else self.watch.parameters
        return {key: value for key, value in values.items() if key not in own}
