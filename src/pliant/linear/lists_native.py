"""Passes over patterns and lists of whole numbers that one thread of the host makes, in C++."""

from ..routine import Routines

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
# ``fresh`` ones, row · count + column in ascending order
renew_pattern = _ROUTINES.add(
    "renew_pattern",
    "const int* old_start, const int* old_columns, const int* numbers, long long old_count, const bool* near, "
    "const long long* fresh, long long fresh_count, long long count, int* rows, int* columns, long long* keys, "
    "int* row_start, int* diagonal, bool* kept, int* place",
    r"""
    long long k = 0, f = 0, next = 0;
    for (long long r = 0; r < count; ++r) {
        row_start[r] = (int)k;
        long long i = 0, end = 0;
        if (next < old_count && numbers[next] == r) {
            i = old_start[next];
            end = old_start[++next];
        }
        const long long first = r * count, last = first + count;
        while (true) {
            while (i < end && near[r] && near[numbers[old_columns[i]]]) {
                kept[i] = false;
                place[i++] = 0;
            }
            const bool is_fresh = f < fresh_count && fresh[f] < last;
            if (i >= end && !is_fresh) break;
            long long key = is_fresh ? fresh[f] : last;
            if (i < end && first + numbers[old_columns[i]] < key) {
                key = first + numbers[old_columns[i]];
                kept[i] = true;
                place[i++] = (int)k;
            } else ++f;
            if (key - first == r) diagonal[r] = (int)k;
            rows[k] = (int)r;
            columns[k] = (int)(key - first);
            keys[k++] = key;
        }
    }
    row_start[count] = (int)k;
""",
)

# entry, number and whether it is transposed, of the blocks of some cells in the upper half, place by place: block of corners i, j
# and number ``row``; only those between two ``near`` nodes
contributions = _ROUTINES.add(
    "contributions",
    "const int* cells, const int* some, long long many, long long width, const int* places, long long place_count, "
    "long long hop, long long step, const bool* near, const int* row_start, const int* columns, int* target, int* source, "
    "int* turn, long long* found",
    r"""
    long long k = 0;
    for (long long p = 0; p < place_count; ++p) {
        const int row = places[4 * p], a = places[4 * p + 1], b = places[4 * p + 2], turned = places[4 * p + 3];
        for (long long s = 0; s < many; ++s) {
            const int e = some[s], i = cells[e * width + a], j = cells[e * width + b];
            if (i < 0 || j < i || !near[i] || !near[j]) continue;
            int low = row_start[i], high = row_start[i + 1];
            while (low < high) {
                const int middle = (low + high) / 2;
                if (columns[middle] < j) low = middle + 1; else high = middle;
            }
            if (low == row_start[i + 1] || columns[low] != j) continue;
            target[k] = low;
            source[k] = (int)(e * hop + row * step);
            turn[k++] = turned;
        }
    }
    found[0] = k;
""",
)

# sums of a renewed pattern: those before whose entry was kept, and ``used`` ones, in the order of their entries
renew_sums = _ROUTINES.add(
    "renew_sums",
    "const int* old_targets, const int* old_mirrors, const int* old_halves, const int* old_lists, long long old_count, "
    "const bool* kept, const int* place, const int* used, const int* used_mirrors, const int* used_halves, "
    "const int* used_lists, long long used_count, int* targets, int* mirrors, int* halves, int* lists, long long* found",
    r"""
    long long k = 0, i = 0, u = 0, at = 0;
    while (true) {
        while (i < old_count && !kept[old_targets[i]]) ++i;
        if (i >= old_count && u >= used_count) break;
        const int* from;
        const int* half;
        if (i < old_count && (u >= used_count || place[old_targets[i]] < used[u])) {
            targets[k] = place[old_targets[i]];
            mirrors[k] = old_mirrors[i] < 0 ? -1 : place[old_mirrors[i]];
            half = old_halves + 2 * i++;
            from = old_lists;
        } else {
            targets[k] = used[u];
            mirrors[k] = used_mirrors[u];
            half = used_halves + 2 * u++;
            from = used_lists;
        }
        halves[2 * k] = (int)at;
        halves[2 * k++ + 1] = (int)(at + half[1] - half[0]);
        for (int n = half[0]; n < half[2]; ++n) lists[at++] = from[n];
    }
    halves[2 * k] = (int)at;
    found[0] = k;
    found[1] = at;
""",
)

