"""SIMD kernels of corotated tets: four in vector registers.

The rotation of one tet is a chain of instructions that wait for one another; four chains take little longer than one. Where a
rotation does not follow from the largest root of its quartic (see ``polar_rotation``), the tet is left to the kernel, which does
it by itself.
"""

from types import SimpleNamespace

import warp as wp

from ...material.functions import Functions
from ...runtime.device import Types
from .corotational_pairs import turned_writer

# F of tets 4c … 4c+3, the last of all in place of those beyond it; R, and a bit of ``left`` for each that has none
ROTATIONS = r"""
    typedef real lanes __attribute__((ext_vector_type(4)));
    typedef real loose __attribute__((ext_vector_type(4), aligned(sizeof(real))));
    typedef double wide __attribute__((ext_vector_type(4)));
    typedef real eight __attribute__((ext_vector_type(8)));
    typedef real twelve __attribute__((ext_vector_type(12), aligned(sizeof(real))));
    const int count = nodes.shape[1], first = 4 * c;
    const bool whole = first + 4 <= count;
    int at[4];
    for (int l = 0; l < 4; ++l) at[l] = first + l < count ? first + l : count - 1;
    auto load3 = [&](const real* from, lanes* to) {
        if (whole) {
            const twelve v = *(const twelve*)(from + 3LL * first);
            to[0] = __builtin_shufflevector(v, v, 0, 3, 6, 9);
            to[1] = __builtin_shufflevector(v, v, 1, 4, 7, 10);
            to[2] = __builtin_shufflevector(v, v, 2, 5, 8, 11);
        } else
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 4; ++l) to[k][l] = from[3LL * at[l] + k];
    };
    auto store3 = [&](const lanes a, const lanes b, const lanes d, real* to) {
        if (whole) {
            const eight ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
            const eight dd = __builtin_shufflevector(d, d, 0, 1, 2, 3, 4, 5, 6, 7);
            *(twelve*)(to + 3LL * first) = __builtin_shufflevector(ab, dd, 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11);
        } else
            for (int l = 0; l < 4; ++l) {
                to[3LL * at[l]] = a[l];
                to[3LL * at[l] + 1] = b[l];
                to[3LL * at[l] + 2] = d[l];
            }
    };
    lanes slope3[3][3], F[9];
    for (int i = 0; i < 3; ++i) load3((const real*)grad.data + 3LL * count * i, slope3[i]);
    {
        const double* __restrict xs = (const double*)x.data;
        const int* __restrict corner_of = nodes.data;
        wide base[3];
        for (int l = 0; l < 4; ++l)
            for (int k = 0; k < 3; ++k) base[k][l] = xs[3LL * corner_of[3LL * count + at[l]] + k];
        for (int i = 0; i < 3; ++i) {
            wide here[3];
            for (int l = 0; l < 4; ++l)
                for (int k = 0; k < 3; ++k) here[k][l] = xs[3LL * corner_of[(long long)count * i + at[l]] + k];
            for (int r = 0; r < 3; ++r) {
                const lanes u = __builtin_convertvector(here[r] - base[r], lanes);
                for (int k = 0; k < 3; ++k)
                    F[3 * r + k] = i ? F[3 * r + k] + u * slope3[i][k] : u * slope3[i][k];
            }
        }
    }
    lanes mu, lam2, w;
    {
        const real* __restrict rows = (const real*)table.data;
        const int width = sizeof(*table.data) / sizeof(real);
        if (of.shape[0] > 1)
            for (int l = 0; l < 4; ++l) {
                mu[l] = rows[(long long)width * of.data[at[l]]];
                lam2[l] = rows[(long long)width * of.data[at[l]] + 1];
            }
        else {
            mu = rows[0];
            lam2 = rows[1];
        }
        if (whole) w = *(const loose*)(weight.data + first);
        else
            for (int l = 0; l < 4; ++l) w[l] = weight.data[at[l]];
    }
    // the largest root λ of λ⁴ − 2Iλ² − 8Jλ + 2II − I², and R = ∂λ/∂F
    lanes R[9];
    int left = 0;
    {
        lanes C[6];  // FᵀF: 00 01 02 11 12 22
        C[0] = F[0] * F[0] + F[3] * F[3] + F[6] * F[6];
        C[1] = F[0] * F[1] + F[3] * F[4] + F[6] * F[7];
        C[2] = F[0] * F[2] + F[3] * F[5] + F[6] * F[8];
        C[3] = F[1] * F[1] + F[4] * F[4] + F[7] * F[7];
        C[4] = F[1] * F[2] + F[4] * F[5] + F[7] * F[8];
        C[5] = F[2] * F[2] + F[5] * F[5] + F[8] * F[8];
        lanes K[9];
        for (int i = 0; i < 3; ++i) {
            const lanes *a = F + 3 * ((i + 1) % 3), *b = F + 3 * ((i + 2) % 3);
            K[3 * i] = a[1] * b[2] - a[2] * b[1];
            K[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
            K[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
        }
        const lanes I = C[0] + C[3] + C[5], J2 = real(2) * (F[0] * K[0] + F[1] * K[1] + F[2] * K[2]);
        const lanes constant = real(2) * (C[0] * C[0] + C[3] * C[3] + C[5] * C[5]) +
            real(4) * (C[1] * C[1] + C[2] * C[2] + C[4] * C[4]) - I * I;
        lanes lam = __builtin_elementwise_sqrt(real(3) * I), slope;
        const lanes unit = lam * I * real(1.0 / 9.0), close = real(SMALL / 12.0) * lam;
        auto going = (I > real(1e-6)) & (I < real(1e6));
        auto lost = ~going;
        for (int turn = 0; turn < 24; ++turn) {
            const lanes square = lam * lam;
            slope = (square - I) * lam - J2;
            const auto flat = going & ~(slope > real(0.05) * unit);
            lost |= flat;
            going &= ~flat;
            const lanes step = real(0.25) * (((square - real(2) * I) * lam - real(4) * J2) * lam + constant) / slope;
            lam = going ? lam - step : lam;
            // the error after a step s is at most 4 I s² / slope
            going &= (step * step * I > close * slope) & (step > real(0));
            if (!__builtin_reduce_or(going)) break;
        }
        lost |= going;
        const lanes square = lam * lam;
        slope = (square - I) * lam - J2;
        lost |= ~(slope > unit);
        for (int l = 0; l < 4; ++l)
            if (lost[l] && first + l < count) left |= 1 << l;
        const lanes share = real(1) / slope, one = (square + I) * share, two = real(2) * lam * share, three = real(-2) * share;
        for (int r = 0; r < 3; ++r) {
            const lanes *f = F + 3 * r, *k = K + 3 * r;
            R[3 * r] = one * f[0] + two * k[0] + three * (f[0] * C[0] + f[1] * C[1] + f[2] * C[2]);
            R[3 * r + 1] = one * f[1] + two * k[1] + three * (f[0] * C[1] + f[1] * C[3] + f[2] * C[4]);
            R[3 * r + 2] = one * f[2] + two * k[2] + three * (f[0] * C[2] + f[1] * C[4] + f[2] * C[5]);
        }
    }
"""

