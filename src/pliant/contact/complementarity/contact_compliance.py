"""Contact compliance (Delassus operator): W = J A⁻¹ Jᵀ.

J has c rows of a few nodes, many of which several contacts share. With the k unknowns that any row reaches, J = H I for a
compressed H (c, k) and unit vectors I, and W = H (I A⁻¹ Iᵀ) Hᵀ: only the part of the inverse between these unknowns is needed,
which does not change with directions, and only grows with new unknowns while the factor of A stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...linear.cholesky.selected_inverse import PathInverse
from ...linear.cholesky.selected_inverse_device import DevicePaths
from ...linear.factor.block_factor_device import DeviceFactored
from ...runtime.device import Device
from ..pairs.growable import GrowableArrays
from .compliance_kernels import compliance_kernels
from .narrow_phase import Rows

AT_ONCE = 64  # right-hand sides of a solve


@dataclass(frozen=True, eq=False)
class Delassus:
    """W (size, size) on the device of its assembly: ``values`` row by row."""

    device: Device
    values: wp.array
    size: int

    @staticmethod
    def of(W: np.ndarray, device: Device) -> Delassus:
        """A W from the host."""
        return Delassus(device, device.array(W.reshape(-1), wp.float64), len(W))

    def numpy(self) -> np.ndarray:
        return self.values.numpy()[: self.size**2].reshape(self.size, self.size)


@dataclass(frozen=True)
class Dense:
    """W by a solve with the whole factor for each row: the reference for other methods."""

    def matrix(self, kept: dict[str, Any], inverse: Any, rows: Rows) -> Delassus:
        """W (3c, 3c) with the operator ``inverse``; ``kept`` is what stays from call to call, {} at first."""
        J = rows.jacobian()
        W = np.empty((J.shape[0], J.shape[0]))
        for first in range(0, J.shape[0], AT_ONCE):
            some = slice(first, first + AT_ONCE)
            W[:, some] = J @ inverse.solve_many(J[some].T.toarray())
        return Delassus.of(0.5 * (W + W.T), place_of_factor(inverse))


@dataclass(frozen=True)
class SelectedInverse:
    """W from the inverse between the unknowns that contacts reach, along their paths in the elimination tree (Zeng 2023, §4.2).

    ``reuse``: computed entries of the inverse are kept as long as the factor, and only new unknowns are added.
    """

    reuse: bool = True

    def __post_init__(self):
        checks.flag("SelectedInverse(reuse=…)", self.reuse)

    def matrix(self, kept: dict[str, Any], inverse: Any, rows: Rows) -> Delassus:
        """W (3c, 3c) with the operator ``inverse``; ``kept`` is what stays from call to call, {} at first.

        It is on the factor's device, and overwritten by the next call.
        """
        known = kept.get("inverse")
        if known is None or known.operator is not inverse:
            known = kept["inverse"] = (DevicePaths if isinstance(inverse, DeviceFactored) else PathInverse)(inverse)
            kept["rooms"] = GrowableArrays(place_of_factor(inverse))
        elif not self.reuse:
            known.spoil()
        rooms, c = kept["rooms"], rows.count
        nodes, at = np.unique(rows.mixture.indices, return_inverse=True)
        places = known.between((3 * nodes[:, None] + np.arange(3)).reshape(-1))[::3]  # unknowns of a node are consecutive
        contacts = (
            rooms.keep("begins", rows.mixture.indptr, wp.int32), rooms.keep("places", places[at], wp.int32),
            rooms.keep("weights", rows.mixture.data, wp.float64), rooms.keep("frames", rows.frames, wp.mat33d),
        )  # fmt: skip
        W = rooms.of("W", 9 * c * c, wp.float64)
        rooms.device.launch(compliance_kernels("f64").put_blocks, c * c, c, known.size, *contacts, known.inverse, W, grain=4096)
        return Delassus(rooms.device, W, 3 * c)


def place_of_factor(inverse: Any) -> Device:
    """The device of a factor, in double precision, with separate launches."""
    given = inverse.device if isinstance(inverse, DeviceFactored) else inverse.host
    return Device(given.name, "f64", given.threads)
