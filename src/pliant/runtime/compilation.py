"""Compilation of kernels on demand, those of a scene together, reported once."""

from __future__ import annotations

import sys
import time
from typing import Any

from ..arguments.progress import bar
from . import kernel_cache
from .build_lock import BUILDING
from .threads import thread_count

BLOCK = 256  # threads of a block on a GPU


class Compilation:
    """Says when kernels are compiled, with a count and a time."""

    count = 0
    seconds = 0.0
    loaded: set[tuple] = set()

    @classmethod
    def load(cls, module: Any, device: Any) -> None:
        if (module, device.alias) not in cls.loaded:
            with BUILDING:
                if (module, device.alias) not in cls.loaded:
                    cls._load(module, device)
                    cls.loaded.add((module, device.alias))

    @classmethod
    def _load(cls, module: Any, device: Any) -> None:
        """Load a module; where it must be compiled, all others that are known by then are so too, on all cores."""
        block = 1 if device.is_cpu else BLOCK
        if kernel_cache.folder_of(module, block).is_dir():
            kernel_cache.load(module, device, block)
            return
        begin, workers = time.perf_counter(), thread_count() if device.is_cpu else 1
        modules = kernel_cache.uncompiled(block) if workers > 1 else []
        modules = modules if module in modules else [module, *modules]
        with bar("compiling kernels, once per machine", len(modules)) as done:
            if cls.count == 0 or len(modules) == 1:  # the first writes the header that all others share
                kernel_cache.load(module, device, block)
                modules.remove(module)
                done()
            loaded = kernel_cache.load_together(modules, device, block, workers, done)
        kernel_cache.load(module, device, block)
        cls.loaded.update((other, device.alias) for other in loaded)
        count, took = len({module, *loaded}), time.perf_counter() - begin
        cls.count, cls.seconds = cls.count + count, cls.seconds + took
        if not sys.stderr.isatty():  # in a file, the outcome
            what = module.name.removeprefix("pliant_") if count == 1 else f"{count} modules of kernels"
            print(f"pliant: compiled {what} in {took:.1f} s ({cls.count} in {cls.seconds:.1f} s in all)", file=sys.stderr)
