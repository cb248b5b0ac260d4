"""Sparse Cholesky: order, factorise and solve at three sizes, beside SciPy's splu, CHOLMOD and the memory's speed."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from pliant.bench.timing import copy_bandwidth
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import TetMesh
from pliant.geometry.mesh.primitives import tet_grid
from pliant.linear.cholesky import Analysis, Factor, analyse, factorise
from pliant.runtime.device import Device

Row = tuple[str, float, str]

CELLS = (21, 36, 52)  # along each edge: 10,648, 50,653 and 148,877 nodes
MOST_FOR_LU = 60_000  # nodes; splu takes minutes beyond
# CHOLMOD 5.12 (supernodal, METIS, OpenBLAS), once on a two-core 64-bit ARM server:
# nodes → factorise [s], solve 3 right-hand sides [ms], entries of L
QUOTED = {10_648: (0.08, 7.7, 1.83e6), 50_653: (0.93, 51.7, 16.7e6), 148_877: (6.30, 194.0, 75.6e6)}


def stiffness_matrix(mesh: TetMesh) -> sparse.csr_matrix:
    """k L + M/h² (k = 1e5 Pa, 1000 kg/m³, h = 1/60 s) of the linear tets of a mesh.

    Every edge of the mesh keeps its entry, also where the two sides of a symmetry cancel to zero.
    """
    X, tets = mesh.vertices, np.asarray(mesh.tets)
    edges = np.stack([X[tets[:, i]] - X[tets[:, 0]] for i in (1, 2, 3)], axis=1)
    volume = np.abs(np.linalg.det(edges)) / 6
    rest = np.linalg.inv(edges).transpose(0, 2, 1)
    gradients = np.concatenate([-rest.sum(axis=1, keepdims=True), rest], axis=1)
    blocks = 1e5 * volume[:, None, None] * np.einsum("tai,tbi->tab", gradients, gradients)
    blocks[:, range(4), range(4)] += 1000.0 * 3600.0 * volume[:, None] / 4
    i, j = np.repeat(tets, 4, axis=1).ravel(), np.tile(tets, (1, 4)).ravel()
    return sparse.coo_matrix((blocks.ravel(), (i, j)), shape=(len(X), len(X))).tocsr()


def run(device: str = "cpu", largest: int = 150_000, threads: int = 0, splu: bool = True) -> Iterator[Row]:
    """Cubes of 10,648, 50,653 and 148,877 nodes, in six tets to a cell.

    ``largest``: most nodes, so that ``largest=60000`` leaves out the last cube, which takes minutes; ``device``: where
    it solves, "cpu" or "cuda"; ``threads`` 0 means all; ``splu`` asks for SciPy's LU beside ours, up to 60,000 nodes.
    CPU seconds stand beside wall-clock ones: on a busy machine they tell what the work costs.
    """
    chosen = [cells for cells in CELLS if (cells + 1) ** 3 <= largest]
    if not chosen:
        sizes = ", ".join(str((cells + 1) ** 3) for cells in CELLS)
        raise InputError(f"largest is {largest}; expected a number of nodes that leaves one of {sizes}")
    count = threads or Device("cpu").threads
    bandwidth = read_bandwidth() if device == "cpu" else copy_bandwidth(Device(device))
    yield "threads", count, ""
    yield "bandwidth, reading by all threads" if device == "cpu" else "bandwidth of a copy", bandwidth / 1e9, "GB/s"
    for cells in chosen:
        mesh = tet_grid((1.0, 1.0, 1.0), (cells, cells, cells), 6)
        X, matrix = mesh.vertices, stiffness_matrix(mesh)
        n = matrix.shape[0]
        wall, cpu, analysis = _timed(lambda X=X, matrix=matrix: analyse(matrix, positions=X), 1)
        yield f"{n} nodes analyse", wall, "s"
        yield f"{n} nodes analyse, CPU time", cpu, "s"
        yield f"{n} nodes entries of L", analysis.nnz / 1e6, "million"
        for precision in ("f64", "f32"):
            yield from _ours(matrix, analysis, precision, device, count, bandwidth)
        if n <= MOST_FOR_LU:
            yield from _local(matrix, analysis, count)
        if splu and n <= MOST_FOR_LU:
            yield from _splu(matrix, analysis)
        yield from _cholmod(matrix)
        if n in QUOTED:
            factor, solve, entries = QUOTED[n]
            yield f"{n} nodes CHOLMOD quoted factor", factor, "s"
            yield f"{n} nodes CHOLMOD quoted solve 3", solve, "ms"
            yield f"{n} nodes CHOLMOD quoted entries of L", entries / 1e6, "million"


def _ours(
    matrix: sparse.csr_matrix, analysis: Analysis, precision: str, device: str, threads: int, bandwidth: float
) -> Iterator[Row]:
    n = matrix.shape[0]
    name = f"{n} nodes {precision}"
    wall, cpu, factor = _timed(lambda: factorise(analysis, matrix, precision, device, threads), 1)
    yield f"{name} factor", wall, "s"
    yield f"{name} factor, CPU time", cpu, "s"
    wall, cpu, _ = _timed(lambda: factor.refactor(matrix), 3)
    yield f"{name} refactor", wall, "s"
    yield f"{name} refactor, CPU time", cpu, "s"
    for width in (1, 3):
        wall, cpu, _ = _timed(_on_device(factor, width), 25)
        yield f"{name} solve {width}", 1e3 * wall, "ms"
        yield f"{name} solve {width}, CPU time", 1e3 * cpu, "ms"
    size = 4 if precision == "f32" else 8
    yield f"{name} floor of a solve of 1 to 4: L read twice", 1e3 * 2 * size * factor.nnz / bandwidth, "ms"
    right = _right_sides(n, 64)
    wall, cpu, solution = _timed(lambda: factor.solve(right), 2)
    yield f"{name} solve 64 from the host", 1e3 * wall, "ms"
    yield f"{name} solve 64 from the host, CPU time", 1e3 * cpu, "ms"
    yield f"{name} residual / right-hand side", float(np.abs(matrix @ solution - right).max() / np.abs(right).max()), ""
    yield f"{name} memory of the factor", factor.bytes / 1e6, "MB"


def _right_sides(n: int, width: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((n, width))


def _local(matrix: sparse.csr_matrix, analysis: Analysis, threads: int) -> Iterator[Row]:
    """A change at one node, and the part of the inverse that belongs to 16 nodes, near a corner and in the middle."""
    n = matrix.shape[0]
    factor = factorise(analysis, matrix, threads=threads, updatable=True)
    yield f"{n} nodes f64 memory of a factor that can be updated", factor.bytes / 1e6, "MB"
    for name, node in (("corner", 0), ("middle", n // 2)):
        wall, cpu, fronts = _timed(lambda node=node: factor.update([node], [node], [1.0]), 2)
        yield f"{n} nodes f64 update at the {name}", wall, "s"
        yield f"{n} nodes f64 update at the {name}, CPU time", cpu, "s"
        yield f"{n} nodes f64 update at the {name}, fronts redone of {analysis.fronts}", fronts, ""
        nodes = node + np.arange(16)
        wall, cpu, _ = _timed(lambda nodes=nodes: factor.solve_partial(nodes, np.eye(16), nodes), 3)
        yield f"{n} nodes f64 inverse of 16 nodes at the {name}", 1e3 * wall, "ms"
        yield f"{n} nodes f64 inverse of 16 nodes at the {name}, CPU time", 1e3 * cpu, "ms"


def _on_device(factor: Factor, width: int) -> Callable[[], None]:
    """A solve that stays on the device."""
    device = factor.solver.device
    kind = factor.solver.kind(width)
    shape = (factor.analysis.count, width) if width > 1 else (factor.analysis.count,)
    b = device.array(np.random.default_rng(0).standard_normal(shape), kind)
    out = device.zeros(factor.analysis.count, kind)

    def work() -> None:
        factor.solve_device(b, out)
        device.synchronize()

    return work


def _splu(matrix: sparse.csr_matrix, analysis: Analysis) -> Iterator[Row]:
    """SciPy's LU of the matrix in our order, so that only the factorisation differs."""
    n, order = matrix.shape[0], analysis.permutation
    permuted = matrix[order][:, order].tocsc()
    options = {"SymmetricMode": True}
    wall, cpu, factor = _timed(lambda: linalg.splu(permuted, permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options), 1)
    name = f"{n} nodes splu in our order,"
    yield f"{name} factor", wall, "s"
    yield f"{name} factor, CPU time", cpu, "s"
    yield from _their_solves(f"{name} solve", factor.solve, n)
    yield f"{name} entries of L", 0.5 * (factor.nnz + n) / 1e6, "million"
    yield f"{name} memory at 12 bytes an entry of L and U", 12 * factor.nnz / 1e6, "MB"


