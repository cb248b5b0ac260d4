"""Objective kernels: held components, and sums of forces."""

from typing import Any

import warp as wp

from ...runtime.device import Types, family
from .residual_kernels import residual_kernels


def group_function(t: Types) -> wp.Function:
    def group_of(of: wp.array(dtype=wp.int32), i: int):
        """Group of node i; ``of`` has one entry where there is one group."""
        g = int(0)
        if of.shape[0] > 1:
            g = of[i]
        return g

    return t.function("group_of", group_of)


@family
def objective_kernels(t):
    vec3, position = t.vec3, t.position
    group = group_function(t)

    @t.kernel
    def mask(start: int, free: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        i = start + wp.tid()
        out[i] = wp.cw_mul(free[i], out[i])

    @t.kernel_of({"held": vec3, "out": vec3}, {"held": position, "out": position})
    def hold(start: int, free: wp.array(dtype=vec3), held: wp.array(dtype=Any), out: wp.array(dtype=Any)):
        """Components that are not free take the held value."""
        i = start + wp.tid()
        one = vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        out[i] = wp.cw_mul(out.dtype(free[i]), out[i]) + wp.cw_mul(out.dtype(one - free[i]), held[i])

    @t.kernel
    def put(start: int, rows: wp.array(dtype=wp.int32), values: wp.array(dtype=position), out: wp.array(dtype=position)):
        """Write values into some rows."""
        i = start + wp.tid()
        out[rows[i]] = values[i]

    @t.kernel_of({"before": vec3, "x": vec3}, {"before": position, "x": position})
    def revert(
        start: int,
        of: wp.array(dtype=wp.int32),
        ok: wp.array(dtype=wp.int32),
        # in:
        before: wp.array(dtype=Any),
        # out:
        x: wp.array(dtype=Any),
    ):
        """Groups that are not ok keep what they had."""
        i = start + wp.tid()
        if ok[group(of, i)] == 0:
            x[i] = before[i]

    @t.kernel
    def prefer(
        start: int,
        of: wp.array(dtype=wp.int32),
        # in: sums of the energies at the two points
        first: wp.array2d(dtype=wp.float64),
        second: wp.array2d(dtype=wp.float64),
        other: wp.array(dtype=position),
        # out:
        x: wp.array(dtype=position),
    ):
        """x becomes the other point where that has less energy, group by group."""
        i = start + wp.tid()
        g = group(of, i)
        if second[g, 0] < first[g, 0] or not wp.isfinite(first[g, 0]):
            x[i] = other[i]

    @t.kernel
    def blend(
        start: int,
        # params:
        share: t.real,
        # in:
        exact: wp.array(dtype=t.mat33),
        projected: wp.array(dtype=t.mat33),
        # out:
        out: wp.array(dtype=t.mat33),
    ):
        """out = (1 − share) exact + share projected."""
        i = start + wp.tid()
        out[i] = (t.real(1.0) - share) * exact[i] + share * projected[i]

    @t.kernel
    def note(start: int, at: wp.int32, parts: wp.array2d(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
        """out[at] = the sum of all parts."""
        total = wp.float64(0.0)
        for i in range(parts.shape[0]):
            for j in range(parts.shape[1]):
                total += parts[i, j]
        out[at] = total

    @t.kernel
    def positive(start: int, s: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.int32)):
        """Whether conjugate gradients have met no negative curvature."""
        out[0] = wp.where(s[4] == wp.float64(0.0), 1, 0)

    @t.kernel
    def shorten(
        start: int,
        # params: the share of the slope that is enough
        steep: wp.float64,
        # in: slopes along d and along what is shorter
        slopes: wp.array(dtype=wp.float64),
        shorter: wp.array(dtype=vec3),
        # out:
        d: wp.array(dtype=vec3),
    ):
        """d becomes the shorter one where that is steep enough."""
        i = start + wp.tid()
        if slopes[1] <= steep * slopes[0]:
            d[i] = shorter[i]

    @t.kernel
    def go(
        start: int,
        # in: how far
        limits: wp.array2d(dtype=wp.float64),
        x: wp.array(dtype=position),
        d: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=position),
    ):
        """out = x + limit d."""
        i = start + wp.tid()
        out[i] = x[i] + limits[0, 0] * position(d[i])

    return locals() | residual_kernels(t)