# ψ = μ‖F−R‖² + λ/2 tr²(S−I), P = 2μ (F−R) + λ tr(S−I) R
STRESS = r"""
    lanes D[9], trace = real(0), squares = real(0);
    for (int k = 0; k < 9; ++k) {
        D[k] = F[k] - R[k];
        trace += R[k] * D[k];
        squares += D[k] * D[k];
    }
    const lanes psi = w * (mu * squares + real(0.5) * lam2 * trace * trace);
    if (whole) *(loose*)(value.data + first) = psi;
    else
        for (int l = 0; l < 4; ++l) value.data[at[l]] = psi[l];
"""

FORCES = r"""
    const lanes along = w * lam2 * trace, two_mu = real(2) * w * mu;
    lanes rest[3] = {lanes(real(0)), lanes(real(0)), lanes(real(0))};
    for (int k = 0; k < 9; ++k) D[k] = two_mu * D[k] + along * R[k];
    real* out = (real*)corner.data;
    for (int i = 0; i < 3; ++i) {
        lanes force[3];
        for (int r = 0; r < 3; ++r) {
            force[r] = D[3 * r] * slope3[i][0] + D[3 * r + 1] * slope3[i][1] + D[3 * r + 2] * slope3[i][2];
            rest[r] -= force[r];
        }
        store3(force[0], force[1], force[2], out + 3LL * count * i);
    }
    store3(rest[0], rest[1], rest[2], out + 9LL * count);
"""

