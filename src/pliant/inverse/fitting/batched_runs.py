"""Batched runs of one scene with several parameter values.

Newton's method has one line search for all scenes, so that a batch is solved by L-BFGS, to a residual that ranks
starts; the search that follows uses the solver of the simulation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import InputError
from ...integrate.base import Implicit
from ...simulate.batch import Batch
from ...simulate.simulation import Simulation
from ...solve.quasi_newton.projective_dynamics import ProjectiveDynamics
from ...solve.quasi_newton.quasi_newton_solver import QuasiNewton
from ..gradients.free_values import Key
from ..observations.observation_set import ObservationSet
from .free_parameters import Parameters

TOLERANCE = {"f64": 1e-6, "f32": 1e-3}
ROOM = 500_000_000  # bytes of motions stored at a time


class SideBySide:
    """Scenes of a simulation with values of its free parameters; ``refused`` says why they do not make a batch, or None."""

    def __init__(self, parameters: Parameters, watch: ObservationSet, places: Sequence[np.ndarray]):
        self.parameters, self.watch = parameters, watch
        self.values = [parameters.values(shares) for shares in places]
        self.steps = max(self._steps(values) for values in self.values)
        self.refused: str | None = None
        try:
            self.batch = self._batch()
        except InputError as error:
            self.refused = str(error)

    @staticmethod
    def together(sim: Simulation, steps: int) -> int:
        """The number of motions that fit in memory."""
        return max(1, ROOM // (48 * (steps + 1) * sim.world.count))

    def costs(self) -> list[float]:
        """½ r·r of each, NaN where a step failed or did not converge."""
        batch, own = self.batch, self.watch.parameters
        moments, good = [(batch.x, batch.v)], np.ones(len(batch), bool)
        for _ in range(self.steps):
            good &= [report.kept and report.converged for report in batch.step()]
            moments.append((batch.x, batch.v))
        try:
            return [self._cost(i, moments) if good[i] else np.nan for i in range(len(batch))]
        finally:
            self.watch.put(own)

    def _batch(self) -> Batch:
        sim = self.parameters.sim
        scheme: Implicit = sim.integrator
        if not isinstance(scheme.solver, QuasiNewton | ProjectiveDynamics):
            scheme = replace(scheme, solver=QuasiNewton(tolerance=TOLERANCE[sim.device.precision]))
        scenes = [self.parameters.scene_with(values) for values in self.values]
        batch = Batch(scenes, scheme, sim.device.name, sim.device.precision, sim.device.threads)
        starts = [self.parameters.start_with(values) for values in self.values]
        batch.x, batch.v = ([start[i] for start in starts] for i in (0, 1))
        return batch

    def _steps(self, values: Mapping[Key, np.ndarray]) -> int:
        """The number of steps for these values: a clock offset needs more."""
        own = self.watch.parameters
        self.watch.put(values)
        steps = self.watch.steps
        self.watch.put(own)
        return steps

    def _cost(self, i: int, moments: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
        watch = self.watch
        watch.put(self.values[i])
        for k in range(watch.steps + 1):
            x, v = moments[k]
            watch.see(k, x[i].astype(float, copy=False), v[i].astype(float, copy=False))
        return 0.5 * float(watch.residuals @ watch.residuals)
