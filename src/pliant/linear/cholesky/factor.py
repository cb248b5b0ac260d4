"""A factor A = L Lᵀ that solves, takes new values, and follows local changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import warp as wp

from ...device import PRECISIONS, Device
from ...errors import InputError, floats
from .level_solve import LevelSolver
from .numeric import Numeric
from .pattern import indices
from .solve import Solver
from .symbolic import Analysis

KEPT = 2.0  # bytes of updates kept for local changes, over the bytes of the factor
MOST_REDONE = 0.7  # share of the work above which a local change is factorised anew


@dataclass(frozen=True)
class Factor:
    """The Cholesky factor of a matrix, made by ``factorise``; one call at a time.

    ``lower``: values of the lower triangle of the matrix, in the order of the pattern.
    """

    analysis: Analysis
    numeric: Numeric
    solver: Solver | LevelSolver
    lower: np.ndarray

    @property
    def nnz(self) -> int:
        """Entries of L, dense inside each front."""
        return self.analysis.nnz

    @property
    def bytes(self) -> int:
        """Bytes that the factor keeps: packed tiles, index lists and updates kept for local changes.

        One that solves on a GPU keeps all of these on the host, for ``refactor``, and ``solver.bytes`` on the GPU.
        """
        a, packed = self.analysis, self.numeric.packed
        lists = sum(array.nbytes for array in (a.rows, a.relative, a.permutation, a.entry_place, a.entry_order))
        kept = 8 * int((a.below**2)[self.numeric.is_kept].sum())
        there = self.solver.bytes if isinstance(self.solver, LevelSolver) else 0
        return packed.size * wp.types.type_size_in_bytes(packed.dtype) + lists + kept + there

    def refactor(self, values: object) -> None:
        """Take new values (nnz,), or a matrix of the pattern analysed; if they are refused, the factor stays as it was."""
        self._replace(self.analysis.pattern.lower_values(values), None)

    def update(self, rows: object, cols: object, values: object) -> int:
        """Add ``values`` (k,) to the entries (rows, cols) and their mirror images; says how many fronts were redone.

        Only fronts from the changed entries up to the root are redone, and subtrees beside them whose updates were not
        kept (``updatable=True`` keeps them). Where that is most of the work, all are.
        """
        a = self.analysis
        i, j, added = indices("rows", rows), indices("cols", cols), floats(values)
        if not i.shape == j.shape == added.shape or not np.isfinite(added).all():
            raise InputError(
                f"rows, cols and values have shapes {i.shape}, {j.shape} and {added.shape}; expected three lists of one "
                "length with finite values"
            )
        if len(i) == 0:
            return 0
        at = a.pattern.find(i, j)
        lower = self.lower.copy()
        np.add.at(lower, at, added)
        fronts = self.numeric.reached(a.owner[np.minimum(a.inverse[i], a.inverse[j])])
        if a.flops[fronts].sum() > MOST_REDONE * a.flops.sum():
            fronts = np.arange(a.fronts)
        self._replace(lower, fronts if len(fronts) < a.fronts else None)
        return len(fronts)

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
        else:
            self.numeric.refactor(lower, fronts)
        if isinstance(self.solver, LevelSolver):
            self.solver.take(self.numeric.packed)

    def solve(self, b: object, refine: int = 0) -> np.ndarray:
        """Return A⁻¹ b for ``b`` (n,) or (n, k); ``refine``: corrections with the residual in double precision."""
        right = floats(b)
        if right.ndim not in (1, 2) or right.shape[0] != self.analysis.count:
            raise InputError(
                f"b has shape {right.shape}; expected ({self.analysis.count},) or ({self.analysis.count}, k)"
            )
        if not isinstance(refine, int) or refine < 0:
            raise InputError(f"refine is {refine!r}; expected a number of corrections, 0 or more")
        columns = right.reshape(len(right), -1)
        found = self._solve_columns(columns)
        if refine:
            matrix = self.analysis.pattern.matrix(self.lower)
            for _ in range(refine):
                found += self._solve_columns(columns - matrix @ found)
        return found.reshape(right.shape)

    def _solve_columns(self, b: np.ndarray) -> np.ndarray:
        found, done = np.empty(b.shape), 0
        for width, count in _passes(b.shape[1]):
            given = np.zeros((len(b), width), self.solver.device.types.numpy)
            given[:, :count] = b[:, done : done + count]
            kind = self.solver.kind(width)
            right = self.solver.device.array(given[:, 0] if width == 1 else given, kind)
            out = self.solver.device.zeros(len(b), kind)
            self.solver.solve(right, out, width)
            found[:, done : done + count] = out.numpy().reshape(len(b), width)[:, :count]
            done += count
        self.solver.device.forget()  # the arrays of this call go
        return found

    def solve_device(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b for (n,) device arrays of scalars or vec3 in the precision of the factor, with no word to the host.

        ``out`` may be ``b`` itself.
        """
        self.solver.solve(b, out, 1 if getattr(b, "dtype", None) is self.solver.kind(1) else 3)

    def solve_partial(self, nodes: object, values: object, wanted: object) -> np.ndarray:
        """Rows ``wanted`` (m,) of A⁻¹ b, where b is zero but for its rows ``nodes`` (p,), which are ``values`` (p, k).

        On the CPU it visits only the fronts from ``nodes`` up to the root and from there down to ``wanted``; on a GPU, all.
        Returns (m, k).
        """
        a, s = self.analysis, self.solver
        given, asked, right = indices("nodes", nodes), indices("wanted", wanted), floats(values)
        for name, list_ in (("nodes", given), ("wanted", asked)):
            if len(list_) == 0 or list_.min() < 0 or list_.max() >= a.count:
                raise InputError(f"{name} must hold rows from 0 to {a.count - 1}, at least one")
        if len(np.unique(given)) < len(given):
            raise InputError("nodes holds a row more than once; add its values up")
        if right.ndim != 2 or len(right) != len(given) or not np.isfinite(right).all():
            raise InputError(f"values have shape {right.shape}; expected finite numbers, ({len(given)}, k)")
        if isinstance(s, LevelSolver):
            full = np.zeros((a.count, right.shape[1]))
            full[given] = right
            return self._solve_columns(full)[asked]
        down = a.paths(a.owner[a.inverse[asked]])
        down_plan = s.path_plan(down)
        found, done = np.empty((len(asked), right.shape[1])), 0
        for width, count in _passes(right.shape[1]):
            part = right[:, done : done + count]
            used = (part != 0).any(axis=1)
            up = a.paths(a.owner[a.inverse[given[used]]])
            active = np.zeros(a.fronts, np.int32)
            active[up] = 1
            dense = np.zeros((a.count, width), s.device.types.numpy)
            dense[given, :count] = part
            b = s.device.array(dense[:, 0] if width == 1 else dense, s.kind(width))
            out = s.device.zeros(a.count, s.kind(width))
            y = s.buffers(width).y.numpy().reshape(a.count, width)
            for f in down[active[down] == 0]:
                y[a.start[f] : a.start[f + 1]] = 0.0
            if len(up):
                s.forward(b, width, s.path_plan(up), s.device.array(active, wp.int32))
            s.backward(out, width, down_plan)
            found[:, done : done + count] = out.numpy().reshape(a.count, width)[asked, :count]
            done += count
        s.device.forget()
        return found


