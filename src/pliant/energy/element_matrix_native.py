"""Passes over elements and over the rows of matrices that are summed of theirs; in C++ on one thread of the host."""

from ..runtime.host_native import Routines

_ROUTINES = Routines("element_matrix")

# the sum of symmetric blocks (m, k, k) over the pairs of nodes (m, k), each pair in the order of the elements, what is not above
# the diagonal alone, by rows with ascending columns. Corners of each node are ``lists[starts[i] : starts[i + 1]]``. ``place``
# (count,) is room; ``found`` becomes how many entries there are
sum_pairs = _ROUTINES.add(
    "sum_pairs",
    "const int* nodes, const double* blocks, long long k, long long count, const int* starts, const int* lists, int* place, "
    "int* begin, int* columns, double* values, long long* found",
    r"""
    for (long long i = 0; i < count; ++i) place[i] = -1;
    int at = 0;
    for (long long r = 0; r < count; ++r) {
        const int first = at;
        begin[r] = first;
        for (int l = starts[r]; l < starts[r + 1]; ++l) {
            const double* row = blocks + (long long)lists[l] * k;
            const int* corner = nodes + lists[l] / k * k;
            for (int c = 0; c < k; ++c) {
                const int column = corner[c];
                if (column > r) continue;
                if (place[column] < first) {
                    place[column] = at;
                    columns[at] = column;
                    values[at++] = row[c];
                } else
                    values[place[column]] += row[c];
            }
        }
        for (int i = first + 1; i < at; ++i) {  // a few, by insertion
            const int column = columns[i];
            const double value = values[i];
            int j = i;
            for (; j > first && columns[j - 1] > column; --j) {
                columns[j] = columns[j - 1];
                values[j] = values[j - 1];
            }
            columns[j] = column;
            values[j] = value;
        }
    }
    begin[count] = at;
    found[0] = at;
""",
)

# a symmetric matrix of its lower triangle; ``next`` (count,) is room
mirror_pairs = _ROUTINES.add(
    "mirror_pairs",
    "const int* begin, const int* columns, const double* values, long long count, int* next, int* starts, int* all_columns, "
    "double* all_values",
    r"""
    for (long long r = 0; r < count; ++r) next[r] = begin[r + 1] - begin[r];
    for (long long r = 0; r < count; ++r)
        for (int i = begin[r]; i < begin[r + 1]; ++i)
            if (columns[i] < r) ++next[columns[i]];
    starts[0] = 0;
    for (long long r = 0; r < count; ++r) {
        starts[r + 1] = starts[r] + next[r];
        next[r] = starts[r];
    }
    for (long long r = 0; r < count; ++r)
        for (int i = begin[r]; i < begin[r + 1]; ++i) {
            const int c = columns[i], own = next[r]++;
            all_columns[own] = c;
            all_values[own] = values[i];
            if (c == r) continue;
            const int other = next[c]++;
            all_columns[other] = (int)r;
            all_values[other] = values[i];
        }
""",
)

# entries of a matrix between two nodes that are ``near``, and of an older one, whose rows are the first, else; columns ascend
splice_rows = _ROUTINES.add(
    "splice_rows",
    "const int* old_starts, const int* old_columns, const double* old_values, long long old_count, const int* own_starts, "
    "const int* own_columns, const double* own_values, const bool* near, long long count, int* starts, int* columns, "
    "double* values",
    r"""
    int at = 0;
    starts[0] = 0;
    for (long long r = 0; r < count; ++r) {
        int i = r < old_count ? old_starts[r] : 0, j = own_starts[r];
        const int end = r < old_count ? old_starts[r + 1] : 0, last = near[r] ? own_starts[r + 1] : j;
        while (i < end || j < last) {
            if (near[r] && i < end && near[old_columns[i]]) {
                ++i;
                continue;
            }
            if (j < last && !near[own_columns[j]]) {
                ++j;
                continue;
            }
            const bool older = j >= last || (i < end && old_columns[i] < own_columns[j]);
            columns[at] = older ? old_columns[i] : own_columns[j];
            values[at++] = older ? old_values[i++] : own_values[j++];
        }
        starts[r + 1] = at;
    }
""",
)

# rows of a table of ``width`` words that are not those of another
mark_other_rows = _ROUTINES.add(
    "mark_other_rows",
    "const long long* one, const long long* two, long long rows, long long width, bool* other",
    r"""
    for (long long r = 0; r < rows; ++r) {
        long long differs = 0;
        for (long long w = r * width; w < (r + 1) * width; ++w) differs |= one[w] ^ two[w];
        if (differs) other[r] = true;
    }
""",
)
