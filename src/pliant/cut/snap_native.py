"""Native passes for snapping vertices onto a blade, in C++."""

from ..runtime.host_native import Routines

_ROUTINES = Routines("cut_snap")

# 1 for a regular tet, 0 for a flat one
_QUALITY = r"""
    auto quality = [&](const int* tet) {
        const double* p[4] = {X + 3LL * tet[0], X + 3LL * tet[1], X + 3LL * tet[2], X + 3LL * tet[3]};
        double square = 0.0, s[3][3];
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j)
                for (int c = 0; c < 3; ++c) square += (p[i][c] - p[j][c]) * (p[i][c] - p[j][c]);
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c) s[i][c] = p[i + 1][c] - p[0][c];
        const double det = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[2][1])
            - s[0][1] * (s[1][0] * s[2][2] - s[1][2] * s[2][0]) + s[0][2] * (s[1][0] * s[2][1] - s[1][1] * s[2][0]);
        square = square / 6.0 > 1e-300 ? square / 6.0 : 1e-300;
        return 1.4142135623730951 * det / (square * sqrt(square));
    };
"""

# of faces, 4 · tet + number, ascending, those of some tets, ascending, as 4 · place among these + number
outside = _ROUTINES.add(
    "outer_faces_of",
    "const long long* outer, long long count, const int* rows, long long many, int* sides, long long* found",
    r"""
    long long k = 0, from = 0;
    for (long long r = 0; r < many; ++r) {
        long long to = count;
        while (from < to) {  // the first face of this tet or of a later one
            const long long middle = (from + to) / 2;
            if (outer[middle] < 4LL * rows[r]) from = middle + 1;
            else to = middle;
        }
        for (; from < count && outer[from] < 4LL * rows[r] + 4; ++from) sides[k++] = (int)(4 * r + outer[from] % 4);
    }
    found[0] = k;
""",
)

# quality of tets, as in snap.py
quality = _ROUTINES.add(
    "tet_quality",
    "const double* X, const int* tets, long long count, double* out",
    _QUALITY
    + r"""
    for (long long t = 0; t < count; ++t) out[t] = quality(tets + 4 * t);
""",
)

# Σ |6V| ∇h and Σ |6V| over the tets at each vertex, ∇h being the gradient of the heights of its corners: s ∇h = δh by Cramer
slopes = _ROUTINES.add(
    "height_slopes",
    "const double* X, const int* tets, long long count, const double* height, double* total, double* weight",
    r"""
    for (long long t = 0; t < count; ++t) {
        const int* tet = tets + 4 * t;
        double s[3][3], h[3];
        for (int i = 0; i < 3; ++i) {
            h[i] = height[tet[i + 1]] - height[tet[0]];
            for (int c = 0; c < 3; ++c) s[i][c] = X[3LL * tet[i + 1] + c] - X[3LL * tet[0] + c];
        }
        double n[3][3];  // s₁ × s₂, s₂ × s₀, s₀ × s₁
        for (int i = 0; i < 3; ++i) {
            const double *a = s[(i + 1) % 3], *b = s[(i + 2) % 3];
            n[i][0] = a[1] * b[2] - a[2] * b[1];
            n[i][1] = a[2] * b[0] - a[0] * b[2];
            n[i][2] = a[0] * b[1] - a[1] * b[0];
        }
        const double det = s[0][0] * n[0][0] + s[0][1] * n[0][1] + s[0][2] * n[0][2], sign = det < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 4; ++i) {
            weight[tet[i]] += sign * det;
            for (int c = 0; c < 3; ++c) total[3LL * tet[i] + c] += sign * (h[0] * n[0][c] + h[1] * n[1][c] + h[2] * n[2][c]);
        }
    }
""",
)