# h = R ∇N of the four corners and, beside the first three, w times μ (1 + s), μ (1 − s) and λ with the share s of Truncated()
TURNED = r"""
    lanes squares = real(0);
    for (int k = 0; k < 9; ++k) squares += (F[k] - R[k]) * (F[k] - R[k]);
    lanes share, grows;
    for (int l = 0; l < 4; ++l) {
        const real* row = (const real*)(table.data + (of.shape[0] > 1 ? of.data[at[l]] : 0));
        share[l] = row[2];
        grows[l] = row[3];
    }
    share += grows * __builtin_elementwise_sqrt(squares * real(1.0 / 3.0));
    share = share < real(1) ? share : lanes(real(1));
    const lanes beside[3] = {w * mu * (real(1) + share), w * mu * (real(1) - share), w * lam2};
"""

# the same with c₀, c₁ of law.polar, and the rows of E = D − ½ tr(D) I, D being w c₂ R (tr(S) I − S)⁻¹ Rᵀ
POLAR = r"""
    lanes S[9];
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) S[3 * r + k] = -(R[r] * F[k] + R[3 + r] * F[3 + k] + R[6 + r] * F[6 + k]);
    const lanes trace = -(S[0] + S[4] + S[8]);
    S[0] += trace;
    S[4] += trace;
    S[8] += trace;
    lanes K[9], size = real(0);
    for (int i = 0; i < 3; ++i) {
        const lanes *a = S + 3 * ((i + 1) % 3), *b = S + 3 * ((i + 2) % 3);
        K[3 * i] = a[1] * b[2] - a[2] * b[1];
        K[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
        K[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
    }
    for (int k = 0; k < 9; ++k) size += S[k] * S[k];
    const lanes det = S[0] * K[0] + S[1] * K[1] + S[2] * K[2];
    const auto singular = ~(det * det > real(1e-12) * size * size * size);  // bounded_determinant
    for (int l = 0; l < 4; ++l)
        if (singular[l] && first + l < count) left |= 1 << l;
    const lanes c0 = real(2) * w * mu, c1 = w * lam2;
    const lanes c2 = (c1 * (trace - real(3)) - c0) / det;
    lanes E[6];  // 00 01 02 11 12 22
    for (int r = 0, n = 0; r < 3; ++r) {
        lanes row[3];
        for (int k = 0; k < 3; ++k) row[k] = c2 * (R[3 * r] * K[k] + R[3 * r + 1] * K[3 + k] + R[3 * r + 2] * K[6 + k]);
        for (int k = r; k < 3; ++k, ++n) E[n] = row[0] * R[3 * k] + row[1] * R[3 * k + 1] + row[2] * R[3 * k + 2];
    }
    const lanes half = real(0.5) * (E[0] + E[3] + E[5]), none = real(0);
    E[0] -= half;
    E[3] -= half;
    E[5] -= half;
    const lanes beside[3] = {c0, c1, none};
    store4(4, E[0], E[1], E[2], none);
    store4(5, E[1], E[3], E[4], none);
    store4(6, E[2], E[4], E[5], none);
"""

# vectors of four numbers, SIZE of them for each tet
STORE4 = r"""
    auto store4 = [&](int n, const lanes a, const lanes b, const lanes d, const lanes e) {
        const eight ad = __builtin_shufflevector(a, d, 0, 4, 1, 5, 2, 6, 3, 7);
        const eight be = __builtin_shufflevector(b, e, 0, 4, 1, 5, 2, 6, 3, 7);
        loose* to = (loose*)out.data + n;
        to[(long long)SIZE * at[3]] = __builtin_shufflevector(ad, be, 6, 14, 7, 15);
        to[(long long)SIZE * at[2]] = __builtin_shufflevector(ad, be, 4, 12, 5, 13);
        to[(long long)SIZE * at[1]] = __builtin_shufflevector(ad, be, 2, 10, 3, 11);
        to[(long long)SIZE * at[0]] = __builtin_shufflevector(ad, be, 0, 8, 1, 9);
    };
"""

