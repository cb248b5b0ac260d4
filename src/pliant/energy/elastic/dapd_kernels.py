"""Kernels of Dapd: collapsed elements and their rest directions."""

import warp as wp

from ...elements.base import Form
from ...material.laws.dapd_law import DIRECTION, THRESHOLD, WIDTH
from ...runtime.device import family
from ...runtime.math3 import svd
from ..element_functions import element_functions, row_function

PIECES = 16  # in which the way from one state to the next is searched for the moment of collapse
HALVINGS = 20


@family
def dapd_kernels(t):
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(WIDTH)
    vec3d, mat33d = wp.types.vector(3, wp.float64), wp.types.matrix((3, 3), wp.float64)
    of_element = element_functions(t, 4, Form.GENERAL)
    load, deformation, gradient = of_element.load, of_element.deformation, of_element.gradient
    row = row_function(t, params)

    edge_on = real(1.0e-9 if t.precision == "f64" else 1.0e-5)
    piece = real(1.0 / PIECES)

    def collapsing(A: mat33, F: mat33, alpha: real):
        """The first state of collapse, det = α, on the straight way from A to F; F where A has collapsed before."""
        D = F - A
        low = real(0.0)
        high = real(0.0)
        i = int(0)
        while i < PIECES and wp.determinant(A + high * D) > alpha:
            low = high
            high = high + piece
            i += 1
        if high == real(0.0):
            high = real(1.0)
        else:
            for _ in range(HALVINGS):
                middle = real(0.5) * (low + high)
                if wp.determinant(A + middle * D) > alpha:
                    low = middle
                else:
                    high = middle
        return A + high * D

    collapsing = t.function("collapsing", collapsing)

    def feature(Q: mat33, grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real), e: int):
        """The unit gradient of the moved nodes' shape functions, for the pair of features that meet at Q.

        With v the thin direction at rest, the signed areas of the four faces seen along the thin direction are as v·∇Nᵢ: one
        against three is a vertex that meets its face, two against two are edges that meet. A face seen edge-on may be counted on
        either side: then the gradient nearer to v is taken.
        """
        _U, _s, V = svd(Q)
        v = wp.transpose(V)[2]
        most = real(0.0)
        for i in range(4):
            most = wp.max(most, wp.abs(wp.dot(v, gradient(grad, scale, e, 0, i))))
        ahead = vec3()
        behind = vec3()
        for i in range(4):
            a = gradient(grad, scale, e, 0, i)
            part = wp.dot(v, a)
            if part > edge_on * most:
                ahead += a
            elif part < -edge_on * most:
                behind += a
        n = wp.normalize(ahead)
        other = wp.normalize(behind)
        if wp.abs(wp.dot(other, v)) > wp.abs(wp.dot(n, v)) + edge_on:
            n = other
        return n

    feature = t.function("feature", feature)

    @t.kernel
    def direct(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        # params: rows of the material, and which each element has
        rows: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        keep: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: what is remembered, written where ``keep`` is set: directions of elements that have collapsed, and F
        collapse: wp.array(dtype=vec3d),
        before: wp.array(dtype=mat33d),
        # out: a row for each element
        table: wp.array(dtype=params),
    ):
        """Elements that are not degenerate have no direction; those that are keep theirs, or find it on the way here."""
        e = start + wp.tid()
        p = row(rows, of, e)
        F = deformation(load(x, nodes, e), grad, scale, e, 0)
        n = vec3()
        if wp.determinant(F) <= p[THRESHOLD]:
            n = vec3(collapse[e])
            if wp.dot(n, n) == real(0.0):
                n = feature(collapsing(mat33(before[e]), F, p[THRESHOLD]), grad, scale, e)
        p[DIRECTION] = n[0]
        p[DIRECTION + 1] = n[1]
        p[DIRECTION + 2] = n[2]
        table[e] = p
        if keep != 0:
            collapse[e] = vec3d(n)
            before[e] = mat33d(F)

    return {"direct": direct}
