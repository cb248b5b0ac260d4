"""Sums over a block of threads, which on the CPU is a single thread.

Warp's tiles do the same, but on x86 their CPU code keeps a pointer to its memory in one place for all threads of the
process: two threads that use them at a time crash it. So the CPU has no tiles here, and a value is its own sum.
"""

import warp as wp

_OF_BLOCK = """
#if defined(__CUDA_ARCH__)
    auto given = wp::tile(value);
    auto all = wp::{reduce}(given);
    return wp::tile_extract(all, 0);
#else
    return value;
#endif
"""


@wp.func_native(_OF_BLOCK.format(reduce="tile_sum"))
def sum_of_block(value: wp.float64) -> wp.float64:
    """Σ value over the threads of the block, for each of them; every thread of the block must ask."""
    ...


@wp.func_native(_OF_BLOCK.format(reduce="tile_min"))
def least_of_block(value: wp.float64) -> wp.float64:
    """The least value among the threads of the block, for each of them; every thread of the block must ask."""
    ...
