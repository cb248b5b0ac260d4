"""Thread schedule of a factorisation: subtrees and shared fronts."""

from __future__ import annotations

import bisect
import heapq
from dataclasses import dataclass

import numpy as np

from ..symbolic.symbolic_factor import Analysis

SHARED_SPEED = 0.7  # of the ideal, for fronts that all threads work on together
BALANCED = 1.02  # of the ideal time: acceptable
MOST_SPLITS = 64  # subtrees per thread tried at most


@dataclass(frozen=True)
class Schedule:
    """``bins``: the fronts of each thread, children first; ``top``: the fronts left over, children first."""

    bins: tuple[np.ndarray, ...]
    top: np.ndarray


def schedule(analysis: Analysis, weight: np.ndarray, threads: int, wanted: np.ndarray | None = None) -> Schedule:
    """Split the fronts (or only those ``wanted``, in increasing order) so that ``threads`` finish at about one time.

    Starting from the roots, the heaviest subtree is repeatedly opened: its front joins the top and its children
    become subtrees. The split whose estimated time is least wins.
    """
    fronts = np.arange(analysis.fronts) if wanted is None else wanted
    if threads == 1 or len(fronts) < 2 * threads:
        return Schedule((fronts,), np.zeros(0, np.int64))
    chosen = np.zeros(analysis.fronts, bool)
    chosen[fronts] = True
    total = np.where(chosen, weight, 0.0)
    for f in fronts:
        if analysis.parent[f] >= 0:
            total[analysis.parent[f]] += total[f]
    begin, listed = analysis.children
    heap = [(-total[f], int(f)) for f in fronts if analysis.parent[f] < 0]
    heapq.heapify(heap)
    ideal = -sum(load for load, _ in heap) / threads
    top: list[int] = []
    shared, best, kept = 0.0, np.inf, ([], [])
    for _ in range(MOST_SPLITS * threads):
        after = shared / (SHARED_SPEED * threads)
        if ideal - shared / threads + after >= best:
            break  # for any distribution of the rest; more so the further it is split
        if not heap or -heap[0][0] + after < best:
            loads = _packed([(-w, f) for w, f in heap], threads)
            taken = max(load for load, _ in loads) + after
            if taken < best:
                best, kept = taken, (list(top), [list(roots) for _, roots in loads])
            if not heap or taken <= BALANCED * ideal:
                break
        _, f = heapq.heappop(heap)
        top.append(f)
        shared += weight[f]
        for child in listed[begin[f] : begin[f + 1]]:
            if chosen[child]:
                heapq.heappush(heap, (-total[child], int(child)))
    above, groups = kept
    thread = np.full(analysis.fronts, -1)
    for t, roots in enumerate(groups):
        thread[roots] = t
    upper = np.zeros(analysis.fronts, bool)
    upper[above] = True
    for f in fronts[::-1]:
        if not upper[f] and thread[f] < 0:
            thread[f] = thread[analysis.parent[f]]
    return Schedule(tuple(fronts[thread[fronts] == t] for t in range(threads)), np.sort(np.array(above, np.int64)))


def _packed(subtrees: list[tuple[float, int]], threads: int) -> list[tuple[float, list[int]]]:
    """Loads and roots of the threads, each subtree (heaviest first) given to the least loaded one."""
    bins: list[tuple[float, int, list[int]]] = [(0.0, t, []) for t in range(threads)]
    for load, root in sorted(subtrees, reverse=True):
        least, t, roots = heapq.heappop(bins)
        heapq.heappush(bins, (least + load, t, [*roots, root]))
    return [(load, roots) for load, _, roots in sorted(bins, key=lambda b: b[1])]


class Room:
    """Offsets in a growing store: first fit, with reuse of freed ranges; ``peak`` is its size."""

    def __init__(self, base: int = 0):
        self.end = self.peak = base
        self.free: list[tuple[int, int]] = []  # (offset, length), by offset

    def take(self, length: int) -> int:
        for k, (offset, size) in enumerate(self.free):
            if size >= length:
                if size == length:
                    del self.free[k]
                else:
                    self.free[k] = (offset + length, size - length)
                return offset
        offset = self.end
        self.end += length
        self.peak = max(self.peak, self.end)
        return offset

    def give(self, offset: int, length: int) -> None:
        if length == 0:
            return
        free, k = self.free, bisect.bisect(self.free, (offset, length))
        if k < len(free) and offset + length == free[k][0]:
            length += free.pop(k)[1]
        if k > 0 and sum(free[k - 1]) == offset:
            k -= 1
            offset, length = free[k][0], free.pop(k)[1] + length
        if offset + length == self.end:
            self.end = offset
        else:
            free.insert(k, (offset, length))
