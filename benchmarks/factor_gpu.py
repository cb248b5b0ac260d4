"""Cholesky factors computed on a GPU: python benchmarks/factor_gpu.py [OUT.json [DEVICE [MOST_TETS]]]

Beams of 25,000, 102,400 and 238,140 tets, linear elasticity and M/h², three unknowns to a node. First what it is worth:
the residual of a solve over the right-hand side, against the CPU's own factor at the smallest size, and that an indefinite
matrix is refused. Then ms to factorise (a replayed graph and one look at the pivots), to put the factor into the blocks of
the solves, to take new values from the host, and to solve; where the time goes, kernel by kernel; a step of Newton with
Direct(). Each measurement stands alone: one that fails prints why. With DEVICE cpu the same kernels run there, slowly, to
try the script: give MOST_TETS 1000.
"""

import json
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import warp as wp
from scipy import sparse

import pliant as pl
from pliant.linear.cholesky.cpu.numeric_factor import NotPositiveDefinite
from pliant.linear.cholesky.factor import Factor, on_device, prepare
from pliant.linear.cholesky.gpu.front_kernels import cholesky_front_kernels
from pliant.linear.factor.block_factor import block_analysis
from pliant.linear.factor.block_factor_device import DeviceFactored
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device

CELLS = ((8, 4, 4), (50, 10, 10), (80, 16, 16), (108, 21, 21))
KINDS = (("f64", "f64"), ("f32", "f64"), ("f32", "f32"))  # precision of the factor kept, precision of the arithmetic
YOUNG, POISSON, DENSITY, DT = 1e6, 0.4, 1000.0, 1 / 60
ROUNDS = 10
RECORD: dict[str, object] = {}


def stiffness(device: Device, mesh: pl.TetMesh) -> BlockMatrix:
    """K + M/h² of linear elasticity, summed on the host."""
    X, tets = mesh.vertices, np.asarray(mesh.tets)
    matrix = BlockMatrix(device, len(X), [tets])
    edges = np.stack([X[tets[:, i]] - X[tets[:, 0]] for i in (1, 2, 3)], axis=1)
    volume = np.abs(np.linalg.det(edges)) / 6
    rest = np.linalg.inv(edges).transpose(0, 2, 1)
    g = np.concatenate([-rest.sum(axis=1, keepdims=True), rest], axis=1)
    mu, lam = YOUNG / (2 + 2 * POISSON), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    values = np.zeros((matrix.entries, 3, 3))
    for a in range(4):
        for b in range(4):
            at = matrix.find(tets[:, a], tets[:, b])
            dot = np.einsum("ti,ti->t", g[:, a], g[:, b])
            mass = DENSITY / DT**2 * volume / 4 if a == b else 0.0
            for i in range(3):
                for j in range(3):
                    part = volume * (lam * g[:, a, i] * g[:, b, j] + mu * g[:, a, j] * g[:, b, i])
                    if i == j:
                        part = part + mu * volume * dot + mass
                    values[:, i, j] += np.bincount(at, part, matrix.entries)
    matrix.values.assign(values.astype(device.types.numpy))
    return matrix


def attempt(name: str, work: Callable[[], object]) -> object:
    """The result of a measurement, printed and kept; or its traceback."""
    try:
        value = work()
    except Exception:  # one failure must not lose the rest
        value = None
        print(f"{name}: FAILED\n{traceback.format_exc()}", flush=True)
        RECORD[name] = "failed: " + traceback.format_exc().splitlines()[-1]
        return None
    if isinstance(value, float | str):
        RECORD[name] = value
        print(f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}", flush=True)
    elif value is not None:
        RECORD[name] = value
    return value


def milliseconds(device: Device, work: Callable[[], None], rounds: int = ROUNDS) -> float:
    """Median time of ``work`` after two runs that compile and capture."""
    taken = []
    for _ in range(rounds + 2):
        device.synchronize()
        begin = time.perf_counter()
        work()
        device.synchronize()
        taken.append(1e3 * (time.perf_counter() - begin))
    return float(np.median(taken[2:]))


def solve_milliseconds(device: Device, factor: Factor, solves: int = 10) -> float:
    n = factor.analysis.count
    b, out = (device.zeros(n, device.types.real) for _ in range(2))
    replay = device.repeated(lambda: factor.solve_device(b, out), solves, {})
    return milliseconds(device, replay) / solves


def residual(factor: Factor, matrix: sparse.spmatrix) -> float:
    b = np.random.default_rng(0).standard_normal(matrix.shape[0])
    return float(np.linalg.norm(matrix @ factor.solve(b) - b) / np.linalg.norm(b))


