"""Saddle point systems K (δx, δp) = (f, q)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.vectors import Sums, Vectors
from .saddle_kernels import saddle_kernels


@dataclass(frozen=True, eq=False)
class Pair:
    """A vector over nodes and cells. ``bodies`` are the parts of ``p`` that belong to each set of cells."""

    x: wp.array  # (n,) vec3
    p: wp.array  # (m,) real
    bodies: tuple[wp.array, ...]


class Pairs:
    """Operations on pairs; ``counts`` are the numbers of cells of each body."""

    def __init__(self, vectors: Vectors, counts: list[int]):
        self.device, self.vectors = vectors.device, vectors
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        self.count = int(self.starts[-1])
        self.sums = Sums(self.device, np.array([0, self.count]))
        self.kernels = saddle_kernels(self.device.precision)

    def new(self) -> Pair:
        return self.of(self.vectors.new(), self.device.zeros(self.count, self.device.types.real))

    def of(self, x: wp.array, p: wp.array) -> Pair:
        return Pair(x, p, tuple(p[a:b] for a, b in zip(self.starts[:-1], self.starts[1:])))

    def zero(self, a: Pair) -> None:
        self.device.clear(a.x)
        self.device.clear(a.p)

    def copy(self, source: Pair, out: Pair) -> None:
        self.device.copy(source.x, out.x)
        self.device.copy(source.p, out.p)

    def dots(self, a: Pair, b: Pair) -> tuple[wp.array, wp.array]:
        """Both dot products as parts to be added up, without synchronising with the host."""
        return self.vectors.dots(a.x, b.x), self.sums.parts(self.kernels.dot_reals, a.p, b.p)

    def dot(self, a: Pair, b: Pair) -> float:
        return float(sum(parts.numpy().sum() for parts in self.dots(a, b)))


@dataclass(frozen=True, eq=False)
class Saddle:
    """K u = b. ``apply(d, out)`` is out = K d, ``precondition(r, z)`` z = M⁻¹ r with M symmetric and positive definite.

    ``work`` keeps the vectors of a solver from one solve to the next. ``graph``, where given, keeps the captured solve:
    apply and precondition then only launch, the same kernels on the same arrays for the same ``key``.
    """

    device: Device
    pairs: Pairs
    free: wp.array  # (n,) vec3 of 0 and 1
    apply: Callable[[Pair, Pair], None]
    precondition: Callable[[Pair, Pair], None]
    work: dict[type, Any]
    graph: dict | None = None
    key: tuple = ()
