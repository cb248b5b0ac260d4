"""Gauss–Seidel over contacts as compiled code for CPU and GPU.

With λ the forces (3c,) of c contacts in their own frames (along the normal, two tangents) and W how the contacts give way to
them, the gaps and slips are δ = b + W λ. Each turn solves the 3×3 problem of one contact exactly, the others being as they are,
and adds what that changes to all gaps: a product with three rows of W, which a block of threads of a GPU shares.
"""

import warp as wp

from ...runtime.device import family

# kinds of contacts: unilateral with friction; bilateral; bilateral across its first axis with friction along it
TOUCHES, HOLDS, SLIDES = 0, 1, 2

# the forces of one contact with the others fixed
SOLVE_BLOCK = r"""
    // the 3×3 problem of a contact: force f for the gap r + A f
    auto solve_block = [&](const double* A, const double* r, int kind, double mu, double most, double* f) {
        const double a = A[0], b = A[1], c = A[2], e = A[4], g = A[5], h = A[8];
        // two of three: across a line along which it slides
        if (kind == SLIDES) {
            double along = f[0];
            for (int turn = 0; turn < 50; ++turn) {
                const double p = r[1] + b * along, q = r[2] + c * along, det = e * h - g * g;
                f[1] = -(h * p - g * q) / det;
                f[2] = -(e * q - g * p) / det;
                const double bound = most + mu * sqrt(f[1] * f[1] + f[2] * f[2]);
                double next = -(r[0] + b * f[1] + c * f[2]) / a;
                next = next > bound ? bound : (next < -bound ? -bound : next);
                const double moved = next > along ? next - along : along - next;
                along = next;
                if (moved <= 1e-12 * (bound + (along > 0 ? along : -along))) break;
            }
            f[0] = along;
            return;
        }
        if (kind == TOUCHES && r[0] >= 0.0) {
            f[0] = f[1] = f[2] = 0.0;
            return;
        }
        // sticks: A f = -r
        const double m00 = e * h - g * g, m01 = c * g - b * h, m02 = b * g - c * e, det = a * m00 + b * m01 + c * m02;
        const double s0 = -(m00 * r[0] + m01 * r[1] + m02 * r[2]) / det;
        const double s1 = -(m01 * r[0] + (a * h - c * c) * r[1] + (b * c - a * g) * r[2]) / det;
        const double s2 = -(m02 * r[0] + (b * c - a * g) * r[1] + (a * e - b * b) * r[2]) / det;
        if (kind == HOLDS || (s0 >= 0.0 && s1 * s1 + s2 * s2 <= mu * mu * s0 * s0)) {
            f[0] = s0;
            f[1] = s1;
            f[2] = s2;
            return;
        }
        if (mu <= 0.0) {
            f[0] = -r[0] / a;
            f[1] = f[2] = 0.0;
            return;
        }
        // slips: the tangential force mu f0 (x, y) lies against the slip; the angle at which both are on one line
        double slip_x, slip_y;
        auto across = [&](double x, double y) {
            const double push = a + mu * (b * x + c * y);
            f[0] = push > 0.0 ? -r[0] / push : 0.0;
            slip_x = r[1] + f[0] * (b + mu * (e * x + g * y));
            slip_y = r[2] + f[0] * (c + mu * (g * x + h * y));
            return slip_x * y - slip_y * x;
        };
        const double size = sqrt(s1 * s1 + s2 * s2);
        double x0 = size > 0.0 ? s1 / size : 1.0, y0 = size > 0.0 ? s2 / size : 0.0;
        // from the direction of the sticking force to both sides: an angle with both on one line, and the force against the slip
        bool found = false;
        auto narrow = [&](double from_x, double from_y, double low, double to_x, double to_y, double high) {
            double x = to_x, y = to_y;
            int last = 0;
            for (int turn = 0; turn < 60; ++turn) {  // false position, an end that stays counting half (Illinois)
                double share = low / (low - high);
                if (!(share > 0.0 && share < 1.0)) share = 0.5;
                x = from_x + share * (to_x - from_x);
                y = from_y + share * (to_y - from_y);
                const double length = sqrt(x * x + y * y);
                x /= length;
                y /= length;
                const double value = across(x, y);
                if (!(value * value > 1e-30 * (slip_x * slip_x + slip_y * slip_y))) break;
                if ((value <= 0.0) == (low <= 0.0)) {
                    from_x = x; from_y = y; low = value;
                    if (last == 1) high *= 0.5;
                    last = 1;
                } else {
                    to_x = x; to_y = y; high = value;
                    if (last == 2) low *= 0.5;
                    last = 2;
                }
            }
            f[1] = mu * f[0] * x;
            f[2] = mu * f[0] * y;
            found = slip_x * x + slip_y * y <= 0.0;
        };
        const double co = 0.98078528040323044, si = 0.19509032201612825;  // of pi/16
        double left_x = x0, left_y = y0, right_x = x0, right_y = y0, left = across(x0, y0), right = left;
        for (int turn = 0; turn < 16 && !found; ++turn) {
            double x = left_x * co - left_y * si, y = left_x * si + left_y * co, value = across(x, y);
            if ((value <= 0.0) != (left <= 0.0)) narrow(left_x, left_y, left, x, y, value);
            left_x = x; left_y = y; left = value;
            if (found) break;
            x = right_x * co + right_y * si; y = -right_x * si + right_y * co; value = across(x, y);
            if ((value <= 0.0) != (right <= 0.0)) narrow(right_x, right_y, right, x, y, value);
            right_x = x; right_y = y; right = value;
        }
        if (!found) {  // there is none with so much friction: keep the direction of the sticking force
            across(x0, y0);
            f[1] = mu * f[0] * x0;
            f[2] = mu * f[0] * y0;
        }
    };
"""

