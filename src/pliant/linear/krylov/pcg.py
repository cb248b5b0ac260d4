"""Preconditioned conjugate gradients, stopped at negative curvature (Gast et al. 2015)."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...errors import InputError
from ...runtime.device import Device
from ..matrix.cg_kernels import linear_kernels
from ..matrix.cg_native import CHUNK
from ..matrix.operator import Iterative, Operator
from ..matrix.system import LinearResult, System
from ..preconditioner.background_cholesky import AsyncCholesky, AsyncFactor
from ..preconditioner.preconditioners import Apply, BlockJacobi, Cholesky, Jacobi, Preconditioner
from ..preconditioner.two_level import Coarse, TwoLevel

FEW = 2  # iterations per batch up to which the host does not check between them


@dataclass(frozen=True)
class PCG:
    """Conjugate gradients; ``preconditioner`` is TwoLevel(), BlockJacobi(), Jacobi(), Cholesky() or AsyncCholesky(); None is
    TwoLevel(), or BlockJacobi() where the matrix is not assembled.

    ``assembled`` multiplies by the stored block-sparse matrix; False applies each energy's tangent, which stores
    only the diagonal. ``iterations`` bounds one solve; None means 20 √n + 200, or 3n if that is more.
    """

    assembled: bool = True
    iterations: int | None = None
    preconditioner: TwoLevel | BlockJacobi | Jacobi | Cholesky | AsyncCholesky | None = None

    of_rows = True  # its workspace depends on rows alone, not on entries
    EXACT = {"f32": 1e-6, "f64": 1e-12}  # tolerance of an operator

    def __post_init__(self):
        checks.flag("PCG(assembled=…)", self.assembled)
        if self.iterations is not None:
            checks.whole("PCG(iterations=…)", self.iterations)
        if self.preconditioner is not None and not hasattr(self.preconditioner, "prepare"):
            raise InputError(
                f"PCG(preconditioner={self.preconditioner!r}): expected TwoLevel(), BlockJacobi(), Jacobi(), "
                "Cholesky() or AsyncCholesky()"
            )
        if self.used.assembled and not self.assembled:
            raise InputError(
                f"PCG(assembled=False, preconditioner={self.preconditioner!r}): it needs the assembled matrix; "
                "expected assembled=True, or BlockJacobi()"
            )

    @property
    def used(self) -> Preconditioner:
        """The preconditioner, or the default one."""
        return self.preconditioner or (TwoLevel() if self.assembled else BlockJacobi())

    def solve(self, system: System, b: wp.array[Any], x: wp.array[Any], tolerance: float) -> LinearResult:
        """Solve A x = b from x = 0 until the preconditioned residual has fallen by ``tolerance``.

        If the system has a ``start``, the solve begins at the best multiple of it, to the same residual.
        """
        device, vectors, most = system.device, system.vectors, self._most(system)
        work = system.keep(PCG, lambda: _workspace(system))
        preconditioner = self.used
        inverse = preconditioner.prepare(system)
        kept = work.graphs.setdefault((preconditioner, inverse if callable(inverse) else None), {})
        work.aim(tolerance**2)
        if device.is_cpu:
            key = None if system.key is None else (id(b), id(system.free), id(system.start), most, system.key)
            device.replayed(lambda: _whole(system, inverse, b, work, most), key, kept, at_once=True)
        elif system.key == () and preconditioner.batch <= FEW and wp.is_conditional_graph_supported():
            # as one graph: no superfluous iteration, no synchronisation with the host
            key = (id(b), id(system.free), id(system.start), most)
            device.replayed(lambda: _at_once(system, inverse, b, work, most), key, kept)
        else:
            _begin(system, inverse, b, work, most)
            iterate = functools.partial(_iterate, system, inverse, work)
            batch = device.repeated(iterate, preconditioner.batch, kept if system.key == () else None)
            done, steps = work.read(), 0
            while done[0] > done[6] and not done[4] and steps < most:
                steps += batch()
                done = work.read()
        result = self.reached(system)
        if result.negative and result.iterations <= 1 and system.start is not None:
            return self.solve(replace(system, start=None), b, x, tolerance)
        # negative curvature at once: the preconditioned gradient still descends
        vectors.copy(work.z if result.negative and result.iterations <= 1 else work.x, x)
        return result

    @property
    def launches_alone(self) -> bool:
        """Whether a solve on the CPU consists of launches only, so that it may be recorded."""
        return self.assembled and isinstance(self.used, TwoLevel | BlockJacobi | Jacobi)

    @property
    def keeps_rows(self) -> bool:
        """Whether it supports more rows in the same arrays."""
        return self.launches_alone

    def launch(self, system: System, b: wp.array[Any], x: wp.array[Any]) -> None:
        """The launches of ``solve`` where they may be recorded; ``aim`` comes before, and ``reached`` after."""
        work = system.keep(PCG, lambda: _workspace(system))
        _whole(system, self.used.prepare(system), b, work, self._most(system))
        system.vectors.copy(work.x, x)

    def aim(self, system: System, tolerance: float) -> None:
        """Set the tolerance of the next solve."""
        system.keep(PCG, lambda: _workspace(system)).aim(tolerance**2)

    def reached(self, system: System) -> LinearResult:
        """The result of the last solve."""
        done = system.work[PCG].read().tolist()
        residual = (max(done[0], 0.0) / done[5]) ** 0.5 if done[5] > 0 else 0.0
        return LinearResult(int(done[3]), residual, negative=bool(done[4]))

    def _most(self, system: System) -> int:
        n = system.vectors.count
        return self.iterations or max(3 * n, int(20 * np.sqrt(n)) + 200)

    def remembered(self, device: Device, memory: dict[type, Any]) -> AsyncFactor | None:
        """The memory of the preconditioner between steps, if any."""
        keeper = getattr(self.used, "remembered", None)
        return keeper(device, memory) if keeper else None

    def operator(self, system: System) -> Operator:
        """The inverse of the system, solved separately for every right-hand side."""
        return Iterative(system, self, self.EXACT[system.device.precision])


def _whole(system: System, inverse: wp.array | Apply, b: wp.array, work: SimpleNamespace, most: int) -> None:
    """A whole solve on the CPU."""
    rounds = [functools.partial(_iterate, system, inverse, work)]
    if system.stored:
        turns = ((work.p, work.other), (work.other, work.p))
        rounds = [functools.partial(_pass, system, inverse, work, *turn) for turn in turns]
    _begin(system, inverse, b, work, most)
    system.device.loop(work.going, *rounds)


def _at_once(system: System, inverse: wp.array | Apply, b: wp.array, work: SimpleNamespace, most: int) -> None:
    """A solve on CUDA without the host."""
    _begin(system, inverse, b, work, most)
    system.device.loop(work.going, functools.partial(_iterate, system, inverse, work))


def _precondition(system: System, inverse: wp.array | Apply, work: SimpleNamespace) -> None:
    """z = M⁻¹ r."""
    if callable(inverse):
        inverse(work.r, work.z)
    else:
        kernels, n = linear_kernels(system.device.precision), system.vectors.count
        system.device.launch(kernels.precondition, n, system.free, inverse, work.r, work.z)


def _begin(system: System, inverse: wp.array | Apply, b: wp.array, work: SimpleNamespace, most: int) -> None:
    """Initialise at x = 0, or at the multiple of the system's start that minimises the quadratic function."""
    device, vectors = system.device, system.vectors
    device.clear(work.x)
    vectors.copy(b, work.r)
    _precondition(system, inverse, work)
    vectors.copy(work.z, work.p)
    kernels, use, s = linear_kernels(device.precision), vectors.sums.use, work.scalars
    use(kernels.begin_scalars, float(most), work.goal, vectors.dots(work.r, work.z), s, work.going)
    if system.start is not None:
        use(kernels.note_slope, vectors.dots(b, system.start), s)
        if device.is_cpu and system.stored:
            vectors.copy(system.start, work.other)  # with space for one more value
            _multiply(system, work, work.other, work.z, work.p)
            use(kernels.choose_start, work.parts, s)
        else:
            system.apply(system.start, work.q)
            use(kernels.choose_start, vectors.dots(system.start, work.q), s)
        device.launch(kernels.advance_alone, vectors.count, s, system.start, work.q, work.x, work.r)
        _precondition(system, inverse, work)
        vectors.copy(work.z, work.p)
        use(kernels.begin_there, vectors.dots(work.r, work.z), s, work.going)