def breakdown(factor: Factor) -> tuple[dict[str, float], list[float]]:
    """ms of each kernel and of each level, launched one by one and waited for, with what a launch costs taken off."""
    numeric, taken, levels = factor.numeric, defaultdict(float), []
    device, plan, kernels = numeric.device, numeric.plan, cholesky_front_kernels(numeric.arithmetic)
    entries = (plan.place, numeric.values, numeric.packed)

    def waited(kernel: wp.Kernel, dim: int, *args: object) -> float:
        device.synchronize()
        begin = time.perf_counter()
        device.launch(kernel, dim, *args, grain=1)
        device.synchronize()
        return 1e3 * (time.perf_counter() - begin)

    for _ in range(2):  # the second time counts
        taken.clear()
        levels.clear()
        numeric.packed.zero_()
        idle = float(np.median([waited(kernels.put_entries, 1, *entries) for _ in range(20)]))
        taken["put_entries"] = waited(kernels.put_entries, len(plan.place), *entries) - idle
        for name, offset, count in plan.launches:
            args = (device.block, offset, plan.tasks, plan.table, *numeric.arguments[name])
            spent = waited(getattr(kernels, name), count * device.block, *args) - idle
            taken[name] += spent
            if name == "assemble" or name == "multiply_inverse":
                levels.append(0.0)
            levels[-1] += spent
    return dict(taken), levels


def where_it_goes(factor: Factor, name: str) -> None:
    found = attempt(f"{name}: kernels", lambda: breakdown(factor))
    if found is None:
        return
    for kernel, taken in found[0].items():
        count = sum(1 for k, _, _ in factor.numeric.plan.launches if k == kernel)
        print(f"    {kernel:20} {taken:9.3f} ms in {max(count, 1)} launches")
    print("    levels from the leaves, then the product with the inverses:", *(f"{v:.3f}" for v in found[1]), flush=True)


def measure(cells: tuple[int, int, int], place: str) -> list[str]:
    mesh = pl.tet_grid((1.0, 0.2, 0.2), cells, 5)
    tets, rows = len(mesh.tets), []
    host = Device("cpu", "f64")
    matrix = stiffness(host, mesh)
    blocks = matrix.values.numpy()
    sparse_matrix = sparse.bsr_matrix((blocks, matrix.columns, matrix.row_start)).tocsr()
    begin = time.perf_counter()
    analysis, source, diagonal = block_analysis(matrix, mesh.vertices)
    lower = blocks.reshape(-1)[source]
    c, b = analysis.pivots.astype(float), analysis.below.astype(float)
    flops = 2 * (c**3 / 3 + b * c**2 + b**2 * c / 2)
    bytes_ = 8 * (2 * ((2 * c + b) * c).sum() + 4 * (b**2).sum())
    print(
        f"\n=== {tets} tets, {analysis.count} unknowns: {analysis.fronts} fronts, {analysis.depth.max() + 1} levels,"
        f" {analysis.nnz / 1e6:.1f} M entries of L, {flops.sum() / 1e9:.1f} GFLOP,"
        f" {bytes_ / 1e9:.2f} GB moved at least (f64); analysed in {time.perf_counter() - begin:.2f} s",
        flush=True,
    )
    for kept, arithmetic in KINDS:
        name = f"{tets} tets, factor {kept}, arithmetic {arithmetic}"
        device = Device(place, kept)
        begin = time.perf_counter()
        factor = on_device(analysis, device, arithmetic)
        plain = attempt(f"{name}: first factor", lambda factor=factor: factor.take(lower) or "ok")
        if plain is None:
            continue
        device.synchronize()
        launches = len(factor.numeric.plan.launches) + 2
        first = time.perf_counter() - begin
        print(
            f"{name}: {launches} launches, {factor.numeric.bytes / 1e9:.2f} GB for the factorisation and"
            f" {factor.solver.bytes / 1e9:.2f} GB for solves; the first took {first:.2f} s",
            flush=True,
        )
        worth = attempt(f"{name}: residual", lambda factor=factor: residual(factor, sparse_matrix))
        if tets < 30_000 and kept == arithmetic == "f64":
            attempt(f"{name}: difference from the CPU", lambda factor=factor: difference(factor, lower))
            attempt(f"{name}: indefinite refused", lambda factor=factor: refused(factor, lower, diagonal))
        factor.take(lower)
        values = device.array(lower, factor.numeric.values.dtype)
        run = attempt(f"{name}: factor [ms]", lambda factor=factor, d=device: milliseconds(d, factor.numeric.run))
        whole = attempt(
            f"{name}: factor and blocks [ms]",
            lambda factor=factor, d=device, v=values: milliseconds(d, lambda: factor.take_device(v)),
        )
        attempt(f"{name}: residual after graphs", lambda factor=factor: residual(factor, sparse_matrix))
        new = attempt(
            f"{name}: new values from the host [ms]",
            lambda factor=factor, d=device: milliseconds(d, lambda: factor.take(lower), 4),
        )
        solve = attempt(f"{name}: solve [ms]", lambda factor=factor, d=device: solve_milliseconds(d, factor))
        shown = [f"{value:9.3f}" if isinstance(value, float) else "   failed" for value in (run, whole, new, solve)]
        speed = f"{flops.sum() / run / 1e9:6.2f}" if isinstance(run, float) else "failed"
        rows.append(f"{tets:8} {kept:>6} {arithmetic:>10} {' '.join(shown)} {speed:>9} {worth or np.nan:11.1e}")
        where_it_goes(factor, name)
    return rows


