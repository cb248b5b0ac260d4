"""Device: all kernel launches, CPU or CUDA, f32 or f64.

Every kernel takes ``start: int`` first and works on item ``start + wp.tid()``, so that a launch on the CPU can be
cut into slices, one per thread (Warp's own CPU launch uses one). Launches are recorded once per set of arrays and
replayed. No kernel adds into memory that another item writes; sums run over fixed chunks in a fixed order, so
results do not depend on the number of threads, bit for bit.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ..arguments import checks
from ..errors import InputError, NoMemory
from . import kernel_cache
from .build_lock import alone
from .compilation import BLOCK, Compilation
from .fingerprint import fingerprint
from .kernel_cache import short
from .launch_cache import Recorded, arrays_of, overload_of
from .launch_graph import RECORDING, Program, Unrecordable
from .threads import pool, thread_count, trusted
from .warp_start import start_warp

THREADS = 1024  # the most of one simulation

SCALARS = (wp.float32, wp.float64, wp.int32, wp.int64)
PRECISIONS = ("f32", "f64")
FAMILIES: list[Callable] = []  # every kernel family, so that tests can compile them all for CUDA


class Types:
    """The scalar, vector and matrix types of one precision, and the decorator that files kernels in one module."""

    _functions: ClassVar[dict[str, dict[str, wp.Function]]] = {}  # by name, then by body

    def __init__(self, precision: str, module: str, tag: str = ""):
        start_warp()
        self.precision, self.tag = precision, tag
        self.real = wp.float32 if precision == "f32" else wp.float64
        self.vec2 = wp.types.vector(2, self.real)
        self.vec3 = wp.types.vector(3, self.real)
        self.vec4 = wp.types.vector(4, self.real)
        # positions: double in either precision, so that the difference of two has all digits of the difference
        self.position = wp.types.vector(3, wp.float64)
        self.mat33 = wp.types.matrix((3, 3), self.real)
        self.mat99 = wp.types.matrix((9, 9), self.real)
        self.numpy = np.float32 if precision == "f32" else np.float64
        self.module = wp.get_module(short(f"pliant_{module}_{precision}"))
        kernel_cache.set_flags(self.module)

    def vector(self, length: int):
        return wp.types.vector(length, self.real)

    def matrix(self, rows: int, columns: int):
        return wp.types.matrix((rows, columns), self.real)

    def function(self, name: str, function: Callable) -> wp.Function:
        """A device function called ``name`` in this precision, made once for each body.

        Another body under the same name carries its fingerprint, so that a redefined law computes what it
        says. A ``tag`` keeps functions that are differentiated apart from the same ones that are only called, since
        Warp makes no derivative of a function that a module has already built without one.
        """
        full, body = f"{name}_{self.precision}{self.tag}", fingerprint(function)
        bodies = self._functions.setdefault(full, {})
        if body not in bodies:
            bodies[body] = wp.func(function, name=f"{full}_{body}" if bodies else full)
        return bodies[body]

    def native(self, stub: Callable, text: str) -> wp.Function:
        """A device function written in C++, in which ``real`` is the number of this precision; ``stub`` names its arguments."""
        stub.__name__ = stub.__qualname__ = f"{stub.__name__}_{self.precision}"
        real = "float" if self.precision == "f32" else "double"
        return wp.func_native(f"typedef {real} real;\n{text}")(stub)

    def kernel(self, function: Callable) -> wp.Kernel:
        return wp.kernel(function, module=self.module, enable_backward=False)

    def native_kernel(self, text: str) -> Callable[[Callable], wp.Kernel]:
        """A kernel written in C++, in which the first argument of the stub, ``start`` in a launch, is the item."""

        def declared(stub: Callable) -> wp.Kernel:
            name, (_, *kinds) = stub.__name__, stub.__annotations__.items()
            names = ", ".join(each for each, _ in kinds)
            source = f"def {name}(start, {names}):\n    body(start + wp.tid(), {names})\n"
            exec(source, space := {"wp": wp, "body": self.native(stub, text), "__name__": stub.__module__})
            space[name].__annotations__ = {"start": int, **dict(kinds)}
            return wp.Kernel(space[name], name, self.module, {"enable_backward": False}, source=source)

        return declared

    def kernel_for(self, blocks: int) -> Callable[[Callable], wp.Kernel]:
        """A kernel of which so many blocks are to fit into one multiprocessor of a GPU."""
        return wp.kernel(module=self.module, enable_backward=False, launch_bounds=(BLOCK, blocks))

    def kernel_of(self, *kinds: dict[str, Any]) -> Callable[[Callable], wp.Kernel]:
        """A kernel whose arrays of ``Any`` may be of several types; each of ``kinds`` names their types by argument.

        All of them are compiled with the module, so that no launch compiles it anew.
        """

        def declared(function: Callable) -> wp.Kernel:
            kernel = self.kernel(function)
            for kind in kinds:
                wp.overload(kernel, {name: wp.array(dtype=dtype) for name, dtype in kind.items()})
            return kernel

        return declared


def family(builder: Callable[[Types], dict]) -> Callable[[str], SimpleNamespace]:
    """Make ``builder(types) -> dict of kernels`` a function of the precision, built on first use and kept."""

    @alone
    @functools.cache
    def kernels(precision: str) -> SimpleNamespace:
        built = builder(Types(precision, builder.__name__))
        return SimpleNamespace(**{k: v for k, v in built.items() if isinstance(v, wp.Kernel)})

    FAMILIES.append(kernels)
    kernels.__name__ = builder.__name__
    kernels.__doc__ = builder.__doc__
    return kernels


def _looked(array: wp.array, seen: np.ndarray) -> np.ndarray:
    """The numbers of an array on the CPU; tests count who looks at them."""
    return seen


@functools.cache
def kind_of(dtype: Any) -> tuple[Any, tuple[int, ...], bool]:
    """Of a type of items: NumPy's type of their numbers, the shape of an item, and whether it is one of ``SCALARS`` alone."""
    scalar = getattr(dtype, "_wp_scalar_type_", dtype)
    return wp.dtype_to_numpy(scalar), tuple(getattr(dtype, "_shape_", ())), scalar in SCALARS


