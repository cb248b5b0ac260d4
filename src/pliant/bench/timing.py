"""How times are taken: warm up, repeat, synchronise, keep the median and the spread."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ..runtime.device import Device


def seconds(device: Device, work: Callable[[], object], repeats: int = 9, warm: int = 2) -> tuple[float, float]:
    """Median and interquartile spread of the wall time of ``work`` [s]."""
    for _ in range(warm):
        work()
    device.synchronize()
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        device.synchronize()
        taken.append(time.perf_counter() - begin)
    low, middle, high = np.percentile(taken, [25, 50, 75])
    return float(middle), float(high - low)


def alternated(jobs: dict[str, Callable[[], object]], device: Device, rounds: int = 9) -> dict[str, float]:
    """Fastest time of each job [s], all of them run in turn, so that a busy moment hits them alike."""
    best = dict.fromkeys(jobs, np.inf)
    for work in jobs.values():
        work()
    for _ in range(rounds):
        for name, work in jobs.items():
            device.synchronize()
            begin = time.perf_counter()
            work()
            device.synchronize()
            best[name] = min(best[name], time.perf_counter() - begin)
    return best


def copy_bandwidth(device: Device, megabytes: int = 512) -> float:
    """Bytes per second of a plain copy, counting what is read and what is written."""
    import warp as wp

    count = megabytes * 2**20 // 4
    a, b = device.zeros(count, wp.float32), device.zeros(count, wp.float32)
    if device.is_cpu:  # one thread of NumPy per device thread would be ideal; a plain copy is what one core reaches
        x, y = a.numpy(), b.numpy()
        taken, _ = seconds(device, lambda: np.copyto(y, x), repeats=5)
    else:
        taken, _ = seconds(device, lambda: [wp.copy(b, a) for _ in range(10)], repeats=5)
        taken /= 10
    return 2 * 4 * count / taken
