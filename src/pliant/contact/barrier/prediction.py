"""Predicted pairs as linear constraints of the direction of a step.

The quadratic model of Newton's method knows the pairs within reach and no others, so that its direction leads through all that is
further away. A pair that continuous collision detection stops at a share of the way is a constraint n · Σ w d ≥ ε − gap, with the
nearest points and the normal where it is stopped. It is kept by a spring (a quadratic penalty on the model alone, so that a
direction which decreases the model descends on the energy too), and left out where the direction parts it: an active set.
"""

from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device, family
from ...runtime.kernel_structs import filled
from ..pairs.closest_points import closest_functions
from ..pairs.pair_coupling import Coupling
from ..pairs.point_pairs import Pairs, padded
from .active_set import Active
from .barrier_structs import barrier_structs

# times the stiffness that the diagonal of the Hessian has along the constraint
FIRMNESS = 10.0
# of the reach, and of the gap, which a constraint leaves at least: the rest is the barrier's
REACH_LEFT, GAP_LEFT = 0.5, 0.2


@family
def prediction_kernels(t):
    real, vec3, mat33, structs = t.real, t.vec3, t.mat33, barrier_structs(t.precision)
    Mesh, Predicted = structs.Mesh, structs.Predicted
    points, reals, ints = wp.array(dtype=vec3), wp.array(dtype=t.real), wp.array(dtype=wp.int32)
    quads, corners = wp.array(dtype=wp.vec4i), wp.array2d(dtype=vec3)
    of = closest_functions(t)
    weights, way, zero, one = of.weights, of.way, real(0.0), real(1.0)

    @t.kernel
    def flag_first(start: int, count: int, pairs: quads, whole: real, safe: reals, first: reals, stopped: reals):
        """1 for pairs that stop a direction of which the share ``whole`` was looked at, first of all that one of their points
        is in: what comes after them is not on the way that is taken."""
        i = start + wp.tid()
        stopped[i] = zero
        if i < count:
            q, s = pairs[i], safe[i]
            if s < whole and s <= wp.max(wp.max(first[q[0]], first[q[1]]), wp.max(first[q[2]], first[q[3]])):
                stopped[i] = one

    @t.kernel
    def constrain(
        start: int, count: int,
        # mesh:
        order: ints, pairs: quads, mesh: Mesh,
        # params: where the first of them goes
        offset: int,
        # in: compliance of points, shares of d at which pairs stop it
        compliance: reals, safe: reals, x: points, d: points,
        # out:
        predicted: Predicted,
    ):  # fmt: skip
        k = start + wp.tid()
        if k < count:
            i = order[k]
            q = pairs[i]
            a, b, c, e = x[q[0]], x[q[1]], x[q[2]], x[q[3]]
            s = safe[i]
            w = weights(mesh.kinds[i], a + s * d[q[0]], b + s * d[q[1]], c + s * d[q[2]], e + s * d[q[3]])
            n = way(w, a + s * d[q[0]], b + s * d[q[1]], c + s * d[q[2]], e + s * d[q[3]])
            soft = zero
            for j in range(4):
                soft += w[j] * w[j] * compliance[q[j]]
            k_n = zero
            if wp.length(n) > zero and soft > zero:
                n = wp.normalize(n)
                k_n = real(FIRMNESS) / soft
            gap = wp.dot(n, way(w, a, b, c, e)) - real(0.5) * (mesh.thickness[q[0]] + mesh.thickness[q[2]])
            predicted.pairs[offset + k] = q
            predicted.weight[offset + k] = w
            predicted.normal[offset + k] = n
            left = wp.min(real(REACH_LEFT) * mesh.reaches[i], real(GAP_LEFT) * wp.max(gap, zero))
            predicted.slack[offset + k] = gap - left
            predicted.firm[offset + k] = k_n

    @t.kernel
    def press(
        start: int, count: int, predicted: Predicted, d: points, changed: ints, stiffness: wp.array(dtype=mat33),
        force: corners,
    ):  # fmt: skip
        """1 where something changed; stiffness and forces of the constraints that press at d."""
        i = start + wp.tid()
        if i < count:
            q, w, n = predicted.pairs[i], predicted.weight[i], predicted.normal[i]
            along = predicted.slack[i] + wp.dot(n, way(w, d[q[0]], d[q[1]], d[q[2]], d[q[3]]))
            on = wp.where(along < zero, 1, 0)
            if on != predicted.pressing[i]:
                changed[0] = 1
            predicted.pressing[i] = on
            k = wp.where(on == 1, predicted.firm[i], zero)
            stiffness[i] = k * wp.outer(n, n)
            for j in range(4):
                force[j, i] = (k * predicted.slack[i] * w[j]) * n

    return locals()


