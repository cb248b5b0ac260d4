"""The sparse inverse S = L⁻¹ of a GPU beside the substitutions with L, and beside cuSPARSE's:

    python benchmarks/sparse_inverse.py [--cells 4 8 10 16] [--json OUT] [--steps]

Constant matrices of beams as QuasiNewton() has them (one unknown to a node, three right-hand sides, f32 and f64), and a matrix
of linear elasticity (three unknowns to a node, f64) as the steps of Table 3.4 of Zeng 2023 have it. Of each: entries and bytes,
the time to make factor and inverse, the time of a solve, and how far both answers are from each other and from A x = b.
``--steps``: whole steps of QuasiNewton(iterations=10) either way. The same triangular systems by cuSPARSE (SpSV) where that is
installed, with the analysis of the pattern and without. ``--device cpu`` runs the kernels of the GPU on one thread, slowly.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import warp as wp
from factor_gpu import stiffness
from machine import commit
from scipy import sparse

import pliant as pl
from pliant.linear.cholesky.cpu.front_panels import Panels
from pliant.linear.cholesky.factor import Factor, on_device, prepare
from pliant.linear.cholesky.symbolic.symbolic_factor import Analysis, analyse, analyse_blocks
from pliant.runtime.device import Device

CELLS = (
    4,
    8,
    10,
    16,
)  # across the beam, five times as many along it; 8 and 10 have the nodes of Raptor 1 and 3 of the thesis
MOST = 20_000  # unknowns of a matrix of elasticity
ROUNDS, SOLVES = 15, 10


def beam(across: int) -> pl.TetMesh:
    return pl.tet_grid((1.0, 0.2, 0.2), (5 * across, across, across), 5)


def scalar_matrix(mesh: pl.TetMesh) -> tuple[sparse.csr_matrix, Analysis]:
    """M/h² + L of a beam, one unknown to a node."""
    blocks = stiffness(Device("cpu", "f64"), mesh)
    traces = np.trace(blocks.values.numpy(), axis1=1, axis2=2) / 3
    matrix = sparse.csr_matrix((traces, blocks.columns, blocks.row_start))
    return matrix, analyse(matrix, positions=mesh.vertices)


def elastic_matrix(mesh: pl.TetMesh) -> tuple[sparse.csr_matrix, Analysis]:
    """M/h² + K of linear elasticity, three unknowns to a node."""
    blocks = stiffness(Device("cpu", "f64"), mesh)
    rows = np.repeat(np.arange(blocks.count), np.diff(blocks.row_start))
    analysis = analyse_blocks(rows, blocks.columns, 3, mesh.vertices, blocks.count, 15)
    matrix = sparse.bsr_matrix((blocks.values.numpy(), blocks.columns, blocks.row_start)).tocsr()
    return matrix, analysis


def lower_values(analysis: Analysis, matrix: sparse.csr_matrix) -> np.ndarray:
    pattern = analysis.pattern
    return np.asarray(matrix[pattern.lower_rows, pattern.lower_cols]).ravel()


def clock(device: Device) -> Callable[[], float]:
    def now() -> float:
        device.synchronize()
        return time.process_time() if device.is_cpu else time.perf_counter()

    return now


def alternately(device: Device, works: dict[str, Callable[[], None]], each: int) -> dict[str, np.ndarray]:
    """ms of each of some works, done by turns."""
    now, spent = clock(device), {name: [] for name in works}
    for _ in range(ROUNDS + 3):
        for name, work in works.items():
            begin = now()
            work()
            spent[name].append(1e3 * (now() - begin) / each)
    return {name: np.array(taken[3:]) for name, taken in spent.items()}


def measure(name: str, matrix: sparse.csr_matrix, analysis: Analysis, device: Device, width: int) -> dict:
    """Size, and times to make and to apply, of L and of S."""
    factor: Factor = on_device(analysis, device).inverted()
    factor.take(lower_values(analysis, matrix))
    n, kind = analysis.count, factor.solver.kind(width)
    right = np.random.default_rng(0).standard_normal((n, width))
    b = device.array(right[:, 0] if width == 1 else right, kind)
    x = {way: device.zeros(n, kind) for way in ("substitutions", "products")}
    works = {
        "substitutions": device.repeated(lambda: factor.solver.solve(b, x["substitutions"], width), SOLVES, {}),
        "products": device.repeated(lambda: factor.inverse.solve(b, x["products"], width), SOLVES, {}),
    }
    taken = alternately(device, works, SOLVES)
    make = alternately(device, {"factor": factor.numeric.launch, "inverse": factor.inverse.take}, 1)
    answers = {way: array.numpy().reshape(n, width).astype(float) for way, array in x.items()}
    size = np.abs(answers["substitutions"]).max()
    ratio = taken["substitutions"] / taken["products"]
    bytes_of = np.dtype(device.types.numpy).itemsize
    row = {
        "unknowns": n, "right-hand sides": width, "precision": device.precision,
        "levels": int(analysis.depth.max()) + 1,
        "entries of L": analysis.nnz, "entries of S": factor.inverse.rows.entries,
        "MB of L": bytes_of * analysis.nnz / 1e6, "MB of S": factor.inverse.bytes / 1e6,
        "factor [ms]": float(np.median(make["factor"])), "inverse [ms]": float(np.median(make["inverse"])),
        "substitutions [ms]": float(np.median(taken["substitutions"])), "products [ms]": float(np.median(taken["products"])),
        "times faster": float(np.median(ratio)), "spread": [float(ratio.min()), float(ratio.max())],
        "difference": float(np.abs(answers["products"] - answers["substitutions"]).max() / size),
        "residual of substitutions": residual(matrix, answers["substitutions"], right),
        "residual of products": residual(matrix, answers["products"], right),
    }  # fmt: skip
    print(name, json.dumps(row), flush=True)
    return row


def residual(matrix: sparse.csr_matrix, x: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(matrix @ x - b) / np.linalg.norm(b))


def triangle(factor: Factor) -> tuple[sparse.csr_matrix, np.ndarray]:
    """L of a factor on the CPU as a sparse matrix in the order of elimination, and that order."""
    a, panels = factor.analysis, Panels(factor.solver)
    rows, columns, values = [], [], []
    for f in range(a.fronts):
        c, first = int(a.pivots[f]), int(a.start[f])
        inverse, rest = panels.of(f)
        own = np.linalg.inv(inverse)
        whole = np.concatenate([np.tril(own), rest @ own])
        at = np.concatenate([first + np.arange(c), a.rows[a.row_start[f] : a.row_start[f + 1]]])
        i, j = np.nonzero(np.concatenate([np.tri(c, dtype=bool), np.ones((len(at) - c, c), bool)]))
        rows.append(at[i])
        columns.append(first + j)
        values.append(whole[i, j])
    made = sparse.coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (a.count,) * 2)
    return made.tocsr(), a.permutation


def cusparse(name: str, matrix: sparse.csr_matrix, analysis: Analysis, device: Device, ours: dict) -> dict | None:
    """The two triangular systems by cuSPARSE, as in Table 3.4: with the analysis of the pattern in every solve, and without."""
    factor = prepare(analysis)
    factor.take(lower_values(analysis, matrix))
    L, order = triangle(factor)
    b = np.random.default_rng(0).standard_normal(analysis.count)
    try:
        both = Substitutions(L, b[order], device)
    except OSError as missing:
        print(f"{name}: no cuSPARSE, {missing}", flush=True)
        return None

    def anew() -> None:
        both.analyse()
        both.solve()

    anew()
    x = np.empty(analysis.count)
    x[order] = both.answer()
    taken = alternately(device, {"with": anew, "without": both.solve}, 1)
    row = {"residual": residual(matrix, x[:, None], b[:, None])}
    for what, spent in taken.items():
        row[f"{what} analysis [ms]"] = float(np.median(spent))
        for way in ("substitutions", "products"):
            row[f"over our {way}, {what} analysis"] = row[f"{what} analysis [ms]"] / ours[f"{way} [ms]"]
    print(f"{name}, cuSPARSE", json.dumps(row), flush=True)
    return row


class Substitutions:
    """L y = b and Lᵀ x = y by cusparseSpSV, each with a matrix of its own, so that neither is transposed on the way."""

    def __init__(self, L: sparse.csr_matrix, b: np.ndarray, device: Device):
        self.library = _library()
        self.handle, self.one = ctypes.c_void_p(), ctypes.c_double(1.0)
        self.call("cusparseCreate", ctypes.byref(self.handle))
        self.kept, self.systems, self.plans = [], [], []
        self.vectors = [device.array(b, wp.float64), *(device.zeros(len(b), wp.float64) for _ in range(2))]
        self.ends = [self.vector(array) for array in self.vectors]
        for fill, triangle in ((0, L), (1, sparse.csr_matrix(L.T))):  # lower, upper
            self.systems.append(self.matrix(triangle, fill, device))
        self.rooms = [device.zeros(max(1, self.room(k)), wp.int8) for k in range(2)]

    def call(self, name: str, *args: object) -> None:
        status = getattr(self.library, name)(*args)
        if status:
            raise RuntimeError(f"{name}: status {status}")

    def vector(self, array: wp.array) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self.call("cusparseCreateDnVec", ctypes.byref(made), ctypes.c_int64(len(array)), ctypes.c_void_p(array.ptr), 1)
        return made

    def matrix(self, A: sparse.csr_matrix, fill: int, device: Device) -> ctypes.c_void_p:
        A.sort_indices()
        lists = [device.array(a, kind) for a, kind in ((A.indptr, wp.int32), (A.indices, wp.int32), (A.data, wp.float64))]
        self.kept.append(lists)
        made, sizes = ctypes.c_void_p(), (ctypes.c_int64(n) for n in (*A.shape, A.nnz))
        places = (ctypes.c_void_p(a.ptr) for a in lists)
        self.call("cusparseCreateCsr", ctypes.byref(made), *sizes, *places, 2, 2, 0, 1)  # 32-bit indices from 0, doubles
        for attribute, value in ((0, fill), (1, 0)):  # which triangle; its diagonal is not one
            given = ctypes.c_int(value)
            size = ctypes.c_size_t(ctypes.sizeof(given))
            self.call("cusparseSpMatSetAttribute", made, attribute, ctypes.byref(given), size)
        return made

    def given(self, k: int, plan: ctypes.c_void_p) -> tuple:
        """What all calls for system k take: from vector k to vector k + 1, doubles, the usual algorithm."""
        ends = self.ends[k : k + 2]
        return (self.handle, 0, ctypes.byref(self.one), self.systems[k], *ends, 1, 0, plan)

    def room(self, k: int) -> int:
        plan, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.call("cusparseSpSV_createDescr", ctypes.byref(plan))
        self.call("cusparseSpSV_bufferSize", *self.given(k, plan), ctypes.byref(size))
        self.call("cusparseSpSV_destroyDescr", plan)
        return size.value

    def analyse(self) -> None:
        for plan in self.plans:
            self.call("cusparseSpSV_destroyDescr", plan)
        self.plans = [ctypes.c_void_p() for _ in range(2)]
        for k, plan in enumerate(self.plans):
            size = ctypes.c_size_t()
            self.call("cusparseSpSV_createDescr", ctypes.byref(plan))
            self.call("cusparseSpSV_bufferSize", *self.given(k, plan), ctypes.byref(size))
            self.call("cusparseSpSV_analysis", *self.given(k, plan), ctypes.c_void_p(self.rooms[k].ptr))

    def solve(self) -> None:
        for k, plan in enumerate(self.plans):
            self.call("cusparseSpSV_solve", *self.given(k, plan))

    def answer(self) -> np.ndarray:
        wp.synchronize()
        return self.vectors[2].numpy()


def _library() -> ctypes.CDLL:
    """cuSPARSE, of the system or out of NVIDIA's packages for Python."""
    folders = [Path(each) / "nvidia" for each in sys.path]
    found = [str(path) for each in folders for path in sorted(each.glob("**/libcusparse.so.*"))]
    for name in ("libcusparse.so.12", "libcusparse.so.13", "libcusparse.so", *found):
        try:
            return ctypes.CDLL(name)
        except OSError as missing:
            error = missing
    raise error


