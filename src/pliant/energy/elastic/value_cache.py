"""Value cache of the last evaluation on the CPU.

A step begins where the one before ended, and asks for the energy there. Places are compared bit by bit and by launches alone, so
that what is recorded asks, too, and nothing has to be remembered beside the state.
"""

from collections.abc import Callable

import numpy as np
import warp as wp

from ...runtime.device import Device, family
from ...runtime.scatter_writes import write

# whether x differs from the place, or there is none yet
COMPARE = r"""
#if !defined(__CUDA_ARCH__)
    const unsigned long long* __restrict a = (const unsigned long long*)x.data + 3LL * first;
    const unsigned long long* __restrict b = (const unsigned long long*)place.data;
    const long long size = 3LL * place.shape[0];
    bool other = known.data[0] == 0;
    for (long long i = 0; i < size && !other; i += 96) {
        const long long end = i + 96 < size ? i + 96 : size;
        unsigned long long differs = 0;
        for (long long k = i; k < end; ++k) differs |= a[k] ^ b[k];
        other = differs != 0;
    }
    elsewhere.data[0] = other;
#endif
"""


@family
def found_kernels(t):
    places, flags = wp.array(dtype=t.position), wp.array(dtype=wp.int32)

    @t.native_kernel(COMPARE)
    def compare(i: int, first: int, known: flags, place: places, x: places, elsewhere: flags):
        """elsewhere = 1 unless x is the place from node ``first`` on."""

    @t.kernel
    def note(start: int, first: int, x: places, known: flags, elsewhere: flags, place: places):
        """place = x from node ``first`` on."""
        i = start + wp.tid()
        place[i] = x[first + i]
        if i == 0:
            known[0] = 1
            elsewhere[0] = 0

    return locals()


class ValueCache:
    """The place of ``count`` nodes from number ``first`` on where something was found last."""

    def __init__(self, device: Device, first: int, count: int):
        self.device, self.first, self.kernels = device, first, found_kernels(device.precision)
        self.place = device.zeros(count, device.types.position)
        self.known, self.elsewhere = (device.zeros(1, wp.int32) for _ in range(2))

    def forget(self) -> None:
        """It is another now, wherever it was found."""
        write(self.device, self.known, np.zeros(1, np.int32))

    def note(self, x: wp.array) -> None:
        """It was found at x."""
        self.device.launch(self.kernels.note, self.place.shape[0], self.first, x, self.known, self.elsewhere, self.place)

    def unless_at(self, x: wp.array, find: Callable[[], None]) -> None:
        """Run ``find``, which launches and no more, unless it was found last at x."""

        def anew() -> None:
            find()
            self.note(x)

        self.device.launch(self.kernels.compare, 1, self.first, self.known, self.place, x, self.elsewhere)
        self.device.loop(self.elsewhere, anew)