def _iterate(system: System, inverse: wp.array | Apply, work: SimpleNamespace) -> None:
    """One iteration, with all its scalars on the device."""
    device, vectors, n = system.device, system.vectors, system.vectors.count
    kernels, s = linear_kernels(device.precision), work.scalars
    system.apply(work.p, work.q)
    vectors.sums.use(kernels.choose_step, vectors.dots(work.p, work.q), s)
    if callable(inverse):
        device.launch(kernels.advance_alone, n, s, work.p, work.q, work.x, work.r)
        inverse(work.r, work.z)
    else:  # in one pass
        device.launch(kernels.advance, n, system.free, inverse, s, work.p, work.q, work.x, work.r, work.z, grain=256)
    vectors.sums.use(kernels.choose_beta, vectors.dots(work.r, work.z), s, work.going)
    device.launch(kernels.turn, n, s, work.z, work.p)


def _multiply(system: System, work: SimpleNamespace, z: wp.array, before: wp.array, p: wp.array) -> None:
    """p = z + beta ``before``, q = A p, and p·q in parts, on the CPU; beta is 0 before the first iteration."""
    matrix, kernel = system.matrix, linear_kernels(system.device.precision).product_pass
    mesh = (matrix.device_rows, matrix.device_columns, system.free, matrix.values)
    system.device.launch(kernel, work.parts.shape[1], *mesh, work.scalars, z, before, p, work.q, work.parts, grain=2)


