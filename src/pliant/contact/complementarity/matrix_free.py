"""Matrix-free compliance: products through the factor, W never assembled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ..pairs.growable import GrowableArrays
from .contact_compliance import place_of_factor
from .matrix_free_kernels import unbuilt_kernels
from .narrow_phase import Rows


@dataclass(frozen=True)
class MatrixFree:
    """W = J A⁻¹ Jᵀ as a solve with the factor for each product with it, which needs no memory (Zeng 2023, Alg 5).

    All contacts are solved at once. It pays where there are so many contacts that W would not fit. Where W fits,
    SelectedInverse() takes a fifteenth of its time on a high block with few contacts and two thirds on a flat one with many,
    while the factor stays; where W is reassembled each time, an eighth and as much (docs/performance.md).
    """

    def matrix(self, kept: dict[str, Any], inverse: Any, rows: Rows) -> MatrixFreeOperator:
        """W with the operator ``inverse``; ``kept`` is what stays from call to call, {} at first."""
        known = kept.get("unbuilt")
        if known is None or known.inverse is not inverse:
            known = kept["unbuilt"] = MatrixFreeOperator(inverse)
        known.take(rows)
        return known


class MatrixFreeOperator:
    """The product with W by a factor, for the contacts of the last ``take``."""

    def __init__(self, inverse: Any):
        self.inverse, self.device = inverse, place_of_factor(inverse)
        self.kernels = unbuilt_kernels(inverse.block.device.precision)
        self.rooms = GrowableArrays(self.device)
        self.right, self.left = inverse.room(), inverse.room()

    def take(self, rows: Rows) -> None:
        """Use these contacts from now on."""
        put, c = self.rooms.put, rows.count
        nodes, at = np.unique(rows.mixture.indices, return_inverse=True)
        order = np.argsort(at, kind="stable")
        owner = np.repeat(np.arange(c), np.diff(rows.mixture.indptr))
        begins = np.searchsorted(at[order], np.arange(len(nodes) + 1))
        self.sizes = put("sizes", np.array([c, len(nodes)]), wp.int32)
        frames = put("frames", rows.frames, wp.mat33d)
        self.of_contacts = (
            put("begins", rows.mixture.indptr, wp.int32), put("nodes", rows.mixture.indices, wp.int32),
            put("weights", rows.mixture.data, wp.float64), frames,
        )  # fmt: skip
        self.of_nodes = (
            put("reached", nodes, wp.int32), put("node begins", begins, wp.int32), put("contacts", owner[order], wp.int32),
            put("node weights", rows.mixture.data[order], wp.float64), frames,
        )  # fmt: skip
        self.key = (self.right.ptr, *(array.ptr for array in (*self.of_contacts, *self.of_nodes)))

    def take_blocks(self, sizes: wp.array, blocks: wp.array) -> None:
        """Approximate diagonal blocks of W, (c,) 3×3."""
        matrix, frames = self.inverse.block, self.of_contacts[-1]
        mesh = (self.sizes, *self.of_contacts, self.inverse.held, matrix.device_rows, matrix.device_columns)
        self.device.launch(self.kernels.give_way, min(len(frames), len(blocks)), *mesh, matrix.values, blocks, grain=64)

    def apply(self, sizes: wp.array, y: wp.array, out: wp.array) -> None:
        """out = W y."""
        launch, kernels, held = self.device.launch, self.kernels, self.inverse.held
        self.device.clear(self.right)
        launch(kernels.pull_nodes, len(self.of_nodes[0]), self.sizes, *self.of_nodes, held, y, self.right)
        self.inverse.factor.solve_device(self.right, self.left)
        contacts = min(len(self.of_contacts[-1]), len(out) // 3)
        launch(kernels.push_contacts, contacts, self.sizes, *self.of_contacts, held, self.left, out)