def steps(across: int, name: str, precision: str) -> dict:
    """Whole steps of QuasiNewton(iterations=10), either way, by turns."""
    mesh, sims = beam(across), {}
    law = pl.StableNeoHookean(young=1e6, poisson=0.4, density=1000.0)
    for way, linear in (("substitutions", pl.linear.Direct()), ("products", pl.linear.SparseInverse())):
        body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
        scheme = pl.ImplicitEuler(1 / 60, solver=pl.QuasiNewton(iterations=10, linear=linear))
        sims[way] = pl.Simulation(pl.Scene([body]), scheme, device=name, precision=precision)
    taken = alternately(Device(name, precision), {way: sim.step for way, sim in sims.items()}, 1)
    ratio = taken["substitutions"] / taken["products"]
    apart = np.abs(sims["products"].x - sims["substitutions"].x).max()
    row = {f"{way} [ms]": float(np.median(spent)) for way, spent in taken.items()}
    row |= {
        "times faster": float(np.median(ratio)),
        "spread": [float(ratio.min()), float(ratio.max())],
        "apart [m]": apart,
    }
    print(f"{len(mesh.tets)} tets {precision}, a step of QuasiNewton(iterations=10)", json.dumps(row), flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--cells", type=int, nargs="*", default=CELLS)
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    on_gpu = args.device != "cpu"
    machine = f"{platform.machine()}, {Device('cpu').threads} threads"
    if on_gpu:
        machine = Device(args.device).warp.name
    found: dict = {}
    for across in args.cells:
        mesh = beam(across)
        matrix, analysis = scalar_matrix(mesh)
        for precision in ("f32", "f64"):
            name = f"{len(mesh.tets)} tets, constant matrix, {precision}"
            found[name] = measure(name, matrix, analysis, Device(args.device, precision), 3)
        if 3 * len(mesh.vertices) <= MOST:
            matrix, analysis = elastic_matrix(mesh)
            name = f"{len(mesh.tets)} tets, elastic matrix, f64"
            found[name] = measure(name, matrix, analysis, Device(args.device, "f64"), 1)
            if on_gpu:
                found[f"{name}, cuSPARSE"] = cusparse(name, matrix, analysis, Device(args.device, "f64"), found[name])
        if args.steps:
            for precision in ("f32", "f64"):
                found[f"{len(mesh.tets)} tets, {precision}, step"] = steps(across, args.device, precision)
        if args.json:
            about = {"machine": machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
            about |= {"command": " ".join(["python", *sys.argv]), "result": found}
            args.json.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
