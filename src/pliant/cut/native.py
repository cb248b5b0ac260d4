"""Passes over the tets around a blade that one thread of the host makes, in C++."""

from ..routine import Routines

_ROUTINES = Routines("cut")

# where keys are noted: a table of ``mask`` + 1 places that are −1 where they are free
_HASH = r"""
    auto place = [&](unsigned long long key) {
        key *= 0x9E3779B97F4A7C15ull;
        return (long long)((key ^ (key >> 29)) & (unsigned long long)mask);
    };
"""
# the vertices of face f of a tet in ascending order
_FACE = r"""
    const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    auto sorted = [&](const int* tet, int f, int* v) {
        for (int i = 0; i < 3; ++i) v[i] = tet[corners[f][i]];
        if (v[0] > v[1]) { const int w = v[0]; v[0] = v[1]; v[1] = w; }
        if (v[1] > v[2]) { const int w = v[1]; v[1] = v[2]; v[2] = w; }
        if (v[0] > v[1]) { const int w = v[0]; v[0] = v[1]; v[1] = w; }
    };
    auto key_of = [](const int* v) {
        return ((unsigned long long)v[0] * 0x2545F491ull + (unsigned long long)v[1]) * 0x1000193ull + (unsigned long long)v[2];
    };
"""

# where face f of a tet is noted in the table, or would be
_NOTED = r"""
    auto noted = [&](const int* tet, int f) {
        int v[3], w[3];
        sorted(tet, f, v);
        long long at = place(key_of(v));
        while (table[at] >= 0) {
            sorted(tets + 4 * (table[at] / 4), table[at] % 4, w);
            if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) break;
            at = (at + 1) & mask;
        }
        return at;
    };
"""

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

# edges of tets between a height h ≥ 0 and one below that is no more apart than the edge is long, and of which both ends may be
# on the blade, being neither both above it nor both beneath; each once, low · vertices + high
passed = _ROUTINES.add(
    "passed_edges",
    "const int* tets, long long count, long long vertices, const double* x, const double* height, const double* deep, "
    "const double* reach, long long mask, long long* table, long long* edges, long long* found",
    _HASH
    + r"""
    const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    long long k = 0;
    for (long long e = 0; e < count; ++e) {
        const int* tet = tets + 4 * e;
        const int above = (height[tet[0]] >= 0) + (height[tet[1]] >= 0) + (height[tet[2]] >= 0) + (height[tet[3]] >= 0);
        if (above == 0 || above == 4) continue;
        for (int i = 0; i < 6; ++i) {
            int a = tet[ends[i][0]], b = tet[ends[i][1]];
            if ((height[a] >= 0) == (height[b] >= 0)) continue;
            if ((deep[a] < reach[0] && deep[b] < reach[0]) || (deep[a] > reach[1] && deep[b] > reach[1])) continue;
            double square = 0.0;
            for (int c = 0; c < 3; ++c) square += (x[3LL * a + c] - x[3LL * b + c]) * (x[3LL * a + c] - x[3LL * b + c]);
            const double apart = height[a] - height[b];
            if (apart * apart > square * (1.0 + 1e-6)) continue;
            if (a > b) { const int c = a; a = b; b = c; }
            const long long key = a * vertices + b;
            long long at = place((unsigned long long)key);
            while (table[at] >= 0 && table[at] != key) at = (at + 1) & mask;
            if (table[at] < 0) {
                if (k > mask / 2) {  // too full: once more with a larger table
                    found[0] = -1;
                    return;
                }
                table[at] = key;
                edges[k++] = key;
            }
        }
    }
    found[0] = k;
""",
)

# for each vertex in some order: take it where an edge of its own is not taken yet, and take these
cover = _ROUTINES.add(
    "cover_edges",
    "const int* order, const int* starts, const int* counts, long long count, const int* edges, bool* taken, bool* on",
    r"""
    for (long long i = 0; i < count; ++i)
        for (int j = starts[i]; j < starts[i] + counts[i]; ++j)
            if (!taken[edges[j]]) {
                taken[edges[j]] = true;
                on[order[i]] = true;
            }
""",
)

# the two sides of faces that two of the tets share, 4 · tet + face, the lower one first; where ``apart``, only those between
# tets whose sides are of different signs
twins = _ROUTINES.add(
    "twin_faces",
    "const int* tets, long long count, const int* side, long long apart, long long mask, int* table, int* first, int* second, "
    "long long* found",
    _HASH
    + _FACE
    + _NOTED
    + r"""
    long long k = 0;
    for (long long e = 0; e < count; ++e)
        for (int f = 0; f < 4; ++f) {
            const long long at = noted(tets + 4 * e, f);
            if (table[at] < 0) table[at] = (int)(4 * e + f);
            else if (!apart || side[e] * side[table[at] / 4] < 0) {
                first[k] = table[at];
                second[k++] = (int)(4 * e + f);
            }
        }
    found[0] = k;
""",
)

