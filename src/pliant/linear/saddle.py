"""Systems over nodes and cells: K (δx, δp) = (f, q) with a symmetric K that is not definite (Patterson et al. 2012, Eq 12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import warp as wp

from ..device import Device, family
from ..vectors import Sums, Vectors, sum_functions


@family
def saddle_kernels(t):
    real, vec3 = t.real, t.vec3
    doubles, ints, reals = wp.array2d(dtype=wp.float64), wp.array(dtype=wp.int32), wp.array(dtype=real)
    of = sum_functions(t)

    @t.kernel
    def dot_reals(start: int, chunks: int, hop: int, step: int, reach: int, bounds: ints, a: reals, b: reals, out: doubles):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for i in range(of.first(c, chunks, hop, bounds), of.beyond(c, chunks, hop, reach, bounds), step):
            total += wp.float64(a[i]) * wp.float64(b[i])
        of.deposit(c, chunks, total, out)

    @t.kernel
    def move_reals(start: int, x: reals, a: real, d: reals, out: reals):
        """out = x + a d."""
        i = start + wp.tid()
        out[i] = x[i] + a * d[i]

    @t.kernel
    def multiply(start: int, a: reals, b: reals, out: reals):
        """out = a b, entry by entry."""
        i = start + wp.tid()
        out[i] = a[i] * b[i]

    # The scalars of the symmetric QMR live in ``s``: 0 ρ = r·z, 1 a, 2 ρ'/ρ, 3 iterations done, 4 stopped, 5 τ² at the start,
    # 6 stop once τ² is below this, 7 τ², 8 ϑ², 9 c²ϑ² and 10 c²a of the update d. Once stopped nothing moves any more.

    @t.kernel
    def begin(start: int, tolerance2: wp.float64, nodes: doubles, cells: doubles, s: wp.array(dtype=wp.float64)):
        total = of.row_sum(nodes, start + wp.tid()) + of.row_sum(cells, start + wp.tid())
        if start + wp.tid() == 0:
            for i in range(11):
                s[i] = wp.float64(0.0)
            s[0] = total
            s[5] = total
            s[7] = total
            s[6] = tolerance2 * total
            if not total > wp.float64(0.0):
                s[4] = wp.float64(1.0)

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
    def choose_update(start: int, nodes: doubles, cells: doubles, s: wp.array(dtype=wp.float64)):
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


@dataclass(frozen=True, eq=False)
class Pair:
    """A vector over nodes and cells. ``bodies`` are the parts of ``p`` that belong to each set of cells."""

    x: wp.array  # (n,) vec3
    p: wp.array  # (m,) real
    bodies: tuple[wp.array, ...]


class Pairs:
    """Operations on pairs; ``counts`` are the numbers of cells of each body."""

    def __init__(self, vectors: Vectors, counts: list[int]):
        self.device, self.vectors = vectors.device, vectors
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        self.count = int(self.starts[-1])
        self.sums = Sums(self.device, np.array([0, self.count]))
        self.kernels = saddle_kernels(self.device.precision)

    def new(self) -> Pair:
        return self.of(self.vectors.new(), self.device.zeros(self.count, self.device.types.real))

    def of(self, x: wp.array, p: wp.array) -> Pair:
        return Pair(x, p, tuple(p[a:b] for a, b in zip(self.starts[:-1], self.starts[1:])))

    def zero(self, a: Pair) -> None:
        a.x.zero_()
        a.p.zero_()

    def copy(self, source: Pair, out: Pair) -> None:
        wp.copy(out.x, source.x)
        wp.copy(out.p, source.p)

    def move(self, u: Pair, a: float, d: Pair, out: Pair) -> None:
        """out = u + a d."""
        self.vectors.move(u.x, a, d.x, out.x)
        self.device.launch(self.kernels.move_reals, self.count, u.p, float(a), d.p, out.p)

    def dots(self, a: Pair, b: Pair) -> tuple[wp.array, wp.array]:
        """Both dot products as parts to be added up, with no word to the host."""
        return self.vectors.dots(a.x, b.x), self.sums.parts(self.kernels.dot_reals, a.p, b.p)

    def dot(self, a: Pair, b: Pair) -> float:
        return float(sum(parts.numpy().sum() for parts in self.dots(a, b)))

    def dot_cells(self, a: wp.array, b: wp.array) -> float:
        return float(self.sums.parts(self.kernels.dot_reals, a, b).numpy().sum())


@dataclass(frozen=True, eq=False)
class Saddle:
    """K u = b. ``apply(d, out)`` is out = K d, ``precondition(r, z)`` z = M⁻¹ r with M symmetric and positive definite.

    ``work`` keeps the vectors of a solver from one solve to the next. ``graph``, where given, keeps the captured iterations:
    it says that apply and precondition launch the same kernels on the same arrays every time.
    """

    device: Device
    pairs: Pairs
    free: wp.array  # (n,) vec3 of 0 and 1
    apply: Callable[[Pair, Pair], None]
    precondition: Callable[[Pair, Pair], None]
    work: dict
    graph: dict | None = None
