"""Accelerated Jacobi solver for contact forces, on the device."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import warp as wp

from ...runtime.device import Device
from ...runtime.kernel_structs import Structs
from ..pairs.growable import GrowableArrays
from .accelerated_jacobi_kernels import SEGMENTS, at_once_kernels, law_struct
from .contact_compliance import Delassus
from .gauss_seidel import Forces, solve_contacts

POWER = 12  # rounds of the power method
SAFETY = 1.1  # over what they say
PARTLY = 0.5  # of the allowed sweeps, after which few contacts are swept by Gauss–Seidel
FEW = 64  # contacts for which one block's Gauss–Seidel is faster than many rounds


class Operator(Protocol):
    """The product with W; ``key`` changes with the buffers of its launches."""

    key: tuple

    def take_blocks(self, sizes: wp.array, blocks: wp.array) -> None:
        """Approximate diagonal blocks of W, (c,) 3×3."""

    def apply(self, sizes: wp.array, y: wp.array, out: wp.array) -> None:
        """out = W y."""


class Built:
    """An assembled W."""

    def __init__(self, W: Delassus, device: Device, rooms: GrowableArrays, room: int):
        self.W, self.device, self.room = W, device, room
        self.partial = rooms.of("partial", SEGMENTS * room, wp.float64)
        self.kernels = at_once_kernels("f64")
        self.key = (W.values.ptr, room)

    def take_blocks(self, sizes: wp.array, blocks: wp.array) -> None:
        self.device.launch(self.kernels.take_blocks, self.room // 3, sizes, self.W.values, blocks)

    def apply(self, sizes: wp.array, y: wp.array, out: wp.array) -> None:
        launch, partial = self.device.launch, self.partial
        launch(self.kernels.multiply_parts, SEGMENTS * self.room, self.room, sizes, self.W.values, y, partial)
        launch(self.kernels.add_parts, self.room, self.room, sizes, partial, out)


class AcceleratedJacobi:
    """Solves for contact forces in Jacobi rounds over all contacts; arrays and launches are kept between calls."""

    def __init__(self, device: Device):
        self.device, self.kernels = Device(device.name, "f64", device.threads), at_once_kernels("f64")
        self.rooms, self._graph, self._structs = GrowableArrays(self.device), {}, Structs()
        self.going = device.zeros(1, wp.int32)  # of one item, as the loop of a graph wants it

    def solve(
        self, W: Delassus | Operator, b: np.ndarray, kind: np.ndarray, friction: np.ndarray, bound: np.ndarray,
        start: np.ndarray, sweeps: int, enough: float,
    ) -> Forces:  # fmt: skip
        """As ``solve_contacts``: until no gap is wrong by more than ``enough`` [m], or ``sweeps`` times.

        If W is assembled, contacts are few and half of the rounds were not enough, Gauss–Seidel sweeps do the rest.
        """
        keep, of, c = self.rooms.keep, self.rooms.of, len(kind)
        built = isinstance(W, Delassus)
        most = max(1, int(PARTLY * sweeps)) if built and c <= FEW else sweeps
        sizes, limits = keep("sizes", np.array([c]), wp.int32), keep("limits", np.array([enough, most]), wp.float64)
        law = (keep("kind", kind, wp.int32), keep("friction", friction, wp.float64), keep("bound", bound, wp.float64))
        room = 3 * len(of("blocks", c, wp.mat33d))
        given, start_ = self._padded("b", b, room), self._padded("start", start, room)
        y = self._padded("y", np.tile([1.0, 0.3, -0.2], c) * (1.0 + 0.1 * np.sin(np.arange(3 * c))), room)
        operator = Built(W, self.device, self.rooms, room) if built else W
        self.device.replayed(
            lambda: self._run(operator, sizes, limits, law, given, start_, y, room), (*operator.key, room), self._graph
        )
        rounds, change, _ = self.device.read(self.rooms.arrays["status"])[:3]
        force, gap = (self.device.read(self.rooms.arrays[name])[: 3 * c].copy() for name in ("old", "gap"))
        if change <= enough or most >= sweeps:
            return Forces(force, gap, int(rounds), float(change))
        rest = solve_contacts(self.device, W, b, kind, friction, bound, force, sweeps - int(rounds), enough, gap)
        return Forces(rest.force, rest.gap, int(rounds) + rest.sweeps, rest.change)

    def _padded(self, name: str, values: np.ndarray, room: int) -> wp.array:
        self.rooms.of(name, room, wp.float64)
        return self.rooms.put(name, values, wp.float64)

    def _run(
        self, operator: Operator, sizes: wp.array, limits: wp.array, law: tuple, b: wp.array, start: wp.array,
        y: wp.array, room: int,
    ) -> None:  # fmt: skip
        launch, kernels, of = self.device.launch, self.kernels, self.rooms.of
        contacts, block = room // 3, self.device.block
        blocks, scale = of("blocks", contacts, wp.mat33d), of("scale", 1, wp.float64)
        product, old, found, gap = (of(name, room, wp.float64) for name in ("product", "old", "found", "gap"))
        moved, turned = (of(name, contacts, wp.float64) for name in ("moved", "turned"))
        status, going = of("status", 3, wp.float64), self.going
        rules = self._structs.of(law_struct("f64"), *law, blocks, scale)
        operator.take_blocks(sizes, blocks)
        for _ in range(POWER):
            operator.apply(sizes, y, product)
            launch(kernels.power_step, contacts, sizes, blocks, product, y, found, moved, turned)
            launch(kernels.grow, block, SAFETY, sizes, moved, turned, found, y, scale)
        launch(kernels.begin_rounds, room, sizes, start, y, old, status, going)

        def step() -> None:
            operator.apply(sizes, y, product)
            given = (rules, b, product, y, old, found, moved, turned)
            launch(kernels.solve_each, contacts, sizes, *given, grain=64)
            launch(kernels.advance, block, sizes, limits, moved, turned, found, y, old, status, going)

        self.device.loop(going, step)
        operator.apply(sizes, old, product)
        launch(kernels.add_gaps, room, sizes, b, product, gap)
