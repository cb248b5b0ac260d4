"""Native host routines on integer lists, in C++.

Meshes, patterns and their lists live on the host whatever the device is. A pass over one of them that NumPy makes of many, each
with an array of its own, is here one loop; the lock of the interpreter is free meanwhile.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from .build_lock import alone
from .compilation import Compilation
from .kernel_cache import set_flags
from .threads import bound, trusted
from .warp_start import start_warp

NAMES = {"int": "i4", "long long": "i8", "bool": "?", "unsigned char": "u1", "double": "f8"}
KINDS = {name: np.dtype(kind) for name, kind in NAMES.items()}
_NUMBER = ctypes.c_ssize_t.from_address


class Routines:
    """C++ functions that are compiled together, on first use, under one name."""

    def __init__(self, name: str):
        self.name = name
        self._texts: dict[str, str] = {}
        self._kernels: dict[str, wp.Kernel] = {}
        self._calls = threading.local()  # each thread has arguments of its own

    def add(self, name: str, arguments: str, text: str) -> Callable[..., None]:
        """A function of arrays and whole numbers; ``arguments`` are in C++, such as ``"const int* rows, long long count"``.

        Arrays are contiguous and of the kind that is written there; those that are not ``const`` are written on.
        """
        taken = [argument.replace("const ", "").strip() for argument in arguments.split(",")]
        whole = [argument.strip() for argument in arguments.split(",")]
        names = [argument.rsplit(" ", 1)[1] for argument in taken]
        kinds = [KINDS[a.rsplit(" ", 1)[0].rstrip("*")] if "*" in a else None for a in taken]
        head = [f"{a.rsplit(' ', 1)[0]} {n} = ({a.rsplit(' ', 1)[0]})given[{i}];" for i, (a, n) in enumerate(zip(whole, names))]
        begin = "#if !defined(__CUDA_ARCH__)\nconst long long* given = (const long long*)address;\n"
        self._texts[name] = begin + "\n".join(head) + text + "\n#endif\n"

        table = ctypes.c_int64 * len(kinds)

        def call(*args: Any) -> None:
            if len(args) != len(kinds):
                raise TypeError(f"{name} takes {', '.join(names)}; {len(args)} were given")
            given = table()
            for i, (kind, arg) in enumerate(zip(kinds, args)):
                if kind is None:
                    given[i] = arg
                    continue
                if (arg.dtype is not kind and arg.dtype != kind) or not arg.flags.c_contiguous:
                    raise TypeError(f"{name}({names[i]}): expected a contiguous array of {kind}")
                given[i] = start_of(arg)
            self._run(name, ctypes.addressof(given))

        return call

    @property
    def ready(self) -> bool:
        """Whether they are compiled and loaded, so that a call costs nothing beyond its work."""
        return bool(self._kernels)

    def _run(self, name: str, address: int) -> None:
        calls = self._calls.__dict__
        known = calls.get(name)
        if known is None:
            kernel = self._kernels.get(name) or self._built()[name]
            if not trusted(1):
                wp.launch(kernel, 1, [0, address], device="cpu")
                return
            function, bounds, struct, kept = bound(kernel, 1, [0, address])
            known = calls[name] = function, ctypes.byref(bounds), struct, ctypes.byref(struct), bounds, kept
        function, bounds, struct, arguments = known[:4]
        struct.address = address
        function(bounds, arguments)

    @alone
    def _built(self) -> dict[str, wp.Kernel]:
        """All of them as kernels of one module."""
        if not self._kernels:
            start_warp()
            module = wp.get_module(f"pliant_routines_{self.name}")
            set_flags(module)
            made = {name: _kernel(module, name, text) for name, text in self._texts.items()}
            Compilation.load(module, wp.get_device("cpu"))
            self._kernels = made
        return self._kernels


def start_of(array: np.ndarray) -> int:
    """Where an array without gaps begins, the first that NumPy's C structure has after what all objects have; ``array.ctypes``
    takes ten times as long."""
    return _NUMBER(id(array) + object.__basicsize__).value


def _kernel(module: Any, name: str, text: str) -> wp.Kernel:
    def work(address): ...

    def run(start, address):
        work(address)

    work.__annotations__ = {"address": wp.int64}
    run.__annotations__ = {"start": int, "address": wp.int64}
    work.__name__ = work.__qualname__ = f"{name}_on_host"
    run.__name__ = run.__qualname__ = name
    work = wp.func_native(text)(work)
    return wp.kernel(run, module=module, enable_backward=False)
