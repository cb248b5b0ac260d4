"""Native passes over tets around a blade, in C++."""

from ..runtime.host_native import Routines

_ROUTINES = Routines("cut")

# a hash table of keys with ``mask`` + 1 slots, −1 where free
HASH = r"""
    auto place = [&](unsigned long long key) {
        key *= 0x9E3779B97F4A7C15ull;
        return (long long)((key ^ (key >> 29)) & (unsigned long long)mask);
    };
"""
# the projection of points on a sheet of ``pieces``, as in blade.py: ``path`` has start, direction and normal of each piece seen
# along ``into``, its length, top, rise of the top and the length before it
_FOOT = r"""
    const double slack = limits[0], depth_of = limits[1];
    auto foot_of = [&](const double* p, double* height, bool* within, double* travelled) {
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
            const double ax = dx - foot * piece[2], ay = dy - foot * piece[3];
            const double distance = pieces > 1 ? sqrt(ax * ax + ay * ay) : 0.0;
            if (i > 0 && !(distance < best)) continue;
            best = distance;
            if (foot == share) *height = dx * piece[4] + dy * piece[5];
            else {  // where a corner is nearest, the mean of the two normals there says the side (Baerentzen & Aanaes 2005)
                const long long other = share > 1.0 ? i + 1 : i - 1;
                const double nx = piece[4] + path[10 * other + 4], ny = piece[5] + path[10 * other + 5];
                *height = ax * nx + ay * ny < 0.0 ? -distance : distance;
            }
            if (!within) continue;
            const double depth = seen[2] - (piece[7] + foot * piece[8]), ends = slack / length;
            *within = foot >= -ends && foot <= 1.0 + ends && depth >= -slack && depth <= depth_of + slack;
            *travelled = piece[9] + foot * length;
        }
    };
"""

# edges of tets between a height h ≥ 0 and one below that is no more apart than the edge is long, and of which both ends may be
# on the blade, being neither both above it nor both beneath; each once, low · vertices + high
passed = _ROUTINES.add(
    "passed_edges",
    "const int* tets, long long count, long long vertices, const double* x, const double* height, const double* into, "
    "const double* reach, unsigned char* code, long long mask, long long* table, long long* edges, long long* found",
    HASH
    + r"""
    const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    long long k = 0, noted = 0;
    for (long long v = 0; v < vertices; ++v) {  // what must not be so of both ends; a byte for each, of which a cache holds many
        const double deep = x[3 * v] * into[0] + x[3 * v + 1] * into[1] + x[3 * v + 2] * into[2];
        code[v] = (height[v] >= 0 ? 1 : 2) | (deep < reach[0] ? 4 : 0) | (deep > reach[1] ? 8 : 0);
    }
    for (long long e = 0; e < count; ++e) {
        const int* tet = tets + 4 * e;
        if (code[tet[0]] & code[tet[1]] & code[tet[2]] & code[tet[3]]) continue;
        for (int i = 0; i < 6; ++i) {
            int a = tet[ends[i][0]], b = tet[ends[i][1]];
            if (code[a] & code[b]) continue;
            if (a > b) { const int c = a; a = b; b = c; }
            const long long key = a * vertices + b;
            long long at = place((unsigned long long)key);
            while (table[at] >= 0 && table[at] != key) at = (at + 1) & mask;
            if (table[at] >= 0) continue;
            if (++noted > mask / 2) {  // too full: once more with a larger table
                found[0] = -1;
                return;
            }
            table[at] = key;
            double square = 0.0;
            for (int c = 0; c < 3; ++c) square += (x[3LL * a + c] - x[3LL * b + c]) * (x[3LL * a + c] - x[3LL * b + c]);
            const double apart = height[a] - height[b];
            if (apart * apart <= square * (1.0 + 1e-6)) edges[k++] = key;
        }
    }
    found[0] = k;
""",
)