def difference(factor: Factor, lower: np.ndarray) -> float:
    """Of a solve from that with the CPU's factor, relative."""
    reference = prepare(factor.analysis)
    reference.take(lower)
    b = np.random.default_rng(1).standard_normal(factor.analysis.count)
    expected = reference.solve(b)
    return float(np.abs(factor.solve(b) - expected).max() / np.abs(expected).max())


def refused(factor: Factor, lower: np.ndarray, diagonal: np.ndarray) -> str:
    bad = lower.copy()
    bad[diagonal[len(diagonal) // 2]] *= -1.0
    try:
        factor.take(bad)
    except NotPositiveDefinite as error:
        return f"yes: {error}"
    raise AssertionError("an indefinite matrix was factorised")


def newton(cells: tuple[int, int, int], place: str, precision: str) -> None:
    """A step of Newton's method with Direct() and with PCG(Cholesky())."""
    mesh = pl.tet_grid((1.0, 0.2, 0.2), cells, 5)
    law = pl.StableNeoHookean(young=YOUNG, poisson=POISSON, density=DENSITY)
    for linear in (pl.linear.Direct(), pl.linear.PCG(preconditioner=pl.linear.Cholesky())):
        name = f"{len(mesh.tets)} tets {precision}, Newton(1e-3) with {type(linear).__name__}"
        scene = pl.Scene([pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)])
        scheme = pl.ImplicitEuler(DT, solver=pl.Newton(linear=linear, tolerance=1e-3))
        sim = pl.Simulation(scene, scheme, device=place, precision=precision)
        reports = [sim.step() for _ in range(6)]
        seconds = float(np.median([r.seconds["total"] for r in reports[2:]]))
        whole = all(r.kept for r in reports)
        print(f"{name}: {1e3 * seconds:.2f} ms a step, {reports[-1].iterations} iterations, ok {whole}", flush=True)
        RECORD[name + " [ms]"] = 1e3 * seconds


def taken_by_direct(cells: tuple[int, int, int], place: str, precision: str) -> float:
    """ms of what Direct() does for a new matrix: values of the blocks into the factor, the factor, into the blocks."""
    mesh = pl.tet_grid((1.0, 0.2, 0.2), cells, 5)
    device = Device(place, precision)
    factored = DeviceFactored(stiffness(device, mesh), mesh.vertices)
    free = device.array(np.ones((len(mesh.vertices), 3)), device.types.vec3)
    return milliseconds(device, lambda: factored.take(free, precision), 4)


def main(path: str = "", place: str = "cuda", most: str = "240000") -> None:
    wp.init()
    RECORD["machine"] = wp.get_device("cuda:0").name if place != "cpu" else "cpu"
    print(RECORD["machine"], "warp", wp.config.version, flush=True)
    rows, sizes = [], [cells for cells in CELLS if 5 * np.prod(cells) <= int(most)]
    for cells in sizes:
        made = attempt(f"{cells}: all", lambda cells=cells: measure(cells, place))
        rows += made or []
    print("\n    tets   kept arithmetic    factor  + blocks  + upload     solve   TFLOP/s    residual   (ms)")
    print("\n".join(rows), flush=True)
    save(path)
    for cells in sizes[1:3] or sizes:
        for precision in ("f64", "f32"):
            name = f"{5 * int(np.prod(cells))} tets {precision}"
            attempt(f"{name}: matrix taken by Direct [ms]", lambda c=cells, p=precision: taken_by_direct(c, place, p))
            attempt(f"{name}: Newton", lambda c=cells, p=precision: newton(c, place, p))
            save(path)
    print(json.dumps(RECORD))


def save(path: str) -> None:
    if path:
        with open(path, "w") as file:
            json.dump(RECORD, file, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
