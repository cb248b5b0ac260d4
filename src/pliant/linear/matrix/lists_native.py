"""Native passes over patterns and lists, in C++."""

from ...runtime.host_native import Routines

_ROUTINES = Routines("lists")

# lists of the items of each target, in ascending order; ``next`` (count,) is where the next one of each goes. The first start is
# −1 where there is a target that is none of them
gather = _ROUTINES.add(
    "gather_lists",
    "const int* targets, long long n, long long count, int* starts, int* lists, int* next",
    r"""
    for (long long t = 0; t <= count; ++t) starts[t] = 0;
    for (long long i = 0; i < n; ++i) {
        if (targets[i] < 0 || targets[i] >= count) {
            starts[0] = -1;
            return;
        }
        ++starts[targets[i] + 1];
    }
    for (long long t = 0; t < count; ++t) {
        starts[t + 1] += starts[t];
        next[t] = starts[t];
    }
    for (long long i = 0; i < n; ++i) lists[next[targets[i]]++] = (int)i;
""",
)

# what each block of elements of four corners sums, as gather.py says: corners by node are ``order`` from ``of_node`` on. Out come
# what is folded, and for each node the first of its sums and their number; ``begin`` and ``block_of`` have room for a sum of each
# corner, ``next`` for each block
fold = _ROUTINES.add(
    "fold_corners",
    "const int* of_node, const int* order, long long count, long long corners, long long size, long long blocks, int* folded, "
    "int* node_starts, int* numbers, int* begin, int* block_of, int* next, long long* found",
    r"""
    int *of_block = folded + 1, *starts = of_block + blocks + 1;
    folded[0] = (int)blocks;
    for (long long b = 0; b <= blocks; ++b) of_block[b] = 0;
    long long sums = 0;
    for (long long n = 0; n < count; ++n) {
        node_starts[n] = (int)sums;
        int last = -1;
        for (int i = of_node[n]; i < of_node[n + 1]; ++i) {
            const int block = (int)(order[i] / 4 / size);
            if (block == last) continue;
            last = block;
            begin[sums] = i;
            block_of[sums++] = block;
            ++of_block[block + 1];
        }
    }
    node_starts[count] = (int)sums;
    begin[sums] = (int)corners;
    for (long long b = 0; b < blocks; ++b) {
        of_block[b + 1] += of_block[b];
        next[b] = of_block[b];
    }
    starts[0] = 0;
    for (long long s = 0; s < sums; ++s) {
        numbers[s] = next[block_of[s]]++;
        starts[numbers[s] + 1] = begin[s + 1] - begin[s];
    }
    for (long long s = 0; s < sums; ++s) starts[s + 1] += starts[s];
    unsigned short* entry = (unsigned short*)(starts + sums + 1);
    for (long long s = 0; s < sums; ++s)
        for (int i = begin[s], at = starts[numbers[s]]; i < begin[s + 1]; ++i, ++at)
            entry[at] = (unsigned short)(size * (order[i] % 4) + order[i] / 4 % size);
    found[0] = sums;
""",
)

