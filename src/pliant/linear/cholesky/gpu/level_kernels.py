"""Level kernels of a GPU solve, all fronts at once.

A piece is a row (L) or a column (Lᵀ) of a block, times the block's part of a vector. Blocks lie in memory with
neighbouring pieces side by side, so that the threads of a warp read neighbouring numbers of the factor and the same one
of the vector. The sums of the pieces of one row or column are added in order by their next consumer, so two runs
agree bit for bit. The CPU runs these kernels too, as the reference in a test.
"""

from collections.abc import Callable

import warp as wp

from ....runtime.device import Types, family
from ..cpu.solve_kernels import per_width
from ..symbolic.front_layout import COLUMNS, GRANULE, ROWS, STEP

# columns of the tables of blocks; entry k of piece p stands at place + k · lanes + p
FIELDS = ("first", "lanes", "place", "length", "line", "partial", "begin", "pivots", "height", "packed")

HEAD = r"""
    typedef REAL real;
    constexpr int K = WIDTH, W = PADDED;
"""

# partial[to] = own + Σₖ matrix[place + k stride] vector[first + k], k < length, a multiple of STEP
PRODUCT = r"""
    struct alignas(W > 1 ? 16 : sizeof(real)) Packet { real v[W]; };
    const real* a = matrix.data + place;
    const Packet* x = (const Packet*)vector.data + first;
    real sum[K];
    if (own >= 0) {
        const Packet begin = ((const Packet*)vector.data)[own];
        for (int c = 0; c < K; ++c) sum[c] = begin.v[c];
    } else {
        for (int c = 0; c < K; ++c) sum[c] = real(0);
    }
    int k = 0;
    for (; k + 2 * STEP <= length; k += 2 * STEP) {
        BATCH(2 * STEP)
    }
    if (k < length) {
        BATCH(STEP)
    }
    real* out = (real*)partial.data + (long long)to * K;
    for (int c = 0; c < K; ++c) out[c] = sum[c];
"""

# some entries at once: all are loaded before the first is used, to hide latency
BATCH = r"""
        real entry[COUNT];
        for (int u = 0; u < COUNT; ++u)
#if defined(__CUDA_ARCH__)
            entry[u] = __ldcs(a + u * stride);  // read once: leave the cache to the vectors
#else
            entry[u] = a[u * stride];
#endif
        for (int u = 0; u < COUNT; ++u) {
            const Packet given = x[u];
            for (int c = 0; c < K; ++c) sum[c] += entry[u] * given.v[c];
        }
        a += (long long)(COUNT) * stride;
        x += COUNT;
"""


def padded(width: int) -> int:
    """Values stored for each row of a vector: three are padded to four, for single loads."""
    return 1 if width == 1 else 4


def _native(t: Types, width: int) -> str:
    text = HEAD + PRODUCT
    for count in ("2 * STEP", "STEP"):
        text = text.replace(f"BATCH({count})", BATCH.replace("COUNT", count))
    for name, value in (
        ("REAL", "float" if t.precision == "f32" else "double"),
        ("WIDTH", width),
        ("PADDED", padded(width)),
        ("STEP", STEP),
    ):
        text = text.replace(name, str(value))
    return text


def _sum_functions(t: Types, width: int, kind: type, row: type) -> tuple[wp.Function, ...]:
    """Products of pieces, sums of them, and rows as stored."""
    real, reals, kinds, rows = t.real, wp.array(dtype=t.real), wp.array(dtype=kind), wp.array(dtype=row)

    def product(
        place: wp.int64,
        stride: int,
        length: int,
        first: int,
        own: int,
        to: int,
        matrix: reals,
        vector: rows,
        partial: kinds,
    ): ...

    product.__name__ = product.__qualname__ = f"cholesky_product_{width}_{t.precision}"
    product = wp.func_native(_native(t, width))(product)

    def add_up(first: int, stride: int, count: int, partial: kinds):
        """partial[first] + partial[first + stride] + …, in this order; four are asked for before the first is used."""
        total = kind(real(0.0))
        at = first
        for _ in range(count / 4):
            p = partial[at]
            q = partial[at + stride]
            r = partial[at + 2 * stride]
            s = partial[at + 3 * stride]
            total = total + p
            total = total + q
            total = total + r
            total = total + s
            at += 4 * stride
        for _ in range(count % 4):
            total = total + partial[at]
            at += stride
        return total

    if width == 3:

        def widened(v: kind):
            return row(v[0], v[1], v[2], real(0.0))
    else:

        def widened(v: kind):
            return v

    return product, t.function(f"cholesky_add_up_{width}", add_up), t.function(f"cholesky_widened_{width}", widened)


