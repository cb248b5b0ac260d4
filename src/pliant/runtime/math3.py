"""3×3 algebra for kernels: cofactor, signed SVD, polar rotation and its differential, PSD clamp. Any precision."""

from typing import Any

import warp as wp


@wp.func
def cofactor(F: Any):
    """∂det F/∂F; equals det(F) F⁻ᵀ but exists for every F."""
    a, b, c = F[0], F[1], F[2]
    return wp.matrix_from_rows(wp.cross(b, c), wp.cross(c, a), wp.cross(a, b))


@wp.func
def cofactor_differential(F: Any, dF: Any):
    """Derivative of cofactor(F) along dF."""
    a, b, c = F[0], F[1], F[2]
    da, db, dc = dF[0], dF[1], dF[2]
    return wp.matrix_from_rows(
        wp.cross(db, c) + wp.cross(b, dc), wp.cross(dc, a) + wp.cross(c, da), wp.cross(da, b) + wp.cross(a, db)
    )


@wp.func
def diagonal(F: Any):
    return wp.vector(F[0, 0], F[1, 1], F[2, 2])


@wp.func
def double_dot(A: Any, B: Any):
    return wp.dot(A[0], B[0]) + wp.dot(A[1], B[1]) + wp.dot(A[2], B[2])


@wp.func
def excess(F: Any):
    """(tr FᵀF − 3, det F − 1) through D = F − I, so that a body near rest does not subtract large numbers."""
    D = F - wp.identity(n=3, dtype=F.dtype)
    trace = wp.trace(D)
    minors = wp.trace(cofactor(D))
    return F.dtype(2.0) * trace + double_dot(D, D), trace + minors + wp.determinant(D)


@wp.func
def excess_cofactor(F: Any):
    """The same with cofactor(F) = (1 + tr D) I − Dᵀ + cofactor(D), for no more products."""
    D = F - wp.identity(n=3, dtype=F.dtype)
    K = cofactor(D)
    trace = wp.trace(D)
    minors = wp.trace(K)
    j = trace + minors + wp.dot(D[0], K[0])
    K = K - wp.transpose(D)
    K[0, 0] += F.dtype(1.0) + trace
    K[1, 1] += F.dtype(1.0) + trace
    K[2, 2] += F.dtype(1.0) + trace
    return F.dtype(2.0) * trace + double_dot(D, D), j, K


@wp.func
def products(s: Any):
    """(s₁s₂, s₀s₂, s₀s₁): the derivative of s₀s₁s₂."""
    return wp.vector(s[1] * s[2], s[0] * s[2], s[0] * s[1])


@wp.func
def volume_hessian(s: Any, slope: Any, curvature: Any):
    """∂²c(s₀s₁s₂)/∂s² for c′ = slope and c″ = curvature."""
    k = products(s)
    zero = s.dtype(0.0)
    mixed = wp.matrix_from_rows(wp.vector(zero, s[2], s[1]), wp.vector(s[2], zero, s[0]), wp.vector(s[1], s[0], zero))
    return curvature * wp.outer(k, k) + slope * mixed


@wp.func
def orthogonalise(a: Any, b: Any, va: Any, vb: Any):
    """One Jacobi rotation that makes columns a and b of F V orthogonal (Hestenes); V turns along."""
    aa = wp.dot(a, a)
    bb = wp.dot(b, b)
    ab = wp.dot(a, b)
    one = a.dtype(1.0)
    c = one
    s = a.dtype(0.0)
    if ab * ab > a.dtype(1.0e-32) * aa * bb and ab != a.dtype(0.0):
        zeta = (bb - aa) / (a.dtype(2.0) * ab)
        t = one / (wp.abs(zeta) + wp.sqrt(one + zeta * zeta))
        if zeta < a.dtype(0.0):
            t = -t
        c = one / wp.sqrt(one + t * t)
        s = c * t
    return c * a - s * b, s * a + c * b, c * va - s * vb, s * va + c * vb


@wp.func
def perpendicular(a: Any):
    """Some unit vector perpendicular to the unit vector a."""
    e = wp.vector(a.dtype(1.0), a.dtype(0.0), a.dtype(0.0))
    if wp.abs(a[0]) > a.dtype(0.7):
        e = wp.vector(a.dtype(0.0), a.dtype(1.0), a.dtype(0.0))
    return wp.normalize(wp.cross(a, e))