# the entries of a pattern from those before, whose row i is row numbers[i]: all but those between two ``near`` nodes, and the
# ``fresh`` ones, which cells with corners from firsts[c] on couple. Of these come where each row begins, columns, and entries
renew_pattern = _ROUTINES.add(
    "renew_pattern",
    "const int* old_start, const int* old_columns, const int* old_diagonal, const int* numbers, long long old_count, "
    "const bool* near, const int* corners, const int* firsts, long long cells, long long count, int* columns, int* row_start, "
    "int* diagonal, bool* kept, int* place, int* fresh_start, int* fresh, int* fresh_at, int* ends",
    r"""
    for (long long r = 0; r <= count; ++r) fresh_start[r] = r > 0 && near[r - 1];
    for (long long c = 0; c < cells; ++c)
        for (int i = firsts[c]; i < firsts[c + 1]; ++i)
            if (corners[i] >= 0 && near[corners[i]]) fresh_start[corners[i] + 1] += firsts[c + 1] - firsts[c];
    for (long long r = 0; r < count; ++r) {
        ends[r] = fresh_start[r];
        fresh_start[r + 1] += fresh_start[r];
        if (near[r]) fresh[ends[r]++] = (int)r;
    }
    for (long long c = 0; c < cells; ++c)
        for (int i = firsts[c]; i < firsts[c + 1]; ++i) {
            const int row = corners[i];
            if (row < 0 || !near[row]) continue;
            const int begin = fresh_start[row];
            for (int j = firsts[c]; j < firsts[c + 1]; ++j) {
                const int own = corners[j];
                if (own < 0 || !near[own]) continue;
                int at = ends[row];  // where it belongs among the few that are there
                while (at > begin && fresh[at - 1] > own) --at;
                if (at > begin && fresh[at - 1] == own) continue;
                for (int n = ends[row]++; n > at; --n) fresh[n] = fresh[n - 1];
                fresh[at] = own;
            }
        }
    int f = 0;
    for (long long r = 0; r < count; ++r) {
        const int begin = fresh_start[r];
        fresh_start[r] = f;
        for (int i = begin; i < ends[r]; ++i) fresh[f++] = fresh[i];
    }
    fresh_start[count] = f;

    long long next = 0;
    int k = 0;
    for (int r = 0; r < count; ++r) {
        row_start[r] = k;
        int i = 0, end = 0, was = 0;
        if (next < old_count && numbers[next] == r) {
            i = old_start[next];
            was = old_diagonal[next];
            end = old_start[++next];
        }
        if (!near[r]) {
            diagonal[r] = k + was - i;
            for (; i < end; ++i) {
                columns[k] = numbers[old_columns[i]];
                kept[i] = true;
                place[i] = k++;
            }
            continue;
        }
        int own = fresh_start[r];
        while (true) {
            while (i < end && near[numbers[old_columns[i]]]) {
                kept[i] = false;
                place[i++] = 0;
            }
            if (i >= end && own == fresh_start[r + 1]) break;
            if (i < end && (own == fresh_start[r + 1] || numbers[old_columns[i]] < fresh[own])) {
                columns[k] = numbers[old_columns[i]];
                kept[i] = true;
                place[i++] = k++;
            } else {
                if (fresh[own] == r) diagonal[r] = k;
                columns[k] = fresh[own];
                fresh_at[own++] = k++;
            }
        }
    }
    row_start[count] = k;
""",
)

# sums of the blocks of some cells in the upper half of some entries: rows with ``columns`` from starts[r] on, which are entries
# ``at`` of a pattern. Blocks come place by place: that of corners i, j and number ``row``, transposed or not; ``next`` is 0 for
# two numbers of each entry
sum_blocks = _ROUTINES.add(
    "sums_of_blocks",
    "const int* cells, const int* some, long long many, long long width, const int* places, long long place_count, "
    "long long hop, long long step, const int* starts, const int* columns, const int* at, long long rows, int* next, "
    "int* target, int* source, int* used, int* mirrors, int* halves, int* lists, long long* found",
    r"""
    auto entry = [&](int row, int column) {
        int low = starts[row], high = starts[row + 1];
        while (low < high) {
            const int middle = (low + high) / 2;
            if (columns[middle] < column) low = middle + 1; else high = middle;
        }
        return low < starts[row + 1] && columns[low] == column ? low : -1;
    };
    long long k = 0;
    for (long long p = 0; p < place_count; ++p) {
        const int row = places[4 * p], a = places[4 * p + 1], b = places[4 * p + 2], turned = places[4 * p + 3];
        for (long long s = 0; s < many; ++s) {
            const int e = some[s], i = cells[e * width + a], j = cells[e * width + b];
            if (i < 0 || j < i || starts[i] == starts[i + 1]) continue;
            const int own = entry(i, j);
            if (own < 0) continue;
            target[k] = 2 * own + turned;
            ++next[target[k]];
            source[k++] = (int)(e * hop + row * step);
        }
    }
    long long u = 0;
    int all = 0;
    for (int r = 0; r < rows; ++r)
        for (int i = starts[r]; i < starts[r + 1]; ++i) {
            const int plain = next[2 * i], turned = next[2 * i + 1];
            if (!plain && !turned) continue;
            const int mirror = columns[i] == r ? -1 : entry(columns[i], r);
            used[u] = at[i];
            mirrors[u] = mirror < 0 ? -1 : at[mirror];
            halves[2 * u] = next[2 * i] = all;
            halves[2 * u++ + 1] = next[2 * i + 1] = all + plain;
            all += plain + turned;
        }
    halves[2 * u] = all;
    for (long long i = 0; i < k; ++i) lists[next[target[i]]++] = source[i];
    found[0] = u;
    found[1] = all;
""",
)