def _levelled(t: Types, width: int) -> list[Callable]:
    real, longs, ints, reals = t.real, wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    kind = real if width == 1 else t.vector(width)
    row = real if width == 1 else t.vector(padded(width))
    kinds, rows, fields, granule, step = wp.array(dtype=kind), wp.array(dtype=row), len(FIELDS), GRANULE, STEP
    product, add_up, widened = _sum_functions(t, width, kind, row)

    def collect(
        start: int,
        # params:
        offset: int,
        # mesh:
        line_node: ints, gather_start: ints, gather: wp.array(dtype=wp.vec3i),
        # in:
        b: kinds, lower_partial: kinds,
        # out:
        line: rows,
    ):  # fmt: skip
        """Pivots: b less what the children hand over; rows below: what they hand over."""
        i = offset + start + wp.tid()
        total = kind(real(0.0))
        for k in range(gather_start[i], gather_start[i + 1]):
            handed = gather[k]
            total += add_up(handed[0], handed[1], handed[2], lower_partial)
        node = line_node[i]
        if node >= 0:
            total = b[node] - total
        line[i] = widened(total)

    def lower_pieces(
        start: int,
        # params:
        offset: int,
        # mesh:
        block_of: ints, table: longs,
        # in:
        lower: reals, line: rows,
        # out:
        lower_partial: kinds,
    ):  # fmt: skip
        """A row of a block of [L₁₁⁻¹; L₂₁ L₁₁⁻¹] times b₁; rows below begin with what the children hand over."""
        i = offset + start + wp.tid()
        entry = block_of[i / wp.static(granule)] * wp.static(fields)
        lane = i - int(table[entry])
        stride = int(table[entry + 1])
        first = int(table[entry + 4])
        own = int(-1)
        if table[entry + 6] == wp.int64(0) and lane >= int(table[entry + 7]):
            own = first + lane
        # nothing stands above the diagonal
        length = wp.min(int(table[entry + 3]), (lane / wp.static(step) + 1) * wp.static(step))
        place = table[entry + 2] + wp.int64(lane)
        product(place, stride, length, first, own, int(table[entry + 5]) + lane, lower, line, lower_partial)

    def hand_down(
        start: int,
        # params:
        offset: int,
        # mesh:
        sources: wp.array(dtype=wp.vec4i),
        # in:
        lower_partial: kinds, upper_partial: kinds,
        # out:
        line: rows,
    ):  # fmt: skip
        """Pivots: v; rows below: −x₂, from the pivots of the parent or, where it only hands it on, from its own row."""
        i = offset + start + wp.tid()
        source = sources[i]
        if source[3] == 0:
            line[i] = widened(add_up(source[0], source[1], source[2], lower_partial))
        elif source[3] == 1:
            line[i] = widened(-add_up(source[0], source[1], source[2], upper_partial))
        else:
            line[i] = line[source[0]]

    def upper_pieces(
        start: int,
        # params:
        offset: int,
        # mesh:
        block_of: ints, table: longs,
        # in:
        upper: reals, line: rows,
        # out:
        upper_partial: kinds,
    ):  # fmt: skip
        """A column of a block of [L₁₁⁻¹; L₂₁ L₁₁⁻¹] times [v; −x₂]."""
        i = offset + start + wp.tid()
        entry = block_of[i / wp.static(granule)] * wp.static(fields)
        lane = i - int(table[entry])
        stride = int(table[entry + 1])
        # nothing stands above the diagonal; threads that share a sector of memory skip alike
        skipped = wp.max(0, lane / wp.static(granule) * wp.static(granule) - int(table[entry + 6]))
        place = table[entry + 2] + wp.int64(skipped) * wp.int64(stride) + wp.int64(lane)
        product(
            place, stride, int(table[entry + 3]) - skipped, int(table[entry + 4]) + skipped, -1,
            int(table[entry + 5]) + lane, upper, line, upper_partial,
        )  # fmt: skip

    def finish(
        start: int,
        # mesh:
        results: wp.array(dtype=wp.vec4i),
        # in:
        upper_partial: kinds,
        # out:
        out: kinds,
    ):
        """x₁ = L₁₁⁻ᵀ v − (L₂₁ L₁₁⁻¹)ᵀ x₂ of all fronts, into the order in which b came."""
        result = results[start + wp.tid()]
        out[result[0]] = add_up(result[1], result[2], result[3], upper_partial)

    return [collect, lower_pieces, hand_down, upper_pieces, finish]