# a vertex of the outer surface moved along it, as in snap.py: number m of ``movers``, at which ``around`` are faces of the
# surface, ``solids`` tets
_SLIDE = r"""
    const double crease = settings[0], steep = settings[1], eased = settings[2], arrived = settings[3];
    auto good = [&](int t) { return quality(tets + 4LL * t) >= least[t]; };
    auto slide = [&](int m) {
        const int v = movers[m];
        double total[3] = {}, M[3][3] = {}, areas = 0.0;
        for (int i = around_start[m]; i < around_start[m + 1]; ++i) {
            const int* face = faces + 3LL * around[i];
            const double *a = X + 3LL * face[0], *b = X + 3LL * face[1], *c = X + 3LL * face[2];
            const double s[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, t[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
            const double n[3] = {s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
            const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            areas += area;
            for (int p = 0; p < 3; ++p) {
                total[p] += n[p];
                for (int q = 0; q < 3; ++q) M[p][q] += n[p] * n[q] / (area > 1e-300 ? area : 1e-300);
            }
        }
        if (!(areas > 0.0)) return;
        double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q) M[p][q] /= areas;
        for (int sweep = 0; sweep < 12; ++sweep)  // eigenvectors by Jacobi's rotations
            for (int p = 0; p < 2; ++p)
                for (int q = p + 1; q < 3; ++q) {
                    if (M[p][q] == 0.0) continue;
                    const double theta = (M[q][q] - M[p][p]) / (2.0 * M[p][q]);
                    const double t = (theta >= 0 ? 1.0 : -1.0) / ((theta >= 0 ? theta : -theta) + sqrt(theta * theta + 1.0));
                    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                    for (int k = 0; k < 3; ++k) {
                        const double one = M[k][p], other = M[k][q];
                        M[k][p] = c * one - s * other;
                        M[k][q] = s * one + c * other;
                    }
                    for (int k = 0; k < 3; ++k) {
                        const double one = M[p][k], other = M[q][k];
                        M[p][k] = c * one - s * other;
                        M[q][k] = s * one + c * other;
                        const double left = V[k][p], right = V[k][q];
                        V[k][p] = c * left - s * right;
                        V[k][q] = s * left + c * right;
                    }
                    M[p][q] = M[q][p] = 0.0;
                }
        const double* w = slope + 3LL * v;
        const double length = sqrt(total[0] * total[0] + total[1] * total[1] + total[2] * total[2]);
        const bool curved = length > 1e-9 * areas;
        auto flat = [&](double* d) {  // without what would change the volume
            if (!curved) return;
            const double along = (total[0] * d[0] + total[1] * d[1] + total[2] * d[2]) / (length * length);
            for (int c = 0; c < 3; ++c) d[c] -= along * total[c];
        };
        double here[3] = {w[0], w[1], w[2]}, g[3] = {};
        flat(here);
        for (int k = 0; k < 3; ++k) {
            if (M[k][k] >= crease) continue;
            const double along = V[0][k] * here[0] + V[1][k] * here[1] + V[2][k] * here[2];
            for (int c = 0; c < 3; ++c) g[c] += along * V[c][k];
        }
        flat(g);
        const double rise = g[0] * w[0] + g[1] * w[1] + g[2] * w[2];
        if (rise < steep * steep * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) || rise <= 0) return;
        double start[3], share = -left[v] / rise;
        for (int c = 0; c < 3; ++c) start[c] = X[3LL * v + c];
        bool fits = false;
        for (long long turn = 0; turn < tries && !fits; ++turn) {
            for (int c = 0; c < 3; ++c) X[3LL * v + c] = start[c] + share * g[c];
            fits = true;
            for (int i = solid_start[m]; i < solid_start[m + 1] && fits; ++i) fits = good(solids[i]);
            share *= eased;
        }
        if (!fits)
            for (int c = 0; c < 3; ++c) X[3LL * v + c] = start[c];
    };
"""

# inner vertices moved all at once, those with ``chosen``; less far where tets become too bad
_FALL = r"""
    auto fall = [&](auto chosen) {
        for (int m = 0; m < count; ++m) {
            const double* g = slope + 3LL * movers[m];
            const double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
            const double far = -left[movers[m]] / (square > 1e-300 ? square : 1e-300);
            share[m] = chosen(m) ? 1.0 : 0.0;
            for (int c = 0; c < 3; ++c) start[3 * m + c] = X[3LL * movers[m] + c], move[3 * m + c] = far * g[c];
        }
        for (long long turn = 1;; ++turn) {
            for (int m = 0; m < count; ++m)
                for (int c = 0; c < 3 && chosen(m); ++c) X[3LL * movers[m] + c] = start[3 * m + c] + share[m] * move[3 * m + c];
            for (int m = 0; m < count; ++m) back[m] = false;
            for (long long t = 0; t < many; ++t) {
                if (good((int)t)) continue;
                for (int i = 0; i < 4; ++i)
                    if (number[tets[4 * t + i]] >= 0) back[number[tets[4 * t + i]]] = true;
            }
            bool any = false;
            for (int m = 0; m < count; ++m) {
                if (!back[m] || !(share[m] > 0.0)) continue;
                any = true;
                share[m] *= turn <= tries ? eased : 0.0;
            }
            if (!any) return;
        }
    };
"""