@wp.func
def svd(F: Any):
    """Signed singular values: F = U diag(s) Vᵀ with U, V rotations, s₀ ≥ s₁ ≥ |s₂|, and s₂ < 0 where det F < 0.

    One-sided Jacobi, so small singular values keep their relative accuracy.
    """
    one = F.dtype(1.0)
    zero = F.dtype(0.0)
    a, b, c = wp.transpose(F)[0], wp.transpose(F)[1], wp.transpose(F)[2]
    u = wp.vector(one, zero, zero)
    v = wp.vector(zero, one, zero)
    w = wp.vector(zero, zero, one)
    tolerance = F.dtype(1.0e-28)  # on squared cosines between columns
    if one + F.dtype(1.0e-10) == one:
        tolerance = F.dtype(1.0e-13)
    sweep = int(0)
    turning = bool(True)
    while sweep < 12 and turning:
        a, b, u, v = orthogonalise(a, b, u, v)
        a, c, u, w = orthogonalise(a, c, u, w)
        b, c, v, w = orthogonalise(b, c, v, w)
        ab, ac, bc = wp.dot(a, b), wp.dot(a, c), wp.dot(b, c)
        aa, bb, cc = wp.dot(a, a), wp.dot(b, b), wp.dot(c, c)
        turning = ab * ab > tolerance * aa * bb or ac * ac > tolerance * aa * cc or bc * bc > tolerance * bb * cc
        sweep += 1
    # order the columns by length, keeping V a rotation: a swap negates one of the two
    if wp.dot(a, a) < wp.dot(b, b):
        a, b = b, -a
        u, v = v, -u
    if wp.dot(a, a) < wp.dot(c, c):
        a, c = c, -a
        u, w = w, -u
    if wp.dot(b, b) < wp.dot(c, c):
        b, c = c, -b
        v, w = w, -v
    s0 = wp.length(a)
    p = wp.vector(one, zero, zero)
    if s0 > zero:
        p = a / s0
    b = b - wp.dot(p, b) * p
    s1 = wp.length(b)
    q = perpendicular(p)
    if s1 > F.dtype(1.0e-30) and s1 > F.dtype(1.0e-14) * s0:
        q = b / s1
    r = wp.cross(p, q)
    return wp.matrix_from_cols(p, q, r), wp.vector(s0, s1, wp.dot(r, c)), wp.matrix_from_cols(u, v, w)


@wp.func
def thin_svd(F: Any):
    """The same of the F of a sheet, whose third stretch is 0 and whose null direction is the normal at rest: one rotation.

    The normal is the largest cross product of two rows; where the sheet is nearly a line it says little, and ``svd`` takes over.
    """
    one = F.dtype(1.0)
    least = F.dtype(1.0e-6)  # on squared ratios of the stretches
    if one + F.dtype(1.0e-10) == one:
        least = F.dtype(1.0e-3)
    n, other, third = wp.cross(F[0], F[1]), wp.cross(F[1], F[2]), wp.cross(F[2], F[0])
    if wp.dot(other, other) > wp.dot(n, n):
        n = other
    if wp.dot(third, third) > wp.dot(n, n):
        n = third
    norm2 = double_dot(F, F)
    U = wp.identity(n=3, dtype=F.dtype)
    V = wp.identity(n=3, dtype=F.dtype)
    s = diagonal(F)
    if wp.dot(n, n) > least * norm2 * norm2:
        n = wp.normalize(n)
        u = perpendicular(n)
        v = wp.cross(n, u)
        a, b, u, v = orthogonalise(F * u, F * v, u, v)
        if wp.dot(a, a) < wp.dot(b, b):
            a, b = b, -a
            u, v = v, -u
        s0 = wp.length(a)
        a = a / s0
        b = b - wp.dot(a, b) * a
        s1 = wp.length(b)
        b = b / s1
        s = wp.vector(s0, s1, F.dtype(0.0))
        U = wp.matrix_from_cols(a, b, wp.cross(a, b))
        V = wp.matrix_from_cols(u, v, n)
    else:
        U, s, V = svd(F)
    return U, s, V


@wp.func
def plane_stretches(F: Any):
    """Stretches s₀ ≥ s₁, 0 of the F of a sheet, and D = U diag(s₁, s₀, 0) Vᵀ = ∂(s₀ s₁)/∂F, without the vectors.

    s₀ s₁ = |cof F|, and F ± D have the stretches s₀ ± s₁, equal and opposite, so that no digit of a small difference is lost.
    Where the sheet is nearly a line the cofactor says little, and ``svd`` takes over.
    """
    o, half = F.dtype(0.0), F.dtype(0.5)
    least = F.dtype(1.0e-3)  # ratio of the stretches
    if F.dtype(1.0) + F.dtype(1.0e-10) == F.dtype(1.0):
        least = F.dtype(3.0e-2)
    K = cofactor(F)
    J = wp.sqrt(double_dot(K, K))
    norm2 = double_dot(F, F)
    s = wp.vector(o, o, o)
    D = F
    if least * norm2 < J:
        D = cofactor_differential(F, K / J)
        total = wp.sqrt(norm2 + F.dtype(2.0) * J)
        apart = wp.sqrt(half * double_dot(F - D, F - D))
        s = wp.vector(half * (total + apart), half * (total - apart), o)
    else:
        U, s3, V = svd(F)
        s = wp.vector(s3[0], s3[1], o)
        D = U * wp.diag(wp.vector(s[1], s[0], o)) * wp.transpose(V)
    return s, D