# sums of a renewed pattern: those before whose entry was kept, and ``used`` ones, in the order of their entries
renew_sums = _ROUTINES.add(
    "renew_sums",
    "const int* old_targets, const int* old_mirrors, const int* old_halves, const int* old_lists, long long old_count, "
    "const bool* kept, const int* place, const int* used, const int* used_mirrors, const int* used_halves, "
    "const int* used_lists, long long used_count, int* targets, int* mirrors, int* halves, int* lists, long long* found",
    r"""
    long long k = 0, i = 0, u = 0;
    int at = 0;
    while (true) {
        while (i < old_count && !kept[old_targets[i]]) ++i;
        if (i < old_count && (u >= used_count || place[old_targets[i]] < used[u])) {
            const int from = old_halves[2 * i], shift = at - from;  // all of them up to the next that is not kept, or used
            for (; i < old_count && kept[old_targets[i]]; ++i, ++k) {
                const int target = place[old_targets[i]];
                if (u < used_count && target > used[u]) break;
                targets[k] = target;
                mirrors[k] = old_mirrors[i] < 0 ? -1 : place[old_mirrors[i]];
                halves[2 * k] = old_halves[2 * i] + shift;
                halves[2 * k + 1] = old_halves[2 * i + 1] + shift;
            }
            const int length = old_halves[2 * i] - from;
            for (int n = 0; n < length; ++n) lists[at + n] = old_lists[from + n];
            at += length;
        } else if (u < used_count) {
            targets[k] = used[u];
            mirrors[k] = used_mirrors[u];
            halves[2 * k] = at;
            halves[2 * k++ + 1] = at + used_halves[2 * u + 1] - used_halves[2 * u];
            for (int n = used_halves[2 * u]; n < used_halves[2 * u + 2]; ++n) lists[at++] = used_lists[n];
            ++u;
        } else break;
    }
    halves[2 * k] = at;
    found[0] = k;
    found[1] = at;
""",
)

# a pattern with the entries that further cells, with corners from firsts[c] on, couple: row by row, from the cells at each node;
# ``mark`` is −1 for every column, ``found`` has room for the widest row. Where the entries before are now is ``place``
join_pattern = _ROUTINES.add(
    "join_pattern",
    "const int* old_start, const int* old_columns, const int* corners, const int* firsts, const int* starts, const int* at_node, "
    "long long count, int* columns, int* row_start, int* diagonal, int* place, int* mark, int* found",
    r"""
    int k = 0;
    for (int r = 0; r < count; ++r) {
        row_start[r] = k;
        for (int i = old_start[r]; i < old_start[r + 1]; ++i) mark[old_columns[i]] = r;
        int n = 0;
        for (int a = starts[r]; a < starts[r + 1]; ++a) {
            const int c = at_node[a];
            for (int j = firsts[c]; j < firsts[c + 1]; ++j) {
                const int column = corners[j];
                if (mark[column] == r) continue;
                mark[column] = r;
                int at = n++;
                for (; at > 0 && found[at - 1] > column; --at) found[at] = found[at - 1];
                found[at] = column;
            }
        }
        int f = 0;
        for (int i = old_start[r]; i < old_start[r + 1]; ++i) {
            while (f < n && found[f] < old_columns[i]) columns[k++] = found[f++];
            if (old_columns[i] == r) diagonal[r] = k;
            columns[k] = old_columns[i];
            place[i] = k++;
        }
        while (f < n) columns[k++] = found[f++];
    }
    row_start[count] = k;
""",
)
