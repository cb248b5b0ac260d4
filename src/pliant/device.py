"""The only door to kernels: CPU threads or CUDA, f32 or f64, from one source.

Every kernel takes ``start: int`` first and works on item ``start + wp.tid()``, so that a launch on the CPU can be
cut into slices, one per thread (Warp's own CPU launch uses one). Launches are recorded once per set of arrays and
replayed. No kernel adds into memory that another item writes; sums run over fixed chunks in a fixed order, so
results do not depend on the number of threads, bit for bit.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import operator
import os
import sys
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import warp as wp

from .errors import InputError
from .progress import status
from .threads import Slices, bound, pool, thread_count

PRECISIONS = ("f32", "f64")
FAMILIES: list[Callable] = []  # every kernel family, so that tests can compile them all for CUDA


class Types:
    """The scalar, vector and matrix types of one precision, and the decorator that files kernels in one module."""

    _functions: ClassVar[dict[str, wp.Function]] = {}

    def __init__(self, precision: str, module: str, tag: str = ""):
        _init_warp()
        self.precision, self.tag = precision, tag
        self.real = wp.float32 if precision == "f32" else wp.float64
        self.vec2 = wp.types.vector(2, self.real)
        self.vec3 = wp.types.vector(3, self.real)
        self.vec4 = wp.types.vector(4, self.real)
        self.mat33 = wp.types.matrix((3, 3), self.real)
        self.mat99 = wp.types.matrix((9, 9), self.real)
        self.numpy = np.float32 if precision == "f32" else np.float64
        self.module = wp.get_module(f"pliant_{module}_{precision}")
        # products and sums as one instruction on the CPU, as on a GPU: a sixth less time for the elements
        self.module.options["cpu_compiler_flags"] = f"{wp.config.cpu_compiler_flags or ''} -ffp-contract=fast"

    def vector(self, length: int):
        return wp.types.vector(length, self.real)

    def matrix(self, rows: int, columns: int):
        return wp.types.matrix((rows, columns), self.real)

    def function(self, name: str, function: Callable) -> wp.Function:
        """A device function called ``name`` in this precision; the first of a name serves all who ask for it again.

        A ``tag`` keeps functions that are differentiated apart from the same ones that are only called, since Warp
        makes no derivative of a function that a module has already built without one.
        """
        full = f"{name}_{self.precision}{self.tag}"
        if full not in self._functions:
            self._functions[full] = wp.func(function, name=full)
        return self._functions[full]

    def kernel(self, function: Callable) -> wp.Kernel:
        return wp.kernel(function, module=self.module, enable_backward=False)


def family(builder: Callable[[Types], dict]) -> Callable[[str], SimpleNamespace]:
    """Make ``builder(types) -> dict of kernels`` a function of the precision, built on first use and kept."""

    @functools.cache
    def kernels(precision: str) -> SimpleNamespace:
        found = builder(Types(precision, builder.__name__))
        return SimpleNamespace(**{k: v for k, v in found.items() if isinstance(v, wp.Kernel)})

    FAMILIES.append(kernels)
    kernels.__name__ = builder.__name__
    kernels.__doc__ = builder.__doc__
    return kernels


@functools.cache
def _init_warp() -> None:
    """Start Warp. A machine without a GPU is no fault, so its word about that is kept off the terminal."""
    wp.config.log_level = wp.LOG_ERROR
    with tempfile.TemporaryFile() as said:
        sys.stderr.flush()
        terminal = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            wp.init()
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
        said.seek(0)
        for line in said.read().decode(errors="replace").splitlines():
            if "CUDA driver" not in line:
                print(line, file=sys.stderr)
    wp.config.log_level = wp.LOG_WARNING


class _Compilation:
    """Says when kernels are compiled, once per module, with a count and a time."""

    count = 0
    seconds = 0.0
    loaded: set[tuple] = set()

    @classmethod
    def load(cls, module: Any, device: Any) -> None:
        if (module, device.alias) in cls.loaded:
            return
        cls.loaded.add((module, device.alias))
        block = 1 if device.is_cpu else 256  # as in Device.block
        cached = os.path.isdir(os.path.join(wp.config.kernel_cache_dir, module.get_module_identifier(block)))
        if cached:
            module.load(device, block)
            return
        name, begin = module.name.removeprefix("pliant_"), time.perf_counter()
        with status(f"compiling kernels, once per machine: part {cls.count + 1} …"):
            module.load(device, block)
        took = time.perf_counter() - begin
        cls.count, cls.seconds = cls.count + 1, cls.seconds + took
        if not sys.stderr.isatty():  # in a file, the outcome of each module
            said = f"compiled {name} in {took:.1f} s (module {cls.count}, {cls.seconds:.1f} s in all)"
            print(f"pliant: {said}", file=sys.stderr)


@functools.cache
def _arrays(kernel: wp.Kernel) -> Callable[[tuple], tuple]:
    """A function that picks the arrays out of the arguments of ``kernel``."""
    places = [i for i, a in enumerate(kernel.adj.args[1:]) if isinstance(a.type, wp.array)]
    if len(places) > 1:
        return operator.itemgetter(*places)
    return lambda args: tuple(args[i] for i in places)


class _Recorded:
    """A kernel bound to its arrays, ready to run again with other scalars."""

    def __init__(self, device: Device, kernel: wp.Kernel, dim: int, args: tuple, slices: int):
        self.kernel, self.cpu, self.last = kernel, device.is_cpu, args
        self.scalars = [i for i, a in enumerate(args) if not isinstance(a, wp.array)]
        self.helpers = min(device.threads, slices) - 1
        if not self.cpu:
            self.command = wp.launch(kernel, dim, [0, *args], device=device.name, record_cmd=True)
            return
        self.names = [a.label for a in kernel.adj.args[1:]]
        edges = np.linspace(0, dim, slices + 1).astype(int)
        parts = [bound(kernel, int(end - begin), [int(begin), *args]) for begin, end in itertools.pairwise(edges)]
        self.structs, self.kept = [struct for _, _, struct, _ in parts], parts
        if slices > 1:
            self.slices = Slices(pool(), [part[:3] for part in parts])
        else:
            function, bounds, struct, _ = parts[0]
            self.call = (function, ctypes.byref(bounds), ctypes.byref(struct))

    def run(self, args: tuple) -> None:
        if not self.cpu:
            for i in self.scalars:
                self.command.set_param_at_index(i + 1, args[i])
            self.command.launch()
            return
        for i in self.scalars:
            if args[i] != self.last[i]:
                for struct in self.structs:
                    setattr(struct, self.names[i], args[i])
        self.last = args
        if self.helpers:
            self.slices.run(self.helpers)
        else:
            function, bounds, struct = self.call
            function(bounds, struct)


class Device:
    """A place to compute: ``Device("cpu")`` or ``Device("cuda")``, in ``"f32"`` or ``"f64"``.

    Holds the recorded launches of its owner, so each simulation has one of its own. ``threads`` counts for the CPU only.
    """

    MOST_RECORDED = 4096  # launches kept; more than any scene needs, a bound for those that keep changing
    SLICES = 4  # per thread
    GRAIN = 512  # items per slice below which another thread costs more than it brings

    def __init__(self, name: str = "cpu", precision: str = "f64", threads: int | None = None):
        if precision not in PRECISIONS:
            raise InputError(f"precision is {precision!r}; expected 'f32' or 'f64'")
        if not isinstance(name, str) or name.split(":")[0] not in ("cpu", "cuda"):
            raise InputError(f"device is {name!r}; expected 'cpu', 'cuda' or 'cuda:0'")
        if threads is not None and (not isinstance(threads, int) or threads < 1):
            raise InputError(f"threads is {threads!r}; expected a whole number of at least 1")
        _init_warp()
        self.is_cpu = name == "cpu"
        if not self.is_cpu and not wp.is_cuda_available():
            raise InputError(f"device is {name!r}, but no CUDA device was found; use device='cpu'")
        self.warp = wp.get_device(name if self.is_cpu or ":" in name else "cuda:0")
        self.name = str(self.warp.alias)
        self.precision = precision
        self.threads = threads or thread_count()
        self.block = 1 if self.is_cpu else 256  # threads that can add up their sums among themselves
        self.types = Types(precision, "types")
        self._recorded: dict[tuple, _Recorded] = {}

    def __repr__(self) -> str:
        return f"Device({self.name!r}, {self.precision!r}, threads={self.threads})"

    def array(self, data: Any, dtype: Any) -> wp.array:
        """A device copy of ``data``."""
        scalar = getattr(dtype, "_wp_scalar_type_", dtype)
        return wp.array(np.asarray(data, dtype=wp.dtype_to_numpy(scalar)), dtype=dtype, device=self.warp, copy=True)

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> wp.array:
        return wp.zeros(shape, dtype=dtype, device=self.warp)

    def launch(self, kernel: wp.Kernel, dim: int, *args: Any, grain: int = GRAIN) -> None:
        """Run ``kernel(start, *args)`` on ``dim`` items; ``grain`` is the least number of items worth a thread."""
        if dim == 0:
            return
        key = (kernel, dim, *map(id, _arrays(kernel)(args)))
        recorded = self._recorded.get(key)
        if recorded is None:
            _Compilation.load(kernel.module, self.warp)
            if len(self._recorded) >= self.MOST_RECORDED:
                self._recorded.clear()
            slices = 1
            if self.is_cpu and self.threads > 1:  # several for each thread, so that a busy core does not hold up the rest
                slices = min(self.SLICES * self.threads, max(1, dim // grain))
            recorded = self._recorded[key] = _Recorded(self, kernel, dim, args, slices)
        recorded.run(args)

    def repeated(self, work: Callable[[], None], times: int, kept: dict | None) -> Callable[[], int]:
        """A function that runs ``work`` ``times`` over and returns that number.

        On CUDA, and where a dictionary to keep it in is given, the launches are captured once as a graph and replayed.
        """
        if self.is_cpu or kept is None:

            def plain() -> int:
                for _ in range(times):
                    work()
                return times

            return plain
        if times not in kept:
            work()  # compiles and records outside the capture
            with wp.ScopedCapture(self.warp) as capture:
                for _ in range(times):
                    work()
            kept[times] = capture.graph

        def replay() -> int:
            wp.capture_launch(kept[times])
            return times

        return replay

    def loop(self, flag: wp.array, body: Callable[[], None]) -> None:
        """Run ``body`` while flag[0] is not 0, which ``body`` decides; inside a captured graph too."""
        if self.is_cpu:
            seen = flag.numpy()
            while seen[0]:
                body()
        else:
            wp.capture_while(flag, body)

    def replayed(self, work: Callable[[], None], key: tuple, kept: dict) -> None:
        """Run ``work``; on CUDA its launches are captured as a graph the second time ``key`` is seen, and replayed from then on.

        ``work`` must launch the same kernels on the same arrays for the same key and read nothing back; its loops are ``loop``.
        The graph of one key is kept at a time.
        """
        if self.is_cpu or not wp.is_conditional_graph_supported():
            work()
        elif kept.get("key") != key:  # the first run compiles, allocates and records
            kept.clear()
            kept["key"] = key
            work()
        else:
            if "graph" not in kept:
                with wp.ScopedCapture(self.warp, force_module_load=False) as capture:
                    work()
                kept["graph"] = capture.graph
            wp.capture_launch(kept["graph"])

    def synchronize(self) -> None:
        if not self.is_cpu:
            wp.synchronize_device(self.warp)

    def forget(self) -> None:
        """Drop every recorded launch, for devices whose arrays come and go."""
        self._recorded.clear()
