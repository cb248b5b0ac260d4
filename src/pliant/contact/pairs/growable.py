"""Arrays on a device whose contents change in length from step to step while they stay where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device

LEAST = 64  # items that an array has room for


class GrowableArrays:
    """Named arrays that grow by half as much again; launches that hold an outgrown one are forgotten."""

    def __init__(self, device: Device):
        self.device = device
        self.arrays: dict[str, wp.array] = {}
        self._known: dict[str, np.ndarray] = {}

    def of(self, name: str, count: int, dtype: Any) -> wp.array:
        """Room for ``count`` items at least, with what was in it, or zeros where it is new."""
        room = self.arrays.get(name)
        if room is None or len(room) < count:
            if room is not None:
                self.device.forget()
            spare = count if room is None else int(1.5 * count)
            room = self.arrays[name] = self.device.zeros(max(spare, LEAST), dtype)
            self._known.pop(name, None)
        return room

    def keep(self, name: str, values: np.ndarray, dtype: Any) -> wp.array:
        """As ``put``, for what is only read from there: values that it has already are not copied again."""
        known = self._known.get(name)
        if known is not None and known.dtype == values.dtype and np.array_equal(known, values):
            return self.arrays[name]
        room = self.put(name, values, dtype)
        self._known[name] = values.copy()
        return room

    def put(self, name: str, values: np.ndarray, dtype: Any) -> wp.array:
        """The same with values in its first items."""
        room = self.of(name, len(values), dtype)
        if len(values):
            scalar = getattr(dtype, "_wp_scalar_type_", dtype)
            given = np.ascontiguousarray(values, wp.dtype_to_numpy(scalar))
            wp.copy(room, wp.array(given, dtype=dtype, device="cpu", copy=False), count=len(values))
        return room


class Sent:
    """Named arrays that the host writes and a device reads, in one piece of memory, so that one copy sends all of them.

    ``kinds`` are the shape and the type of each; ``hosts`` is where to write, zeros at first.
    """

    ALIGNED = 32  # numbers

    def __init__(self, device: Device, **kinds: tuple[int | tuple[int, ...], Any]):
        self.device = device
        sizes = {name: -(-self._bytes(*kind) // (8 * self.ALIGNED)) * self.ALIGNED for name, kind in kinds.items()}
        total = sum(sizes.values())
        self._there = device.zeros(total, wp.float64)
        self._here = self._there if device.is_cpu else wp.zeros(total, wp.float64, device="cpu", pinned=True)
        self.arrays, self.hosts, at = {}, {}, 0
        for name, (shape, dtype) in kinds.items():
            one, other = (self._part(whole, at, shape, dtype) for whole in (self._there, self._here))
            self.arrays[name], self.hosts[name] = one, other.numpy()
            at += sizes[name]

    @staticmethod
    def _bytes(shape: int | tuple[int, ...], dtype: Any) -> int:
        return int(np.prod(shape)) * wp.types.type_size_in_bytes(dtype)

    @staticmethod
    def _part(whole: wp.array, at: int, shape: int | tuple[int, ...], dtype: Any) -> wp.array:
        part = wp.array(ptr=whole.ptr + 8 * at, dtype=dtype, shape=shape, device=whole.device)
        part._ref = whole
        return part

    def send(self) -> None:
        """Let the device have what is written; not to be written on again before the device has been waited for."""
        if not self.device.is_cpu:
            wp.copy(self._there, self._here)
