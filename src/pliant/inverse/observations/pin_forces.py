"""Forces at pins, as a load cell at a grip measures them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...effects.base import select
from ...effects.gradient_mapping import pulled_back
from ...energy.sensitivity import Public
from ...errors import InputError
from ...simulate.simulation import Simulation
from .markers import body_rows
from .observation import BoundObservation, Observation, Own, Residual, checked_times


@dataclass(frozen=True, eq=False)
class PinForces(Observation):
    """``forces`` (frames, 3) [N] with which a grip holds nodes of a body at ``times`` [s], NaN for components not measured.

    ``where`` chooses the nodes at rest, which must be held: a condition on positions, or numbers. A hanging body is held with
    its weight, upwards. Forces are quasi-static: inertia and damping at the grip are left out.
    """

    forces: np.ndarray
    times: Vector
    where: Callable[[np.ndarray], np.ndarray] | Sequence[int] | np.ndarray
    body: int = 0
    sigma: float | None = None
    delay: float = 0.0

    def __post_init__(self):
        forces = checks.floats(self.forces)
        if forces.ndim != 2 or forces.shape[1] != 3 or not np.isfinite(forces).any() or np.isinf(forces).any():
            raise InputError(
                f"PinForces(forces of shape {forces.shape}): expected (frames, 3) newtons, NaN where nothing was measured"
            )
        object.__setattr__(self, "forces", forces)
        object.__setattr__(self, "times", checked_times("PinForces", self.times, len(forces)))
        if not callable(self.where) or isinstance(self.where, type):
            checks.instance("PinForces(where=…)", self.where, (list, tuple, range, np.ndarray), "a condition, or numbers")
            checks.indices("PinForces(where=…)", self.where)
        checks.whole("PinForces(body=…)", self.body, 0)
        if self.sigma is not None:
            checks.positive("PinForces(sigma=…)", self.sigma, "newtons")
        checks.number("PinForces(delay=…)", self.delay, expected="a finite number of seconds")

    def bound(self, sim: Simulation) -> BoundObservation:
        rows = body_rows(sim, self.body, "PinForces")
        nodes = select(sim.world.rest[rows], self.where, "PinForces(where=…)") + rows.start
        loose = np.flatnonzero(sim.world.free[nodes].all(axis=1))
        if not len(nodes) or len(loose):
            raise InputError(
                f"PinForces(where=…): {len(loose)} of {len(nodes)} nodes are free to move; expected one or more that are held"
            )
        return _SeenForces(self, sim, nodes)


class _SeenForces(BoundObservation):
    unit = "N"

    def __init__(self, given: PinForces, sim: Simulation, nodes: np.ndarray):
        self.times, self.parameters = given.times, {"delay": np.array(float(given.delay))}
        self.forces, self.sigma, self.sim, self.nodes = given.forces, given.scale, sim, nodes
        self.numbers = int(np.isfinite(given.forces).sum())

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        sim, vectors, measured = self.sim, self.sim.vectors, self.forces[frame]
        axes = np.flatnonzero(np.isfinite(measured))
        time = float(self.times[frame] + own["delay"])
        there, out, ways = vectors.positions(), vectors.new(), []
        there.assign(x)
        sim.world.still(there, time)
        for energy in sim.world.energies:
            energy.gradient(there, out)
        force = out.numpy().astype(float)[self.nodes].sum(axis=0)
        for axis in axes:
            way = np.zeros((len(x), 3))
            way[self.nodes, axis] = 1 / self.sigma
            ways.append(way)
        rows = np.array([self._product(there, way).ravel() for way in ways])
        r = (force[axes] - measured[axes]) / self.sigma

        def by_scene(y: np.ndarray) -> Public:
            return self._by_scene(there, time, sum(a * b for a, b in zip(y, ways)))

        return Residual(r, rows, by_scene=by_scene, sites=lambda: (np.zeros((len(axes), 3)), axes))

    def _product(self, x: Any, way: np.ndarray) -> np.ndarray:
        """∇²E · way, which is symmetric."""
        vectors, kind = self.sim.vectors, self.sim.device.types.numpy
        d, out = vectors.new(), vectors.new()
        d.assign(way.astype(kind))
        for energy in self.sim.world.energies:
            energy.tangent(x, d, out, project=False)
        return out.numpy().astype(float)

    def _by_scene(self, x: Any, time: float, way: np.ndarray) -> Public:
        """way · ∂∇E/∂p of all user parameters."""
        world, d = self.sim.world, self.sim.vectors.new()
        d.assign(way.astype(self.sim.device.types.numpy))
        world.still(x, time)
        arrays = [energy.parameter_arrays(world.count) for _, energy in world.differentiable]
        for (_, energy), into in zip(world.differentiable, arrays):
            energy.sensitivity(x, d, into)
        return pulled_back(world.layout, world.differentiable, arrays)