class Prediction:
    """Pairs of ``points`` points that a direction presses through each other; ``nodes`` and ``mixture`` carry the points."""

    def __init__(self, device: Device, points: int, nodes: wp.array, mixture: wp.array):
        self.device, self.points, self.nodes, self.mixture = device, points, nodes, mixture
        self.kernels = prediction_kernels("f64")
        self.changed, self.compliance = device.zeros(1, wp.int32), device.zeros(points, wp.float64)
        self.first = device.zeros(points, wp.float64)
        self.pattern, self.pairs, self.active = None, None, Active(device, 0)
        self._allocate(256)

    def _allocate(self, capacity: int) -> None:
        """Room for so many pairs; those that are there stay."""
        zeros, before = self.device.zeros, self.pairs
        pairs, kinds = Pairs(self.device, self.points, capacity), (wp.vec3d, wp.float64, wp.float64, wp.int32)
        given = (pairs.pairs, pairs.weight, *(zeros(capacity, kind) for kind in kinds))
        known = filled(barrier_structs("f64").Predicted, *given)
        if before is not None:
            for name in ("pairs", "weight", "normal", "slack", "firm", "pressing"):
                wp.copy(getattr(known, name), getattr(self.known, name), count=before.count)
            pairs.count = before.count
        self.pairs, self.known, self.all = pairs, known, self.device.array(range(capacity), wp.int32)
        self.coupling = Coupling(self.device, capacity, self.nodes, self.mixture)
        if self.pattern is not None:
            self.coupling.attach(self.pattern)

    @property
    def count(self) -> int:
        return self.pairs.count

    def attach(self, pattern) -> None:
        self.pattern = pattern
        self.coupling.attach(pattern)

    def clear(self) -> None:
        self.pairs.count = 0

    def cells(self, nodes: np.ndarray) -> np.ndarray:
        return self.pairs.cells(nodes)

    @property
    def placed(self) -> bool:
        """Whether the matrix is known to have places for all."""
        return not self.count or self.coupling.listed

    def place(self) -> bool:
        """List the places of all in the matrix; False where it lacks one."""
        return self.placed or self.coupling.find(self.pairs.pairs, self.all, self.count)

    def add_to_matrix(self) -> None:
        if self.count:
            self.coupling.add_to(self.pairs.pairs, self.all, self.pairs.weight, self.pairs.stiffness)

    def take(self, near: Pairs, mesh: Any, whole: float, safe: wp.array, *ways: wp.array) -> bool:
        """Take in the pairs of ``near`` that stop the way d from x, ``ways``, and let go of those that d parts; False where that
        changes nothing."""
        stopped, launch = near.value, self.device.launch
        if near.count:
            near.least_at_points(safe, self.first)
            launch(self.kernels.flag_first, near.capacity, near.count, near.pairs, whole, safe, self.first, stopped)
        if self.active.capacity != near.capacity:
            self.active = Active(self.device, near.capacity)
        new, have = self.active.choose(near.count, stopped), self.count
        if have + new > self.pairs.capacity:
            self._allocate(2 * (have + new))
        if new:
            given = (self.active.order, near.pairs, mesh, have, self.compliance, safe, *ways)
            launch(self.kernels.constrain, padded(new), new, *given, self.known)
        if not have + new:
            return False
        self.changed.zero_()
        self.known.pressing[have:].zero_()
        out = (self.changed, self.pairs.stiffness, self.pairs.given)
        launch(self.kernels.press, padded(have + new), have + new, self.known, ways[1], *out)
        if new:
            self.pairs.sort(have + new)
        self.coupling.listed = False
        return bool(new) or bool(self.device.read(self.changed)[0])
