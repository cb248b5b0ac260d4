"""Run as a differentiable function of some numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...arguments import checks
from ...errors import InputError, StepError
from ...simulate.simulation import Simulation
from .adjoint import Adjoint, Cost
from .free_values import Key, Values


class Motion:
    """The positions and velocities of ``steps`` steps of ``sim`` as a function of the numbers whose keys are ``free``.

    ``run`` and ``pull_back`` use NumPy; ``torch`` and ``jax`` make it a function of those packages, whose gradients are
    exact. Between calls ``sim`` is at its start with its old values. ``keep_every`` is that of Adjoint.
    """

    def __init__(self, sim: Simulation, free: Iterable[Key], steps: int, keep_every: int = 1):
        self.adjoint = Adjoint(sim, keep_every)
        self.sim, self.steps = sim, checks.whole("Motion(steps=…)", steps)
        self._all = Values(sim)
        keys = list(free) if isinstance(free, list | tuple | set | dict) else []
        if not keys:
            raise InputError(f'Motion(free={checks.shown(free)}): expected keys such as [(0, "young")]')
        self.free: dict[Key, np.ndarray] = {key: self._all.read(key, "Motion(free=…)") for key in keys}

    def run(self, values: Mapping[Key, Any]) -> tuple[np.ndarray, np.ndarray]:
        """(steps + 1, n, 3) positions [m] and velocities [m/s] from the start on, with these values."""
        x, v = [], []

        def see(k: int, now: np.ndarray, fast: np.ndarray) -> None:
            x.append(now)
            v.append(fast)

        self._with(values, lambda: self._forwards(see))
        return np.array(x), np.array(v)

    def pull_back(self, values: Mapping[Key, Any], by_x: Any, by_v: Any = None) -> dict[Key, np.ndarray]:
        """By key the derivative of a cost whose derivatives by the positions and velocities that ``run`` returns are given."""
        shape = (self.steps + 1, self.sim.world.count, 3)
        given = [None if by is None else checks.floats(by) for by in (by_x, by_v)]
        for by in given:
            if by is not None and (by.shape != shape or not np.all(np.isfinite(by))):
                raise InputError(f"pull_back: an array of shape {by.shape}; expected {shape}, finite, or None")

        def cost(k: int, x: np.ndarray, v: np.ndarray) -> tuple[float, np.ndarray | None, np.ndarray | None]:
            return 0.0, *(None if by is None else by[k] for by in given)

        gradient = self._with(values, lambda: self.adjoint.gradient(self.steps, cost)).parameters
        return {key: self._all.by_value(key, value, gradient) for key, value in self._checked(values).items()}

    def cost(self, values: Mapping[Key, Any], cost: Cost) -> float:
        """Σ of ``cost(k, x, v)[0]`` over the states of a run with these values."""
        total = []
        self._with(values, lambda: self._forwards(lambda k, x, v: total.append(checks.real(cost(k, x, v)[0]))))
        return float(sum(total))

    def torch(self) -> Callable[..., Any]:
        """A function of one tensor for each key, in their order, that returns positions and velocities as tensors."""
        from .torch_and_jax import torch_function

        return torch_function(self)

    def jax(self) -> Callable[..., Any]:
        """The same of arrays of JAX; it may be compiled, mapped over values (one run after another) and differentiated once."""
        from .torch_and_jax import jax_function

        return jax_function(self)

    def _checked(self, values: Mapping[Key, Any]) -> dict[Key, np.ndarray]:
        if not isinstance(values, Mapping) or set(values) != set(self.free):
            raise InputError(f"{checks.shown(values)} are values; expected one for each of {list(self.free)}")
        out = {}
        for key, now in self.free.items():
            value = checks.floats(values[key])
            if value.shape != now.shape or not np.all(np.isfinite(value)):
                raise InputError(f"{key!r} = array of shape {value.shape}; expected {now.shape}, finite")
            out[key] = value
        return out

    def _with(self, values: Mapping[Key, Any], work: Callable[[], Any]) -> Any:
        try:
            self._all.put(self._checked(values))
            return work()
        finally:
            self._all.put(self.free)

    def _forwards(self, see: Callable[[int, np.ndarray, np.ndarray], None]) -> None:
        sim = self.sim
        first = sim.state.copy()
        try:
            for k in range(self.steps + 1):
                report = sim.step() if k else None
                if report is not None and not (report.kept and report.converged):
                    raise StepError(f"step {k} of the run did not converge: {report.why}")
                see(k, sim.x.astype(float, copy=False), sim.v.astype(float, copy=False))
        finally:
            sim.assign(first)
