"""Passes over the entries of a matrix and the rows of its fronts that one thread of the host makes, in C++."""

from ....runtime.host_native import Routines

_ROUTINES = Routines("symbolic")

# the rows of the entries of each front, one front after another
ENTRIES_OF_FRONTS = r"""
    for (long long f = 0; f <= fronts; ++f) entry_start[f] = 0;
    for (long long f = 0; f < fronts; ++f) parent[f] = child[f] = sibling[f] = -1;
    for (long long i = 0; i < n; ++i) mark[i] = -1;
    for (long long e = 0; e < entries; ++e) ++entry_start[owner[col[e]] + 1];
    for (long long f = 0; f < fronts; ++f) {
        entry_start[f + 1] += entry_start[f];
        row_start[f] = entry_start[f];  // where the next one goes, until it is what it is called
    }
    for (long long e = 0; e < entries; ++e) mine[row_start[owner[col[e]]]++] = row[e];
    long long at = 0;
    found[0] = -1;
"""
# rows that front f reaches, by entries of its own and by its children, sorted
REACHED = r"""
        for (long long e = entry_start[f]; e < entry_start[f + 1]; ++e) {
            const long long r = mine[e];
            if (r < end || mark[r] == f) continue;
            if (at == room) return;
            mark[r] = f;
            rows[at++] = r;
        }
        for (long long c = child[f]; c >= 0; c = sibling[c]) {
            for (long long k = row_start[c]; k < row_start[c + 1]; ++k) {
                const long long r = rows[k];
                if (r < end || mark[r] == f) continue;
                if (at == room) return;
                mark[r] = f;
                rows[at++] = r;
            }
        }
        for (long long gap = at - first; gap > 1;) {  // sorted (Shell 1959; gaps of Gonnet and Baeza-Yates 1991)
            gap = gap < 5 ? 1 : (5 * gap - 1) / 11;
            for (long long k = first + gap; k < at; ++k) {
                const long long r = rows[k];
                long long j = k;
                for (; j >= first + gap && rows[j - gap] > r; j -= gap) rows[j] = rows[j - gap];
                rows[j] = r;
            }
        }
"""

# the rows that each front reaches, sorted, and its parent; entries (row ≥ col) are numbered in the order of elimination. ``rows``
# has room for ``room`` of them, and ``found`` says how many there are, −1 where the room is not enough. ``entry_start`` becomes
# where the entries of each front begin; ``mine`` (entries,) is room for those of each, ``mark`` (n,) and ``next`` (fronts,) for
# what was seen
front_rows = _ROUTINES.add(
    "front_rows",
    "const long long* row, const long long* col, long long entries, const long long* start, const long long* owner, "
    "long long fronts, long long n, long long room, long long* rows, long long* row_start, long long* parent, "
    "long long* entry_start, long long* mine, long long* mark, long long* child, long long* sibling, long long* found",
    ENTRIES_OF_FRONTS
    + r"""
    for (long long f = 0; f < fronts; ++f) {
        const long long end = start[f + 1], first = at;
        row_start[f] = first;
"""
    + REACHED
    + r"""
        row_start[f + 1] = at;
        if (at > first) {
            const long long p = parent[f] = owner[rows[first]];
            sibling[f] = child[p];
            child[p] = f;
        }
    }
    found[0] = at;
""",
)

# a matrix of n rows with those, and the columns, that ``keep`` leaves out replaced by those of the identity; ``found`` becomes
# how many entries there are, −1 where a row to be left out has none on the diagonal
held_entries = _ROUTINES.add(
    "held_entries",
    "const int* start, const int* column, const double* data, const bool* keep, long long n, int* starts, int* columns, "
    "double* values, long long* found",
    r"""
    int at = 0;
    starts[0] = 0;
    for (long long r = 0; r < n; ++r) {
        bool diagonal = keep[r];
        for (int k = start[r]; k < start[r + 1]; ++k) {
            const int c = column[k];
            if (keep[r] ? !keep[c] : c != r) continue;
            diagonal = true;
            columns[at] = c;
            values[at++] = keep[r] ? data[k] : 1.0;
        }
        found[0] = -1;
        if (!diagonal) return;
        starts[r + 1] = at;
    }
    found[0] = at;
""",
)

