"""Element matrices summed into a sparse matrix: through a stored map, beside SciPy's sorting of triplets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
from scipy import sparse

from pliant.bench.timing import alternated
from pliant.geometry.mesh.primitives import tet_grid
from pliant.linear.matrix.block_matrix import BlockGather, BlockMatrix
from pliant.runtime.device import Device

Row = tuple[str, float, str]
CELLS = ((20, 4, 4), (40, 8, 8), (50, 10, 10), (80, 16, 16))
PAIRS = list(combinations_with_replacement(range(4), 2))


def run(device: str = "cpu", threads: int | None = None, largest: int = 25_000, rounds: int = 9) -> Iterator[Row]:
    """Tets of beams up to ``largest``, f64: the sums of their 12×12 matrices through the map that is kept as long as nodes
    couple as before, how long that map takes to make, and SciPy's COO→CSR of the same 144 triplets a tet."""
    place = Device(device, "f64", threads)
    on = device + (f" {place.threads} thread{'s'[: place.threads - 1]}" if place.is_cpu else "")
    for cells in CELLS:
        mesh = tet_grid((1.0, 0.2, 0.2), cells, 5)
        tets, count = np.asarray(mesh.tets), len(mesh.vertices)
        if len(tets) > largest:
            continue
        label = f"assembly of {len(tets)} tets"
        begin = time.perf_counter()
        matrix = BlockMatrix(place, count, [tets])
        gather = BlockGather(place, matrix, tets, PAIRS)
        made = time.perf_counter() - begin
        elements = _elements(len(tets))
        gather.parts.assign(np.stack([elements[:, i, j] for i, j in PAIRS]))
        rows, columns = (a.ravel() for a in _triplets(tets))
        values, kept = elements.transpose(0, 1, 3, 2, 4).reshape(-1), {}

        def ours(matrix=matrix, gather=gather, kept=kept) -> None:
            place.replayed(lambda: (place.clear(matrix.values), gather.add_to(matrix)), (), kept)

        def scipys(values=values, rows=rows, columns=columns, n=3 * count) -> sparse.csr_matrix:
            return sparse.coo_matrix((values, (rows, columns)), (n, n)).tocsr()

        best = alternated({"ours": ours, "scipy": scipys}, place, rounds)
        yield f"{label} {on} through the stored map", 1e3 * best["ours"], "ms"
        yield f"{label} {on}, making the map", 1e3 * made, "ms"
        yield f"{label} SciPy COO to CSR", 1e3 * best["scipy"], "ms"
        yield f"{label} {on}, speed-up", best["scipy"] / best["ours"], "x"
        yield f"{label} {on}, difference", _difference(matrix, scipys()), ""


def _elements(count: int) -> np.ndarray:
    """(count, 4, 4, 3, 3) symmetric element matrices."""
    given = np.random.default_rng(0).standard_normal((count, 4, 4, 3, 3))
    return given + given.transpose(0, 2, 1, 4, 3)


def _triplets(tets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the 12×12 unknowns of each tet."""
    unknowns = (3 * tets[:, :, None] + np.arange(3)).reshape(len(tets), 12)
    shape = (len(tets), 12, 12)
    return np.broadcast_to(unknowns[:, :, None], shape), np.broadcast_to(unknowns[:, None, :], shape)


def _difference(matrix: BlockMatrix, other: sparse.csr_matrix) -> float:
    """Largest difference between the two, over the largest entry."""
    blocks = (matrix.values.numpy(), matrix.columns, matrix.row_start)
    own = sparse.bsr_matrix(blocks, shape=other.shape).tocsr()
    return float(abs(own - other).max() / abs(other).max())
