"""Corners of cells that are turned over: where an averaged volume hides folds from the points of the rule.

The mean volume of a cell and its points may all be right while the trilinear map of the cell is no longer one to one: it first
folds at corners, where det F is that of the three edges that meet there.
"""

import warp as wp

from ...runtime.device import family


@family
def turned_kernels(t) -> dict:
    real, vec3 = t.real, t.vec3

    @t.kernel
    def turned_corners(
        start: int,
        # mesh: corner c of a cell is that of the bits of c
        nodes: wp.array2d(dtype=wp.int32),
        whole: wp.array(dtype=wp.int32),
        # in:
        x: wp.array(dtype=t.position),
        # out: number of corners with det F ≤ 0
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        total = real(0.0)
        if whole[e] > 0:
            for c in range(8):
                here = x[nodes[c, e]]
                a = vec3(x[nodes[c ^ 1, e]] - here)
                b = vec3(x[nodes[c ^ 2, e]] - here)
                d = vec3(x[nodes[c ^ 4, e]] - here)
                volume = wp.dot(wp.cross(a, b), d)
                bits = (c & 1) + ((c >> 1) & 1) + ((c >> 2) & 1)
                if bits % 2 == 1:  # each edge that runs backwards changes the sign
                    volume = -volume
                if not (volume > real(0.0)):
                    total += real(1.0)
        value[e] = total

    return locals()
