"""Which things hang together by pairs: trees of things that are joined where a pair says so, by all threads at once.

A thing knows one of a lesser number in its tree, or itself at the top. Threads of a CPU would not wait for each other: there one
thread does it all.
"""

from typing import Any

import warp as wp

from ...runtime.device import Types

ALONE = 1 << 30  # items for each thread of a CPU, where they are not to share a launch


def union_functions(t: Types) -> tuple[Any, Any]:
    """Functions of kernels: the top of a thing, and to join two things."""
    ints = wp.array(dtype=wp.int32)

    @wp.func(module=t.module)
    def find_root(i: int, parent: ints) -> int:
        """The top of the tree of i, which is the least number in it; the way up is halved for those who come after."""
        a = i
        b = parent[a]
        while a != b:
            c = parent[b]
            parent[a] = c
            a = c
            b = parent[a]
        return a

    @wp.func(module=t.module)
    def unite(i: int, j: int, parent: ints):
        """The greater of two tops goes below the other, unless another thread has put it somewhere meanwhile."""
        a, b = find_root(i, parent), find_root(j, parent)
        while a != b:
            upper, lower = wp.min(a, b), wp.max(a, b)
            if wp.atomic_cas(parent, lower, lower, upper) == lower:
                a = upper
                b = upper
            else:
                a = find_root(upper, parent)
                b = find_root(lower, parent)

    return find_root, unite