def _cholmod(matrix: sparse.csr_matrix) -> Iterator[Row]:
    """CHOLMOD through scikit-sparse, where its user has installed it; it is under the GPL and never asked for by us."""
    if importlib.util.find_spec("sksparse") is None:
        return
    from sksparse import cholmod

    n, columns = matrix.shape[0], matrix.tocsc()
    if not hasattr(cholmod, "analyze"):
        yield f"{n} nodes CHOLMOD rows: scikit-sparse has no analyze(), 0.4 is needed", 0, ""
        return
    wall, cpu, symbolic = _timed(lambda: cholmod.analyze(columns, mode="supernodal", ordering_method="metis"), 1)
    yield f"{n} nodes CHOLMOD analyse", wall, "s"
    yield f"{n} nodes CHOLMOD analyse, CPU time", cpu, "s"
    wall, cpu, factor = _timed(lambda: symbolic.cholesky(columns), 2)
    yield f"{n} nodes CHOLMOD factor", wall, "s"
    yield f"{n} nodes CHOLMOD factor, CPU time", cpu, "s"
    yield from _their_solves(f"{n} nodes CHOLMOD solve", factor, n)
    yield f"{n} nodes CHOLMOD entries of L", factor.L().nnz / 1e6, "million"


def _their_solves(name: str, solve: Callable[[np.ndarray], np.ndarray], n: int) -> Iterator[Row]:
    for width, repeats in ((1, 5), (3, 5), (64, 2)):
        right = _right_sides(n, width)
        wall, cpu, _ = _timed(lambda right=right: solve(right), repeats)
        yield f"{name} {width}", 1e3 * wall, "ms"
        yield f"{name} {width}, CPU time", 1e3 * cpu, "ms"


def _timed(work: Callable[[], object], repeats: int) -> tuple[float, float, object]:
    """Least wall and CPU time [s] of some runs (after one to warm up, if there are several), and the last result."""
    if repeats > 1:
        work()
    walls, cpus, result = [], [], None
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return min(walls), min(cpus), result


def read_bandwidth(megabytes: int = 256) -> float:
    """Bytes per second at which all cores read: BLAS adds up squares, on as many threads as it likes."""
    data = np.ones(megabytes * 2**20 // 8)
    wall, _, _ = _timed(lambda: np.dot(data, data), 7)
    return data.nbytes / wall