# number of the connected part of each node, parts in the order of their first nodes; ``ends`` are these
connected = _ROUTINES.add(
    "connected_parts",
    "const int* starts, const int* columns, long long count, int* part, int* ends, int* waiting, long long* found",
    r"""
    for (long long n = 0; n < count; ++n) part[n] = -1;
    int parts = 0;
    for (long long n = 0; n < count; ++n) {
        if (part[n] >= 0) continue;
        long long left = 1;
        waiting[0] = (int)n;
        part[n] = parts;
        ends[parts] = (int)n;
        while (left) {
            const int own = waiting[--left];
            for (int i = starts[own]; i < starts[own + 1]; ++i)
                if (part[columns[i]] < 0) {
                    part[columns[i]] = parts;
                    waiting[left++] = columns[i];
                }
        }
        ++parts;
    }
    found[0] = parts;
""",
)

# steps from node to node from the ends of all parts at once, ``most`` at most; ``ends`` becomes the farthest node of each
farthest = _ROUTINES.add(
    "farthest",
    "const int* starts, const int* columns, long long count, const int* part, long long parts, long long most, int* ends, "
    "int* level, int* waiting, long long* found",
    r"""
    for (long long n = 0; n < count; ++n) level[n] = -1;
    long long first = 0, last = 0, steps = 0;
    for (long long p = 0; p < parts; ++p) {
        level[ends[p]] = 0;
        waiting[last++] = ends[p];
    }
    while (first < last && steps < most) {
        const long long end = last;
        for (; first < end; ++first)
            for (int i = starts[waiting[first]]; i < starts[waiting[first] + 1]; ++i)
                if (level[columns[i]] < 0) {
                    level[columns[i]] = (int)steps + 1;
                    waiting[last++] = columns[i];
                }
        if (last > end) ++steps;
    }
    for (long long n = 0; n < count; ++n)
        if (level[n] >= level[ends[part[n]]]) ends[part[n]] = (int)n;
    found[0] = steps;
""",
)