# vertices of some edges, ascending, the mean of their fractions, to nine digits, and the edges at each vertex
ends = _ROUTINES.add(
    "ends_of_edges",
    "const long long* edges, const double* shares, long long count, long long vertices, int* degree, double* total, int* met, "
    "double* far, int* starts, int* lists, long long* found",
    r"""
    for (long long i = 0; i < 2 * count; ++i) {
        ++degree[edges[i]];
        total[edges[i]] += shares[i];
    }
    int k = 0, begin = 0;
    for (long long v = 0; v < vertices; ++v) {
        if (!degree[v]) continue;
        met[k] = (int)v;
        far[k] = rint(total[v] / degree[v] * 1e9) / 1e9;
        starts[k++] = begin;
        begin += degree[v];
        degree[v] = begin - degree[v];  // where the next edge of it goes
    }
    starts[k] = begin;
    for (long long i = 0; i < 2 * count; ++i) lists[degree[edges[i]]++] = (int)(i / 2);
    found[0] = k;
""",
)

# greedy vertex cover in a given order: take a vertex with an uncovered edge, and cover its edges
cover = _ROUTINES.add(
    "cover_edges",
    "const long long* order, long long count, const int* met, const int* starts, const int* lists, bool* taken, bool* on",
    r"""
    for (long long i = 0; i < count; ++i)
        for (int j = starts[order[i]]; j < starts[order[i] + 1]; ++j)
            if (!taken[lists[j]]) {
                taken[lists[j]] = true;
                on[met[order[i]]] = true;
            }
""",
)

# sides of the tets at vertices ``on`` the blade: 1 above, -1 below, 0 for mixed signs; those tets, and the ones of them
# that have a side and a face on the blade
sided = _ROUTINES.add(
    "sides_of_tets",
    "const int* tets, long long count, const bool* on, const double* height, int* side, int* near, int* along, long long* found",
    r"""
    long long k = 0, a = 0;
    for (long long e = 0; e < count; ++e) {
        const int* tet = tets + 4 * e;
        if (!(on[tet[0]] | on[tet[1]] | on[tet[2]] | on[tet[3]])) continue;
        near[k++] = (int)e;
        bool above = false, below = false;
        int many = 0;
        for (int i = 0; i < 4; ++i) {
            if (on[tet[i]]) ++many;
            else if (height[tet[i]] >= 0) above = true;
            else below = true;
        }
        if (many == 4) side[e] = height[tet[0]] + height[tet[1]] + height[tet[2]] + height[tet[3]] >= 0 ? 1 : -1;
        else side[e] = (int)above - (int)below;
        if (many >= 3 && side[e]) along[a++] = (int)e;
    }
    found[0] = k;
    found[1] = a;
""",
)

# heights of points above a sheet, and optionally whether their projections are on the blade and at which arc length
feet = _ROUTINES.add(
    "feet_on_blade",
    "const double* points, long long count, const double* across, const double* path, long long pieces, const double* limits, "
    "long long all, double* height, bool* within, double* travelled",
    _FOOT
    + r"""
    if (all) for (long long n = 0; n < count; ++n) foot_of(points + 3 * n, height + n, within + n, travelled + n);
    else for (long long n = 0; n < count; ++n) foot_of(points + 3 * n, height + n, nullptr, nullptr);
""",
)

# edges that a blade crosses, as in sides.py: their ends, the upper one first, and fractions of the edge from each
crossed = _ROUTINES.add(
    "crossed_edges",
    "const double* x, const int* edges, long long count, const double* height, const double* across, const double* path, "
    "long long pieces, const double* limits, long long* ends, double* shares, double* longest, long long* found",
    _FOOT
    + r"""
    long long k = 0;
    for (long long e = 0; e < count; ++e) {
        int a = edges[2 * e], b = edges[2 * e + 1];
        if ((height[a] >= 0) == (height[b] >= 0)) continue;
        if (height[b] >= 0) { const int c = a; a = b; b = c; }
        const double *p = x + 3LL * a, *q = x + 3LL * b, first = height[a], second = -height[b];
        const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
        // an edge that passes far from the blade changes sides where another piece of the path becomes the nearest
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(first + second <= (1.0 + 1e-9) * length)) continue;
        const double share = first / (first + second);
        double there[3], h, travelled;
        bool within;
        for (int c = 0; c < 3; ++c) there[c] = (1.0 - share) * p[c] + share * q[c];
        foot_of(there, &h, &within, &travelled);
        if (!within) continue;
        if (length > longest[0]) longest[0] = length;
        ends[2 * k] = a;
        ends[2 * k + 1] = b;
        shares[2 * k] = share;
        shares[2 * k++ + 1] = 1.0 - share;
    }
    found[0] = k;
""",
)
