"""Selected inverse along elimination paths (Zeng 2023, Alg 6, 7).

With A = L Lᵀ and e_i the unit vectors of the unknowns, A⁻¹ᵢⱼ = (L⁻¹eᵢ)·(L⁻¹eⱼ). The column L⁻¹eᵢ is zero off the path
from the front of i to the root, and each front computes all columns that pass through it with one matrix product. Columns are
stored front by front, so that new unknowns couple to old ones only where their paths meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import warp as wp
from scipy.linalg.blas import dgemm, dsyrk, dtrmm

from .cpu.blas import one_thread_each
from .cpu.front_panels import Panels
from .factor import Factor

MOST = 12_000  # unknowns kept; more restart
ROOM = 256  # unknowns by which the inverse grows


class PathInverse:
    """A⁻¹ between unknowns of an ``operator`` with a factor on the CPU and ``free``: ``inverse[i · size + j]``, places i, j."""

    def __init__(self, operator: Any):
        self.operator = operator
        self.factor: Factor = operator.factor
        self.solved = 0  # unknowns whose columns were computed
        self.size, self.inverse, self._square = 0, None, np.zeros((0, 0))
        self._panels = Panels(self.factor.solver)
        self._begin()

    def _begin(self) -> None:
        self.version = self.operator.version
        self.free = np.asarray(self.operator.free, float)
        self.place = np.full(len(self.free), -1)  # of each unknown among the known ones
        self.known = np.zeros(0, np.int64)
        self._columns: dict[int, list[tuple[slice, np.ndarray]]] = {}  # front → numbers and columns of the known ones there

    def spoil(self) -> None:
        """Forget all values: the next call computes them again."""
        self.version = None

    def between(self, unknowns: np.ndarray) -> np.ndarray:
        """Compute missing entries of A⁻¹ between distinct unknowns; returns their indices in ``inverse``, none for held ones."""
        if self.version != self.operator.version:
            self._begin()
        new = unknowns[self.place[unknowns] < 0]
        if len(new):
            if len(self.known) + len(new) > MOST and len(self.known):
                self._begin()
                new = unknowns
            self._grow(new)
        return self.place[unknowns]

    def _grow(self, new: np.ndarray) -> None:
        """Add unknowns to the known ones."""
        old, total = len(self.known), len(self.known) + len(new)
        new = self._ordered(new)
        self.place[new] = np.arange(old, total)
        self.known = np.concatenate([self.known, new])
        self.solved += len(new)
        if total > self.size:
            size = total if not self.size else -(-int(1.25 * total) // ROOM) * ROOM
            square = np.zeros((size, size))
            square[:old, :old] = self._square[:old, :old]
            self.size, self._square = size, square
            self.inverse = wp.array(square.reshape(-1), dtype=wp.float64, device="cpu", copy=False)
        inverse = self._square
        inverse[old:total, :total] = inverse[:old, old:total] = 0.0
        with one_thread_each():
            for front, own, columns in self._forward(new, old):
                inverse[own, own] += dsyrk(1.0, columns.T).T  # on and below the diagonal
                for there, before in self._columns.setdefault(front, []):
                    inverse[own, there] += dgemm(1.0, before.T, columns.T, trans_b=1).T
                self._columns[front].append((own, columns))
        inverse[:old, old:total] = inverse[old:total, :old].T
        square = inverse[old:total, old:total]
        np.copyto(square, square.T, where=np.tri(len(new), k=-1, dtype=bool).T)

    def _forward(self, new: np.ndarray, first: int) -> Iterator[tuple[int, slice, np.ndarray]]:
        """L⁻¹ of the unit vectors of the unknowns ``new``, whose numbers begin at ``first``: (front, numbers, columns).

        They are ordered so that all that pass through a front are contiguous.
        """
        a = self.factor.analysis
        owner = a.owner[a.inverse[new]]
        handed: dict[int, list[tuple[slice, np.ndarray, np.ndarray]]] = {}
        for f in self._fronts:
            mine = np.flatnonzero(owner == f) if f in self._owners else np.zeros(0, np.int64)
            parts = handed.pop(f, [])
            begins = [part[0].start for part in parts] + ([first + int(mine[0])] if len(mine) else [])
            ends = [part[0].stop for part in parts] + ([first + int(mine[-1]) + 1] if len(mine) else [])
            low, high = min(begins), max(ends)
            c, b = int(a.pivots[f]), int(a.below[f])
            right, update = np.zeros((c, high - low)), np.zeros((b, high - low))
            right[a.inverse[new[mine]] - a.start[f], first + mine - low] = self.free[new[mine]]
            for at, places, values in parts:
                own = slice(at.start - low, at.stop - low)
                pivots = int(np.searchsorted(places, c))  # places ascend: pivots first
                right[places[:pivots], own] -= values[:pivots]
                update[places[pivots:] - c, own] += values[pivots:]
            inverse, rest = self._panels.of(f)
            if b:
                dgemm(1.0, right.T, rest, 1.0, update.T, trans_b=1, overwrite_c=1)
                places = a.relative[a.row_start[f] : a.row_start[f + 1]]
                handed.setdefault(int(a.parent[f]), []).append((slice(low, high), places, update))
            yield f, slice(low, high), dtrmm(1.0, inverse, right.T, side=1, lower=1, trans_a=1, overwrite_b=1).T

    def _ordered(self, new: np.ndarray) -> np.ndarray:
        """The unknowns in an order in which those below each front are contiguous; keeps the fronts, children first."""
        a = self.factor.analysis
        owner = a.owner[a.inverse[new]]
        active = a.paths(owner)
        below: dict[int, list[int]] = {}
        for f in active:
            below.setdefault(int(a.parent[f]), []).append(int(f))
        order, stack = [], list(below.get(-1, []))
        while stack:  # parents before children, turned round below
            order.append(stack.pop())
            stack += below.get(order[-1], [])
        self._fronts, self._owners = order[::-1], {int(f) for f in owner}
        rank = np.zeros(a.fronts, np.int64)
        rank[self._fronts] = np.arange(len(order))
        return new[np.argsort(rank[owner], kind="stable")]