# faces of tets that none of the others has, 4 · tet + face, ascending
single = _ROUTINES.add(
    "single_faces",
    "const int* tets, long long count, long long mask, int* table, bool* alone, int* faces, long long* found",
    _HASH
    + _FACE
    + _NOTED
    + r"""
    for (long long e = 0; e < count; ++e)
        for (int f = 0; f < 4; ++f) {
            const long long at = noted(tets + 4 * e, f);
            alone[4 * e + f] = table[at] < 0;
            if (table[at] < 0) table[at] = (int)(4 * e + f);
            else alone[table[at]] = false;
        }
    long long k = 0;
    for (long long i = 0; i < 4 * count; ++i) {
        faces[k] = (int)i;
        k += alone[i];
    }
    found[0] = k;
""",
)

# quality of tets, as snap.py says
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

# vertices of the outer surface moved along it one after the other, as snap.py says; ``around`` are its faces at each, ``tets`` at
# each those of ``solids``
slide = _ROUTINES.add(
    "slide_vertices",
    "double* X, const int* movers, long long count, const int* faces, const int* around_start, const int* around, "
    "const int* tets, const int* solid_start, const int* solids, const double* least, const double* slope, "
    "const double* height, const double* settings, long long tries",
    _QUALITY
    + r"""
    const double crease = settings[0], steep = settings[1], eased = settings[2];
    auto good = [&](int t) { return quality(tets + 4LL * t) >= least[t]; };
    for (long long m = 0; m < count; ++m) {
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
        if (!(areas > 0.0)) continue;
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
        if (rise < steep * steep * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) || rise <= 0) continue;
        double start[3], share = -height[v] / rise;
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
    }
""",
)

# number of the part of each item that pairs of them hang together in, parts in the order of their first items
joined = _ROUTINES.add(
    "joined_parts",
    "const int* first, const int* second, long long pairs, long long count, int* part, long long* found",
    r"""
    for (long long i = 0; i < count; ++i) part[i] = (int)i;  // trees of items, each pointing to a lower one
    auto root = [&](int i) {
        while (part[i] != i) {
            part[i] = part[part[i]];
            i = part[i];
        }
        return i;
    };
    for (long long p = 0; p < pairs; ++p) {
        const int a = root(first[p]), b = root(second[p]);
        if (a < b) part[b] = a;
        else part[a] = b;
    }
    int parts = 0;
    for (long long i = 0; i < count; ++i) {
        if (part[i] == i) part[i] = -1 - parts++;
        else part[i] = part[part[i]];  // which has its number, being lower
    }
    for (long long i = 0; i < count; ++i) part[i] = -1 - part[i];
    found[0] = parts;
""",
)

# heights of points above a sheet of ``pieces``, whether their feet are on the blade, and how far along its path they are, as
# blade.py says: ``path`` has start, direction and normal of each piece as seen along ``into``, its length, top, rise of the
# top and the length before it
feet = _ROUTINES.add(
    "feet_on_blade",
    "const double* points, long long count, const double* across, const double* path, long long pieces, const double* limits, "
    "double* height, bool* within, double* travelled",
    r"""
    const double slack = limits[0], depth_of = limits[1];
    for (long long n = 0; n < count; ++n) {
        const double* p = points + 3 * n;
        double seen[3];
        for (int k = 0; k < 3; ++k) seen[k] = across[3 * k] * p[0] + across[3 * k + 1] * p[1] + across[3 * k + 2] * p[2];
        double best = 0.0;
        for (long long i = 0; i < pieces; ++i) {
            const double* piece = path + 10 * i;  // 0, 1 start; 2, 3 along; 4, 5 normal; 6 length; 7 top; 8 rise; 9 before
            const double dx = seen[0] - piece[0], dy = seen[1] - piece[1], length = piece[6];
            const double share = (dx * piece[2] + dy * piece[3]) / (length * length);
            double foot = share;
            if (i > 0 && foot < 0.0) foot = 0.0;
            if (i < pieces - 1 && foot > 1.0) foot = 1.0;
            const double ax = dx - foot * piece[2], ay = dy - foot * piece[3], distance = sqrt(ax * ax + ay * ay);
            if (i > 0 && !(distance < best)) continue;
            best = distance;
            if (foot == share) height[n] = dx * piece[4] + dy * piece[5];
            else {  // where a corner is nearest, the mean of the two normals there says the side (Baerentzen & Aanaes 2005)
                const long long other = share > 1.0 ? i + 1 : i - 1;
                const double nx = piece[4] + path[10 * other + 4], ny = piece[5] + path[10 * other + 5];
                height[n] = ax * nx + ay * ny < 0.0 ? -distance : distance;
            }
            const double depth = seen[2] - (piece[7] + foot * piece[8]), ends = slack / length;
            within[n] = foot >= -ends && foot <= 1.0 + ends && depth >= -slack && depth <= depth_of + slack;
            travelled[n] = piece[9] + foot * length;
        }
    }
""",
)
