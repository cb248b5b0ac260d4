"""Element matrix kernels: K_ij = w ∇Nᵢ · ∂P/∂F · ∇Nⱼ."""

from types import SimpleNamespace

import warp as wp

from ...material.functions import Functions
from ...runtime.device import Types


def build_blocks(
    t: Types, law: Functions, of_element: SimpleNamespace, rows: tuple[wp.Function, wp.Function], k: int, q: int, params
):
    """Make the kernel: in the frame of the principal stretches where the law offers it, else through the 9×9 tangent.

    ``rows`` are the functions that find the parameters of an element and of a point of it.
    """
    if law.turned is not None and k == 4 and q == 1:
        return _turned_blocks_of_tets(t, law, of_element, rows, params)
    row, of_point = rows
    real, vec3, mat33, mat99 = t.real, t.vec3, t.mat33, t.mat99
    load, deformation, gradient = of_element.load, of_element.deformation, of_element.gradient

    def contract(M: mat99, a: vec3, b: vec3):
        """K[r, c] = Σ aᵢ M[3r+i, 3c+j] bⱼ."""
        K = mat33()
        for r in range(3):
            for c in range(3):
                total = real(0.0)
                for i in range(3):
                    for j in range(3):
                        total += a[i] * M[3 * r + i, 3 * c + j] * b[j]
                K[r, c] = total
        return K

    contract = t.function("contract", contract)

    def rotated_block(U: mat33, H: mat33, S: mat33, X: mat33, a: vec3, b: vec3):
        """The same for δP = U (H, S, X applied to Ã) Vᵀ, with a = Vᵀ∇Nᵢ and b = Vᵀ∇Nⱼ (see material/spectral.py)."""
        K = wp.cw_mul(H, wp.outer(a, b)) + wp.cw_mul(X, wp.outer(b, a)) + wp.diag(S * wp.cw_mul(a, b))
        return U * K * wp.transpose(U)

    rotated_block = t.function("rotated_block", rotated_block)

    spectral = law.linearise is not None

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), project: wp.int32, bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        e = start + wp.tid()
        p = row(table, of, e)
        corners = load(x, nodes, e)
        g = int(0)
        while g < q:
            p = of_point(p, table, of, nodes.shape[1], e, g)
            F = deformation(corners, grad, scale, e, g)
            if wp.static(spectral):
                U, V, H, S, X = law.linearise(F, p, project != 0)
                turn = wp.transpose(V)
            else:
                M = weight[g, e] * law.stiffness(F, p, project != 0)
            pair = int(0)
            for i in range(k):
                a = gradient(grad, scale, e, g, i)
                if wp.static(spectral):
                    a = turn * (weight[g, e] * a)
                for j in range(i, wp.min(k, i + bandwidth + 1)):
                    b = gradient(grad, scale, e, g, j)
                    if wp.static(spectral):  # noqa: SIM108 (a kernel would build both)
                        K = rotated_block(U, H, S, X, a, turn * b)
                    else:
                        K = contract(M, a, b)
                    if g == 0:
                        block[pair, e] = K
                    else:
                        block[pair, e] = block[pair, e] + K
                    pair += 1
            g += 1

    return blocks


def balanced(t: Types) -> wp.Function:
    """The function that writes the element matrix of a tet from the blocks of all corners but the last.

    ∇N of the last corner is minus the sum of the others, and so are its blocks. Where ``bandwidth`` is 0 it writes the
    diagonal alone.
    """
    mat33 = t.mat33
    out = wp.array2d(dtype=mat33)

    def of_four(A: mat33, B: mat33, C: mat33, D: mat33, E: mat33, G: mat33, bandwidth: int, e: int, block: out):
        """A, B and C of the first corner with itself, the second and the third; D and E of the second, G of the third."""
        first = -(A + B + C)
        second = -(wp.transpose(B) + D + E)
        third = -(wp.transpose(C + E) + G)
        last = -(first + second + third)
        if bandwidth == 0:
            block[0, e] = A
            block[1, e] = D
            block[2, e] = G
            block[3, e] = last
        else:
            block[0, e] = A
            block[1, e] = B
            block[2, e] = C
            block[3, e] = first
            block[4, e] = D
            block[5, e] = E
            block[6, e] = second
            block[7, e] = G
            block[8, e] = third
            block[9, e] = last

    return t.function("balanced", of_four)