# vertices moved towards the blade, in rounds: those of the outer surface one after the other, the others all at once
settle = _ROUTINES.add(
    "settle_vertices",
    "double* X, long long vertices, const int* movers, const bool* outer, long long count, const int* number, const int* faces, "
    "const int* around_start, const int* around, const int* tets, long long many, const int* solid_start, const int* solids, "
    "const double* least, const double* slope, const double* reach, double* left, const double* settings, long long tries, "
    "long long rounds, bool* fresh, bool* some, bool* back, double* share, double* start, double* move, double* earlier",
    _QUALITY
    + _SLIDE
    + _FALL
    + r"""
    const double* before = earlier + 3 * vertices;
    for (long long i = 0; i < 3 * vertices; ++i) earlier[3 * vertices + i] = X[i];
    for (long long v = 0; v < vertices; ++v) fresh[v] = true, left[v] = reach[v];
    for (long long round = 0; round < rounds; ++round) {  // those that were in the way have moved meanwhile
        bool any = false;
        for (int m = 0; m < count; ++m) {
            const double far = left[movers[m]], whole = reach[movers[m]];
            some[m] = fresh[movers[m]] && (far < 0 ? -far : far) > arrived * (whole < 0 ? -whole : whole);
            any |= some[m];
        }
        if (!any) return;
        for (long long i = 0; i < 3 * vertices; ++i) earlier[i] = X[i];
        for (int m = 0; m < count; ++m)
            if (some[m] && outer[m]) slide(m);
        fall([&](int m) { return some[m] && !outer[m]; });
        for (long long v = 0; v < vertices; ++v) fresh[v] = false;  // but around what has moved: others would stay again
        for (long long t = 0; t < many; ++t) {
            bool moved = false;
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c) moved |= X[3LL * tets[4 * t + i] + c] != earlier[3LL * tets[4 * t + i] + c];
            for (int i = 0; i < 4 && moved; ++i) fresh[tets[4 * t + i]] = true;
        }
        for (int m = 0; m < count; ++m) {
            const long long v = 3LL * movers[m];
            double along = 0.0;
            for (int c = 0; c < 3; ++c) along += slope[v + c] * (X[v + c] - before[v + c]);
            left[movers[m]] = reach[movers[m]] + along;
        }
    }
""",
)

# of the tets at each vertex, in lists, the one that holds its new place best: the least barycentric coordinate, to twelve digits,
# is the largest; of those alike the first
holding = _ROUTINES.add(
    "tets_that_hold",
    "const double* X, const int* tets, const double* places, long long count, const int* some, const int* starts, "
    "const int* lists, int* best",
    r"""
    for (long long k = 0; k < count; ++k) {
        double most = 0.0;
        best[k] = -1;
        for (int i = starts[some[k]]; i < starts[some[k] + 1]; ++i) {
            const int* tet = tets + 4LL * lists[i];
            double s[4][3];  // sides from the first corner, and the place from there
            for (int c = 0; c < 3; ++c) {
                for (int j = 0; j < 3; ++j) s[j][c] = X[3LL * tet[j + 1] + c] - X[3LL * tet[0] + c];
                s[3][c] = places[3 * k + c] - X[3LL * tet[0] + c];
            }
            auto det = [&](int a, int b, int c) {
                return s[a][0] * (s[b][1] * s[c][2] - s[b][2] * s[c][1]) - s[a][1] * (s[b][0] * s[c][2] - s[b][2] * s[c][0])
                    + s[a][2] * (s[b][0] * s[c][1] - s[b][1] * s[c][0]);
            };
            const double all = det(0, 1, 2), lam[3] = {det(3, 1, 2) / all, det(0, 3, 2) / all, det(0, 1, 3) / all};
            double least = 1.0 - (lam[0] + lam[1] + lam[2]);
            for (int j = 0; j < 3; ++j) least = lam[j] < least ? lam[j] : least;
            least = rint(least * 1e12) / 1e12;
            if (best[k] >= 0 && !(least > most)) continue;
            most = least;
            best[k] = lists[i];
        }
    }
""",
)
