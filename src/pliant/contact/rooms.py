"""Arrays on a device whose contents change in length from step to step while they stay where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from ..device import Device

LEAST = 64  # items that an array has room for


class Rooms:
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
