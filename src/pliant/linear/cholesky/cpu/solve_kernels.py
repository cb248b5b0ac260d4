"""Solve kernels on CPU threads, by fronts and shares."""

from collections.abc import Callable

import warp as wp

from ....runtime.device import Types, family
from .solve_native import native_functions

WIDTHS = (1, 3, 4)  # right-hand sides per pass


def per_width(name: str, make: Callable[[Types, int], list[Callable]], widths: tuple[int, ...] = WIDTHS) -> dict[int, Callable]:
    """A family of kernels for each width, compiled on first use."""

    def family_of(width: int) -> Callable:
        def build(t):
            return {function.__name__: t.kernel(function) for function in make(t, width)}

        build.__name__ = f"cholesky_{name}_{width}_kernels"
        return family(build)

    return {width: family_of(width) for width in widths}


@wp.struct
class Fronts:
    """The fronts of a factor, and the working size of the largest for each right-hand side."""

    table: wp.array(dtype=wp.int64)
    children: wp.array(dtype=wp.int32)
    relative: wp.array(dtype=wp.int32)
    rows: wp.array(dtype=wp.int32)
    permutation: wp.array(dtype=wp.int32)
    scratch: wp.int32


def _threaded(t: Types, width: int) -> list[Callable]:
    """Substitutions on lists of fronts; an item is a list, or its share of one front."""
    ints, reals = wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    kind = t.real if width == 1 else t.vector(width)
    forward_front, backward_front = native_functions(t, width)

    def forward(
        start: int, offset: int,
        # mesh:
        items: wp.array(dtype=wp.vec4i), order: ints, fronts: Fronts, active: ints,
        # in:
        packed: reals, b: wp.array(dtype=kind),
        # out:
        scratch: reals, update: reals, y: reals,
    ):  # fmt: skip
        """L y = b: item (begin, end, part, parts) takes the fronts order[begin:end], and of each its part."""
        i = start + wp.tid()
        item = items[offset + i]
        for k in range(item[0], item[1]):
            forward_front(
                order[k], i, item[2], item[3], wp.static(width) * fronts.scratch, fronts.table, fronts.children,
                fronts.relative, fronts.permutation, active, packed, b, scratch, update, y,
            )  # fmt: skip

    def backward(
        start: int, offset: int,
        # mesh:
        items: wp.array(dtype=wp.vec4i), order: ints, fronts: Fronts,
        # in:
        packed: reals, y: reals,
        # out:
        scratch: reals, x: reals, out: wp.array(dtype=kind),
    ):  # fmt: skip
        """Lᵀ x = y: item (begin, end, part, parts) takes the fronts order[begin:end] from the last to the first."""
        i = start + wp.tid()
        item = items[offset + i]
        for k in range(item[0], item[1]):
            backward_front(
                order[item[1] - 1 - (k - item[0])], i, item[2], item[3], wp.static(width) * fronts.scratch, fronts.table,
                fronts.rows, fronts.permutation, packed, y, scratch, x, out,
            )  # fmt: skip

    return [forward, backward]


SOLVE_KERNELS = per_width("solve", _threaded)
