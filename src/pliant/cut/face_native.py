"""Native passes over faces of tets and connected parts, in C++."""

from ..runtime.host_native import Routines
from .blade_native import HASH

ROUTINES = Routines("cut_faces")

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

# the slot of face f of a tet in the hash table
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

# connected components by union-find: each item points to a lower one, then to the number of its part, parts in the order
# of their first items
_PARTS = r"""
    auto root = [&](int i) {
        while (part[i] != i) {
            part[i] = part[part[i]];
            i = part[i];
        }
        return i;
    };
    auto join = [&](int i, int j) {
        const int a = root(i), b = root(j);
        if (a < b) part[b] = a;
        else part[a] = b;
    };
    auto number = [&](long long count) {
        int parts = 0;
        for (long long i = 0; i < count; ++i) {
            if (part[i] == i) part[i] = -1 - parts++;
            else part[i] = part[part[i]];  // which has its number, being lower
        }
        for (long long i = 0; i < count; ++i) part[i] = -1 - part[i];
        return parts;
    };
"""

# the two sides of faces that two of the tets share, 4 · tet + face, the lower one first; where ``apart``, only those between
# tets whose sides are of different signs; where ``flat``, only those with three vertices ``on``
twins = ROUTINES.add(
    "twin_faces",
    "const int* tets, long long count, const int* side, long long apart, const bool* on, long long flat, long long mask, "
    "int* table, int* first, int* second, long long* found",
    HASH
    + _FACE
    + _NOTED
    + r"""
    long long k = 0;
    for (long long e = 0; e < count; ++e)
        for (int f = 0; f < 4; ++f) {
            const int *tet = tets + 4 * e, *c = corners[f];
            if (flat && !(on[tet[c[0]]] & on[tet[c[1]]] & on[tet[c[2]]])) continue;
            const long long at = noted(tet, f);
            if (table[at] < 0) table[at] = (int)(4 * e + f);
            else if (!apart || side[e] * side[table[at] / 4] < 0) {
                first[k] = table[at];
                second[k++] = (int)(4 * e + f);
            }
        }
    found[0] = k;
""",
)

