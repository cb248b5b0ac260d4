"""Pressure smoothness of averaged cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...elements.lattice.lattice_cells import Cells

SIGNS = np.array([1 - 2 * (bin(c).count("1") % 2) for c in range(8)])  # the checkerboard on the eight cells about a node


@dataclass(frozen=True)
class Smoothness:
    """``roughness`` [Pa]: root mean square of the jumps of pressure from cell to cell, across their faces.

    ``checkerboard``: of what pressures vary by among the eight cells about a node, the share (0 … 1) that alternates in all
    three directions, over all inner nodes; NaN where there are none, or where pressures do not vary.
    """

    roughness: float
    checkerboard: float


def smoothness(cells: Cells, pressures: np.ndarray) -> Smoothness:
    """That of one pressure [Pa] for each cell."""
    about = np.full((cells.count, 8), np.nan)  # node → pressure of the cell of which it is corner c
    about[cells.nodes, np.arange(8)[None, :]] = pressures[:, None]
    jumps = []
    for axis in (1, 2, 4):
        for corner in range(8):
            if not corner & axis:
                jumps.append(about[:, corner] - about[:, corner | axis])
    squares = np.concatenate(jumps) ** 2
    squares = squares[np.isfinite(squares)]
    inner = about[np.isfinite(about).all(axis=1)]
    varied = np.sum((inner - inner.mean(axis=1, keepdims=True)) ** 2)
    alternating = np.sum((inner @ SIGNS) ** 2) / 8
    return Smoothness(
        roughness=float(np.sqrt(squares.mean())) if len(squares) else 0.0,
        checkerboard=float(alternating / varied) if varied > 0 else float("nan"),
    )
