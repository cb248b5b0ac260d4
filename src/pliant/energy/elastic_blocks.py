"""The kernel that fills element matrices: K_ij = w ∇Nᵢ · ∂P/∂F · ∇Nⱼ for every pair of corners."""

from types import SimpleNamespace

import warp as wp

from ..device import Types


def build_blocks(t: Types, law: SimpleNamespace, of_element: SimpleNamespace, row: wp.Function, k: int, q: int, params):
    """Make the kernel: in the frame of the principal stretches where the law offers it, else through the 9×9 tangent."""
    real, vec3, mat33, mat99 = t.real, t.vec3, t.mat33, t.mat99
    deformation, corner_gradient = of_element.deformation, of_element.corner_gradient

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

    if hasattr(law, "linearise"):

        @t.kernel
        def blocks(
            start: int,
            # mesh:
            nodes: wp.array2d(dtype=wp.int32),
            grad: wp.array2d(dtype=vec3),
            weight: wp.array2d(dtype=real),
            # params:
            table: wp.array(dtype=params),
            of: wp.array(dtype=wp.int32),
            project: wp.int32,
            reach: wp.int32,
            # in:
            x: wp.array(dtype=vec3),
            # out: upper triangle of the element matrix, pair by pair, up to ``reach`` off the diagonal
            block: wp.array2d(dtype=mat33),
        ):
            e = start + wp.tid()
            p = row(table, of, e)
            for g in range(q):
                U, V, H, S, X = law.linearise(deformation(x, nodes, grad, e, g), p, project != 0)
                turn = wp.transpose(V)
                pair = int(0)
                for i in range(k):
                    a = turn * (weight[g, e] * corner_gradient(grad, e, g, i))
                    for j in range(i, wp.min(k, i + reach + 1)):
                        K = rotated_block(U, H, S, X, a, turn * corner_gradient(grad, e, g, j))
                        if g == 0:
                            block[pair, e] = K
                        else:
                            block[pair, e] = block[pair, e] + K
                        pair += 1

    else:

        @t.kernel
        def blocks(
            start: int,
            # mesh:
            nodes: wp.array2d(dtype=wp.int32),
            grad: wp.array2d(dtype=vec3),
            weight: wp.array2d(dtype=real),
            # params:
            table: wp.array(dtype=params),
            of: wp.array(dtype=wp.int32),
            project: wp.int32,
            reach: wp.int32,
            # in:
            x: wp.array(dtype=vec3),
            # out: upper triangle of the element matrix, pair by pair, up to ``reach`` off the diagonal
            block: wp.array2d(dtype=mat33),
        ):
            e = start + wp.tid()
            p = row(table, of, e)
            for g in range(q):
                M = weight[g, e] * law.stiffness(deformation(x, nodes, grad, e, g), p, project != 0)
                pair = int(0)
                for i in range(k):
                    a = corner_gradient(grad, e, g, i)
                    for j in range(i, wp.min(k, i + reach + 1)):
                        K = contract(M, a, corner_gradient(grad, e, g, j))
                        if g == 0:
                            block[pair, e] = K
                        else:
                            block[pair, e] = block[pair, e] + K
                        pair += 1

    return blocks