# boundary faces of tets, 4 · tet + face, ascending
single = ROUTINES.add(
    "single_faces",
    "const int* tets, long long count, long long mask, int* table, bool* alone, int* faces, long long* found",
    HASH
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

# component of each item in the graph of these pairs
joined = ROUTINES.add(
    "joined_parts",
    "const int* first, const int* second, long long pairs, long long count, int* part, long long* found",
    _PARTS
    + r"""
    for (long long i = 0; i < count; ++i) part[i] = (int)i;
    for (long long p = 0; p < pairs; ++p) join(first[p], second[p]);
    found[0] = number(count);
""",
)

# component of each corner of tets, connected through shared faces that are not ``open``, as
# split.py says; the first corner of each part, and whether all of its tets are ``below``
hanging = ROUTINES.add(
    "hanging_corners",
    "const int* tets, long long count, const int* open, long long opens, const bool* below, long long mask, int* table, "
    "int* part, int* begin, bool* lower, long long* found",
    HASH
    + _FACE
    + _PARTS
    + r"""
    auto place_of = [&](const int* v) {
        long long at = place(key_of(v));
        while (table[at] >= 0) {
            int w[3];
            if (table[at] < 4 * count) sorted(tets + 4 * (table[at] / 4), table[at] % 4, w);
            else for (int i = 0; i < 3; ++i) w[i] = open[3 * (table[at] - 4 * count) + i];
            if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2]) break;
            at = (at + 1) & mask;
        }
        return at;
    };
    for (long long o = 0; o < opens; ++o) table[place_of(open + 3 * o)] = (int)(4 * count + o);
    for (long long i = 0; i < 4 * count; ++i) part[i] = (int)i;
    for (long long e = 0; e < count; ++e)
        for (int f = 0; f < 4; ++f) {
            const int* tet = tets + 4 * e;
            int v[3];
            sorted(tet, f, v);
            const long long at = place_of(v);
            if (table[at] < 0) table[at] = (int)(4 * e + f);
            if (table[at] >= 4 * count || table[at] == 4 * e + f) continue;
            const int other = table[at] / 4;
            for (int c : corners[f])
                for (int j = 0; j < 4; ++j)
                    if (tet[c] == tets[4 * other + j]) join((int)(4 * e + c), 4 * other + j);
        }
    const int parts = number(4 * count);
    for (int p = 0; p < parts; ++p) lower[p] = true;
    for (long long i = 4 * count - 1; i >= 0; --i) {
        begin[part[i]] = (int)i;
        lower[part[i]] &= below[i / 4];
    }
    found[0] = parts;
""",
)

# number of fans of faces around each vertex, corners at one vertex being connected where their faces share an
# edge there; and the edges of more than two faces
fans = ROUTINES.add(
    "fans_of_faces",
    "const int* faces, long long count, long long mask, int* table, int* times, int* part, int* fans, int* edges, "
    "long long* found",
    HASH
    + _PARTS
    + r"""
    for (long long i = 0; i < 3 * count; ++i) part[i] = (int)i;
    auto ends = [&](int edge, int* corner) {  // of edge 3 · face + i, that with the lower vertex first
        corner[0] = edge;
        corner[1] = edge % 3 == 2 ? edge - 2 : edge + 1;
        if (faces[corner[0]] > faces[corner[1]]) { const int c = corner[0]; corner[0] = corner[1]; corner[1] = c; }
    };
    for (int e = 0; e < 3 * count; ++e) {
        int own[2], other[2];
        ends(e, own);
        long long at = place((unsigned long long)faces[own[0]] * 0x2545F491ull + (unsigned long long)faces[own[1]]);
        while (table[at] >= 0) {
            ends(table[at], other);
            if (faces[own[0]] == faces[other[0]] && faces[own[1]] == faces[other[1]]) break;
            at = (at + 1) & mask;
        }
        times[e] = 0;
        if (table[at] < 0) table[at] = e;
        else for (int i = 0; i < 2; ++i) join(own[i], other[i]);
        ++times[table[at]];
    }
    long long k = 0;
    for (int e = 0; e < 3 * count; ++e) {
        if (part[e] == e) ++fans[faces[e]];
        if (times[e] <= 2) continue;
        int own[2];
        ends(e, own);
        edges[k++] = faces[own[0]];
        edges[k++] = faces[own[1]];
    }
    found[0] = k / 2;
""",
)

# both sides, 4 · tet + number, of faces ``between`` two tets that have not the same vertices any more
parted = ROUTINES.add(
    "parted_faces",
    "const int* before, const int* after, const int* between, const int* faces, long long count, long long* sides, "
    "long long* found",
    r"""
    const int beyond[4] = {2, 3, 1, 0};  // the face that is opposite to each corner
    long long k = 0;
    for (long long b = 0; b < count; ++b) {
        int now[2][3], number[2];
        for (int s = 0; s < 2; ++s) {
            const long long tet = 4LL * between[2 * b + s];
            for (int c = 0; c < 4; ++c) {
                int i = 0;
                while (i < 3 && faces[3 * b + i] != before[tet + c]) ++i;
                if (i < 3) now[s][i] = after[tet + c];
                else number[s] = beyond[c];
            }
        }
        if (now[0][0] == now[1][0] && now[0][1] == now[1][1] && now[0][2] == now[1][2]) continue;
        for (int s = 0; s < 2; ++s) sides[k++] = 4LL * between[2 * b + s] + number[s];
    }
    found[0] = k;
""",
)

# symmetric difference of two ascending lists
merged = ROUTINES.add(
    "merged_lists",
    "const long long* one, long long ones, const long long* other, long long others, long long* out, long long* found",
    r"""
    long long i = 0, j = 0, k = 0;
    while (i < ones || j < others) {
        const bool first = j == others || (i < ones && one[i] <= other[j]);
        const long long value = first ? one[i++] : other[j++];
        if (!k || out[k - 1] != value) out[k++] = value;
    }
    found[0] = k;
""",
)