LEVEL_KERNELS = per_width("level", _levelled)


def block_copies(t: Types, given: wp.array, entry_of: wp.Function) -> dict[str, wp.Kernel]:
    """Kernels that fill the blocks for L and for Lᵀ, zeros above the diagonal included, from the fronts ``given``.

    ``entry_of(row, column, pivots, height, front, given)`` is an entry of [L₁₁⁻¹; L₂₁ L₁₁⁻¹], 0 outside it.
    """
    longs, ints, reals = wp.array(dtype=wp.int64), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    fields, granule = len(FIELDS), GRANULE

    def copies(name: str, turned: bool) -> wp.Kernel:
        """The kernel for L, rows side by side, column after column; ``turned``: for Lᵀ."""

        def copy(
            start: int,
            # mesh:
            block_of: ints, table: longs,
            # in:
            source: given,
            # out:
            out: reals,
        ):  # fmt: skip
            i = start + wp.tid()
            entry = block_of[i / wp.static(granule)] * wp.static(fields)
            lane = i - int(table[entry])
            begin, pivots, height = int(table[entry + 6]), int(table[entry + 7]), int(table[entry + 8])
            for k in range(int(table[entry + 3])):
                at = table[entry + 2] + wp.int64(k) * table[entry + 1] + wp.int64(lane)
                if wp.static(turned):
                    out[at] = entry_of(begin + k, lane, pivots, height, table[entry + 9], source)
                else:
                    out[at] = entry_of(begin + lane, begin + k, pivots, height, table[entry + 9], source)

        copy.__name__ = copy.__qualname__ = name
        return t.kernel(copy)

    return {name: copies(name, name == "copy_upper") for name in ("copy_lower", "copy_upper")}


@family
def cholesky_block_kernels(t):
    """From the tiles that the CPU's factorisation writes into blocks for L and for Lᵀ."""
    real, reals = t.real, wp.array(dtype=t.real)
    high, across = ROWS[t.precision], COLUMNS

    def tile_place(row: int, column: int, height: int) -> int:
        """Where an entry on or below the diagonal stands in the tiles of its front; 32 bits do for one front."""
        tiles = (height + wp.static(high - 1)) / wp.static(high)
        strip = column / wp.static(across)
        # strip s begins s · across/high tiles down, and so do those before it
        skipped = strip * (strip + 1) / 2 * wp.static(across // high)
        tile = strip * tiles - skipped + row / wp.static(high)
        return tile * wp.static(high * across) + column % wp.static(across) * wp.static(high) + row % wp.static(high)

    tile_place = t.function("cholesky_tile_place", tile_place)

    def entry_of(row: int, column: int, pivots: int, height: int, front: wp.int64, packed: reals) -> real:
        value = real(0.0)
        if column <= row and column < pivots and row < height:
            value = packed[front + wp.int64(tile_place(row, column, height))]
        return value

    entry_of = t.function("cholesky_entry_of", entry_of)

    return block_copies(t, reals, entry_of)
