"""Front layout in memory: [L₁₁⁻¹; L₂₁ L₁₁⁻¹] in tiles.

With v = L₁₁⁻¹ b₁ and w = L₂₁ L₁₁⁻¹ b₁ both substitutions are products with one dense matrix, which needs no order
among its rows. A strip of four columns starts at its own rows, so that almost no zero above the diagonal is stored, and
lies in memory in the order in which it is read: tile after tile down the strip, column after column in a tile.
A GPU factorises into panels (``front_kernels``) and solves from two copies in blocks (``levels``): for L and for Lᵀ.
"""

from __future__ import annotations

import numpy as np

from .symbolic_factor import Analysis

COLUMNS = 4  # of a tile
ROWS = {"f32": 4, "f64": 2}  # of a tile: 16 bytes
GRANULE = 8  # threads of a GPU to a block are a multiple of this, so that they share whole sectors of 32 bytes
STEP = 4  # entries loaded together by a thread of a GPU; its products are multiples of this


def front_sizes(analysis: Analysis, precision: str) -> np.ndarray:
    """Stored entries of each front (fronts,), with padding."""
    height, c, b = ROWS[precision], analysis.pivots, analysis.below
    strips, tiles = -(-c // COLUMNS), -(-(c + b) // height)
    above = COLUMNS // height * (strips * (strips - 1) // 2)  # tiles missing in the strips
    return (strips * tiles - above) * height * COLUMNS
