"""Equilibrium under a given body force in a soft bedding: no node is pinned, so that nothing but the elements is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import pliant as pl
from pliant.elements.base import Elements
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.points.node_energies import DeadForces, Pull
from pliant.energy.volume.hourglass_energy import Hourglass
from pliant.geometry.lattice.fragments import shape_functions
from pliant.runtime.device import Device
from pliant.solve.objective.step_objective import Objective

Field = Callable[[np.ndarray], np.ndarray]  # (n, 3) positions [m] → (n, 3)


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Positions (n, 3) [m] at rest, and the potential Π = ∫ ψ + ½ k |u|² − f·u there, less its value at u = 0 [J]."""

    elements: Elements
    x: np.ndarray
    potential: float


def equilibrium(elements: Elements, law: pl.extend.Material, force: Field, bedding: float) -> Equilibrium:
    """Minimise Π for a force f [N/m³] and a bedding k [N/m⁴], which is lumped at the nodes."""
    device, X = Device("cpu", "f64"), elements.rest
    bed = Pull(device, bedding * elements.lumped(np.array(1.0)), name="bedding")
    bed.target.assign(X)
    energies = [ElasticEnergy(device, elements, law), bed, DeadForces(device, nodal_forces(elements, force))]
    if isinstance(elements, pl.Lattice) and elements.quadrature.stabilised:
        energies.append(Hourglass(device, elements, law))
    objective = Objective(device, energies, np.ones_like(X), positions=X)
    x = device.array(X, device.types.vec3)
    begin = objective.value(x)
    report = pl.Newton(tolerance=1e-9, linear=pl.linear.Direct()).solve(objective, x).report
    if not report.converged:
        raise pl.errors.StepError(report.why)
    return Equilibrium(elements, x.numpy(), objective.value(x) - begin)


def nodal_forces(elements: Elements, force: Field) -> np.ndarray:
    """(n, 3) ∫ f Nᵢ over the material [N], exact to degree two in f Nᵢ whatever the elements' own points are."""
    if isinstance(elements, pl.Lattice):
        placed = pl.quadrature.Moments().place(elements.fragments)
        N, weights = shape_functions(placed.xi), placed.weights * elements.spacing**3
    else:
        a, b = 0.25 + 0.15 * np.sqrt(5), 0.25 - 0.05 * np.sqrt(5)  # four points in each tet
        N, weights = np.broadcast_to(b + (a - b) * np.eye(4), (elements.count, 4, 4)), elements.volumes[:, None] / 4
    X = np.einsum("mqk,mkc->mqc", N, elements.rest[elements.nodes])
    f = force(X.reshape(-1, 3)).reshape(X.shape)
    share = np.einsum("mq,mqk,mqc->mkc", np.broadcast_to(weights, N.shape[:2]), N, f)
    out = np.zeros_like(elements.rest)
    np.add.at(out, elements.nodes, share)
    return out


def fitted_order(spacings: Sequence[float], errors: Sequence[float]) -> float:
    """Slope of the straight line through log error over log spacing."""
    return float(np.polyfit(np.log(spacings), np.log(errors), 1)[0])


def extrapolated(spacings: Sequence[float], values: Sequence[float], order: float = 2.0) -> float:
    """What the two finest values tend to, if their error goes with spacing to the ``order`` (Richardson)."""
    (a, b), (u, v) = spacings[-2:], values[-2:]
    return v + (v - u) / ((a / b) ** order - 1)
