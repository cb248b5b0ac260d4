"""What a fit may change: parameters by name between bounds, read from a simulation and put into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ...arguments.checks import real, shown
from ...errors import InputError
from ...simulate.scene.body import Scene
from ...simulate.simulation import Simulation
from ..gradients.free_values import Key, Values
from ..observations.observation_set import Watch
from .spatial_prior import Smooth, neighbours


@dataclass(frozen=True)
class Free:
    """A parameter that may lie from ``low`` to ``high``; ``log``: what counts is by which factor it changes.

    ``prior`` = (value, standard deviation) is what is known of it beforehand, weighed against the ``sigma`` of observations.
    ``across``, for one value per element: that neighbours are alike, inverse.Smooth(0.05) or inverse.TotalVariation(0.05).
    """

    low: float
    high: float
    log: bool = False
    prior: tuple[float, float] | None = None
    across: Smooth | None = None

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

        if self.across is not None and not isinstance(self.across, Smooth):
            raise checks.refusal(
                "Free(across=…)", self.across, "inverse.Smooth(0.05), inverse.TotalVariation(0.05) or None"
            )

    def share(self, value: np.ndarray) -> np.ndarray:
        """How far between the bounds a value is, from 0 to 1."""
        if self.log:
            return np.log(value / self.low) / np.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, share: np.ndarray) -> np.ndarray:
        """The value so far between the bounds."""
        if self.log:
            return np.clip(self.low * (self.high / self.low) ** share, self.low, self.high)
        return self.low + (self.high - self.low) * share

    def slope(self, value: np.ndarray) -> np.ndarray:
        """The derivative of the value by its share."""
        return value * np.log(self.high / self.low) if self.log else np.full_like(value, self.high - self.low)


class Parameters:
    """The free parameters of a simulation, one after the other as shares of their bounds."""

    def __init__(self, sim: Simulation, free: Mapping[Key, Free], watch: Watch | None = None):
        if not isinstance(free, Mapping) or not free:
            raise InputError(f'fit(free={shown(free)}): expected such as {{(0, "young"): Free(1e3, 1e5, log=True)}}')
        sim._without_spare()
        self.sim, self.free, self.watch, self._all = sim, dict(free), watch, Values(sim)
        self.start, self.pairs = {}, {}
        for key, bounds in self.free.items():
            if not isinstance(bounds, Free):
                raise InputError(f"fit(free=…): {key!r} has {shown(bounds)}; expected Free(low, high)")
            value = self.start[key] = self._all.read(key, "fit(free=…)", {} if watch is None else watch.parameters)
            if np.any(value < bounds.low) or np.any(value > bounds.high):
                raise InputError(
                    f"fit: {key!r} begins at {shown(value.tolist())}, outside of its bounds {bounds.low:g} … {bounds.high:g}; "
                    "expected a start between them"
                )
            if (source := self._all.source(key)) != key and source in self.free:
                raise InputError(f"fit(free=…): {key!r} and {source!r} are the same; expected one of them")
            if bounds.across is not None:
                self.pairs[key] = self._pairs(key)

    def _pairs(self, key: Key) -> np.ndarray:
        """(p, 2) neighbours among the elements that a parameter has one value each for."""
        shape = None if key[0] is None else self.sim.scene.bodies[key[0]].shape
        if shape is None or self.start[key].shape != (shape.count,):
            given = "one for all" if not self.start[key].ndim else f"{len(self.start[key])}"
            raise InputError(
                f"Free(across=…): {key!r} has {given}; expected one number for each element of a body, as in "
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
        """Number of a share → how a simulation with these values changes with it; those of observations are left out."""
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
