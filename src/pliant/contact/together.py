"""Which things hang together by pairs: trees of things that are joined where a pair says so, by all threads at once."""

import numpy as np
import warp as wp

from ..device import Device, family
from .rooms import Rooms

ALONE = 1 << 30  # items for each thread of a CPU, whose threads would not wait for each other


@family
def together_kernels(t):
    ints = wp.array(dtype=wp.int32)

    @wp.func(module=t.module)
    def top_of(i: int, above: ints) -> int:
        """The top of the tree of i, which is the least number in it; the way up is halved for those who come after."""
        a = i
        b = above[a]
        while a != b:
            c = above[b]
            above[a] = c
            a = c
            b = above[a]
        return a

    @t.kernel
    def part(
        start: int,
        # out: each for itself
        above: ints,
    ):
        i = start + wp.tid()
        above[i] = i

    @t.kernel
    def join(
        start: int,
        # in: so many pairs
        number: int,
        ones: ints,
        others: ints,
        # out: the way to the top from each thing
        above: ints,
    ):
        """The greater of two tops goes below the other, unless another thread has put it somewhere meanwhile."""
        l = start + wp.tid()
        if l < number:
            a, b = top_of(ones[l], above), top_of(others[l], above)
            while a != b:
                upper, lower = wp.min(a, b), wp.max(a, b)
                if wp.atomic_cas(above, lower, lower, upper) == lower:
                    a = upper
                    b = upper
                else:
                    a = top_of(upper, above)
                    b = top_of(lower, above)

    @t.kernel
    def flatten(
        start: int,
        # in:
        above: ints,
        # out: the top of each
        tops: ints,
    ):
        i = start + wp.tid()
        tops[i] = top_of(i, above)

    return locals()


class Together:
    """Finds what hangs together; the same numbers as SciPy's, in a few passes over the pairs and without building a matrix."""

    def __init__(self, device: Device):
        self.device, self.kernels, self._rooms = device, together_kernels("f64"), Rooms(device)

    def __call__(self, count: int, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(count,) the number of what each thing is in, by the pairs of things ``one`` and ``other`` (l,)."""
        device, rooms, kernels = self.device, self._rooms, self.kernels
        above, tops = (rooms.of(name, count, wp.int32) for name in ("above", "tops"))
        pairs = (rooms.put("ones", one, wp.int32), rooms.put("others", other, wp.int32))
        device.launch(kernels.part, len(above), above, grain=ALONE)
        device.launch(kernels.join, len(pairs[0]), len(one), *pairs, above, grain=ALONE)
        device.launch(kernels.flatten, len(above), above, tops, grain=ALONE)
        top = tops.numpy()[:count]
        return (np.cumsum(top == np.arange(count)) - 1)[top]
