"""Kernels of symmetric QMR over nodes and cells."""

import warp as wp

from ...runtime.device import family
from ...runtime.vectors import Chunks, sum_functions


@family
def saddle_kernels(t):
    real, vec3 = t.real, t.vec3
    doubles, ints, reals = wp.array2d(dtype=wp.float64), wp.array(dtype=wp.int32), wp.array(dtype=real)
    of = sum_functions(t)

    @t.kernel
    def dot_reals(start: int, cut: Chunks, a: reals, b: reals, out: doubles):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(of.first(c, cut), of.beyond(c, cut), cut.step):
            total += wp.float64(a[i]) * wp.float64(b[i])
        of.deposit(c, cut, total, out)

    @t.kernel
    def move_reals(start: int, x: reals, a: real, d: reals, out: reals):
        """out = x + a d."""
        i = start + wp.tid()
        out[i] = x[i] + a * d[i]

    # The scalars of the symmetric QMR live in ``s``: 0 ρ = r·z, 1 a, 2 ρ'/ρ, 3 iterations done, 4 stopped, 5 τ² at the
    # start, 6 stop once τ² is below this, 7 τ², 8 ϑ², 9 c²ϑ² and 10 c²a of the update d. ``running`` is 1 until it has
    # stopped or has done ``most`` iterations.

    @t.kernel
    def begin(
        start: int,
        tolerance2: wp.array(dtype=wp.float64),
        nodes: doubles,
        cells: doubles,
        s: wp.array(dtype=wp.float64),
        running: ints,
    ):
        total = of.row_sum(nodes, start + wp.tid()) + of.row_sum(cells, start + wp.tid())
        if start + wp.tid() == 0:
            for i in range(11):
                s[i] = wp.float64(0.0)
            s[0] = total
            s[5] = total
            s[7] = total
            s[6] = tolerance2[0] * total
            running[0] = 1
            if not total > wp.float64(0.0):
                s[4] = wp.float64(1.0)
                running[0] = 0

    @t.kernel
    def choose_step(start: int, nodes: doubles, cells: doubles, s: wp.array(dtype=wp.float64)):
        """a = ρ/σ with σ = p·Ap."""
        sigma = of.row_sum(nodes, start + wp.tid()) + of.row_sum(cells, start + wp.tid())
        if start + wp.tid() == 0:
            s[1] = wp.float64(0.0)
            if s[4] == wp.float64(0.0):
                if sigma == wp.float64(0.0) or not wp.isfinite(sigma):
                    s[4] = wp.float64(2.0)
                else:
                    s[1] = s[0] / sigma
                    s[3] = s[3] + wp.float64(1.0)

    @t.kernel
    def advance_nodes(start: int, free: wp.array(dtype=vec3), s: wp.array(dtype=wp.float64),
                      t_: wp.array(dtype=vec3), r: wp.array(dtype=vec3)):  # fmt: skip
        """r −= a t, where nodes are free."""
        i = start + wp.tid()
        r[i] = r[i] - real(s[1]) * wp.cw_mul(free[i], t_[i])

    @t.kernel
    def advance_cells(start: int, s: wp.array(dtype=wp.float64), t_: reals, r: reals):
        i = start + wp.tid()
        r[i] = r[i] - real(s[1]) * t_[i]

    @t.kernel
    def choose_update(start: int, most: int, nodes: doubles, cells: doubles, s: wp.array(dtype=wp.float64), running: ints):
        """The rotation of the quasi-minimal residual, in the norm of the preconditioner: ϑ'² = ρ'/τ², c² = 1/(1 + ϑ'²)."""
        rho = of.row_sum(nodes, start + wp.tid()) + of.row_sum(cells, start + wp.tid())
        if start + wp.tid() == 0:
            s[2] = wp.float64(0.0)
            s[9] = wp.float64(0.0)
            s[10] = wp.float64(0.0)
            if s[4] == wp.float64(0.0):
                if not wp.isfinite(rho):
                    s[4] = wp.float64(2.0)
                else:
                    theta2 = wp.abs(rho) / s[7]
                    c2 = wp.float64(1.0) / (wp.float64(1.0) + theta2)
                    s[9] = c2 * s[8]
                    s[10] = c2 * s[1]
                    s[7] = s[7] * theta2 * c2
                    s[8] = theta2
                    s[2] = rho / s[0]
                    s[0] = rho
                    if s[7] <= s[6] or rho == wp.float64(0.0):
                        s[4] = wp.float64(1.0)
            if s[4] != wp.float64(0.0) or s[3] >= wp.float64(most):
                running[0] = 0

    @t.kernel
    def turn_nodes(start: int, s: wp.array(dtype=wp.float64), z: wp.array(dtype=vec3),
                   p: wp.array(dtype=vec3), d: wp.array(dtype=vec3), u: wp.array(dtype=vec3)):  # fmt: skip
        """d = c²ϑ² d + c²a p, u += d, p = z + ρ'/ρ p."""
        i = start + wp.tid()
        step = real(s[9]) * d[i] + real(s[10]) * p[i]
        d[i] = step
        u[i] = u[i] + step
        p[i] = z[i] + real(s[2]) * p[i]

    @t.kernel
    def turn_cells(start: int, s: wp.array(dtype=wp.float64), z: reals, p: reals, d: reals, u: reals):
        i = start + wp.tid()
        step = real(s[9]) * d[i] + real(s[10]) * p[i]
        d[i] = step
        u[i] = u[i] + step
        p[i] = z[i] + real(s[2]) * p[i]

    return locals()
