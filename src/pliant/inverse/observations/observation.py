"""Observation base: residuals of frames, and their derivatives.

An ``Observation`` is what was measured. Bound to a simulation it is a ``BoundObservation``, which says for each frame how far the
positions of all nodes are from it. Residuals are in standard deviations of the noise, and what a fit makes small is ½ r·r: robust
losses are taken into them (robust_loss.py), so that gradient methods and Gauss-Newton make the same thing small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...arguments import checks
from ...energy.sensitivity import Public
from ...errors import InputError, first_few
from ...simulate.simulation import Simulation

Own = Mapping[str, np.ndarray]  # values of parameters of an observation itself, by name
Pull = Callable[[Sequence[np.ndarray]], np.ndarray]  # of several frames' r (n,) each, to the sum of rᵀ∂r/∂x (3·nodes,)
Asked = tuple[Any, int, Own]  # a BoundObservation, one of its frames and its own parameters


@dataclass(frozen=True, eq=False)
class Residual:
    """n residuals of a frame, r, and their derivatives.

    ``by_x`` (n, 3·nodes), by positions one node after the other, is a sparse matrix or anything else that knows ``@`` and
    ``.T``; ``by_own`` has (n, size) by parameters of the observation. Where r also depends on parameters of the scene at fixed
    positions, as forces do, ``by_scene(y)`` returns yᵀ∂r/∂p of them. ``sites()`` returns what each is of, places (n, 3) and
    kinds (n,) such as its axis: neighbours of a kind, and the same place in another frame, are held against each other.
    Without it there are no places.
    """

    r: np.ndarray
    by_x: Any
    by_own: Mapping[str, np.ndarray] = field(default_factory=dict)
    by_scene: Callable[[np.ndarray], Public] | None = None
    sites: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None


def of_axes(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sites of three residuals for each place (m, 3), one for each axis."""
    return np.repeat(places, 3, axis=0), np.tile(np.arange(3), len(places))


def of_places(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sites of one residual for each place (n, 3)."""
    return places, np.zeros(len(places), int)


class Later(Mapping[str, np.ndarray]):
    """Lazy result of ``make``, under these names."""

    def __init__(self, names: Sequence[str], make: Callable[[], Mapping[str, np.ndarray]]):
        self._names, self._make = names, make

    @cached_property
    def _made(self) -> Mapping[str, np.ndarray]:
        return self._make()

    def __getitem__(self, name: str) -> np.ndarray:
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class BoundObservation:
    """An observation bound to a simulation. Each frame has the same number of residuals for all positions."""

    times: np.ndarray  # (frames,) on the clock of the observation [s], ascending; 0 is the start of the run where "delay" is 0
    parameters: Own  # its own parameters at the start; all have "delay", what to add to ``times`` [s]
    unit: str = "m"  # of residuals where sigma is unknown
    numbers: int  # number of residuals of all frames

    shared: Any = None  # observations with equal keys are evaluated together at the same time
    settles: bool = False  # whether residuals contain values stored from one run for the next ones

    def settle(self) -> None:
        """Drop those values: the next run sets others."""

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        """Residuals of a frame with all nodes at ``x`` (nodes, 3)."""
        raise NotImplementedError(f"{type(self).__name__} needs at(frame, x, own), as every BoundObservation has")

    def at_once(self, asked: Sequence[Asked], x: np.ndarray) -> tuple[list[Residual], Pull]:
        """The same for frames of two or more observations with shared data, and the sum of their gradients."""
        raise NotImplementedError(f"{type(self).__name__} needs at_once(asked, x), as every BoundObservation has")


@dataclass(frozen=True, eq=False)
class Observation:
    """Something measured of a motion; ``sigma``, where it has one that is not None, is the standard deviation of its noise."""

    @property
    def scale(self) -> float:
        """The scale of residuals: sigma, or 1 if unknown."""
        sigma = getattr(self, "sigma", None)
        return 1.0 if sigma is None else sigma

    def bound(self, sim: Simulation) -> BoundObservation:
        """The observation bound to the nodes of a simulation; raises where it does not fit."""
        raise NotImplementedError(f"{type(self).__name__} needs bound(sim), as every Observation has")


def checked_times(what: str, times: object, frames: int) -> np.ndarray:
    """(frames,) ascending times [s]."""
    array = checks.floats(times)
    if array.shape != (frames,) or not np.all(np.isfinite(array)):
        raise InputError(f"{what}(times of shape {array.shape}) for {frames} frames: expected one finite time for each [s]")
    late = np.flatnonzero(np.diff(array) <= 0)
    if len(late):
        raise InputError(
            f"{what}(times=…): {len(late)} frames are not later than the one before, first after {first_few(late)}; "
            "expected ascending times [s]"
        )
    return array
