"""Look-ahead: walls on the way as linear constraints.

A step limited by the first contact that the quadratic model ignores makes no progress among many bodies
(time-of-impact locking: Zheng, Luo & Li 2026), node by node as well as in whole. Here each contact is in the model before a
step is taken, as in sequential quadratic programming; the minimised energy does not change.
"""

from typing import TYPE_CHECKING

import warp as wp

from ...energy.capabilities import Wall
from ...runtime.device import family
from ..objective.step_objective import Objective
from ..search.truncation import Truncation

if TYPE_CHECKING:
    from ..objective.report import Clock
    from .hessian_choice import NewtonSystem, Solved
    from .iteration import Work

LOOKS = 5  # repeated solves for a direction


@family
def lookahead_kernels(t):
    vec3 = t.vec3

    @t.kernel
    def yield_nodes(
        start: int,
        # mesh: where the block of each node with itself is
        diagonal: wp.array(dtype=wp.int32),
        free: wp.array(dtype=vec3),
        # in:
        values: wp.array(dtype=t.mat33),
        # out:
        compliance: wp.array(dtype=wp.float64),
    ):
        """The inverse of the largest diagonal entry; 0 for nodes that are held along all axes."""
        n = start + wp.tid()
        K = values[diagonal[n]]
        k = wp.float64(wp.max(K[0, 0], wp.max(K[1, 1], K[2, 2])))
        compliance[n] = wp.float64(0.0)
        if wp.max(free[n]) > t.real(0.0) and k > wp.float64(0.0):
            compliance[n] = wp.float64(1.0) / k

    return locals()


class Lookahead:
    """Buffers to solve for directions of an objective again."""

    def __init__(self, objective: Objective):
        self.objective, self.kernels = objective, lookahead_kernels(objective.device.precision)
        self.walls: list[Wall] = objective.having(Wall)
        self.first, self.pushed = objective.vectors.new(), objective.vectors.new()
        self.compliance = objective.device.zeros(objective.count, wp.float64)
        self.free = False  # whether the last direction meets no wall

    def solve(
        self, system: "NewtonSystem", x: wp.array, work: "Work", last: "Solved", forcing: float, clock: "Clock"
    ) -> "Solved":
        """Solve H d = g for d of ``work`` again until −d meets no wall without a constraint."""
        vectors, found, level = self.objective.vectors, last, min(last.level, len(system.hessian.SHARES) - 1)
        spent, diagonal = 0, not system.linear.assembled
        try:
            for look in range(LOOKS):
                with clock("line search"):
                    vectors.mix(-1.0, work.d, 0.0, work.d, work.short)
                    if not self._learn(x, work.short, diagonal, look == 0):
                        break
                    if look == 0:
                        vectors.copy(work.d, self.first)
                    vectors.copy(work.g, self.pushed)
                    for wall in self.walls:
                        wall.add_predicted(self.pushed)
                    self.objective.mask(self.pushed)
                found = system.solve(self.objective, x, self.pushed, work.d, forcing, clock, level, first=False)
                self.free = False
                spent += found.spent
        finally:
            for wall in self.walls:
                wall.forget_predicted()
        if found is last:
            return last
        left = found.left
        if not vectors.dot(work.g, work.d) > 0.0:  # no descent: normals rotated too far
            vectors.copy(self.first, work.d)
            left, self.free = last.left, False
        return last._replace(spent=last.spent + spent, left=left, system=None)

    def _learn(self, x: wp.array, d: wp.array, diagonal: bool, first: bool) -> bool:
        """Whether d meets walls and changes their constraints."""
        self.free = self.objective.state(Truncation).limit(x, d) >= 1.0
        if self.free and first:
            return False
        if first:
            matrix = self.objective.matrix(diagonal)
            given = (matrix.device_diagonal, self.objective.free, matrix.values, self.compliance)
            self.objective.device.launch(self.kernels.yield_nodes, self.objective.count, *given)
        changes = [wall.predict(x, d, self.compliance) for wall in self.walls]  # of all of them
        return any(changes)