@wp.func
def polar_rotation(F: Any):
    """The rotation R that maximises tr(RᵀF): F = R S, with the reflection of an inverted F left in S.

    λ = tr S is the largest root of λ⁴ − 2Iλ² − 8Jλ + 2II − I² (I = tr C, II = tr C², C = FᵀF), and R = ∂λ/∂F follows
    by implicit differentiation. Where two singular values nearly cancel the SVD takes over.
    """
    one = F.dtype(1.0)
    norm2 = double_dot(F, F)
    R = wp.identity(n=3, dtype=F.dtype)
    if norm2 > F.dtype(0.0):
        G = F * wp.sqrt(F.dtype(3.0) / norm2)
        C = wp.transpose(G) * G
        J = wp.determinant(G)
        constant = F.dtype(2.0) * double_dot(C, C) - F.dtype(9.0)
        lam = F.dtype(3.0)
        slope = one
        step = one
        turn = int(0)
        while turn < 24 and step > F.dtype(1.0e-15) * lam and lam + step * F.dtype(0.01) != lam:
            slope = (lam * lam - F.dtype(3.0)) * lam - F.dtype(2.0) * J
            if slope < F.dtype(0.05):
                turn = int(100)
            else:
                value = ((lam * lam - F.dtype(6.0)) * lam - F.dtype(8.0) * J) * lam + constant
                step = F.dtype(0.25) * value / slope
                lam = lam - step
                turn += 1
        slope = (lam * lam - F.dtype(3.0)) * lam - F.dtype(2.0) * J
        if slope > F.dtype(1.0) and turn < 24:
            R = ((lam * lam + F.dtype(3.0)) * G + F.dtype(2.0) * lam * cofactor(G) - F.dtype(2.0) * (G * C)) / slope
        else:
            U, _s, V = svd(F)
            R = U * wp.transpose(V)
    return R


@wp.func
def rotation_differential(R: Any, S: Any, dF: Any):
    """δR of F = R S along dF: δR = R [ω]×, (tr(S) I − S) ω = axial(RᵀδF − δFᵀR)."""
    W = wp.transpose(R) * dF
    a = wp.vector(W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1])
    G = wp.trace(S) * wp.identity(n=3, dtype=S.dtype) - S
    omega = solve_symmetric(G, a)
    return R * wp.skew(omega)


@wp.func
def rotation_second_differential(R: Any, S: Any, A: Any, B: Any):
    """δ²R of F = R S along A and B: R [ω_B]×[ω_A]× + R [δω]×, with (tr(S) I − S) δω = δ axial(RᵀA − AᵀR) − δ(tr(S) I − S) ω_A."""
    P = wp.transpose(R) * A
    Q = wp.transpose(R) * B
    G = wp.trace(S) * wp.identity(n=3, dtype=S.dtype) - S
    a = solve_symmetric(G, wp.vector(P[2, 1] - P[1, 2], P[0, 2] - P[2, 0], P[1, 0] - P[0, 1]))
    b = solve_symmetric(G, wp.vector(Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1]))
    turn = wp.skew(b)
    W = -turn * P  # δRᵀ A
    dS = Q - turn * S
    dG = wp.trace(dS) * wp.identity(n=3, dtype=S.dtype) - dS
    change = wp.vector(W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]) - dG * a
    return R * (turn * wp.skew(a) + wp.skew(solve_symmetric(G, change)))


@wp.func
def bounded_determinant(G: Any, K: Any):
    """det G, whose cofactor is K, kept away from 0, so that K over it stays bounded for a nearly singular G."""
    det = wp.dot(G[0], K[0])
    scale = double_dot(G, G)
    floor = scale * wp.sqrt(scale) * G.dtype(1.0e-6)
    if wp.abs(det) < floor:
        det = wp.where(det < G.dtype(0.0), -floor, floor)
    return wp.where(det == G.dtype(0.0), G.dtype(1.0), det)


@wp.func
def solve_symmetric(G: Any, a: Any):
    """G⁻¹ a through the cofactor; a nearly singular G gives a bounded answer."""
    K = cofactor(G)
    return (K * a) / bounded_determinant(G, K)


