"""Solves with a sparse Cholesky factor on a GPU: python benchmarks/cholesky_gpu.py [DEVICE [MOST_NODES [PRECISION]]]

Beams of 25,000, about 240,000 and about 990,000 tets: ms of a solve with three right-hand sides, measured in a CUDA graph
of twenty solves, bytes of the factor read per second, and the difference from the CPU's own factor and solve. With
DEVICE cpu the same kernels run there, slowly and without a graph, to try the script: give MOST_NODES 10000.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import warp as wp
from studies.cholesky import stiffness_matrix

from pliant.geometry.mesh.primitives import tet_grid
from pliant.linear.cholesky import Factor, analyse, factorise
from pliant.linear.cholesky.gpu.level_solve import LevelSolver
from pliant.runtime.device import Device

CELLS = ((50, 10, 10), (108, 21, 21), (171, 34, 34))
SOLVES = 20  # in a graph
ROUNDS = 15


def seconds(device: Device, work: Callable[[], None]) -> tuple[float, float]:
    """Least and median time of one solve: of ``SOLVES`` in a graph on CUDA, of a single one on the CPU."""
    work()
    device.synchronize()
    count = 1 if device.is_cpu else SOLVES
    replay = work
    if not device.is_cpu:
        with wp.ScopedCapture(device.warp) as capture:
            for _ in range(SOLVES):
                work()

        def replay() -> None:
            wp.capture_launch(capture.graph)

        replay()
    taken = []
    for _ in range(ROUNDS):
        device.synchronize()
        begin = time.perf_counter()
        replay()
        device.synchronize()
        taken.append((time.perf_counter() - begin) / count)
    return min(taken), float(np.median(taken))


def levelled(factor: Factor, device: str) -> tuple[LevelSolver, float]:
    """The solver for a GPU, and the seconds that putting a new factor into its blocks takes."""
    solver = factor.solver
    if not isinstance(solver, LevelSolver):
        solver = LevelSolver(factor.analysis, Device(device, factor.numeric.device.precision), factor.numeric.packed_start)
        solver.take(factor.numeric.packed)
    begin = time.perf_counter()
    solver.take(factor.numeric.packed)
    solver.device.synchronize()
    return solver, time.perf_counter() - begin


def measure(cells: tuple[int, int, int], name: str, precision: str) -> None:
    mesh = tet_grid((1.0, 0.2, 0.2), cells, 5)
    matrix = stiffness_matrix(mesh)
    n = matrix.shape[0]
    label = f"{len(mesh.tets)} tets, {n} nodes, {precision}:"
    begin = time.perf_counter()
    analysis = analyse(matrix, positions=mesh.vertices)
    analysed = time.perf_counter() - begin
    factor = factorise(analysis, matrix, precision, name)
    solver, copied = levelled(factor, name)
    levels, size = solver.levels, 4 if precision == "f32" else 8
    print(label, f"analyse {analysed:.2f} s, factor on {name} {time.perf_counter() - begin - analysed:.2f} s,"
          f" of which into the blocks of the solve {1e3 * copied:.1f} ms")  # fmt: skip
    stored = levels.lower.entries + levels.upper.entries
    launches = 4 * len(levels.line_spans) + 1
    print(label, f"{analysis.nnz / 1e6:.2f} M entries of L, {stored / 2e6:.2f} M stored in each copy on average,"
          f" {len(levels.line_spans)} levels, {launches} launches, {solver.bytes / 1e6:.0f} MB on the device")  # fmt: skip
    host = Device("cpu", precision)
    reference = factorise(analysis, matrix, precision).solver
    right = np.random.default_rng(0).standard_normal((n, 3)).astype(host.types.numpy)
    for width in (3, 1):
        given = right if width == 3 else right[:, 0].copy()
        b, out = solver.device.array(given, solver.kind(width)), solver.device.zeros(n, solver.kind(width))
        best, middle = seconds(solver.device, lambda b=b, out=out, width=width: solver.solve(b, out, width))
        expected = host.zeros(n, reference.kind(width))
        reference.solve(host.array(given, reference.kind(width)), expected, width)
        found, wanted = out.numpy().astype(float), expected.numpy().astype(float)
        error = np.abs(found - wanted).max() / np.abs(wanted).max()
        residual = np.abs(matrix @ found - given).max() / np.abs(given).max()
        print(label, f"solve {width}: {1e3 * best:.4f} ms (median {1e3 * middle:.4f}),"
              f" {2 * size * analysis.nnz / best / 1e9:.0f} GB/s of L read twice,"
              f" error against the CPU {error:.1e}, residual {residual:.1e}", flush=True)  # fmt: skip


def main(name: str = "cuda", most: str = "300000", precision: str = "f32") -> None:
    for cells in CELLS:
        if np.prod(np.add(cells, 1)) <= int(most):
            measure(cells, name, precision)


if __name__ == "__main__":
    main(*sys.argv[1:])
