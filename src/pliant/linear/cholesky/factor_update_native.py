"""Native passes of factor updates, in C++."""

from ...runtime.host_native import Routines
from .symbolic.symbolic_native import ENTRIES_OF_FRONTS, REACHED

_ROUTINES = Routines("grown")

# for each entry of the old matrix, by rows, the new one between the same nodes, −1 for none; ``number`` are their new
# indices, ascending. Fronts with an added, removed or changed entry are ``touched``
match_entries = _ROUTINES.add(
    "match_entries",
    "const long long* rows_before, const long long* cols_before, const double* before, long long entries_before, "
    "const long long* number, const long long* rows, const long long* cols, const double* values, long long entries, "
    "const long long* inverse, const long long* owner, long long* partner, bool* touched",
    r"""
    auto touch = [&](long long r, long long c) {
        const long long i = inverse[r], j = inverse[c];
        touched[owner[i < j ? i : j]] = true;
    };
    long long e = 0;
    for (long long k = 0; k < entries_before; ++k) {
        const long long r = number[rows_before[k]], c = number[cols_before[k]];
        for (; e < entries && (rows[e] < r || (rows[e] == r && cols[e] < c)); ++e) touch(rows[e], cols[e]);
        const bool same = e < entries && rows[e] == r && cols[e] == c;
        partner[k] = same ? e : -1;
        if (!same || !(values[e] == before[k])) touch(r, c);
        if (same) ++e;
    }
    for (; e < entries; ++e) touch(rows[e], cols[e]);
""",
)

# as ``front_rows``, but only for ``touched`` fronts and all above them, now and before. The rows of the
# others are the old ones, at their new places ``moved`` in the order of elimination
grown_rows = _ROUTINES.add(
    "grown_rows",
    "const long long* row, const long long* col, long long entries, const long long* start, const long long* owner, "
    "long long fronts, long long n, const long long* row_start_before, const long long* rows_before, "
    "const long long* parent_before, const long long* moved, long long room, bool* touched, long long* rows, "
    "long long* row_start, long long* parent, long long* entry_start, long long* mine, long long* mark, long long* child, "
    "long long* sibling, long long* found",
    ENTRIES_OF_FRONTS
    + r"""
    for (long long f = 0; f < fronts; ++f) {
        const long long end = start[f + 1], first = at;
        row_start[f] = first;
        if (!touched[f]) {
            const long long count = row_start_before[f + 1] - row_start_before[f];
            if (at + count > room) return;
            for (long long k = 0; k < count; ++k) rows[at++] = moved[rows_before[row_start_before[f] + k]];
        } else {
            if (parent_before[f] >= 0) touched[parent_before[f]] = true;
"""
    + REACHED
    + r"""
        }
        row_start[f + 1] = at;
        if (at > first) {
            const long long p = parent[f] = owner[rows[first]];
            sibling[f] = child[p];
            child[p] = f;
            if (touched[f]) touched[p] = true;
        }
    }
    found[0] = at;
""",
)

# as ``front_places``; entries of fronts that are not ``touched`` are where their partners were, and so are the rows of a front
# in a parent that is not. ``count`` (n + 1,), ``some`` and ``other`` (entries,) are room
grown_places = _ROUTINES.add(
    "grown_places",
    "const long long* row, const long long* col, long long entries, const long long* start, const long long* owner, "
    "long long fronts, long long n, const long long* rows, const long long* row_start, const long long* parent, "
    "const long long* entry_start, const bool* touched, const long long* relative_before, const long long* row_start_before, "
    "const long long* order_before, const long long* place_before, const long long* entry_start_before, "
    "const long long* partner, long long* relative, long long* order, long long* place, long long* count, long long* some, "
    "long long* other",
    r"""
    for (long long f = 0; f < fronts; ++f) {
        const long long p = parent[f];
        if (!touched[f]) {
            const long long size = entry_start[f + 1] - entry_start[f];
            for (long long k = 0; k < size; ++k) {
                order[entry_start[f] + k] = partner[order_before[entry_start_before[f] + k]];
                place[entry_start[f] + k] = place_before[entry_start_before[f] + k];
            }
        }
        if (p < 0) continue;
        if (!touched[p]) {
            const long long size = row_start[f + 1] - row_start[f];
            for (long long k = 0; k < size; ++k) relative[row_start[f] + k] = relative_before[row_start_before[f] + k];
            continue;
        }
        const long long pivots = start[p + 1] - start[p];
        long long at = row_start[p];
        for (long long k = row_start[f]; k < row_start[f + 1]; ++k) {
            const long long r = rows[k];
            if (r < start[p + 1]) {
                relative[k] = r - start[p];
                continue;
            }
            while (rows[at] < r) ++at;
            relative[k] = pivots + at - row_start[p];
        }
    }
    long long size = 0;
    for (long long e = 0; e < entries; ++e)
        if (touched[owner[col[e]]]) some[size++] = e;
    for (int turn = 0; turn < 2; ++turn) {  // by row, then by column
        const long long* key = turn ? col : row;
        const long long* from = turn ? other : some;
        long long* to = turn ? some : other;
        for (long long i = 0; i <= n; ++i) count[i] = 0;
        for (long long i = 0; i < size; ++i) ++count[key[from[i]] + 1];
        for (long long i = 0; i < n; ++i) count[i + 1] += count[i];
        for (long long i = 0; i < size; ++i) to[count[key[from[i]]]++] = from[i];
    }
    long long last = -1, front = -1, at = 0, next = 0;
    for (long long i = 0; i < size; ++i) {
        const long long r = row[some[i]], c = col[some[i]], f = owner[c];
        const long long pivots = start[f + 1] - start[f], height = pivots + row_start[f + 1] - row_start[f];
        if (f != front) next = entry_start[f];
        if (c != last) at = row_start[f];
        last = c;
        front = f;
        long long down = r - start[f];
        if (r >= start[f + 1]) {
            while (rows[at] < r) ++at;
            down = pivots + at - row_start[f];
        }
        order[next] = some[i];
        place[next++] = down + (c - start[f]) * height;
    }
""",
)