CORNERS = r"""
    lanes last[3] = {lanes(real(0)), lanes(real(0)), lanes(real(0))};
    for (int i = 0; i < 3; ++i) {
        lanes h[3];
        for (int r = 0; r < 3; ++r) {
            h[r] = R[3 * r] * slope3[i][0] + R[3 * r + 1] * slope3[i][1] + R[3 * r + 2] * slope3[i][2];
            last[r] -= h[r];
        }
        store4(i, h[0], h[1], h[2], beside[i]);
    }
    store4(3, last[0], last[1], last[2], lanes(real(0)));
"""


def _text(t: Types, *parts: str, size: int = 0) -> str:
    small = "1e-17" if t.precision == "f64" else "1e-9"  # of λ
    text = (ROTATIONS + "".join(parts)).replace("SMALL", small).replace("SIZE", str(size))
    return f"\n#if defined(__CUDA_ARCH__)\n    return 0;\n#else\n{text}    return left;\n#endif\n"


def _native_functions(t: Types, law: Functions, params: type) -> tuple[wp.Function, ...]:
    """Energies, gradients, tangents, and all of them, of four tets; each returns which of the four it has left."""
    ints, indices, vectors = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.int32), wp.array2d(dtype=t.vec3)
    numbers, weights, rows = wp.array(dtype=t.real), wp.array2d(dtype=t.real), wp.array(dtype=params)
    positions, fours = wp.array(dtype=t.position), wp.array(dtype=t.vec4)
    size, tangent = (7, POLAR) if law.turned is None else (4, TURNED)
    # Warp looks for this word where native code returns something
    native = SimpleNamespace(func_native=lambda text: lambda stub: t.native(stub, text))

    @native.func_native(_text(t, STRESS))
    def energy_of_four(
        c: int, nodes: indices, grad: vectors, weight: weights, table: rows, of: ints, x: positions, value: numbers
    ) -> wp.int32: ...

    @native.func_native(_text(t, STRESS, FORCES))
    def gradient_of_four(
        c: int, nodes: indices, grad: vectors, weight: weights, table: rows, of: ints, x: positions, value: numbers,
        corner: vectors,
    ) -> wp.int32: ...  # fmt: skip

    @native.func_native(_text(t, STORE4, tangent, CORNERS, size=size))
    def tangent_of_four(
        c: int, nodes: indices, grad: vectors, weight: weights, table: rows, of: ints, x: positions, out: fours
    ) -> wp.int32: ...

    # braces: both have names of their own
    @native.func_native(_text(t, "{", STRESS, FORCES, "}\n", STORE4, tangent, CORNERS, size=size))
    def both_of_four(
        c: int, nodes: indices, grad: vectors, weight: weights, table: rows, of: ints, x: positions, value: numbers,
        corner: vectors, out: fours,
    ) -> wp.int32: ...  # fmt: skip

    return energy_of_four, gradient_of_four, tangent_of_four, both_of_four


