"""Cholesky factor with solves, new values and local updates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import warp as wp

from ...arguments.checks import floats
from ...errors import InputError
from ...runtime.device import PRECISIONS, Device
from .cpu.numeric_factor import Numeric, numeric
from .cpu.triangular_solve import Solver
from .gpu.front_kernels import PANEL_KERNELS
from .gpu.front_numeric import FrontNumeric
from .gpu.level_solve import LevelSolver
from .gpu.sparse_inverse_device import DeviceInverse
from .symbolic.front_layout import front_sizes
from .symbolic.symbolic_factor import Analysis
from .symbolic.symmetric_pattern import indices

KEPT = 2.0  # values of updates kept for local changes, over those of the factor,
MOST_KEPT = 2**28  # and their bytes at most
MOST_REDONE = 0.9  # share of the work above which a local change is refactorised in full


@dataclass(frozen=True)
class Factor:
    """The Cholesky factor of a matrix, made by ``factorise``; one call at a time.

    ``lower``: values of the lower triangle of the matrix, in the order of the pattern, NaN where there is no
    factor. ``inverse`` is S = L⁻¹, by which ``solve_device`` multiplies, if any: on a GPU.
    """

    analysis: Analysis
    numeric: Numeric | FrontNumeric
    solver: Solver | LevelSolver
    lower: np.ndarray
    inverse: DeviceInverse | None = None

    def inverted(self) -> Factor:
        """The same factor with storage for S, computed from the next values on; on the CPU unchanged, for substitutions."""
        return self if isinstance(self.solver, Solver) else replace(self, inverse=DeviceInverse(self.numeric, self.solver))

    @property
    def nnz(self) -> int:
        """Entries of L, dense inside each front."""
        return self.analysis.nnz

    @property
    def bytes(self) -> int:
        """Bytes of the factor: values, index lists, and updates kept for local changes.

        One on a GPU keeps the lists on the host, and ``numeric.bytes + solver.bytes`` on the GPU.
        """
        a = self.analysis
        lists = sum(array.nbytes for array in (a.rows, a.relative, a.permutation, a.entry_place, a.entry_order))
        there = self.solver.bytes if isinstance(self.solver, LevelSolver) else 0
        return self.numeric.bytes + lists + there + (self.inverse.bytes if self.inverse is not None else 0)

    def take(self, lower: np.ndarray) -> None:
        """Factorise the matrix whose lower triangle has these values, in the order of the pattern.

        Nothing is checked, and a refused matrix leaves no factor: for callers that try one after the
        other. Only fronts reached by changed entries are redone, as far as updates were kept.
        """
        fronts = self._changed(lower)
        self.lower[:] = np.nan
        self._factorise(lower, fronts)
        self.lower[:] = lower

    def take_changed(self, lower: np.ndarray, fronts: np.ndarray) -> None:
        """The same where only fronts reached by entries of some ``fronts`` are missing."""
        self._factorise(lower, self._reached(fronts))
        self.lower[:] = lower

    def take_device(self, values: wp.array) -> None:
        """The same for values on the GPU where it factorises; ``lower`` stays as it was, for ``refine`` and ``update``."""
        self.begin_device(values)
        self.numeric.check()

    def begin_device(self, values: wp.array) -> None:
        """The same, by launches alone: ``numeric.check`` says whether the matrix was positive definite."""
        wp.copy(self.numeric.values, values)
        self.numeric.launch()
        self.follow()

    def follow(self) -> None:
        """Use the last factor of ``numeric`` in solves."""
        if isinstance(self.solver, LevelSolver):
            self.solver.take(self.numeric.packed)
        if self.inverse is not None:
            self.inverse.take()

    def refactor(self, values: object) -> None:
        """Take new values (nnz,), or a matrix of the analysed pattern.

        If they are refused, the factor stays as it was.
        """
        lower = self.analysis.pattern.lower_values(values)
        self._replace(lower, self._changed(lower))

    def update(self, rows: object, cols: object, values: object) -> int:
        """Add ``values`` (k,) to the entries (rows, cols) and their mirror images; returns the number of redone fronts.

        Only fronts from the changed entries up to the root are redone, and sibling subtrees whose updates were not
        kept (``updatable=True`` keeps them). Where that is most of the work, all are; on a GPU always.
        """
        a = self.analysis
        i, j, added = indices("rows", rows), indices("cols", cols), floats(values)
        if not i.shape == j.shape == added.shape or not np.isfinite(added).all():
            raise InputError(
                f"rows, cols and values have shapes {i.shape}, {j.shape} and {added.shape}; expected three lists of "
                "equal length with finite values"
            )
        if len(i) == 0:
            return 0
        at = a.pattern.find(i, j)
        lower = self.lower.copy()
        np.add.at(lower, at, added)
        fronts = self._reached(a.owner[np.minimum(a.inverse[i], a.inverse[j])])
        self._replace(lower, fronts)
        return a.fronts if fronts is None else len(fronts)

    def _changed(self, lower: np.ndarray) -> np.ndarray | None:
        """Fronts to redo for other values; None for all."""
        a, other = self.analysis, lower != self.lower
        if not isinstance(self.numeric, Numeric) or np.count_nonzero(other) > MOST_REDONE * len(other):
            return None
        touched = np.zeros(a.fronts, bool)
        touched[a.lower_owner[other]] = True
        return None if touched.all() else self._reached(np.flatnonzero(touched))

    def _reached(self, fronts: np.ndarray) -> np.ndarray | None:
        """Fronts to redo for changed entries of some fronts; None for all."""
        a, found = self.analysis, self.numeric.reached(fronts)
        most = len(found) == a.fronts or a.flops[found].sum() > MOST_REDONE * a.flops.sum()
        return None if most else found

    def _replace(self, lower: np.ndarray, fronts: np.ndarray | None) -> None:
        try:
            self._factorise(lower, fronts)
        except InputError:
            self._factorise(self.lower, fronts)
            raise
        self.lower[:] = lower

    def _factorise(self, lower: np.ndarray, fronts: np.ndarray | None) -> None:
        if fronts is None:
            self.numeric.factor(lower)
        elif len(fronts):
            self.numeric.refactor(lower, fronts)
        self.follow()

    def solve(self, b: object, refine: int = 0) -> np.ndarray:
        """Return A⁻¹ b for ``b`` (n,) or (n, k); ``refine``: corrections with the residual in double precision."""
        right = floats(b)
        if right.ndim not in (1, 2) or right.shape[0] != self.analysis.count:
            raise InputError(f"b has shape {right.shape}; expected ({self.analysis.count},) or ({self.analysis.count}, k)")
        if not isinstance(refine, int) or refine < 0:
            raise InputError(f"refine is {refine!r}; expected a number of corrections, 0 or more")
        columns = right.reshape(len(right), -1)
        solution = self._solve_columns(columns)
        if refine:
            matrix = self.analysis.pattern.matrix(self.lower)
            for _ in range(refine):
                solution += self._solve_columns(columns - matrix @ solution)
        return solution.reshape(right.shape)

    def _solve_columns(self, b: np.ndarray) -> np.ndarray:
        solution, done = np.empty(b.shape), 0
        for width, count in _passes(b.shape[1]):
            given = np.zeros((len(b), width), self.solver.device.types.numpy)
            given[:, :count] = b[:, done : done + count]
            kind = self.solver.kind(width)
            right = self.solver.device.array(given[:, 0] if width == 1 else given, kind)
            out = self.solver.device.zeros(len(b), kind)
            self.solver.solve(right, out, width)
            solution[:, done : done + count] = out.numpy().reshape(len(b), width)[:, :count]
            done += count
        self.solver.device.forget()  # the arrays of this call go
        return solution

    def solve_device(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b for (n,) device arrays of scalars or vec3 in the factor's precision, all on the device.

        ``out`` may be ``b`` itself.
        """
        by = self.inverse or self.solver
        by.solve(b, out, 1 if getattr(b, "dtype", None) is self.solver.kind(1) else 3)

    def solve_partial(self, nodes: object, values: object, wanted: object) -> np.ndarray:
        """Rows ``wanted`` (m,) of A⁻¹ b, where b is zero except for its rows ``nodes`` (p,), which are ``values`` (p, k).

        On the CPU it visits only the fronts from ``nodes`` up to the root and from there down to ``wanted``; on a GPU,
        all. Returns (m, k).
        """
        a, s = self.analysis, self.solver
        sources, targets, right = indices("nodes", nodes), indices("wanted", wanted), floats(values)
        for name, list_ in (("nodes", sources), ("wanted", targets)):
            if len(list_) == 0 or list_.min() < 0 or list_.max() >= a.count:
                raise InputError(f"{name} must hold rows from 0 to {a.count - 1}, at least one")
        if len(np.unique(sources)) < len(sources):
            raise InputError("nodes holds a row more than once; sum its values first")
        if right.ndim != 2 or len(right) != len(sources) or not np.isfinite(right).all():
            raise InputError(f"values have shape {right.shape}; expected finite numbers, ({len(sources)}, k)")
        if isinstance(s, LevelSolver):
            full = np.zeros((a.count, right.shape[1]))
            full[sources] = right
            return self._solve_columns(full)[targets]
        down = a.paths(a.owner[a.inverse[targets]])
        down_plan = s.path_plan(down)
        solution, done = np.empty((len(targets), right.shape[1])), 0
        for width, count in _passes(right.shape[1]):
            part = right[:, done : done + count]
            used = (part != 0).any(axis=1)
            up = a.paths(a.owner[a.inverse[sources[used]]])
            active = np.zeros(a.fronts, np.int32)
            active[up] = 1
            dense = np.zeros((a.count, width), s.device.types.numpy)
            dense[sources, :count] = part
            b = s.device.array(dense[:, 0] if width == 1 else dense, s.kind(width))
            out = s.device.zeros(a.count, s.kind(width))
            y = s.buffers(width).y.numpy().reshape(a.count, width)
            for f in down[active[down] == 0]:
                y[a.start[f] : a.start[f + 1]] = 0.0
            if len(up):
                s.forward(b, width, s.path_plan(up), s.device.array(active, wp.int32))
            s.backward(out, width, down_plan)
            solution[:, done : done + count] = out.numpy().reshape(a.count, width)[targets, :count]
            done += count
        s.device.forget()
        return solution