@wp.func
def invert_symmetric(G: Any):
    """G⁻¹, bounded in the same way."""
    K = cofactor(G)
    return K / bounded_determinant(G, K)


@wp.func
def is_positive(H: Any):
    """True where the symmetric H is surely positive definite: its leading minors are positive (Sylvester)."""
    second = H[0, 0] * H[1, 1] - H[0, 1] * H[1, 0]
    return H[0, 0] > H.dtype(0.0) and second > H.dtype(0.0) and wp.determinant(H) > H.dtype(0.0)


@wp.func
def clamped_eigenvalues(H: Any):
    """Q max(Λ, 0) Qᵀ of the symmetric H = Q Λ Qᵀ, by Jacobi rotations."""
    A = H
    Q = wp.identity(n=3, dtype=H.dtype)
    zero = H.dtype(0.0)
    one = H.dtype(1.0)
    tolerance = H.dtype(1.0e-14)
    if one + H.dtype(1.0e-10) == one:
        tolerance = H.dtype(1.0e-7)
    sweep = int(0)
    off = one
    while sweep < 10 and off > zero:
        for k in range(3):
            i = wp.where(k == 2, 1, 0)
            j = wp.where(k == 0, 1, 2)
            if wp.abs(A[i, j]) > H.dtype(1.0e-30):
                theta = (A[j, j] - A[i, i]) / (H.dtype(2.0) * A[i, j])
                t = one / (wp.abs(theta) + wp.sqrt(one + theta * theta))
                if theta < zero:
                    t = -t
                c = one / wp.sqrt(one + t * t)
                s = c * t
                G = wp.identity(n=3, dtype=H.dtype)
                G[i, i] = c
                G[j, j] = c
                G[i, j] = s
                G[j, i] = -s
                A = wp.transpose(G) * A * G
                Q = Q * G
        off = wp.abs(A[0, 1]) + wp.abs(A[0, 2]) + wp.abs(A[1, 2])
        if off < tolerance * (wp.abs(A[0, 0]) + wp.abs(A[1, 1]) + wp.abs(A[2, 2])):
            off = zero
        sweep += 1
    d = wp.vector(wp.max(A[0, 0], zero), wp.max(A[1, 1], zero), wp.max(A[2, 2], zero))
    return Q * wp.diag(d) * wp.transpose(Q)


@wp.func
def clamp_positive(H: Any):
    """The nearest positive semi-definite matrix to the symmetric H."""
    A = H
    if not is_positive(H):
        A = clamped_eigenvalues(H)
    return A


@wp.func
def cauchy(P: Any, F: Any):
    """Cauchy stress of the first Piola stress P at F; of sheets and threads per rest thickness.

    The volume ratio of a solid, the area ratio of a sheet (F of rank 2) or the stretch of a thread (rank 1) turns
    P Fᵀ into force per deformed area; zero where the element has collapsed.
    """
    ratio = wp.abs(wp.determinant(F))
    size2 = double_dot(F, F)
    if ratio <= F.dtype(1.0e-6) * size2 * wp.sqrt(size2):
        K = cofactor(F)
        ratio = wp.sqrt(double_dot(K, K))
        if ratio <= F.dtype(1.0e-6) * size2:
            ratio = wp.sqrt(size2)
    share = F.dtype(0.0)
    if ratio > F.dtype(1.0e-9):
        share = F.dtype(1.0) / ratio
    return share * (P * wp.transpose(F))


@wp.func
def von_mises(sigma: Any):
    """Equivalent stress √(3/2 s:s) of the deviator s."""
    dev = sigma - (wp.trace(sigma) / sigma.dtype(3.0)) * wp.identity(n=3, dtype=sigma.dtype)
    return wp.sqrt(sigma.dtype(1.5) * double_dot(dev, dev))


@wp.func
def largest_stretch(F: Any):
    """Root of the largest eigenvalue of FᵀF, which is mean + 2p cos(angle) (Smith 1961)."""
    C = wp.transpose(F) * F
    mean = wp.trace(C) / F.dtype(3.0)
    C = C - mean * wp.identity(n=3, dtype=F.dtype)
    p = wp.sqrt(double_dot(C, C) / F.dtype(6.0))
    largest = mean
    if p > F.dtype(1.0e-12) * mean:
        half = wp.determinant(C / p) / F.dtype(2.0)
        angle = wp.acos(wp.clamp(half, F.dtype(-1.0), F.dtype(1.0))) / F.dtype(3.0)
        largest = mean + F.dtype(2.0) * p * wp.cos(angle)
    return wp.sqrt(largest)