# the lower triangle of a matrix of n rows whose columns ascend in each: its entries row after row, and ``slot`` of all entries,
# counted over the lower triangle first and then over the one above, by columns. ``cursor`` (n + 1,) is room; ``found`` becomes
# how many entries are on and below the diagonal, −1 where one has none opposite or a row none on the diagonal
lower_triangle = _ROUTINES.add(
    "lower_triangle",
    "const int* start, const int* column, long long n, long long* rows, long long* cols, long long* slot, long long* cursor, "
    "long long* found",
    r"""
    long long at = 0;
    cursor[0] = 0;  // of each row, its entries below the diagonal among all of them
    for (long long r = 0; r < n; ++r) {
        bool diagonal = false;
        for (int k = start[r]; k < start[r + 1]; ++k) {
            if (column[k] > r) continue;
            diagonal = diagonal || column[k] == r;
            rows[at] = r;
            cols[at] = column[k];
            slot[k] = at++;
        }
        found[0] = -1;
        if (!diagonal) return;
        cursor[r + 1] = at - r - 1;
    }
    long long above = 0;
    for (long long r = 0; r < n; ++r)
        for (int k = start[r]; k < start[r + 1]; ++k) {
            if (column[k] <= r) continue;
            const long long c = column[k], mine = cursor[c]++;
            if (mine + c >= at || rows[mine + c] != c || cols[mine + c] != r) return;
            slot[k] = at + mine;
            ++above;
        }
    if (above == at - n) found[0] = at;
""",
)

# the pattern of the unknowns, ``size`` to a node, of blocks between nodes: their entries row by row, and those of the lower
# triangle and the ``slot`` of each entry, as of a matrix. ``begin`` (n + 1,) is where the lower blocks of each row of nodes are
# among all of them, ``low`` the block of each pair (the one opposite where that is above the diagonal)
expand_blocks = _ROUTINES.add(
    "expand_blocks",
    "const long long* row, const long long* col, const long long* low, long long blocks, const long long* begin, "
    "const long long* lower_col, long long n, long long size, long long* rows, long long* cols, long long* lower_rows, "
    "long long* lower_cols, long long* slot",
    r"""
    const long long triangle = size * (size + 1) / 2, square = size * size;
    auto first = [&](long long i, long long a) {  // entry of row a of node i: whole blocks, and a part of the last of each row
        const long long before = begin[i] * square - i * (square - triangle);
        return before + a * (begin[i + 1] - begin[i] - 1) * size + a * (a + 1) / 2;
    };
    for (long long i = 0; i < n; ++i)
        for (long long a = 0; a < size; ++a) {
            long long at = first(i, a);
            for (long long k = begin[i]; k < begin[i + 1]; ++k)
                for (long long b = 0; b < size && size * lower_col[k] + b <= size * i + a; ++b, ++at) {
                    lower_rows[at] = size * i + a;
                    lower_cols[at] = size * lower_col[k] + b;
                }
        }
    const long long total = first(n, 0);
    for (long long e = 0; e < blocks; ++e)
        for (long long a = 0; a < size; ++a)
            for (long long b = 0; b < size; ++b) {
                const long long r = size * row[e] + a, c = size * col[e] + b, here = e * square + a * size + b;
                rows[here] = r;
                cols[here] = c;
                const long long i = r >= c ? row[e] : col[e], inside = r >= c ? a : b, across = r >= c ? b : a;
                const long long at = first(i, inside) + (low[e] - begin[i]) * size + across;
                slot[here] = r >= c ? at : total + at - (size * i + inside);
            }
""",
)

# where the rows of each front stand in its parent, and the entries of the matrix in their front: pivots first, then the rows
# below them, column after column. ``order`` lists entries by column and row; ``count`` (n + 1,) and ``other`` (entries,) are room
front_places = _ROUTINES.add(
    "front_places",
    "const long long* row, const long long* col, long long entries, const long long* start, const long long* owner, "
    "long long fronts, long long n, const long long* rows, const long long* row_start, const long long* parent, "
    "long long* relative, long long* order, long long* place, long long* count, long long* other",
    r"""
    for (long long f = 0; f < fronts; ++f) {
        const long long p = parent[f];
        if (p < 0) continue;
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
    for (int turn = 0; turn < 2; ++turn) {  // by row, then by column
        const long long* key = turn ? col : row;
        for (long long i = 0; i <= n; ++i) count[i] = 0;
        for (long long e = 0; e < entries; ++e) ++count[key[e] + 1];
        for (long long i = 0; i < n; ++i) count[i + 1] += count[i];
        for (long long i = 0; i < entries; ++i) {
            const long long e = turn ? other[i] : i;
            (turn ? order : other)[count[key[e]]++] = e;
        }
    }
    long long last = -1, at = 0;
    for (long long i = 0; i < entries; ++i) {
        const long long r = row[order[i]], c = col[order[i]], f = owner[c];
        const long long pivots = start[f + 1] - start[f], height = pivots + row_start[f + 1] - row_start[f];
        if (c != last) at = row_start[f];
        last = c;
        long long down = r - start[f];
        if (r >= start[f + 1]) {
            while (rows[at] < r) ++at;
            down = pivots + at - row_start[f];
        }
        place[i] = down + (c - start[f]) * height;
    }
""",
)
