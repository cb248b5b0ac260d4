"""Truncation of a step node by node at walls.

A pair about to touch limits its own nodes only (Chen et al. 2025; here with continuous collision
detection in place of balls). Since nodes then move by different fractions of a step, pairs are tested again on the rest of it,
until all of it is free. Fractions of neighbours differ by at most a strain of ``STRAIN`` in an element, so that a body which
is stopped at one corner is not crushed by the rest of its step.
"""

import numpy as np
import warp as wp
from scipy import sparse

from ...energy.capabilities import Placed, Wall
from ...runtime.device import family
from ..objective.step_objective import Objective

STRAIN = 0.2  # by truncation; 0.1 and 0.5 take the same iterations in piles of 27 blocks, no bound a tenth more
# over the mesh: fractions vary along this many edges at most, as a step is seldom longer than STRAIN · SWEEPS of them
SWEEPS = 8
# of detection, and of motions shortened for lack of memory; remaining pairs shorten the whole step
ROUNDS = 6


@family
def truncation_kernels(t):
    vec3, position, ints, shares = t.vec3, t.position, wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)

    @t.kernel
    def relax_shares(
        start: int,
        # mesh: neighbours of each node
        starts: ints,
        neighbours: ints,
        # params:
        strain: wp.float64,
        # in:
        x: wp.array(dtype=position),
        d: wp.array(dtype=vec3),
        share: shares,
        # out:
        relaxed: shares,
    ):
        """αᵢ ≤ αⱼ + ε |xᵢ − xⱼ| / max(|dᵢ|, |dⱼ|)."""
        i = start + wp.tid()
        least = share[i]
        for k in range(starts[i], starts[i + 1]):
            j = neighbours[k]
            if share[j] < least:
                way = wp.max(wp.length(wp.vec3d(d[i])), wp.length(wp.vec3d(d[j])))
                least = wp.min(least, share[j] + strain * wp.length(wp.vec3d(x[i] - x[j])) / wp.max(way, wp.float64(1e-300)))
        relaxed[i] = least

    @t.kernel
    def level_shares(start: int, first: ints, share: shares):
        """The four nodes of a rigid body go together."""
        n = first[start + wp.tid()]
        least = wp.min(wp.min(share[n], share[n + 1]), wp.min(share[n + 2], share[n + 3]))
        for i in range(4):
            share[n + i] = least

    @t.kernel
    def scale_nodes(start: int, share: shares, d: wp.array(dtype=vec3)):
        i = start + wp.tid()
        d[i] = t.real(share[i]) * d[i]

    return locals()


class Truncation:
    """Buffers to truncate the steps of an objective."""

    def __init__(self, objective: Objective):
        device, n = objective.device, objective.count
        self.objective, self.kernels = objective, truncation_kernels(device.precision)
        self.walls: list[Wall] = objective.having(Wall)
        starts, neighbours = _adjacency(objective)
        self.mesh = device.array(starts, wp.int32), device.array(neighbours, wp.int32)
        rigid = objective.turning.first if objective.turning is not None else np.zeros(0, int)
        self.rigid = device.array(rigid, wp.int32)
        self.limits = device.zeros((1, 2), wp.float64)  # of one scene: walls do not support several
        self.share, self.other = device.zeros(n, wp.float64), device.zeros(n, wp.float64)

    def truncate(self, x: wp.array, d: wp.array, out: wp.array) -> float:
        """out = d truncated node by node, to at least the fraction of the whole d that walls allow; returns that fraction."""
        objective = self.objective
        objective.vectors.copy(d, out)
        limit = share = self.limit(x, out)
        for _ in range(ROUNDS):
            if share >= 1.0:
                return limit
            self._shorten(x, out)
            share = self.limit(x, out)
        objective.vectors.mix(share, out, 0.0, out, out)
        return limit

    def limit(self, x: wp.array, d: wp.array) -> float:
        """The fraction of d that walls allow all nodes."""
        self.limits.fill_(1.0)
        for wall in self.walls:
            wall.safe(x, d, self.limits)
        return float(self.objective.device.read(self.limits)[0, 0])

    def shares(self) -> float:
        """The fraction of d for each node, by the last limits; returns the fraction of d on which pairs were detected."""
        self.share.fill_(1.0)
        return min(wall.least_shares(self.share) for wall in self.walls)

    def _shorten(self, x: wp.array, d: wp.array) -> None:
        """Shorten d for each node, by the last limits."""
        objective, launch = self.objective, self.objective.device.launch
        whole = self.shares()
        if whole < 1.0:  # no further than pairs were detected
            objective.vectors.mix(whole, d, 0.0, d, d)
            return
        share, other = self.share, self.other
        for _ in range(SWEEPS):
            launch(self.kernels.relax_shares, objective.count, *self.mesh, STRAIN, x, d, share, other, grain=256)
            share, other = other, share
        if len(self.rigid):
            launch(self.kernels.level_shares, len(self.rigid), self.rigid, share)
        launch(self.kernels.scale_nodes, objective.count, share, d)


def _adjacency(objective: Objective) -> tuple[np.ndarray, np.ndarray]:
    """Of each node, where its neighbours in elements begin, and all neighbours."""
    n, total = objective.count, sparse.csr_matrix((objective.count, objective.count), dtype=bool)
    for energy in objective.energies:
        cells = None if isinstance(energy, Placed | Wall) else energy.cells()
        if cells is not None and len(cells):
            k = cells.shape[1]
            rows, columns = np.repeat(cells, k, axis=1).ravel(), np.tile(cells, (1, k)).ravel()
            total = total + sparse.csr_matrix((np.ones(len(rows), bool), (rows, columns)), shape=(n, n))
    return total.indptr, total.indices
