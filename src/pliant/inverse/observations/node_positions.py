"""Node position observations, some of them hidden at times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...arguments import checks
from ...effects.base import select
from ...errors import InputError
from ...simulate.simulation import Simulation
from .alignment import check_units
from .observation import BoundObservation, Observation, Own, Residual


@dataclass(frozen=True, eq=False)
class NodePositions(Observation):
    """``positions`` (frames, m, 3) [m] of ``nodes`` (None: all) every so many steps, from the start on; NaN where not seen.

    ``sigma`` [m] is the standard deviation of each coordinate, None where it is not known; ``delay`` [s] what its clock is late.
    """

    positions: np.ndarray
    nodes: Sequence[int] | np.ndarray | None = None
    every: int = 1
    sigma: float | None = None
    delay: float = 0.0

    def __post_init__(self):
        positions = checks.floats(self.positions)
        if positions.ndim != 3 or positions.shape[2] != 3 or len(positions) < 2:
            raise InputError(
                f"NodePositions(positions of shape {positions.shape}): expected (frames, nodes, 3), two frames or more"
            )
        if np.isinf(positions).any() or not np.isfinite(positions[1:]).any():
            raise InputError("NodePositions(positions=…): expected finite numbers after the first frame, and NaN for gaps")
        checks.indices("NodePositions(nodes=…)", self.nodes)
        checks.whole("NodePositions(every=…)", self.every)
        if self.sigma is not None:
            checks.positive("NodePositions(sigma=…)", self.sigma, "metres")
        checks.number("NodePositions(delay=…)", self.delay, expected="a finite number of seconds")
        object.__setattr__(self, "positions", positions)

    def bound(self, sim: Simulation) -> BoundObservation:
        nodes = np.arange(sim.world.count) if self.nodes is None else self.nodes
        distinct = select(sim.world.rest, nodes, "NodePositions(nodes=…)")
        given = np.asarray(nodes)
        order = np.flatnonzero(given) if given.dtype == bool else given.ravel()
        if self.positions.shape[1] != len(order) or len(distinct) != len(order):
            raise InputError(
                f"NodePositions: positions of {self.positions.shape[1]} nodes and {len(order)} numbers of nodes, "
                f"{len(distinct)} of them distinct; expected one position for each node"
            )
        self._check_units(sim, order)
        return _SeenNodes(self, order.astype(int), sim)

    def _check_units(self, sim: Simulation, order: np.ndarray) -> None:
        """Nodes that were seen at the start extend about as far as the same nodes at rest."""
        there = np.isfinite(self.positions[0]).all(axis=1)
        seen, rest = self.positions[0][there], sim.world.rest[order][there]
        if len(seen) > 2 and not 1 / 8 <= np.ptp(seen, axis=0).max() / max(np.ptp(rest, axis=0).max(), 1e-300) <= 8:
            check_units("NodePositions: the first frame", seen, sim, slice(0, sim.world.count))


class _SeenNodes(BoundObservation):
    def __init__(self, observed: NodePositions, nodes: np.ndarray, sim: Simulation):
        self.sigma, self.rest = observed.scale, sim.world.rest
        self.times = np.arange(len(observed.positions)) * (observed.every * sim.integrator.dt)
        self.parameters = {"delay": np.array(float(observed.delay))}
        there = np.isfinite(observed.positions)
        self.numbers = int(there.sum())
        self._columns = [(3 * nodes[:, None] + np.arange(3))[frame] for frame in there]
        self._seen = [frame[seen] for frame, seen in zip(observed.positions, there)]

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        columns = self._columns[frame]
        r = (x.ravel()[columns] - self._seen[frame]) / self.sigma
        entries = np.full(len(r), 1 / self.sigma)
        by_x = sparse.csr_array((entries, columns, np.arange(len(r) + 1)), shape=(len(r), x.size))
        return Residual(r, by_x, sites=lambda: (self.rest[columns // 3], columns % 3))
