"""Device functions of a trilinear cell: what its eight corners do, as seven modes.

With s ∈ [−1, 1]³ in the cell, a field of corner values uᵢ is ⅛ Σₘ aₘ m(s) over the monomials m = 1, x, y, z, xy, xz, yz, xyz
of s, where aₘ = Σᵢ m(sᵢ) uᵢ. The first mode moves the cell as a whole; the other seven say all about its deformation, and
F at a point needs nothing but its s: no gradients are stored.
"""

from types import SimpleNamespace
from typing import Any

import warp as wp

from ..runtime.device import Types

MODES = 7  # x, y, z, xy, xz, yz, xyz


def trilinear_functions(t: Types) -> SimpleNamespace:
    """``modes`` of corner values, ``deformation`` at a point, ``collect`` of a stress into modes, ``corner_forces``, and the
    ``gradient`` of one shape function."""
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    modes7 = t.matrix(MODES, 3)

    def modes(u0: Any, u1: Any, u2: Any, u3: Any, u4: Any, u5: Any, u6: Any, u7: Any):
        """The seven modes of corner values, through differences, so that a body far from the origin loses no digits."""
        x0, x1, x2, x3 = vec3(u1 - u0), vec3(u3 - u2), vec3(u5 - u4), vec3(u7 - u6)
        y0, y1, y2, y3 = vec3(u2 - u0), vec3(u3 - u1), vec3(u6 - u4), vec3(u7 - u5)
        z = vec3(u4 - u0) + vec3(u5 - u1) + vec3(u6 - u2) + vec3(u7 - u3)
        xy0, xy1 = x1 - x0, x3 - x2
        x, y = (x0 + x1) + (x2 + x3), (y0 + y1) + (y2 + y3)
        xz, yz = (x2 - x0) + (x3 - x1), (y2 - y0) + (y3 - y1)
        return wp.matrix_from_rows(x, y, z, xy0 + xy1, xz, yz, xy1 - xy0)

    def deformation(a: modes7, s: vec3, c: real):
        """Gradient of the field with modes a at s; c = 1/(4h)."""
        f0 = a[0] + s[1] * a[3] + s[2] * a[4] + (s[1] * s[2]) * a[6]
        f1 = a[1] + s[0] * a[3] + s[2] * a[5] + (s[0] * s[2]) * a[6]
        f2 = a[2] + s[0] * a[4] + s[1] * a[5] + (s[0] * s[1]) * a[6]
        return wp.matrix_from_cols(c * f0, c * f1, c * f2)

    def collect(P: mat33, s: vec3, c: real):
        """Derivatives by the modes of P : deformation."""
        Q = c * wp.transpose(P)
        p0, p1, p2 = Q[0], Q[1], Q[2]
        return wp.matrix_from_rows(
            p0,
            p1,
            p2,
            s[1] * p0 + s[0] * p1,
            s[2] * p0 + s[0] * p2,
            s[2] * p1 + s[1] * p2,
            (s[1] * s[2]) * p0 + (s[0] * s[2]) * p1 + (s[0] * s[1]) * p2,
        )

    def corner_forces(b: modes7, e: int, corner: wp.array2d(dtype=vec3)):
        """Write Σₘ m(sᵢ) bₘ, what derivatives b by the modes give to each corner."""
        x0, x1 = b[0] - b[3], b[0] + b[3]  # at y = −1, +1
        o0, o1 = -b[1], b[1]
        w0, w1 = b[4] - b[6], b[4] + b[6]
        v0, v1 = b[2] - b[5], b[2] + b[5]
        # at z = −1 and +1: the part even in x, then the odd one
        e00, e10, e01, e11 = o0 - v0, o1 - v1, o0 + v0, o1 + v1
        d00, d10, d01, d11 = x0 - w0, x1 - w1, x0 + w0, x1 + w1
        corner[0, e] = e00 - d00
        corner[1, e] = e00 + d00
        corner[2, e] = e10 - d10
        corner[3, e] = e10 + d10
        corner[4, e] = e01 - d01
        corner[5, e] = e01 + d01
        corner[6, e] = e11 - d11
        corner[7, e] = e11 + d11

    def gradient(i: int, s: vec3, c: real):
        """∇Nᵢ at s."""
        one = real(1.0)
        x = wp.where(i % 2 == 1, one, -one)
        y = wp.where((i // 2) % 2 == 1, one, -one)
        z = wp.where(i // 4 == 1, one, -one)
        fx, fy, fz = one + x * s[0], one + y * s[1], one + z * s[2]
        return vec3(c * x * fy * fz, c * y * fx * fz, c * z * fx * fy)

    functions = {
        "modes": modes,
        "deformation": deformation,
        "collect": collect,
        "corner_forces": corner_forces,
        "gradient": gradient,
    }
    return SimpleNamespace(**{name: t.function(f"trilinear_{name}", function) for name, function in functions.items()})
