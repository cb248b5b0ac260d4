"""Contact solve (B + K)⁻¹ b with the constant factor as preconditioner.

B⁻¹ is a solve with the constant factor, with rigid motions of rigid bodies; K is the positive tangent of contact and
friction at the current iterate. Neither B nor K is formed: with p = z + βp and Bz = r the product Bp obeys the recurrence
Bp = r + βBp, and K acts through ``Energy.multiply``. Sliding contacts have no stiffness along the slip and get none. Scalars
stay on the device, a row for each group of nodes.
"""

from typing import Protocol

import warp as wp

from ...energy.capabilities import Touching
from ...runtime.device import family
from ...runtime.vectors import Chunks, sum_functions
from ..objective.objective_kernels import group_function
from ..objective.step_objective import Objective
from .rigid_modes import RigidModes

TURNS = 40  # at most
ENOUGH = 0.05  # of the initial norm of the residual, below which no further iteration starts
NOTHING = 1e-12  # of p·Bp: p·Kp below which there is no contact
# columns of the scalars: r·B⁻¹r now and at the start, the step along p, β, the number of turns
SIZE, BEGUN, STEP, BETA, TURN, DONE = range(6)  # DONE: the group has ended while others continue
WIDTH = 6


class Inverse(Protocol):
    """The approximate A⁻¹ on vectors over the nodes."""

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b, by launches alone."""


@family
def contact_solve_kernels(t):
    real, vec3 = t.real, t.vec3
    ints, doubles, nodes = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.float64), wp.array(dtype=vec3)
    of = sum_functions(t)
    first, beyond, row_sum, group = of.first, of.beyond, of.row_sum, group_function(t)

    @t.kernel
    def measure(start: int, parts: doubles, state: doubles):
        """Take r·z, and what it makes of the next direction."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        size = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            before = state[g, SIZE]
            state[g, BETA] = wp.float64(0.0)
            if state[g, TURN] == wp.float64(0.0):
                state[g, BEGUN] = size
            elif before > wp.float64(0.0):
                state[g, BETA] = size / before
            state[g, SIZE] = size

    @t.kernel
    def turn(start: int, groups: ints, state: doubles, r: nodes, z: nodes, p: nodes, Bp: nodes, Kp: nodes):
        """p ← z + βp and Bp ← r + βBp; Kp is cleared."""
        i = start + wp.tid()
        g = group(groups, i)
        beta = real(state[g, BETA])
        if state[g, TURN] == wp.float64(0.0):
            p[i] = z[i]
            Bp[i] = r[i]
        else:
            p[i] = z[i] + beta * p[i]
            Bp[i] = r[i] + beta * Bp[i]
        Kp[i] = vec3()

    @t.kernel
    def curve(
        start: int, cut: Chunks,
        # params:
        free: nodes,
        # in:
        p: nodes, Bp: nodes,
        # out: Kp becomes (B + K) p, 0 in held components, and parts of p·(B + K) p
        Kp: nodes, out: doubles,
    ):  # fmt: skip
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(first(c, cut), beyond(c, cut), cut.step):
            u = p[i]
            v = Bp[i] + wp.cw_mul(free[i], Kp[i])
            Kp[i] = v
            total += (
                wp.float64(u[0]) * wp.float64(v[0]) + wp.float64(u[1]) * wp.float64(v[1]) + wp.float64(u[2]) * wp.float64(v[2])
            )
        of.deposit(c, cut, total, out)

    @t.kernel
    def choose(start: int, parts: doubles, state: doubles, going: ints):
        """The step along p, and whether another turn is worth it: not where nothing touches, for then B⁻¹ was all of it."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        curvature = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            size, done = state[g, SIZE], state[g, TURN]
            state[g, STEP] = wp.float64(0.0)
            if state[g, DONE] == wp.float64(0.0) and size > wp.float64(0.0) and curvature > wp.float64(0.0):
                state[g, STEP] = size / curvature
                state[g, DONE] = wp.float64(1.0)
                touching = done > wp.float64(0.0) or curvature > wp.float64(1.0 + NOTHING) * size
                enough = wp.float64(ENOUGH * ENOUGH) * state[g, BEGUN]
                if touching and size > enough and done + wp.float64(1.0) < wp.float64(TURNS):
                    state[g, DONE] = wp.float64(0.0)
                    going[0] = 1  # whichever group asks for it, it is the same
            state[g, TURN] = done + wp.float64(1.0)

    @t.kernel
    def advance(start: int, groups: ints, state: doubles, p: nodes, Hp: nodes, d: nodes, r: nodes):
        """d ← d + αp and r ← r − αHp."""
        i = start + wp.tid()
        alpha = real(state[group(groups, i), STEP])
        d[i] = d[i] + alpha * p[i]
        r[i] = r[i] - alpha * Hp[i]

    return locals()


class ContactSolve:
    """Solves with a constant factor and the contact of an objective; a factor alone where nothing touches."""

    def __init__(self, objective: Objective):
        device = objective.device
        self.objective, self.device = objective, device
        self.energies = objective.having(Touching)
        self.rigid = RigidModes(objective)
        self.kernels = contact_solve_kernels(device.precision)
        if self.energies:
            self.r, self.z, self.p, self.Bp, self.Kp = (objective.vectors.new() for _ in range(5))
        self.state, self.going = device.zeros((objective.groups, WIDTH), wp.float64), device.zeros(1, wp.int32)

    def solve(self, factor: Inverse, x: wp.array, b: wp.array, d: wp.array) -> None:
        """d = (B + K)⁻¹ b with the contact at x, by launches alone; 0 in held components."""
        if not self.energies:
            self._precondition(factor, x, b, d)
            return
        device = self.device
        device.copy(b, self.r)
        device.clear(d)
        device.clear(self.state)
        for energy in self.energies:
            energy.linearise(x)
        self._turn(factor, x, d)
        device.loop(self.going, lambda: self._turn(factor, x, d))

    def _precondition(self, factor: Inverse, x: wp.array, b: wp.array, z: wp.array) -> None:
        """z = B⁻¹ b."""
        factor.solve(self.rigid.stretching(x, b), z)
        self.objective.mask(z)
        self.rigid.move(x, b, z)

    def _turn(self, factor: Inverse, x: wp.array, d: wp.array) -> None:
        launch, count, of, kernels = self.device.launch, self.objective.count, self.objective.of, self.kernels
        vectors, sums, free = self.objective.vectors, self.objective.vectors.sums, self.objective.free
        self.device.clear(self.going)
        self._precondition(factor, x, self.r, self.z)
        sums.use(kernels.measure, vectors.dots(self.r, self.z), self.state)
        launch(kernels.turn, count, of, self.state, self.r, self.z, self.p, self.Bp, self.Kp)
        for energy in self.energies:
            energy.multiply(self.p, self.Kp)
        sums.use(kernels.choose, sums.parts(kernels.curve, free, self.p, self.Bp, self.Kp), self.state, self.going)
        launch(kernels.advance, count, of, self.state, self.p, self.Kp, d, self.r)
