"""Discretisation error of fits, by coarser meshes and longer steps.

Between values of sizes h and r h an error of order p is (v − v_rh)/(r^p − 1). With the factor of safety 3 for two grids (Roache
1994, grid convergence index) and second order it is as large as the change where r = 2. Steps twice as long need no fit of their
own: their change of the residuals at the fitted values, δr, moves the minimum by −(JᵀJ)⁻¹ Jᵀ δr to first order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...simulate.simulation import Simulation
from ..observations.observation import BoundObservation, Observation
from ..observations.observation_set import ObservationSet
from .fit_problem import Problem
from .free_parameters import Key
from .uncertainty import Uncertainty

SAFETY, ORDER = 3.0, 2  # of elements: convergence orders of their energies


@dataclass(frozen=True, eq=False)
class _Again(Observation):
    """Bound observations, whose times are in seconds for any step."""

    seen: BoundObservation

    def bound(self, sim: Simulation) -> BoundObservation:
        return self.seen


def of_mesh(sims: Sequence[Simulation], values: Sequence[dict[Key, np.ndarray]]) -> dict[Key, np.ndarray] | None:
    """By key the mesh error of the last values, from the last of the other fits with the same step; None without one."""
    last = len(sims) - 1
    sizes = [sum(body.shape.count for body in sim.scene.bodies) for sim in sims]
    for k in reversed(range(last)):
        if sizes[k] < sizes[last] and np.isclose(sims[k].integrator.dt, sims[last].integrator.dt):
            ratio = (sizes[last] / sizes[k]) ** (1 / 3)
            factor = SAFETY / (ratio**ORDER - 1)
            return {key: np.asarray(factor * np.abs(value - values[k][key])) for key, value in values[last].items()}
    return None


def of_step(problem: Problem, sure: Uncertainty, values: dict[Key, np.ndarray]) -> dict[Key, np.ndarray] | None:
    """By key the change of ``values``, those of its simulation, with steps twice as long; None where they have no error.

    NaN where that run fails.
    """
    sim = problem.parameters.sim
    if sim.integrator.order == 0:
        return None
    twice = replace(sim.integrator, dt=2 * sim.integrator.dt)
    other = Simulation(sim.scene, twice, sim.device.name, sim.device.precision, sim.device.threads)
    other.x, other.v = sim.x, sim.v
    watch = ObservationSet(other, [_Again(seen) for seen in problem.watch.seen])
    watch.put(values)
    watch.pulls = False
    live = ~(sure.blind | sure.at_bound)
    change = np.full(len(sure.shares), np.nan)
    for k in range(watch.steps + 1):
        report = other.step() if k else None
        if report is not None and not (report.kept and report.converged):
            break
        watch.see(k, other.x.astype(float, copy=False), other.v.astype(float, copy=False))
    else:
        jacobian = sure.jacobian[:, live]
        normal = jacobian.T @ jacobian + sure.noise**2 * sure.prior[np.ix_(live, live)]
        moved = np.linalg.lstsq(normal, jacobian.T @ (watch.residuals - sure.residuals), rcond=None)[0]
        change[live] = np.abs(moved)
    ends = problem.parameters.values(np.clip(sure.shares + change, 0.0, 1.0))
    starts = problem.parameters.values(np.clip(sure.shares - change, 0.0, 1.0))
    return {key: np.asarray(0.5 * np.abs(ends[key] - starts[key])) for key in values}
