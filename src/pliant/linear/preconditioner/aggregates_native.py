"""The aggregates of a matrix and the entries between them, in one pass that one thread of the host makes, in C++."""

from ...runtime.host_native import Routines

_ROUTINES = Routines("aggregates")

BINS = 256  # into which a piece is sorted along its longest side, to find where it is halved

_CONNECTED = r"""
    // the connected part of each node, parts in the order of their first nodes
    for (long long v = 0; v < n; ++v) part[v] = -1;
    int parts = 0;
    for (long long v = 0; v < n; ++v) {
        if (part[v] >= 0) continue;
        long long left = 1;
        queue[0] = (int)v;
        part[v] = parts;
        ends[parts] = (int)v;
        while (left) {
            const int own = queue[--left];
            for (int i = starts[own]; i < starts[own + 1]; ++i)
                if (part[columns[i]] < 0) {
                    part[columns[i]] = parts;
                    queue[left++] = columns[i];
                }
        }
        ++parts;
    }
"""
_LONG = r"""
    // steps from node to node from the ends of all parts at once, ``longest`` at most; the farthest from any node of a part is
    // one of its ends, more or less, and the other is the farthest from there
    for (int time = 0; time < 2 && found[1] < longest; ++time) {
        for (long long v = 0; v < n; ++v) level[v] = -1;
        long long first = 0, last = 0, steps = 0;
        for (int p = 0; p < parts; ++p) {
            level[ends[p]] = 0;
            queue[last++] = ends[p];
        }
        while (first < last && steps < longest) {
            const long long end = last;
            for (; first < end; ++first)
                for (int i = starts[queue[first]]; i < starts[queue[first] + 1]; ++i)
                    if (level[columns[i]] < 0) {
                        level[columns[i]] = (int)steps + 1;
                        queue[last++] = columns[i];
                    }
            if (last > end) ++steps;
        }
        for (long long v = 0; v < n; ++v)
            if (level[v] >= level[ends[part[v]]]) ends[part[v]] = (int)v;
        found[1] = steps;
    }
    if (found[1] < longest) return;
"""
_SHARES = r"""
    // how many pieces each part is cut into, and its nodes, ascending
    for (int p = 0; p <= parts; ++p) begins[p] = 0;
    for (long long v = 0; v < n; ++v) ++begins[part[v] + 1];
    long long total = 0;
    for (int p = 0; p < parts; ++p) {
        const int size = begins[p + 1], share = (int)rint((double)(wanted * size) / (double)n);
        pieces[p] = share < 1 ? 1 : share < size ? share : size;
        total += pieces[p];
        begins[p + 1] += begins[p];
        sizes[p] = begins[p];
    }
    if (whole && total > whole) return;
    for (long long v = 0; v < n; ++v) nodes[sizes[part[v]]++] = (int)v;
"""
# A piece is halved across its longest side, of nodes at the same place along it those with the lowest numbers first, unless it
# falls apart: then it goes on as its connected parts, but for those of less than ``least`` nodes, which stay with the largest
_CUT = r"""
    int made = 0, looked = 0;
    long long spare = wanted / 2;
    for (long long v = 0; v < n; ++v) label[v] = -1;
    for (int p = 0; p < parts; ++p) {
        long long left = 1;
        waiting[0] = begins[p];
        waiting[1] = begins[p + 1];
        waiting[2] = -pieces[p];  // negative: nobody need look whether it falls apart
        while (left) {
            const int* last = waiting + 3 * --left;
            const int begin = last[0], end = last[1], size = end - begin, count = last[2] < 0 ? -last[2] : last[2];
            if (last[2] > 0 && size >= 2 * least) {
                for (int i = begin; i < end; ++i) label[nodes[i]] = looked;
                int several = 0, met = 0, largest = 0, large = 0;
                for (int i = begin; i < end; ++i) {  // of all walks, one on from the last node met sees soonest that it met all
                    if (label[nodes[i]] != looked) continue;
                    const int first = met++;
                    int top = 1;
                    queue[0] = nodes[i];
                    label[nodes[i]] = -2 - several;
                    while (top && met < size) {
                        const int own = queue[--top];
                        for (int k = starts[own]; k < starts[own + 1]; ++k)
                            if (label[columns[k]] == looked) {
                                label[columns[k]] = -2 - several;
                                queue[top++] = columns[k];
                                ++met;
                            }
                    }
                    sizes[several] = met - first;
                    large += sizes[several] >= least;
                    if (sizes[several] > sizes[largest]) largest = several;
                    ++several;
                }
                ++looked;
                if (large > 1 && large <= count + spare) {
                    if (large > count) spare -= large - count;
                    int to = begin, given = 0;
                    for (int i = 0; i < size; ++i) queue[i] = nodes[begin + i];
                    for (int part_of = 0; part_of < several; ++part_of) {
                        if (part_of == largest || sizes[part_of] < least) continue;
                        int* next = waiting + 3 * left++;
                        next[0] = to;
                        for (int i = 0; i < size; ++i)
                            if (label[queue[i]] == -2 - part_of) nodes[to++] = queue[i];
                        next[1] = to;
                        const int share = (int)((2LL * count * sizes[part_of] + size) / (2LL * size));
                        const int most = count - given - (--large), many = share > most ? most : share;
                        next[2] = many > 1 ? -many : -1;
                        given -= next[2];
                    }
                    int* next = waiting + 3 * left++;
                    next[0] = to;
                    next[1] = end;
                    next[2] = count - given > 1 ? given - count : -1;
                    for (int i = 0; i < size; ++i) {
                        const int part_of = -2 - label[queue[i]];
                        if (part_of == largest || sizes[part_of] < least) nodes[to++] = queue[i];
                    }
                    continue;
                }
            }
            if (count == 1) {
                for (int i = begin; i < end; ++i) of[nodes[i]] = made;
                ++made;
                continue;
            }
            double low[3], high[3], side[3];
            for (int c = 0; c < 3; ++c) low[c] = high[c] = places[3LL * nodes[begin] + c];
            for (int i = begin; i < end; ++i)
                for (int c = 0; c < 3; ++c) {
                    const double here = places[3LL * nodes[i] + c];
                    low[c] = here < low[c] ? here : low[c];
                    high[c] = here > high[c] ? here : high[c];
                }
            for (int c = 0; c < 3; ++c) side[c] = high[c] - low[c];
            const int axis = side[2] > side[0] && side[2] > side[1] ? 2 : side[1] > side[0] ? 1 : 0;
            auto before = [&](int a, int b) {
                const double one = places[3LL * a + axis], other = places[3LL * b + axis];
                return one < other || (one == other && a < b);
            };
            const int half = (int)((long long)size * (count / 2) / count);
            const double scale = side[axis] > 0.0 ? (BINS - 1) / side[axis] : 0.0;
            int bins[BINS] = {};
            for (int i = begin; i < end; ++i) {
                bin_of[i] = (int)((places[3LL * nodes[i] + axis] - low[axis]) * scale);
                ++bins[bin_of[i]];
            }
            int bin = 0, lower = 0, many = 0;  // the one in which it is halved, and nodes in those before
            while (lower + bins[bin] <= half) lower += bins[bin++];
            for (int i = begin; i < end; ++i) {
                queue[many] = nodes[i];
                many += bin_of[i] == bin;
            }
            for (int first = 0, end_of = many - 1; first < end_of;) {  // until the first of the upper half is there (Hoare 1961)
                const int pivot = queue[first + (end_of - first) / 2];
                int i = first, j = end_of;
                while (i <= j) {
                    while (before(queue[i], pivot)) ++i;
                    while (before(pivot, queue[j])) --j;
                    if (i <= j) {
                        const int other = queue[i];
                        queue[i++] = queue[j];
                        queue[j--] = other;
                    }
                }
                if (half - lower <= j) end_of = j;
                else if (half - lower >= i) first = i;
                else break;
            }
            const int upper = queue[half - lower];
            int to = begin, beyond = 0;
            for (int i = begin; i < end; ++i) {
                const int own = nodes[i];
                const bool below = bin_of[i] < bin || (bin_of[i] == bin && before(own, upper));
                nodes[to] = own;
                queue[beyond] = own;
                to += below;
                beyond += !below;
            }
            for (int i = 0; i < beyond; ++i) nodes[to + i] = queue[i];
            int* next = waiting + 3 * left;
            next[0] = to;
            next[1] = end;
            next[2] = count - count / 2;
            next[3] = begin;
            next[4] = to;
            next[5] = count / 2;
            left += 2;
        }
    }
    if (whole && made > whole) return;
    found[0] = made;
    if (made > room) return;
"""
_PAIRS = r"""
    // entries by pair a ≤ b of aggregates, ascending in each; pairs count row by row, and parts of ``at_once`` within each
    const long long pairs = (long long)made * (made + 1) / 2;
    auto pair_of = [&](int a, int b) { return (long long)a * (2 * made - a - 1) / 2 + b; };
    for (long long p = 0; p <= pairs; ++p) next_of[p] = 0;
    for (long long r = 0; r < rows; ++r) {
        const int a = of[r];
        int* own = next_of + 1 + pair_of(a, 0);
        for (int i = starts[r]; i < starts[r + 1]; ++i)
            if (of[columns[i]] >= a) ++own[of[columns[i]]];
    }
    long long many = 0;
    for (long long p = 0; p < pairs; ++p) {
        const int begin = next_of[p], end = begin + next_of[p + 1];
        first_part[p] = (int)many;
        for (int at = begin; at < end; at += (int)at_once) bounds[many++] = at;
        next_of[p + 1] = end;
    }
    bounds[many] = next_of[pairs];
    first_part[pairs] = (int)many;
    found[2] = many;
    for (long long r = 0; r < rows; ++r) {
        const int a = of[r];
        int* own = next_of + pair_of(a, 0);
        for (int i = starts[r]; i < starts[r + 1]; ++i) {
            if (of[columns[i]] < a) continue;
            const int at = own[of[columns[i]]]++;
            entries[at] = i;
            entry_rows[at] = (int)r;
        }
    }
"""
# ``starts`` and ``columns`` are ``rows`` rows, of which the first n are nodes; found are aggregates, 0 where they are not worth
# it; the length, where ``longest`` asks for it; and parts of pairs, where there is ``room`` for so many aggregates. ``scratch``
# has room for eight numbers of each node and three of each piece, and a dozen more
aggregate = _ROUTINES.add(
    "aggregates",
    "const double* places, const int* starts, const int* columns, long long n, long long rows, long long wanted, "
    "long long least, long long longest, long long whole, long long room, long long at_once, int* of, int* bounds, "
    "int* entries, int* entry_rows, int* first_part, int* next_of, int* scratch, long long* found",
    r"""
    int *part = scratch, *ends = part + n, *level = ends + n, *nodes = level + n, *queue = nodes + n, *sizes = queue + n + 1;
    int *begins = sizes + n, *pieces = begins + n + 1, *waiting = pieces + n;
    int *label = part, *bin_of = level;  // which are not needed any more by then
    found[0] = found[1] = found[2] = 0;
"""
    + _CONNECTED
    + _LONG
    + _SHARES
    + _CUT.replace("BINS", str(BINS))
    + _PAIRS,
)
