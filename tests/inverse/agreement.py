"""Gradients of runs beside central differences of runs, for every number that a simulation has."""

import numpy as np
import pytest

import pliant as pl
from pliant.inverse.gradients.free_values import Values

SOLVER = pl.Newton(tolerance=1e-12, linear=pl.linear.Direct())
DT = 0.01
SCHEMES = {
    "Euler": pl.ImplicitEuler(DT, SOLVER),
    "BDF2": pl.BDF2(DT, SOLVER),
    "midpoint": pl.ImplicitMidpoint(DT, SOLVER),
    "Newmark": pl.Newmark(DT, SOLVER),
    "HHT": pl.HHT(DT, SOLVER, 0.1),
    "acceleration": pl.LinearAcceleration(DT / 5, SOLVER),  # stable for all elements
    "theta": pl.NewmarkTheta(DT, SOLVER),
    "quasi-static": pl.QuasiStatic(DT, SOLVER),
}


class Squares:
    """½ Σ_k w_k ‖x_k − X‖² + u_k ‖v_k‖², weighted differently for each component."""

    def __init__(self, sim: pl.Simulation):
        self.X, random = sim.world.rest, np.random.default_rng(0)
        self.w, self.u = random.uniform(0.5, 1.5, (2, *self.X.shape)) * np.array([1.0, 1e-3])[:, None, None]

    def __call__(self, k, x, v):
        w, u, off = (1 + 0.1 * k) * self.w, self.u / (1 + k), x - self.X + 0.02
        return float(np.sum(w * off**2 + u * v**2)) / 2, w * off, u * v


def run_cost(sim: pl.Simulation, steps: int) -> float:
    """The cost of a run, after which the simulation is where it was."""
    cost, first = Squares(sim), sim.state.copy()
    total = cost(0, sim.x, sim.v)[0]
    for k in range(1, steps + 1):
        report = sim.step()
        assert report.converged, report.why
        total += cost(k, sim.x, sim.v)[0]
    sim.assign(first)
    return total


def agree(
    scene: pl.Scene,
    scheme: str = "Euler",
    steps: int = 4,
    keys: tuple | None = None,
    rel: float = 1e-6,
    step: float = 1e-4,
) -> pl.inverse.Gradient:
    """Every number of ``known``, or those of ``keys``: the adjoint beside runs with other values, put into the simulation."""
    sim = pl.Simulation(scene, SCHEMES[scheme])
    gradient = pl.inverse.Adjoint(sim).gradient(steps, Squares(sim))
    values = Values(sim)
    known = values.known
    random = np.random.default_rng(2)
    assert gradient.cost == pytest.approx(run_cost(sim, steps), rel=1e-12)
    assert keys is None or set(keys) <= set(known), known.keys()
    for key in known if keys is None else keys:
        value = known[key]
        direction = np.asarray(random.uniform(0.5, 1.0, value.shape))
        if key[1].endswith("normal"):
            direction -= (direction @ value) * value
        by = values.by_value(key, value, gradient.parameters)
        assert by.shape == value.shape, key
        h = step * (np.abs(value).max() or 0.1)
        costs = []
        for sign in (1.0, -1.0):
            values.put({key: value + sign * h * direction})
            costs.append(run_cost(sim, steps))
        values.put({})
        slope = (costs[0] - costs[1]) / (2 * h)
        floor = 1e-13 * gradient.cost / h  # what rounding leaves of a difference
        assert np.sum(by * direction) == pytest.approx(slope, rel=rel, abs=max(10 * floor, 1e-30)), key
    return gradient