SWEEPS = r"""
#if defined(__CUDA_ARCH__)
    const int lane = threadIdx.x, lanes = blockDim.x;
    #define SYNCHRONISE __syncthreads()
    __shared__ double change[3];
    __shared__ double largest;
#else
    const int lane = 0, lanes = 1;
    #define SYNCHRONISE
    double change[3];
    double largest;
#endif
    const int n = 3 * contacts;
    double* __restrict l = force.data;
    double* __restrict d = gap.data;
    const double* w = W.data;
    SOLVE_BLOCK
    int sweep = 0;
    double reached = 0.0;
    for (; sweep < most_sweeps; ++sweep) {
        if (lane == 0) largest = 0.0;
        SYNCHRONISE;
        for (int i = 0; i < contacts; ++i) {
            if (lane == 0) {
                double A[9], r[3], f[3];
                for (int p = 0; p < 3; ++p) {
                    r[p] = d[3 * i + p];
                    f[p] = l[3 * i + p];
                    for (int q = 0; q < 3; ++q) A[3 * p + q] = w[(long long)(3 * i + p) * n + 3 * i + q];
                }
                // no direction gives way without end: what is held all over is a little soft
                const double least = 1e-12 * (A[0] + A[4] + A[8]);
                for (int p = 0; p < 3; ++p) A[4 * p] += least;
                for (int p = 0; p < 3; ++p)
                    for (int q = 0; q < 3; ++q) r[p] -= A[3 * p + q] * f[q];
                double old[3] = {f[0], f[1], f[2]};
                if (least > 0.0) solve_block(A, r, kind.data[i], friction.data[i], bound.data[i], f);
                double moved = 0.0;
                for (int p = 0; p < 3; ++p) {
                    change[p] = f[p] - old[p];
                    l[3 * i + p] = f[p];
                }
                for (int p = 0; p < 3; ++p) {
                    double by = 0.0;
                    for (int q = 0; q < 3; ++q) by += A[3 * p + q] * change[q];
                    moved += by * by;
                }
                moved = sqrt(moved);
                if (!(moved <= largest)) largest = moved;
            }
            SYNCHRONISE;
            const double x = change[0], y = change[1], z = change[2];
            if (x != 0.0 || y != 0.0 || z != 0.0) {
                const double* __restrict u = w + (long long)(3 * i) * n;
                const double* __restrict v = u + n;
                const double* __restrict t = v + n;
                for (int j = lane; j < n; j += lanes) d[j] += u[j] * x + v[j] * y + t[j] * z;
            }
            SYNCHRONISE;
        }
        reached = largest;
        SYNCHRONISE;
        if (reached <= enough) { ++sweep; break; }
    }
    if (lane == 0) {
        status.data[0] = (double)sweep;
        status.data[1] = reached;
    }
    #undef SYNCHRONISE
"""


def with_block_solver(source: str) -> str:
    """A snippet that calls ``solve_block(A, r, kind, friction, bound, f)``."""
    source = source.replace("SOLVE_BLOCK", SOLVE_BLOCK)
    for name, value in (("TOUCHES", TOUCHES), ("HOLDS", HOLDS), ("SLIDES", SLIDES)):
        source = source.replace(name, str(value))
    return source


@family
def gauss_seidel_kernels(t):
    doubles, ints = wp.array(dtype=wp.float64), wp.array(dtype=wp.int32)

    @t.native_kernel(with_block_solver(SWEEPS))  # one thread of a CPU, one block of a GPU
    def sweep_contacts(
        i: int,
        # params:
        contacts: int,
        most_sweeps: int,
        enough: wp.float64,
        kind: ints,
        friction: doubles,
        bound: doubles,
        # in: row after row
        W: doubles,
        # in and out: what gaps and slips are with these forces
        gap: doubles,
        force: doubles,
        # out: sweeps, and the last change [m]
        status: doubles,
    ): ...

    return {"sweep_contacts": sweep_contacts}
