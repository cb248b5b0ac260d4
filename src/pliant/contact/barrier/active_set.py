"""Active set of pairs: of all that are near, those that press, in the order in which pairs were found."""

import warp as wp

from ...runtime.device import Device, family


@family
def active_kernels(t):
    ints = wp.array(dtype=wp.int32)

    @t.kernel
    def flag_pressing(start: int, count: int, press: wp.array(dtype=t.real), flags: ints):
        i = start + wp.tid()
        flags[i] = wp.where(i < count and press[i] > t.real(0.0), 1, 0)

    @t.kernel
    def list_active(start: int, flags: ints, ends: ints, order: ints):
        i = start + wp.tid()
        if flags[i] == 1:
            order[ends[i] - 1] = i

    return locals()


class Active:
    """The first ``count`` numbers in ``order`` are those of the active pairs, of at most ``capacity``."""

    def __init__(self, device: Device, capacity: int):
        self.device, self.capacity, self.count = device, capacity, 0
        self.flags, self.ends, self.order = (device.zeros(capacity, wp.int32) for _ in range(3))

    def choose(self, count: int, press: wp.array) -> int:
        """List those of the first ``count`` pairs that ``press`` with a force; returns how many they are."""
        self.count = 0
        if count:
            kernels, launch = active_kernels("f64"), self.device.launch
            launch(kernels.flag_pressing, self.capacity, count, press, self.flags)
            wp.utils.array_scan(self.flags, self.ends, inclusive=True)
            launch(kernels.list_active, self.capacity, self.flags, self.ends, self.order)
            self.count = int(self.device.read(self.ends[-1:])[0])
        return self.count