def factorise(
    analysis: Analysis,
    values: object,
    precision: str = "f64",
    device: str = "cpu",
    threads: int | None = None,
    updatable: bool = False,
) -> Factor:
    """Factorise the matrix with ``values`` (nnz,) in the pattern of ``analysis`` (or a sparse matrix of that pattern).

    ``precision``: of the factor kept and of its solves; the factorisation itself is in double precision. ``device``:
    where it factorises and solves. ``threads``: of the CPU. ``updatable``: keep updates for fast ``update``, and for values
    with few changes, at up to three times the memory (five in f32), on the CPU.
    """
    factor = prepare(analysis, precision, device, threads, updatable)
    factor.take(analysis.pattern.lower_values(values))
    return factor


def prepare(
    analysis: Analysis,
    precision: str = "f64",
    device: str = "cpu",
    threads: int | None = None,
    updatable: bool = False,
    factoring: int | None = None,
) -> Factor:
    """Storage for the factors of matrices of one pattern, without values; the arguments are those of ``factorise``.

    ``factoring``: threads of the factorisation, if different from those of the solves.
    """
    if precision not in PRECISIONS:
        raise InputError(f"precision is {precision!r}; expected 'f32' or 'f64'")
    place = Device(device, precision, threads)
    if not place.is_cpu:
        return on_device(analysis, place)
    bench = place if factoring is None else Device(device, precision, factoring)
    keep = min(MOST_KEPT, int(KEPT * 8 * front_sizes(analysis, precision).sum())) if updatable else 0
    return on_host(numeric(analysis, bench, keep), place)


def on_host(made: Numeric, device: Device) -> Factor:
    """A factor on the CPU without values; ``device`` is that of its solves."""
    a = made.analysis
    solver = Solver(a, device, made.packed, made.packed_start)
    return Factor(a, made, solver, np.full(len(a.pattern.lower_rows), np.nan))


def on_device(analysis: Analysis, device: Device, arithmetic: str = "f64") -> Factor:
    """Storage for factors computed and kept on a GPU, in the precision of ``device``; the CPU can run it, slowly.

    ``arithmetic``: precision of the factorisation itself.
    """
    made = FrontNumeric(analysis, device, arithmetic)
    solver = LevelSolver(analysis, device, made.packed_start, PANEL_KERNELS[arithmetic])
    return Factor(analysis, made, solver, np.full(len(analysis.pattern.lower_rows), np.nan))


def _passes(columns: int) -> list[tuple[int, int]]:
    """(width, columns used) of the passes over so many right-hand sides."""
    wide = [(4, 4)] * (columns // 4) if columns != 3 else []
    left = columns - 4 * len(wide)
    return wide + ([(1, 1)] if left == 1 else [(3, left)] if left else [])