class Device:
    """A place to compute: ``Device("cpu")`` or ``Device("cuda")``, in ``"f32"`` or ``"f64"``.

    Holds the recorded launches of its owner, so each simulation has one of its own. ``threads`` counts for the CPU
    only.
    """

    MOST_RECORDED = 4096  # launches kept; more than any scene needs, a bound for those that keep changing
    MOST_LANDINGS = 32  # places on the host, by shape, that a GPU writes into
    SLICES = 4  # per thread
    GRAIN = 512  # items per slice below which another thread costs more than it brings

    def __init__(self, name: str = "cpu", precision: str = "f64", threads: int | None = None):
        if not isinstance(precision, str) or precision not in PRECISIONS:
            raise InputError(f"precision is {precision!r}; expected 'f32' or 'f64'")
        if not isinstance(name, str) or name.split(":")[0] not in ("cpu", "cuda"):
            raise InputError(f"device is {name!r}; expected 'cpu', 'cuda' or 'cuda:0'")
        if threads is not None:
            checks.whole("threads", threads, 1, THREADS)
        start_warp()
        self.is_cpu = name == "cpu"
        if not self.is_cpu and not wp.is_cuda_available():
            raise InputError(f"device is {name!r}, but no CUDA device was found; use device='cpu'")
        self.warp = wp.get_device(name if self.is_cpu or ":" in name else "cuda:0")
        self.name = str(self.warp.alias)
        self.precision = precision
        self.threads = threads or thread_count()
        self.block = 1 if self.is_cpu else BLOCK  # threads that can add up their sums among themselves
        self.types = Types(precision, "types")
        self._recorded: dict[tuple, Recorded] = {}
        self._nothing: dict[Any, wp.array] = {}
        self._empty: dict[tuple, wp.array] = {}
        self._constants: dict[tuple, wp.array] = {}
        self._landings: dict[tuple, tuple[wp.array, np.ndarray]] = {}
        self.mail: Any = None  # of scatter_writes.py
        # what must be done before anything else, where there is such a thing
        self.settle: Callable[[], None] | None = None
        self._reading = threading.Lock()

    def __repr__(self) -> str:
        return f"Device({self.name!r}, {self.precision!r}, threads={self.threads})"

    def array(self, data: Any, dtype: Any) -> wp.array:
        """A device copy of ``data``."""
        kind, inner, _ = kind_of(dtype)
        try:
            if self.is_cpu:
                values = np.array(data, dtype=kind, order="C")
                if values.size and values.ndim > len(inner) and values.shape[values.ndim - len(inner) :] == inner:
                    return self._on_host(values, dtype, values.shape[: values.ndim - len(inner)])
            return wp.array(np.asarray(data, dtype=kind), dtype=dtype, device=self.warp, copy=True)
        except (MemoryError, RuntimeError) as error:
            self._check_room(error, np.shape(data), np.size(data) * np.dtype(kind).itemsize)
            raise

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> wp.array:
        whole = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
        kind, inner, plain = kind_of(dtype)
        try:
            if self.is_cpu and plain and 0 not in whole:
                return self._on_host(np.zeros((*whole, *inner), kind), dtype, whole)
            return wp.zeros(shape, dtype=dtype, device=self.warp)
        except (MemoryError, RuntimeError) as error:
            self._check_room(error, shape, int(np.prod(whole, dtype=float)) * wp.types.type_size_in_bytes(dtype))
            raise

    def _on_host(self, values: np.ndarray, dtype: Any, shape: tuple[int, ...]) -> wp.array:
        """An array in the memory of NumPy's, which is made in a third of the time."""
        made = wp.array(ptr=values.ctypes.data, dtype=dtype, shape=shape, device=self.warp, capacity=values.nbytes)
        made._ref = values
        return made

    def reader(self, array: wp.array) -> Callable[[], np.ndarray]:
        """A function that returns the numbers of an array as they are when it is called; not to be written on."""
        if self.is_cpu:
            seen = array.numpy()
            return lambda: _looked(array, seen)
        landing = wp.empty(array.shape, array.dtype, device="cpu", pinned=True)  # where a GPU writes without a detour
        seen = landing.numpy()

        def read() -> np.ndarray:
            if self.settle is not None:
                self.settle()
            self._land((array, landing))
            return seen

        return read

    def read(self, array: wp.array) -> np.ndarray:
        """The numbers of an array as they are now; of one on the CPU not to be written on."""
        return self.reads(array)[0]

    def reads(self, *arrays: wp.array) -> list[np.ndarray]:
        """Those of several arrays, for which a GPU is waited for once."""
        if self.settle is not None:
            self.settle()
        if self.is_cpu or not all(array.size and array.is_contiguous for array in arrays):
            return [array.numpy() for array in arrays]
        with self._reading:
            landed = [self._landing((array.shape, array.dtype, i)) for i, array in enumerate(arrays)]
            self._land(*((array, landing) for array, (landing, _) in zip(arrays, landed)))
            return [seen.copy() for _, seen in landed]

    def _landing(self, key: tuple) -> tuple[wp.array, np.ndarray]:
        """Memory that a GPU writes to without a detour, for arrays of this shape and kind, and its numbers."""
        if key not in self._landings:
            while len(self._landings) >= self.MOST_LANDINGS:
                self._landings.pop(next(iter(self._landings)))
            landing = wp.empty(key[0], key[1], device="cpu", pinned=True)
            self._landings[key] = (landing, landing.numpy())
        return self._landings[key]

    def _land(self, *pairs: tuple[wp.array, wp.array]) -> None:
        stream = self.warp.stream
        for array, landing in pairs:
            wp.copy(landing, array, stream=stream)
        wp.synchronize_stream(stream)

    def none(self, dtype: Any, axes: int = 1) -> wp.array:
        """An array of no items, always the same one: what kernels take for an output that nobody wants."""
        if (dtype, axes) not in self._nothing:
            self._nothing[dtype, axes] = self.zeros((0,) * axes, dtype)
        return self._nothing[dtype, axes]

    def _check_room(self, error: Exception, shape: Any, size: int) -> None:
        """One sentence where there is no memory for an array of so many bytes."""
        if isinstance(error, MemoryError) or "allocate" in str(error):
            raise NoMemory(f"an array of shape {shape} on {self.name}", size) from None

    def prepare(self, *kernels: wp.Kernel) -> None:
        """Compile the modules of kernels now, where doing so at their first launch would hold somebody up."""
        for kernel in kernels:
            Compilation.load(kernel.module, self.warp)

    def launch(self, kernel: wp.Kernel, dim: int, *args: Any, grain: int = GRAIN) -> None:
        """Run ``kernel(start, *args)`` on ``dim`` items; ``grain`` is the least number of items worth a thread."""
        if dim == 0:
            return
        if self.settle is not None:
            self.settle()
        key = (kernel, dim, *map(id, arrays_of(kernel)(args)))
        recorded = self._recorded.get(key)
        if recorded is None:
            kernel = overload_of(kernel, args) if kernel.is_generic else kernel
            Compilation.load(kernel.module, self.warp)
            if len(self._recorded) >= self.MOST_RECORDED:
                self._recorded.clear()
            slices = 1
            if self.is_cpu and self.threads > 1:  # several for each, so that a busy core does not hold up the rest
                slices = min(self.SLICES * self.threads, max(1, dim // grain))
            recorded = self._recorded[key] = Recorded(self, kernel, dim, args, slices)
        if RECORDING.program is None:
            recorded.run(args)
        else:
            recorded.write(RECORDING.program, args)

    def clear(self, out: wp.array) -> None:
        """out = 0."""
        if self.settle is not None:
            self.settle()
        if RECORDING.program is None:
            out.zero_()
        else:
            RECORDING.program.clear(out)

    def copy(self, source: wp.array, out: wp.array) -> None:
        """out = source."""
        if self.settle is not None:
            self.settle()
        if RECORDING.program is None:
            if self.is_cpu and source.dtype is out.dtype and source.is_contiguous and out.is_contiguous:
                if source.size > out.size:
                    raise ValueError(f"{source.size} items do not fit into {out.size}")
                ctypes.memmove(out.ptr, source.ptr, source.size * wp.types.type_size_in_bytes(out.dtype))
            else:
                wp.copy(out, source)
        else:
            RECORDING.program.copy(source, out)

    def fill(self, out: wp.array, value: float) -> None:
        """out = value."""
        if self.settle is not None:
            self.settle()
        if RECORDING.program is None:
            out.fill_(value)
        else:
            key = (out.shape, out.dtype, value)
            if key not in self._constants:
                self._constants[key] = wp.full_like(out, value)
            RECORDING.program.copy(self._constants[key], out)

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

    def loop(self, flag: wp.array, *bodies: Callable[[], None], unlike: int = 0) -> None:
        """Run ``bodies`` in turn while flag[0] is not 0, which they decide; inside a captured graph or a program too.

        On the CPU the first ``unlike`` rounds may launch other things than those that follow.
        """
        if RECORDING.program is not None:
            with contextlib.ExitStack() as rounds:  # where the flag is 0 after one of the first, the others are skipped
                for i in range(-unlike, len(bodies)):
                    rounds.enter_context(RECORDING.program.unless_zero(flag, again=i == 0))
                    bodies[max(i, 0)]()
        elif self.is_cpu:
            seen, turns = flag.numpy(), itertools.cycle(bodies)
            while seen[0]:
                next(turns)()
        else:
            wp.capture_while(flag, lambda: (bodies[0](), *(wp.capture_if(flag, body) for body in bodies[1:])))

    def replayed(self, work: Callable[[], None], key: tuple | None, kept: dict, clock: Any = None, at_once: bool = False) -> None:
        """Run ``work``.

        Its launches are recorded when ``key`` is seen twice, as a graph on CUDA and as a program on the CPU, and
        replayed from then on. ``work`` must launch the same kernels on the same arrays for the same key and read nothing
        back; its loops are ``loop``. What is kept is that of one key at a time; None is a key that is never seen twice.
        ``clock`` learns what the parts of a program took that are timed. ``at_once`` writes a program the first time, for what
        loops often.
        """
        if self.settle is not None:
            self.settle()
        within = RECORDING.program is not None or (not self.is_cpu and self.warp.is_capturing)
        able = not within and (self.is_cpu or wp.is_conditional_graph_supported())
        if key is None or not able:
            work()
        elif kept.get("key") != key and not (at_once and self.is_cpu):  # the first run compiles, allocates and records
            kept.clear()
            kept["key"] = key
            work()
        elif self.is_cpu:
            if kept.get("key") != key:
                kept.clear()
                kept["key"] = key
            if "program" not in kept:
                kept["program"] = self._written(work)
            program = kept["program"]
            if program is None:
                work()
                return
            program.run()
            if clock is not None:
                for part, seconds in program.seconds.items():
                    clock.seconds[part] += seconds
        else:
            if "graph" not in kept:
                with wp.ScopedCapture(self.warp, force_module_load=False) as capture:
                    work()
                kept["graph"] = capture.graph
            wp.capture_launch(kept["graph"])

    def _written(self, work: Callable[[], None]) -> Program | None:
        """The program of what ``work`` launches; None where that cannot be written down."""
        if not trusted(2):
            return None
        RECORDING.program = program = Program(pool(), self.threads)
        try:
            work()
            return program
        except Unrecordable:
            return None
        finally:
            RECORDING.program = None

    def synchronize(self) -> None:
        if not self.is_cpu:
            wp.synchronize_device(self.warp)

    def forget(self, *arrays: wp.array) -> None:
        """Drop recorded launches, which keep their arrays alive: those on any of ``arrays``, or all where none are given."""
        if not arrays:
            self._recorded.clear()
            return
        gone = set(map(id, arrays))
        for key in [key for key in self._recorded if not gone.isdisjoint(key[2:])]:
            del self._recorded[key]