def build_exact_blocks(t: Types, law: Functions, of_element: SimpleNamespace, row: wp.Function, k: int, q: int, params):
    """Make the kernel for laws whose exact tangent is δP = c₀ δF + c₁ (A:δF) A + c₂ (K:δF) K + c₃ δK with K = cof F.

    No stretches are needed, so that this takes a fraction of the time of ``blocks``. For δF = u⊗b is δK a = u × F(a×b).
    """
    real, vec3, mat33, corners_ = t.real, t.vec3, t.mat33, t.matrix(k, 3)
    load, deformation, gradient = of_element.load, of_element.deformation, of_element.gradient
    if k == 4 and q == 1:
        return _exact_blocks_of_tets(t, law, of_element, row, params)

    @t.kernel
    def exact_blocks(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        e = start + wp.tid()
        p = row(table, of, e)
        corners = load(x, nodes, e)
        g = int(0)
        while g < q:
            F = deformation(corners, grad, scale, e, g)
            A, K, c = law.closed(F, p)
            c = weight[g, e] * c
            slopes = corners_()
            along = corners_()
            across = corners_()
            for i in range(k):
                slope = gradient(grad, scale, e, g, i)
                slopes[i] = slope
                along[i] = A * slope
                across[i] = K * slope
            pair = int(0)
            for i in range(k):
                a = slopes[i]
                for j in range(i, wp.min(k, i + bandwidth + 1)):
                    b = slopes[j]
                    B = wp.outer(c[1] * along[i], along[j]) + wp.outer(c[2] * across[i], across[j])
                    B = B - wp.skew(F * wp.cross(c[3] * a, b))
                    B = B + (c[0] * wp.dot(a, b)) * wp.identity(n=3, dtype=real)
                    if g == 0:
                        block[pair, e] = B
                    else:
                        block[pair, e] = block[pair, e] + B
                    pair += 1
            g += 1

    return exact_blocks


def _exact_blocks_of_tets(t: Types, law: Functions, of_element: SimpleNamespace, row: wp.Function, params):
    """The same for tets: six pairs, from which the four of the last corner follow."""
    real, vec3, mat33, vec4 = t.real, t.vec3, t.mat33, t.vector(4)
    load, deformation, write = of_element.load, of_element.deformation, balanced(t)

    def twice(c: vec4, a: vec3, along: vec3, across: vec3):
        """Of a corner with itself: a is ∇N, along A∇N and across K∇N."""
        B = wp.outer(c[1] * along, along) + wp.outer(c[2] * across, across)
        same = c[0] * wp.dot(a, a)
        B[0, 0] += same
        B[1, 1] += same
        B[2, 2] += same
        return B

    def pair(F: mat33, c: vec4, a: vec3, b: vec3, along: vec3, other: vec3, across: vec3, next: vec3):
        """Of two corners."""
        v = F * wp.cross(c[3] * a, b)
        u = c[1] * along
        w = c[2] * across
        same = c[0] * wp.dot(a, b)
        return mat33(
            u[0] * other[0] + w[0] * next[0] + same, u[0] * other[1] + w[0] * next[1] + v[2],
            u[0] * other[2] + w[0] * next[2] - v[1], u[1] * other[0] + w[1] * next[0] - v[2],
            u[1] * other[1] + w[1] * next[1] + same, u[1] * other[2] + w[1] * next[2] + v[0],
            u[2] * other[0] + w[2] * next[0] + v[1], u[2] * other[1] + w[2] * next[1] - v[0],
            u[2] * other[2] + w[2] * next[2] + same,
        )  # fmt: skip

    twice, pair = t.function("exact_twice", twice), t.function("exact_pair", pair)

    @t.kernel
    def exact_blocks(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair; its diagonal where ``bandwidth`` is 0
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        e = start + wp.tid()
        F = deformation(load(x, nodes, e), grad, scale, e, 0)
        A, K, c = law.closed(F, row(table, of, e))
        c = weight[0, e] * c
        a0 = grad[0, e]
        a1 = grad[1, e]
        a2 = grad[2, e]
        A0 = A * a0
        A1 = A * a1
        A2 = A * a2
        K0 = K * a0
        K1 = K * a1
        K2 = K * a2
        B00 = twice(c, a0, A0, K0)
        B01 = pair(F, c, a0, a1, A0, A1, K0, K1)
        B02 = pair(F, c, a0, a2, A0, A2, K0, K2)
        B11 = twice(c, a1, A1, K1)
        B12 = pair(F, c, a1, a2, A1, A2, K1, K2)
        B22 = twice(c, a2, A2, K2)
        write(B00, B01, B02, B11, B12, B22, bandwidth, e, block)

    return exact_blocks


def _turned_blocks_of_tets(t: Types, law: Functions, of_element: SimpleNamespace, rows: tuple[wp.Function, wp.Function], params):
    """Of tets whose law holds its rotation R fixed: K_ij = c₀ (aᵢ·aⱼ) 1 + c₁ hⱼ⊗hᵢ + c₂ hᵢ⊗hⱼ with a = ∇N and h = R ∇N.

    It is positive semi-definite as it is.
    """
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    load, deformation, write = of_element.load, of_element.deformation, balanced(t)
    row, of_point = rows

    def turned_pair(c: vec3, a: vec3, b: vec3, h: vec3, k: vec3):
        """Of corners with ∇N a and b, turned h and k."""
        u = c[2] * h
        v = c[1] * k
        same = c[0] * wp.dot(a, b)
        return mat33(
            u[0] * k[0] + v[0] * h[0] + same, u[0] * k[1] + v[0] * h[1], u[0] * k[2] + v[0] * h[2],
            u[1] * k[0] + v[1] * h[0], u[1] * k[1] + v[1] * h[1] + same, u[1] * k[2] + v[1] * h[2],
            u[2] * k[0] + v[2] * h[0], u[2] * k[1] + v[2] * h[1], u[2] * k[2] + v[2] * h[2] + same,
        )  # fmt: skip

    pair = t.function("turned_pair", turned_pair)

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), project: wp.int32, bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair; its diagonal where ``bandwidth`` is 0
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        e = start + wp.tid()
        p = of_point(row(table, of, e), table, of, nodes.shape[1], e, 0)
        R, c = law.turned(deformation(load(x, nodes, e), grad, scale, e, 0), p)
        c = weight[0, e] * c
        a0 = grad[0, e]
        a1 = grad[1, e]
        a2 = grad[2, e]
        h0 = R * a0
        h1 = R * a1
        h2 = R * a2
        B00 = pair(c, a0, a0, h0, h0)
        B01 = pair(c, a0, a1, h0, h1)
        B02 = pair(c, a0, a2, h0, h2)
        B11 = pair(c, a1, a1, h1, h1)
        B12 = pair(c, a1, a2, h1, h2)
        B22 = pair(c, a2, a2, h2, h2)
        write(B00, B01, B02, B11, B12, B22, bandwidth, e, block)

    return blocks


def build_polar_blocks(t: Types, law: Functions, of_element: SimpleNamespace, rows: tuple[wp.Function, wp.Function], params):
    """Make the kernel for tets of laws on F = R S alone: K_ij = c₀ (aᵢ·aⱼ) 1 + c₁ hᵢ⊗hⱼ − c₂ [hᵢ]× D [hⱼ]×.

    a is ∇N and h = R ∇N. For δF = u⊗b is δR a = R (ω × a) with (tr(S) I − S) ω = b × Rᵀu.
    """
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    load, deformation, write = of_element.load, of_element.deformation, balanced(t)
    row, of_point = rows

    def crossed_rows(D: mat33, h: vec3):
        """D [h]×."""
        return wp.matrix_from_rows(wp.cross(D[0], h), wp.cross(D[1], h), wp.cross(D[2], h))

    def polar_pair(c: vec3, a: vec3, b: vec3, h: vec3, k: vec3, E: mat33):
        """Of corners with ∇N a and b, turned h and k, E being −c₂ D [k]×."""
        u = c[1] * h
        same = c[0] * wp.dot(a, b)
        return mat33(
            u[0] * k[0] + h[1] * E[2, 0] - h[2] * E[1, 0] + same, u[0] * k[1] + h[1] * E[2, 1] - h[2] * E[1, 1],
            u[0] * k[2] + h[1] * E[2, 2] - h[2] * E[1, 2], u[1] * k[0] + h[2] * E[0, 0] - h[0] * E[2, 0],
            u[1] * k[1] + h[2] * E[0, 1] - h[0] * E[2, 1] + same, u[1] * k[2] + h[2] * E[0, 2] - h[0] * E[2, 2],
            u[2] * k[0] + h[0] * E[1, 0] - h[1] * E[0, 0], u[2] * k[1] + h[0] * E[1, 1] - h[1] * E[0, 1],
            u[2] * k[2] + h[0] * E[1, 2] - h[1] * E[0, 2] + same,
        )  # fmt: skip

    crossed, pair = t.function("crossed_rows", crossed_rows), t.function("polar_pair", polar_pair)

    @t.kernel
    def exact_blocks(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        weight: wp.array2d(dtype=real),
        # params:
        table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair; its diagonal where ``bandwidth`` is 0
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        e = start + wp.tid()
        p = of_point(row(table, of, e), table, of, nodes.shape[1], e, 0)
        R, D, c = law.polar(deformation(load(x, nodes, e), grad, scale, e, 0), p)
        c = weight[0, e] * c
        D = -c[2] * D
        a0 = grad[0, e]
        a1 = grad[1, e]
        a2 = grad[2, e]
        h0 = R * a0
        h1 = R * a1
        h2 = R * a2
        E1 = crossed(D, h1)
        E2 = crossed(D, h2)
        B00 = pair(c, a0, a0, h0, h0, crossed(D, h0))
        B01 = pair(c, a0, a1, h0, h1, E1)
        B02 = pair(c, a0, a2, h0, h2, E2)
        B11 = pair(c, a1, a1, h1, h1, E1)
        B12 = pair(c, a1, a2, h1, h2, E2)
        B22 = pair(c, a2, a2, h2, h2, E2)
        write(B00, B01, B02, B11, B12, B22, bandwidth, e, block)

    return exact_blocks