# the aggregate of each node: parts of ``nodes`` from starts[p] on are cut into pieces[p] of them, as many nodes in each, across
# the longest side again and again; of nodes at the same place along it those with the lowest numbers come first. A piece that
# falls apart there, such as the two sides of a cut, goes on as several: its connected parts, but for those of less than ``least``
# nodes, which stay with the largest. ``spare`` pieces may come on top for that. ``waiting`` has room for three numbers of each
# piece and six more; ``label``, ``queue`` and ``sizes`` for all nodes
aggregate = _ROUTINES.add(
    "aggregate",
    "const double* places, const int* rows, const int* columns, long long all, int* nodes, const int* starts, "
    "const int* pieces, long long parts, long long least, long long spare, int* of, int* waiting, int* label, int* queue, "
    "int* sizes",
    r"""
    int made = 0, looked = 0;
    for (long long n = 0; n < all; ++n) label[n] = -1;
    for (long long p = 0; p < parts; ++p) {
        long long left = 1;
        waiting[0] = starts[p];
        waiting[1] = starts[p + 1];
        waiting[2] = -pieces[p];  // negative: nobody need look whether it falls apart
        while (left) {
            const int* last = waiting + 3 * --left;
            const int begin = last[0], end = last[1], count = last[2] < 0 ? -last[2] : last[2];
            if (last[2] > 0 && end - begin >= 2 * least) {
                for (int n = begin; n < end; ++n) label[nodes[n]] = looked;
                int found = 0, at = 0, largest = 0, large = 0;
                for (int n = begin; n < end; ++n) {  // connected parts, one after another in ``queue``
                    if (label[nodes[n]] != looked) continue;
                    const int first = at;
                    label[nodes[n]] = -1;
                    queue[at++] = nodes[n];
                    for (int i = first; i < at; ++i)
                        for (int k = rows[queue[i]]; k < rows[queue[i] + 1]; ++k)
                            if (label[columns[k]] == looked) {
                                label[columns[k]] = -1;
                                queue[at++] = columns[k];
                            }
                    sizes[found] = at - first;
                    large += sizes[found] >= least;
                    if (sizes[found] > sizes[largest]) largest = found;
                    ++found;
                }
                ++looked;
                if (large > 1 && large <= count + spare) {
                    if (large > count) spare -= large - count;
                    int to = begin, own = 0;
                    for (int i = 0, from = 0; i < found; from += sizes[i++]) {
                        if (i == largest || sizes[i] < least) continue;
                        int* next = waiting + 3 * left++;
                        next[0] = to;
                        for (int n = from; n < from + sizes[i]; ++n) nodes[to++] = queue[n];
                        next[1] = to;
                        const int share = (int)((2LL * count * sizes[i] + end - begin) / (2LL * (end - begin)));
                        const int most = count - own - (--large);
                        const int many = share > most ? most : share;
                        next[2] = many > 1 ? -many : -1;
                        own -= next[2];
                    }
                    int* next = waiting + 3 * left++;
                    next[0] = to;
                    next[1] = end;
                    next[2] = count - own > 1 ? own - count : -1;
                    for (int i = 0, from = 0; i < found; from += sizes[i++])
                        if (i == largest || sizes[i] < least)
                            for (int n = from; n < from + sizes[i]; ++n) nodes[to++] = queue[n];
                    continue;
                }
            }
            if (count == 1) {
                for (int n = begin; n < end; ++n) of[nodes[n]] = made;
                ++made;
                continue;
            }
            double side[3] = {0.0, 0.0, 0.0};
            for (int c = 0; c < 3; ++c) {
                double low = places[3LL * nodes[begin] + c], high = low;
                for (int n = begin; n < end; ++n) {
                    const double here = places[3LL * nodes[n] + c];
                    low = here < low ? here : low;
                    high = here > high ? here : high;
                }
                side[c] = high - low;
            }
            const int axis = side[2] > side[0] && side[2] > side[1] ? 2 : side[1] > side[0] ? 1 : 0;
            auto before = [&](int a, int b) {
                const double one = places[3LL * a + axis], other = places[3LL * b + axis];
                return one < other || (one == other && a < b);
            };
            const int cut = begin + (int)((long long)(end - begin) * (count / 2) / count);
            int low = begin, high = end - 1;
            while (low < high) {  // until the one at the cut has all lower ones before it (Hoare 1961)
                const int pivot = nodes[low + (high - low) / 2];
                int i = low, j = high;
                while (i <= j) {
                    while (before(nodes[i], pivot)) ++i;
                    while (before(pivot, nodes[j])) --j;
                    if (i <= j) {
                        const int other = nodes[i];
                        nodes[i++] = nodes[j];
                        nodes[j--] = other;
                    }
                }
                if (cut <= j) high = j;
                else if (cut >= i) low = i;
                else break;
            }
            int* next = waiting + 3 * left;
            next[0] = cut;
            next[1] = end;
            next[2] = count - count / 2;
            next[3] = begin;
            next[4] = cut;
            next[5] = count / 2;
            left += 2;
        }
    }
""",
)

# entries of the upper half by pair of aggregates, a · count + b with a ≤ b, ascending in each; found is the count
pair_entries = _ROUTINES.add(
    "pair_entries",
    "const int* of, long long nodes, const int* rows, const int* columns, long long n, int* starts, int* entries, "
    "int* entry_rows, int* next, long long* found",
    r"""
    long long count = 0;
    for (long long i = 0; i < nodes; ++i) count = of[i] < count ? count : of[i] + 1;
    found[0] = count;
    for (long long p = 0; p <= count * count; ++p) starts[p] = 0;
    for (long long i = 0; i < n; ++i) {
        const int a = of[rows[i]], b = of[columns[i]];
        if (a <= b) ++starts[a * count + b + 1];
    }
    for (long long p = 0; p < count * count; ++p) {
        starts[p + 1] += starts[p];
        next[p] = starts[p];
    }
    for (long long i = 0; i < n; ++i) {
        const int a = of[rows[i]], b = of[columns[i]];
        if (a > b) continue;
        const int at = next[a * count + b]++;
        entries[at] = (int)i;
        entry_rows[at] = rows[i];
    }
""",
)
