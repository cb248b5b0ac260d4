"""Contact totals of a step: count, least gap, friction loss."""

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from ..runtime.block_reduce import least_of_block, sum_of_block
from ..runtime.device import Device, family

FAR = 1e30  # [m] the gap of what does not press
# [m] above all other gaps; not FAR itself, whose constant Warp takes to be the variable that begins with it
PRESSING = 1e29
NOTHING = (0.0, FAR, 0.0)  # contacts, least gap [m], loss [J]


@family
def touching_kernels(t):
    doubles = wp.array(dtype=wp.float64)

    @t.kernel
    def add_contacts(
        start: int,
        # mesh: the first item of each group, and the end
        bounds: wp.array(dtype=wp.int32),
        # in: by item, the gap, FAR where nothing presses, and the loss
        gap: doubles,
        loss: doubles,
        # out: by group
        out: wp.array2d(dtype=wp.float64),
    ):
        """With a block of threads for each group, out += (contacts, …, loss), and the least gap of both."""
        thread = start + wp.tid()
        g = thread // wp.block_dim()
        count = wp.float64(0.0)
        least = wp.float64(FAR)
        total = wp.float64(0.0)
        for i in range(bounds[g] + thread % wp.block_dim(), bounds[g + 1], wp.block_dim()):
            if gap[i] < wp.float64(PRESSING):
                count += wp.float64(1.0)
                least = wp.min(least, gap[i])
            total += loss[i]
        all_counts = sum_of_block(count)
        all_least = least_of_block(least)
        all_losses = sum_of_block(total)
        if thread % wp.block_dim() == 0:
            out[g, 0] = out[g, 0] + all_counts
            out[g, 1] = wp.min(out[g, 1], all_least)
            out[g, 2] = out[g, 2] + all_losses

    return locals()


def add_contacts(device: Device, bounds: wp.array, gap: wp.array, loss: wp.array, out: wp.array) -> None:
    """out[g] += (contacts, least gap [m], loss [J]) of the items of each group; ``gap`` is FAR where nothing presses."""
    groups = len(bounds) - 1
    device.launch(touching_kernels("f64").add_contacts, groups * device.block, bounds, gap, loss, out)


def timed(look: Callable[..., Any]) -> Callable[..., Any]:
    """A method of an energy that finds what touches what, whose time counts as ``looked``; on a GPU that to launch it."""

    @functools.wraps(look)
    def looks(self: Any, *args: Any, **options: Any) -> Any:
        begin = time.perf_counter()
        try:
            return look(self, *args, **options)
        finally:
            self.looked += time.perf_counter() - begin

    return looks


def told(row: np.ndarray) -> dict[str, float]:
    """A row of contacts as parts of a report."""
    contacts, gap, loss = row.tolist()
    return {"contacts": int(contacts), "worst_gap": gap if contacts else np.inf, "friction_loss": loss}