def _pass(system: System, inverse: wp.array | Apply, work: SimpleNamespace, before: wp.array, p: wp.array) -> None:
    """One iteration on the CPU in two passes over the nodes, from the direction ``before`` to ``p``; three with two levels, and
    more where the preconditioner is neither that nor one of single nodes."""
    device, use, n = system.device, system.vectors.sums.use, system.vectors.count
    kernels, s, chunks = linear_kernels(device.precision), work.scalars, work.parts.shape[1]
    _multiply(system, work, work.z, before, p)
    use(kernels.choose_step, work.parts, s)
    if isinstance(inverse, Coarse):
        parts = inverse.advance(s, p, work.q, work.x, work.r, work.z)
    elif callable(inverse):
        device.launch(kernels.advance_alone, n, s, p, work.q, work.x, work.r)
        inverse(work.r, work.z)
        parts = system.vectors.dots(work.r, work.z)
    else:
        parts, moved = work.parts, (p, work.q, work.x, work.r, work.z, work.parts)
        device.launch(kernels.advance_pass, chunks, n, system.free, inverse, s, *moved, grain=4)
    use(kernels.choose_beta, parts, s, work.going)


def _workspace(system: System) -> SimpleNamespace:
    """Vectors and scalars of a solve."""
    device, n = system.device, system.vectors.count
    scalars, goal = device.zeros(8, wp.float64), device.zeros(1, wp.float64)
    seen = goal.numpy() if device.is_cpu else None

    def aim(square: float) -> None:
        if seen is None:
            goal.fill_(square)
        else:
            seen[0] = square

    return SimpleNamespace(
        **{name: device.zeros(n + 1, device.types.vec3)[:n] for name in ("x", "r", "z", "p", "q", "other")},
        parts=device.zeros((1, -(-n // CHUNK)), wp.float64),
        scalars=scalars,
        goal=goal,
        aim=aim,
        going=device.zeros(1, wp.int32),
        read=device.reader(scalars),
        graphs={},
    )
