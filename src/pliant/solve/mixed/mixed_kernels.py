"""Kernels over the cells of a mixed system: the defects of their volumes, and the merit of a line search."""

import warp as wp

from ...runtime.device import family


@family
def mixed_kernels(t):
    real, reals = t.real, wp.array(dtype=t.real)

    @t.kernel
    def mismatch(start: int, volume: reals, compliance: reals, alpha: real, mean: reals, s: reals, out: reals):
        """∂Ê/∂p = α W (M̄ − s/κ)."""
        i = start + wp.tid()
        out[i] = alpha * volume[i] * (mean[i] - compliance[i] * s[i])

    @t.kernel
    def soften(start: int, star: reals, compliance: reals, s: reals, modulus: reals, give: reals):
        """k = min(κ, max(κ*, 2|s|)) and r = 1/k − 1/κ."""
        i = start + wp.tid()
        soft = wp.max(compliance[i], real(1.0) / wp.max(star[i], real(2.0) * wp.abs(s[i])))
        modulus[i] = real(1.0) / soft
        give[i] = soft - compliance[i]

    @t.kernel
    def merit_pressure(start: int, modulus: reals, give: reals, s: reals, mean: reals, out: reals):
        """k (M̄ + r s)."""
        i = start + wp.tid()
        out[i] = modulus[i] * (mean[i] + give[i] * s[i])

    @t.kernel
    def merit_value(start: int, volume: reals, modulus: reals, give: reals, s: reals, mean: reals, out: reals):
        """W (k/2 (M̄ + r s)² − r/2 s²)."""
        i = start + wp.tid()
        off = mean[i] + give[i] * s[i]
        out[i] = real(0.5) * volume[i] * (modulus[i] * off * off - give[i] * s[i] * s[i])

    return locals()