def factorise(
    analysis: Analysis,
    values: object,
    precision: str = "f64",
    device: str = "cpu",
    threads: int | None = None,
    updatable: bool = False,
) -> Factor:
    """Factorise the matrix with ``values`` (nnz,) in the pattern of ``analysis`` (or a sparse matrix of that pattern).

    ``precision``: of the factor kept and of its solves; the factorisation itself is in double precision on the CPU.
    ``device``: where it solves. ``threads``: of the CPU. ``updatable``: keep what makes ``update`` quick, at about three
    times the memory.
    """
    if precision not in PRECISIONS:
        raise InputError(f"precision is {precision!r}; expected 'f32' or 'f64'")
    host = Device("cpu", precision, threads)
    size = 4 if precision == "f32" else 8
    numeric = Numeric(analysis, host, 0)
    if updatable:
        numeric = Numeric(analysis, host, int(KEPT * size * numeric.packed_start[-1]))
    place = host if device == "cpu" else Device(device, precision)
    lower = analysis.pattern.lower_values(values)
    numeric.factor(lower)
    if place.is_cpu:
        solver = Solver(analysis, place, numeric.packed, numeric.packed_start)
    else:
        solver = LevelSolver(analysis, place, numeric.packed_start)
        solver.take(numeric.packed)
    return Factor(analysis, numeric, solver, lower)


def _passes(columns: int) -> list[tuple[int, int]]:
    """(width, columns used) of the passes over so many right-hand sides."""
    found = [(4, 4)] * (columns // 4) if columns != 3 else []
    left = columns - 4 * len(found)
    return found + ([(1, 1)] if left == 1 else [(3, left)] if left else [])
