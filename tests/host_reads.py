"""Counts what the host reads back from arrays of a device."""

from contextlib import contextmanager

import warp as wp

from pliant.runtime import device


class Reads:
    """How many times arrays were read, and the bytes of the largest."""

    def __init__(self):
        self.count, self.largest = 0, 0

    def add(self, array: wp.array) -> None:
        self.count += 1
        self.largest = max(self.largest, array.size * wp.types.type_size_in_bytes(array.dtype))


@contextmanager
def host_reads():
    """All reads within: ``array.numpy()``, ``device.reader``, and copies from a GPU to this side."""
    reads, numpy, copy, looked = Reads(), wp.array.numpy, wp.copy, device._looked

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

    def look(array, seen):
        reads.add(array)
        return seen

    wp.array.numpy, wp.copy, device._looked = read, copied, look
    try:
        yield reads
    finally:
        wp.array.numpy, wp.copy, device._looked = numpy, copy, looked
