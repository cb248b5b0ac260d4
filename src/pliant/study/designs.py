"""Designs of experiments: grids and low-discrepancy samples."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import checks
from ..errors import InputError

if TYPE_CHECKING:
    from ..inverse.fitting.free_parameters import Free

    Bounds = Free | tuple[float, float]


def bounded(what: str, bounds: object) -> Free:
    """Bounds as a Free; (low, high) is one of them."""
    from ..inverse.fitting.free_parameters import (
        Free,  # here, since workers do without: most of the time they take to start
    )

    if isinstance(bounds, Free):
        return bounds
    if not isinstance(bounds, tuple) or len(bounds) != 2:
        raise checks.refusal(what, bounds, "bounds such as (1e3, 1e5) or inverse.Free(1e3, 1e5, log=True)")
    return Free(*bounds)


@dataclass(frozen=True)
class _Spread:
    """``count`` points between the bounds of ``space``: (low, high), or inverse.Free(low, high, log=True) for factors."""

    space: Mapping[str, Bounds]
    count: int
    seed: int = 0

    def __post_init__(self):
        name = type(self).__name__
        if not isinstance(self.space, Mapping) or not self.space:
            raise InputError(f'{name}(space=…): expected such as {{"young": (1e3, 1e5)}}')
        checks.whole(f"{name}(count=…)", self.count)
        checks.whole(f"{name}(seed=…)", self.seed, 0)
        for key, bounds in self.space.items():
            bounded(f"{name}(space=…): {key}", bounds)

    def _shares(self) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} needs _shares(), as every _Spread has")

    @property
    def coordinates(self) -> dict[str, tuple[str, list[Any]]]:
        """Name → the dimension that a parameter is along, and its values there."""
        shares = self._shares()
        columns = [bounded(name, bounds).value(shares[:, i]) for i, (name, bounds) in enumerate(self.space.items())]
        return {name: ("member", column.tolist()) for name, column in zip(self.space, columns)}

    @property
    def members(self) -> list[dict[str, Any]]:
        """The values of each member."""
        columns = [values for _, values in self.coordinates.values()]
        return [dict(zip(self.space, row)) for row in zip(*columns)]


def _sampler(plan: _Spread) -> Any:
    from scipy.stats import qmc

    return getattr(qmc, type(plan).__name__)(len(plan.space), seed=plan.seed)


class LatinHypercube(_Spread):
    """Points of which each has an interval of every parameter to itself; McKay, Beckman & Conover 1979.

    ``space`` has bounds by name: (low, high), or inverse.Free(low, high, log=True) for what counts by factors.
    """

    def _shares(self) -> np.ndarray:
        return _sampler(self).random(self.count)


class Sobol(_Spread):
    """Points of Sobol's sequence, scrambled: means over them converge faster than over random ones; a power of two of them."""

    def _shares(self) -> np.ndarray:
        if self.count & (self.count - 1):
            raise InputError(f"Sobol(count={self.count}): expected a power of two, as {1 << self.count.bit_length()}")
        return _sampler(self).random_base2(self.count.bit_length() - 1)


class Random(_Spread):
    """Points drawn independently, each as likely as any other."""

    def _shares(self) -> np.ndarray:
        return np.random.default_rng(self.seed).random((self.count, len(self.space)))


class Grid:
    """Every combination of the values of some parameters."""

    seed = 0

    def __init__(self, parameters: Mapping[str, Sequence[Any]]):
        self.parameters = {name: self._values(name, values) for name, values in parameters.items()}
        self.coordinates = {name: (name, values) for name, values in self.parameters.items()}

    @staticmethod
    def _values(name: str, given: Any) -> list[Any]:
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise InputError(f"sweep(…): {name} is {checks.kind(given)}; expected a list of values")
        values = [value.item() if isinstance(value, np.generic) else value for value in given]
        if not values:
            raise InputError(f"sweep(…): {name} has no values, and a grid with it no members; expected one or more")
        bad = next((v for v in values if not isinstance(v, int | float | str) or v != v), None)
        if bad is not None or len(set(values)) < len(values) or len({isinstance(v, str) for v in values}) > 1:
            what = "some twice" if bad is None else checks.kind(bad)
            raise InputError(
                f"sweep(…): the values of {name} have {what}; expected different numbers, or different texts, from which "
                "make builds other things"
            )
        return values

    @property
    def members(self) -> list[dict[str, Any]]:
        """The values of each member, the last parameter changing first."""
        return [dict(zip(self.parameters, row)) for row in itertools.product(*self.parameters.values())]


def design(parameters: object) -> Grid | _Spread:
    """What ``sweep`` was given as a design: one of this module, or a dictionary as a grid."""
    if isinstance(parameters, _Spread):
        return parameters
    if not isinstance(parameters, Mapping) or not all(isinstance(name, str) for name in parameters):
        raise checks.refusal("sweep(parameters=…)", parameters, 'such as {"young": [1e4, 1e5]}, or study.LatinHypercube(…)')
    if not parameters:
        raise InputError('sweep(parameters={}): this has no members; expected such as {"young": [1e4, 1e5]}')
    return Grid(parameters)
