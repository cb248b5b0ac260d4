"""What the sparse inverse S = L⁻¹ would take beside the factor L of the same order: python benchmarks/sparse_inverse.py [cells …]

A⁻¹ = Sᵀ S (after Zeng 2025) needs no substitution, two products without levels instead; but S has an entry wherever one
front of the elimination tree lies above another, and cannot follow a cut. Counts are exact; the times are SciPy's, one thread
for both products of a small S, beside our two substitutions.
"""

import sys
import time

import numpy as np
from scipy import sparse

import pliant as pl
from pliant.device import Device
from pliant.linear.factored import Factored
from pliant.linear.matrix import BlockMatrix

CELLS = (4, 8, 10, 16)  # across the beam, five times as many along it
LARGEST = 6_000  # unknowns for which S is made


def counts(analysis) -> tuple[int, int]:
    """Entries of L, dense inside fronts, and of its inverse: all pivots of a front and of those above it."""
    above = np.zeros(analysis.fronts, np.int64)
    for front in range(analysis.fronts - 1, -1, -1):  # parents come after their children
        parent = analysis.parent[front]
        if parent >= 0:
            above[front] = above[parent] + analysis.pivots[parent]
    pivots = analysis.pivots.astype(np.int64)
    return int(analysis.nnz), int((pivots * (pivots + 1) // 2 + pivots * above).sum())


def best(work, rounds: int = 15) -> float:
    """Fastest of some runs [s]."""
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def times(factored: Factored) -> tuple[float, float]:
    """Seconds of Sᵀ S b and of L⁻ᵀ L⁻¹ b."""
    order, A = factored.analysis.permutation, factored.matrix.toarray()
    dense = np.linalg.inv(np.linalg.cholesky(A[np.ix_(order, order)]))
    S = sparse.csr_matrix(np.where(np.abs(dense) > 1e-14 * np.abs(dense).max(), dense, 0.0))
    transposed, right = S.T.tocsr(), np.random.default_rng(0).standard_normal(len(A))
    b, out = factored.room(), factored.room()
    b.assign(right)
    return best(lambda: transposed @ (S @ right)), best(lambda: factored.factor.solve_device(b, out))


def main(*given: str) -> None:
    for across in map(int, given or CELLS):
        mesh = pl.tet_grid((1.0, 0.2, 0.2), (5 * across, across, across), 5)
        device, count = Device("cpu", "f64", 1), len(mesh.vertices)
        matrix = BlockMatrix(device, count, [np.asarray(mesh.tets)])
        values = np.zeros((matrix.entries, 3, 3))
        values[:] = -0.1 * np.eye(3)
        values[matrix.diagonal] = 4.0 * np.eye(3) + 0.2
        matrix.values.assign(values)
        factored = Factored(matrix, 1, mesh.vertices)
        lower, inverse = counts(factored.analysis)
        sizes = f"L {lower / 1e6:8.2f} M entries, S {inverse / 1e6:8.2f} M, {inverse / lower:.1f} times as many"
        line = f"{len(mesh.tets):7d} tets: {sizes}"
        if 3 * count <= LARGEST:
            factored.take(device.array(np.ones((count, 3)), device.types.vec3), "f64")
            products, substitutions = times(factored)
            line += f"; both products {1e3 * products:.2f} ms, both substitutions {1e3 * substitutions:.2f} ms"
        print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
