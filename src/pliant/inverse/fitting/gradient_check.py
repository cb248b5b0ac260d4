"""Check of a gradient against finite differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...simulate.simulation import Simulation
from ..gradients.adjoint import Adjoint, Cost, Gradient
from ..gradients.free_values import Key, Values
from ..gradients.run_function import Motion
from ..observations.observation import Observation
from ..observations.observation_set import ObservationSet
from .fit_result import labels

STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # of the size of a number: step of differences
SIZE = 1e-2  # size used for a number that is 0


def gradient(
    sim: Simulation,
    cost: Cost | Observation | Sequence[Observation],
    free: Iterable[Key],
    steps: int | None = None,
    keep_every: int = 1,
) -> Gradient:
    """A cost of a run of ``sim`` and its exact derivatives by the numbers whose keys are ``free``, such as [(0, "young")].

    ``cost`` is that of Adjoint, for a run of so many ``steps``, or observations, whose ½ Σ r² it then is. Afterwards ``sim`` is
    where it was.
    """
    asked = _Cost(sim, cost, free, steps, "gradient")
    adjoint, watch = Adjoint(sim, keep_every), asked.watch
    found = adjoint.gradient(asked.steps, asked.function, None if watch is None else watch.see)
    direct = {} if watch is None else watch.direct()
    parameters = {}
    for key, value in asked.values.items():
        source = asked.all.source(key)
        total = sum(np.asarray(by[source], float) for by in (found.parameters, direct) if source in by)
        parameters[key] = asked.all.by_value(key, value, {source: total})
    return Gradient(found.cost, parameters, found.x, found.v)


@dataclass(frozen=True, eq=False)
class GradientCheck:
    """Number by number: the ``adjoint``'s derivative (p,), and ``differences`` (p, k) of runs at each of the ``steps`` (p, k).

    ``best`` (p,) is the difference that changes least between steps, ``error`` (p,) the distance of the adjoint from it,
    as a share of the largest of both among the numbers of the same parameter.
    """

    labels: list[str]
    adjoint: np.ndarray
    differences: np.ndarray
    steps: np.ndarray
    of: np.ndarray  # (p,) the parameter of each number

    @property
    def best(self) -> np.ndarray:
        """The difference at the step of least sensitivity to the step."""
        change = np.abs(np.diff(self.differences, axis=1))
        change = np.where(np.isfinite(change), change, np.inf)
        at = np.argmin(change, axis=1) + 1
        return self.differences[np.arange(len(at)), at]

    @property
    def error(self) -> np.ndarray:
        """Relative."""
        best = self.best
        size = np.zeros(self.of.max() + 1)
        np.maximum.at(size, self.of, np.maximum(np.abs(best), np.abs(self.adjoint)))
        return np.abs(self.adjoint - best) / np.maximum(size, 1e-300)[self.of]

    def __repr__(self) -> str:
        width = max(len(name) for name in [*self.labels, "number"])
        lines = [f"{'number':<{width}}  {'adjoint':>12}  {'differences':>12}  {'apart':>8}  by step"]
        for i, name in enumerate(self.labels):
            tried = ", ".join(f"{d:.6g} ({h:.0e})" for d, h in zip(self.differences[i], self.steps[i]))
            row = f"{self.adjoint[i]:12.6g}  {self.best[i]:12.6g}  {self.error[i]:8.1e}"
            lines.append(f"{name:<{width}}  {row}  {tried}")
        return "\n".join(lines)


def check_gradient(
    sim: Simulation,
    cost: Cost | Observation | Sequence[Observation],
    free: Iterable[Key],
    steps: int | None = None,
    widths: Vector = STEPS,
) -> GradientCheck:
    """``gradient`` and central differences of runs over each of ``widths``, as shares of the size of a number.

    It makes two runs for each number and width. Residuals within the solver's tolerance enter the differences:
    compare with ``Newton(tolerance=1e-10)`` or less.
    """
    tried = checks.floats(widths)
    if tried.ndim != 1 or len(tried) < 2 or not np.all((tried > 0) & (tried < 1)):
        raise InputError(
            f"check_gradient(widths={checks.shown(widths)}): expected two shares or more between 0 and 1, such as (1e-3, 1e-4)"
        )
    asked = _Cost(sim, cost, free, steps, "check_gradient")
    exact = gradient(sim, cost, list(asked.values), steps)
    adjoint = np.concatenate([np.ravel(exact.parameters[key]) for key in asked.values])
    differences, used = [], []
    of = np.repeat(np.arange(len(asked.values)), [value.size for value in asked.values.values()])
    for key, value in asked.values.items():
        size = np.abs(value).max(initial=0.0) or SIZE
        for i in range(value.size):
            used.append(tried * size)
            differences.append([asked.difference(key, i, width) for width in used[-1]])
    return GradientCheck(labels(asked.values), adjoint, np.array(differences), np.array(used), of)


class _Cost:
    """A cost with the data to evaluate it."""

    def __init__(self, sim: Simulation, cost: Any, free: Iterable[Key], steps: int | None, owner: str):
        checks.instance(f"{owner}(sim=…)", sim, Simulation, "a Simulation")
        observed = isinstance(cost, Observation) or (isinstance(cost, list | tuple) and len(cost) > 0)
        self.watch = ObservationSet(sim, cost) if observed else None
        if not observed and not callable(cost):
            raise InputError(
                f"{owner}(cost={checks.shown(cost)}): expected a function of a step, positions and velocities, or observations"
            )
        if (steps is None) != observed:
            raise InputError(
                f"{owner}(steps={checks.shown(steps)}): expected a number of steps for a function, and none for observations"
            )
        called: Cost = lambda k, x, v: checks.called(f"cost({k}, x, v)", cost, k, x, v)
        self.function = called if self.watch is None else self.watch.cost
        self.steps = checks.whole(f"{owner}(steps=…)", steps) if self.watch is None else self.watch.steps
        keys = list(free) if isinstance(free, list | tuple | set | dict) else []
        own = {} if self.watch is None else self.watch.parameters
        self.all = Values(sim)
        self.values = {key: self.all.read(key, f"{owner}(free=…)", own) for key in keys}
        if not keys:
            raise InputError(f'{owner}(free={checks.shown(free)}): expected keys such as [(0, "young")]')
        self._sim = sim

    def difference(self, key: Key, i: int, width: float) -> float:
        """The central difference of the cost by one number."""
        ends = []
        for side in (width, -width):
            moved = self.values[key].copy()
            moved.flat[i] += side
            ends.append(self._at({key: moved}))
        return (ends[0] - ends[1]) / (2 * width)

    def _at(self, values: dict[Key, np.ndarray]) -> float:
        own = {} if self.watch is None else self.watch.parameters
        if self.watch is not None:
            self.watch.put(values)
        try:
            steps = self.steps if self.watch is None else self.watch.steps
            ours = {key: value for key, value in values.items() if key not in own}
            motion = Motion(self._sim, list(ours) or [(None, "gravity")], steps)
            ours = ours or motion.free
            if self.watch is None:
                return motion.cost(ours, self.function)
            watch = self.watch
            motion.cost(ours, lambda k, x, v: (watch.see(k, x, v), 0.0)[1:])
            return 0.5 * float(watch.residuals @ watch.residuals)
        finally:
            if self.watch is not None:
                self.watch.put(own)