def build_lanes(
    t: Types, law: Functions, of_element: SimpleNamespace, row: wp.Function, both: wp.Function, params: type
) -> dict[str, wp.Kernel]:
    """Make the kernels, whose items are four tets each: ``energy_lanes``, ``gradient_lanes``, with the energy,
    ``tangent_lanes``, which finds what the matrix is summed from (corotational_pairs.py), and ``both_lanes`` for the last two."""
    real, vec3, vec4 = t.real, t.vec3, t.vec4
    load, deformation, collect, write = of_element.load, of_element.deformation, of_element.collect, of_element.write
    ints, indices, vectors = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3)
    numbers, weights, rows = wp.array(dtype=real), wp.array2d(dtype=real), wp.array(dtype=params)
    positions, fours = wp.array(dtype=t.position), wp.array(dtype=vec4)
    energy_of_four, gradient_of_four, tangent_of_four, both_of_four = _native_functions(t, law, params)
    write_one = _polar_writer(t, law.polar, params) if law.turned is None else turned_writer(t, law.turned, params)

    @t.kernel
    def energy_lanes(
        start: int,
        # mesh:
        nodes: indices, grad: vectors, scale: numbers, weight: weights,
        # params:
        table: rows, of: ints,
        # in:
        x: positions,
        # out:
        value: numbers,
    ):  # fmt: skip
        c = start + wp.tid()
        left = energy_of_four(c, nodes, grad, weight, table, of, x, value)
        e = 4 * c
        while left != 0:
            if left % 2 == 1:
                psi = law.energy(deformation(load(x, nodes, e), grad, scale, e, 0), row(table, of, e))
                value[e] = weight[0, e] * psi
            left = left // 2
            e += 1

    @t.kernel
    def gradient_lanes(
        start: int,
        # mesh:
        nodes: indices, grad: vectors, scale: numbers, weight: weights,
        # params:
        table: rows, of: ints,
        # in:
        x: positions,
        # out:
        value: numbers, corner: vectors,
    ):  # fmt: skip
        c = start + wp.tid()
        left = gradient_of_four(c, nodes, grad, weight, table, of, x, value, corner)
        e = 4 * c
        while left != 0:
            if left % 2 == 1:
                F = deformation(load(x, nodes, e), grad, scale, e, 0)
                p = row(table, of, e)
                value[e] = weight[0, e] * law.energy(F, p)  # as energy_lanes does it, to the last bit
                _psi, P = both(F, p)
                write(collect(weight[0, e] * P, grad, scale, e, 0), e, corner)
            left = left // 2
            e += 1

    @t.kernel
    def tangent_lanes(
        start: int,
        # mesh:
        nodes: indices, grad: vectors, scale: numbers, weight: weights,
        # params:
        table: rows, of: ints,
        # in:
        x: positions,
        # out: (4 m,) or (7 m,)
        out: fours,
    ):  # fmt: skip
        c = start + wp.tid()
        left = tangent_of_four(c, nodes, grad, weight, table, of, x, out)
        e = 4 * c
        while left != 0:
            if left % 2 == 1:
                F = deformation(load(x, nodes, e), grad, scale, e, 0)
                write_one(F, row(table, of, e), weight[0, e], grad[0, e], grad[1, e], grad[2, e], e, out)
            left = left // 2
            e += 1

    @t.kernel
    def both_lanes(
        start: int,
        # mesh:
        nodes: indices, grad: vectors, scale: numbers, weight: weights,
        # params:
        table: rows, of: ints,
        # in:
        x: positions,
        # out: of gradient_lanes and of tangent_lanes
        value: numbers, corner: vectors, out: fours,
    ):  # fmt: skip
        c = start + wp.tid()
        left = both_of_four(c, nodes, grad, weight, table, of, x, value, corner, out)
        e = 4 * c
        while left != 0:
            if left % 2 == 1:
                F = deformation(load(x, nodes, e), grad, scale, e, 0)
                p = row(table, of, e)
                value[e] = weight[0, e] * law.energy(F, p)
                _psi, P = both(F, p)
                write(collect(weight[0, e] * P, grad, scale, e, 0), e, corner)
                write_one(F, p, weight[0, e], grad[0, e], grad[1, e], grad[2, e], e, out)
            left = left // 2
            e += 1

    every = (energy_lanes, gradient_lanes, tangent_lanes, both_lanes)
    return dict(zip(("energy_lanes", "gradient_lanes", "tangent_lanes", "both_lanes"), every))


def _polar_writer(t: Types, polar: wp.Function, params: type) -> wp.Function:
    """What a tet has in the array of ``tangent_lanes``, of laws with ``polar``."""
    real, vec3, mat33, vec4 = t.real, t.vec3, t.mat33, t.vec4

    def polar_of_one(F: mat33, p: params, w: real, a: vec3, b: vec3, d: vec3, e: int, out: wp.array(dtype=vec4)):
        R, D, c = polar(F, p)
        E = (w * c[2]) * D
        E = real(0.5) * (E + wp.transpose(E))
        half = real(0.5) * wp.trace(E)
        h = R * a
        k = R * b
        l = R * d
        out[7 * e] = vec4(h[0], h[1], h[2], w * c[0])
        out[7 * e + 1] = vec4(k[0], k[1], k[2], w * c[1])
        out[7 * e + 2] = vec4(l[0], l[1], l[2], real(0.0))
        out[7 * e + 3] = vec4(-h[0] - k[0] - l[0], -h[1] - k[1] - l[1], -h[2] - k[2] - l[2], real(0.0))
        out[7 * e + 4] = vec4(E[0, 0] - half, E[0, 1], E[0, 2], real(0.0))
        out[7 * e + 5] = vec4(E[1, 0], E[1, 1] - half, E[1, 2], real(0.0))
        out[7 * e + 6] = vec4(E[2, 0], E[2, 1], E[2, 2] - half, real(0.0))

    return t.function(f"polar_of_one_{params._length_}", polar_of_one)
