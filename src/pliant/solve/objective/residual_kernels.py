"""Residual kernels: force sums of bodies, and the worst body."""

import warp as wp

from ...runtime.device import Types
from ...runtime.vectors import Chunks, sum_functions

# multiples of ε k x: laws at rest were measured to give 0.1 to 0.4, sheets and threads near ν = 0.5 up to 12
AT_WORK = 0.5  # above which a force is not rounding
ROUNDING = 16.0  # below which rounding may stall an iteration


def residual_kernels(t: Types) -> dict:
    """Kernels for the module of the objective: a module of their own would take longer to compile than they do."""
    doubles, ints = wp.array2d(dtype=wp.float64), wp.array(dtype=wp.int32)
    of, vec3 = sum_functions(t), t.vec3
    row_sum = of.row_sum

    @t.kernel
    def begin(start: int, bounds: ints, relative: int, parts: doubles, reach: wp.array(dtype=wp.float64), bodies: doubles):
        """Root mean square distance of a body's nodes from the origin, or 1 where rounding is ``relative`` to that of
        neighbours; and nothing known of its forces."""
        i = start + wp.tid()
        total = row_sum(parts, i)
        if i % wp.block_dim() == 0:
            b = i // wp.block_dim()
            reach[b] = wp.sqrt(total / wp.float64(wp.max(bounds[b + 1] - bounds[b], 1)))
            if relative != 0:
                reach[b] = wp.float64(1.0)
            for c in range(4):
                bodies[b, c] = wp.float64(0.0)

    # a row of ``bodies``: 0 |Σ f|, 1 Σ |f|, 2 what rounding can make of them, 3 whether any exceeds its rounding

    @t.kernel
    def take_force(
        start: int,
        # mesh: the chunks of Sums
        cut: Chunks, free: wp.array(dtype=vec3),
        # out: a force that is then 0 again, the sum of all, and Σ |f|² of the chunk, without held components
        force: wp.array(dtype=vec3), total: wp.array(dtype=vec3), out: doubles,
    ):  # fmt: skip
        c = start + wp.tid()
        squares = wp.float64(0.0)
        for i in range(of.first(c, cut), of.beyond(c, cut), cut.step):
            f = wp.cw_mul(free[i], force[i])
            force[i] = vec3()
            total[i] = total[i] + f
            for k in range(3):
                squares += wp.float64(f[k]) * wp.float64(f[k])
        of.deposit(c, cut, squares, out)

    @t.kernel
    def add_force(
        start: int,
        # params: which energy, (energies, bodies) stiffness times ε [N/m], and distances [m]; or ε times a force [N], and 1
        energy: int, rounding: doubles, reach: wp.array(dtype=wp.float64),
        # in:
        parts: doubles,
        # out:
        bodies: doubles,
    ):  # fmt: skip
        i = start + wp.tid()
        total = row_sum(parts, i)
        if i % wp.block_dim() == 0:
            b = i // wp.block_dim()
            size = wp.sqrt(total)
            noise = rounding[energy, b] * reach[b]
            bodies[b, 1] = bodies[b, 1] + size
            bodies[b, 2] = bodies[b, 2] + wp.float64(ROUNDING) * noise
            if size > wp.float64(AT_WORK) * noise:
                bodies[b, 3] = wp.float64(1.0)

    @t.kernel
    def put_size(start: int, parts: doubles, bodies: doubles):
        i = start + wp.tid()
        total = row_sum(parts, i)
        if i % wp.block_dim() == 0:
            bodies[i // wp.block_dim(), 0] = wp.sqrt(total)

    @t.kernel
    def worst(
        start: int,
        # mesh: bodies of group g are groups[g] … groups[g+1]−1
        groups: ints,
        # in:
        bodies: doubles,
        # out:
        out: doubles,
    ):
        """out[g] = size, scale and number of the body with the largest residual; the largest beyond all that rounding may
        do, and the largest beyond what it does as a rule."""
        g = start + wp.tid()
        out[g, 0] = wp.float64(0.0)
        out[g, 1] = wp.float64(1.0)
        out[g, 2] = wp.float64(groups[g])
        out[g, 3] = wp.float64(0.0)
        out[g, 4] = wp.float64(0.0)
        largest = wp.float64(-1.0)
        for b in range(groups[g], groups[g + 1]):
            size = bodies[b, 0]
            residual = wp.float64(0.0)
            if not wp.isfinite(size):
                residual = wp.float64(wp.inf)
            elif bodies[b, 3] > wp.float64(0.0) and size > wp.float64(0.0):
                residual = size / bodies[b, 1]
            if residual > largest:
                largest = residual
                out[g, 2] = wp.float64(b)
                if residual > wp.float64(0.0):
                    out[g, 0] = size
                    out[g, 1] = bodies[b, 1]
            if residual > out[g, 3] and not size <= bodies[b, 2]:
                out[g, 3] = residual
            if residual > out[g, 4] and not size <= wp.float64(AT_WORK / ROUNDING) * bodies[b, 2]:
                out[g, 4] = residual

    return locals()
