"""Kernel cache on disk, checked and rebuilt where damaged.

Warp keeps the object code of each module in a folder of its cache. A file there that was cut or flipped would crash the
process or fail for good, so the folder gets a list of digests when it is built, and is thrown away when it no longer
fits them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import warp as wp

from ..errors import InputError

LIST = "pliant_digests.json"
_ONCE: set[str] = set()  # names of modules that are compiled once
_MADE: dict[str, Any] = {}  # all modules, by name
_ASKING = threading.Lock()
_THREADS_ONCE: set[int] = set()  # threads that compile such a module now
_USUAL: list[Callable] = []  # what Warp asks otherwise
LONGEST = 100  # letters of a module's name, which names files


def short(name: str) -> str:
    """A name for a module that no file system finds too long."""
    return name if len(name) <= LONGEST else f"{name[:60]}_{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def set_flags(module: Any) -> None:
    """Compile a module with the flags of all others, which share one precompiled header: another set takes 2 s more.

    Products and sums are one instruction on the CPU, as on a GPU: a sixth less time for the elements. The search for
    vectors in straight code goes: kernels compile in two thirds of the time, and run as fast.
    """
    _MADE[module.name] = module
    module.options["cpu_compiler_flags"] = f"{wp.config.cpu_compiler_flags or ''} -ffp-contract=fast -fno-slp-vectorize"


def folder_of(module: Any, block: int) -> Path:
    """Where the cache keeps a module."""
    return Path(wp.config.kernel_cache_dir) / module.get_module_identifier(block)


def load(module: Any, device: Any, block: int) -> None:
    """Load a module from the cache, or compile it; a damaged one is recompiled."""
    folder = folder_of(module, block)
    if folder.is_dir() and not _whole(folder):
        _discard(folder)
    cached = folder.is_dir()
    try:
        try:
            with _once(module):
                module.load(device, block)
        except Exception:
            if not cached:
                raise
            _discard(folder)  # it cannot be loaded: what was compiled is not whole, whatever its list says
            module.mark_modified()
            with _once(module):
                module.load(device, block)
            cached = False
    except OSError as error:
        raise InputError(
            f"kernels cannot be kept in {wp.config.kernel_cache_dir}: {error.strerror or error}; "
            "make it writable, or name another folder in WARP_CACHE_PATH"
        ) from None
    if not cached:
        with contextlib.suppress(OSError):
            (folder / LIST).write_text(json.dumps(_digests(folder)), encoding="utf-8")


def uncompiled(block: int) -> list[Any]:
    """Modules whose kernels are known and not in the cache, the longest first."""
    left = []
    for module in _MADE.values():
        kernels = list(module.kernels.values())
        if kernels and all(not kernel.is_generic or kernel.overloads for kernel in kernels):
            left += [] if folder_of(module, block).is_dir() else [module]
    return sorted(left, key=lambda module: -sum(len(kernel.adj.source) for kernel in module.kernels.values()))


def load_together(modules: Iterable[Any], device: Any, block: int, workers: int, done: Callable[[], None]) -> list[Any]:
    """Load modules on so many threads, as Warp's compiler lets go of the interpreter; returns those that could be."""
    whole = []

    def one(module: Any) -> None:
        with contextlib.suppress(Exception):  # which it raises again where it is asked for
            load(module, device, block)
            whole.append(module)
        done()

    with ThreadPoolExecutor(workers, thread_name_prefix="pliant-compile") as pool:
        list(pool.map(one, modules))
    return whole


def compile_once(module: Any) -> None:
    """Compile the kernels of a module for arrays of any stride alone.

    Warp compiles some a second time, for arrays without gaps: a waste for large kernels of few launches.
    """
    _ONCE.add(module.name)


@contextlib.contextmanager
def _once(module: Any) -> Iterator[None]:
    """Where it was asked for, and Warp is one that does so, kernels that this thread compiles inside are compiled once."""
    name, codegen = "cpu_linear_contiguous_specialization_candidate", getattr(wp._src, "codegen", None)
    asked = getattr(codegen, name, None) if module.name in _ONCE else None
    if asked is None:
        yield
        return
    with _ASKING:
        if not _THREADS_ONCE:
            usual = asked
            setattr(codegen, name, lambda adj, block: threading.get_ident() not in _THREADS_ONCE and usual(adj, block))
            _USUAL.append(usual)
        _THREADS_ONCE.add(threading.get_ident())
    try:
        yield
    finally:
        with _ASKING:
            _THREADS_ONCE.discard(threading.get_ident())
            if not _THREADS_ONCE:
                setattr(codegen, name, _USUAL.pop())


def _digests(folder: Path) -> dict[str, str]:
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name != LIST]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _whole(folder: Path) -> bool:
    """Whether all files are as they were when they were listed; a folder without a list is left to Warp."""
    try:
        listed = json.loads((folder / LIST).read_text(encoding="utf-8"))
        digests = _digests(folder)
        return all(digests.get(name) == digest for name, digest in listed.items())
    except FileNotFoundError:
        return True
    except (OSError, ValueError, AttributeError):
        return False


def _discard(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
