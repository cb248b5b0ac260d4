"""Counts what the host reads back from arrays of a device."""

from contextlib import contextmanager

import warp as wp


class Reads:
    """How many times arrays were read, and the bytes of the largest."""

    def __init__(self):
        self.count, self.largest = 0, 0

    def add(self, array: wp.array) -> None:
        self.count += 1
        self.largest = max(self.largest, array.size * wp.types.type_size_in_bytes(array.dtype))


@contextmanager
def host_reads():
    """All reads within: ``array.numpy()``, and copies from a GPU to this side."""
    reads, numpy, copy = Reads(), wp.array.numpy, wp.copy

    def read(self):
        reads.add(self)
        wp.copy = copy  # which it may go through
        try:
            return numpy(self)
        finally:
            wp.copy = copied

    def copied(dest, src, *args, **options):
        if dest.device.is_cpu and not src.device.is_cpu:
            reads.add(src)
        return copy(dest, src, *args, **options)

    wp.array.numpy, wp.copy = read, copied
    try:
        yield reads
    finally:
        wp.array.numpy, wp.copy = numpy, copy
