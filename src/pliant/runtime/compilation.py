"""Compilation of kernels on demand, reported once each."""

from __future__ import annotations

import sys
import time
from typing import Any

from ..arguments.progress import status
from . import kernel_cache
from .build_lock import BUILDING

BLOCK = 256  # threads of a block on a GPU


class Compilation:
    """Says when kernels are compiled, once per module, with a count and a time."""

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
        block = 1 if device.is_cpu else BLOCK
        if kernel_cache.folder_of(module, block).is_dir():
            kernel_cache.load(module, device, block)
            return
        name, begin = module.name.removeprefix("pliant_"), time.perf_counter()
        with status(f"compiling kernels, once per machine: part {cls.count + 1} …"):
            kernel_cache.load(module, device, block)
        took = time.perf_counter() - begin
        cls.count, cls.seconds = cls.count + 1, cls.seconds + took
        if not sys.stderr.isatty():  # in a file, the outcome of each module
            line = f"compiled {name} in {took:.1f} s (module {cls.count}, {cls.seconds:.1f} s in all)"
            print(f"pliant: {line}", file=sys.stderr)
