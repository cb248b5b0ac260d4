"""Describe this installation: versions, threads, GPUs, the kernel cache, extras; and try one step.

Exits with 1 where a required part is missing or fails; optional parts may be missing. Send its output along
with a question or a report of a fault.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Callable, Iterator

from ..arguments.progress import status
from .common.terminal import print_json, print_table, start

EXAMPLE = "pliant doctor --json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="cpu", help="where to try a step: cpu or cuda (default: cpu)")


def run(args: argparse.Namespace) -> int:
    start()
    rows = [row for check in (_versions, _machine, _warp) for row in _safe(check)]
    rows += _safe(_cache, "unknown") + _safe(_extras, "unknown")
    with status("trying a small step"):
        rows += _safe(lambda: _step(args.device))
    well = not any(value.startswith("FAILED") for _, value in rows)
    if args.json:
        print_json({"ok": well, **dict(rows)})
    else:
        print_table(("what", "found"), rows)
    return 0 if well else 1


def _safe(check: Callable[[], Iterator[tuple[str, str]]], fault: str = "FAILED") -> list[tuple[str, str]]:
    """The rows of a check; one that breaks says so in its row and stops nothing else. FAILED is for what is needed."""
    rows: list[tuple[str, str]] = []
    try:
        rows.extend(check())
    except Exception as error:
        name = getattr(check, "__name__", "").strip("_").replace("<lambda>", "a small step")
        rows.append((name, f"{fault}: {' '.join(str(error).split())[:200] or type(error).__name__}"))
    return rows


def _versions() -> Iterator[tuple[str, str]]:
    import importlib.util
    import platform

    from .. import __version__

    yield "pliant", __version__
    yield "python", platform.python_version()
    for name in ("warp-lang", "numpy", "scipy", "rich", "websockets"):
        there = importlib.util.find_spec(name.removesuffix("-lang")) is not None
        yield name, _version(name) or ("of unknown version" if there else "FAILED: missing (pip install pliant)")


def _version(name: str) -> str | None:
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _machine() -> Iterator[tuple[str, str]]:
    import platform

    from ..runtime.threads import thread_count

    yield "system", f"{platform.system()} {platform.release()} on {platform.machine()}"
    variable = os.environ.get("PLIANT_THREADS")
    yield (
        "CPU threads",
        f"{thread_count()} of {os.cpu_count()} cores" + (f" (PLIANT_THREADS={variable})" if variable else ""),
    )


def _warp() -> Iterator[tuple[str, str]]:
    import warp as wp

    from ..runtime.device import Device
    from ..runtime.threads import trusted

    Device()
    whole = "whole solves in one call" if trusted(2) else "one by one, on one thread; install warp-lang>=1.19,<1.20"
    yield "CPU launches", whole
    gpus = wp.get_cuda_devices() if wp.is_cuda_available() else []
    for gpu in gpus:
        yield str(gpu.alias), f"{gpu.name}, {gpu.total_memory / 2**30:.0f} GiB"
    if not gpus:
        yield "CUDA", "no device found; device='cpu' works everywhere"
    yield "precision", "f64 by default, f32 with precision='f32'"


def _cache() -> Iterator[tuple[str, str]]:
    import warp as wp

    place, size = wp.config.kernel_cache_dir, 0
    for at, _, files in os.walk(place):
        for name in files:
            with contextlib.suppress(OSError):  # other processes write and remove there meanwhile
                size += os.path.getsize(os.path.join(at, name))
    yield "kernel cache", f"{place} ({size / 1e6:.1f} MB)"


def _extras() -> Iterator[tuple[str, str]]:
    """Packages that only some functions need, as the package's own metadata lists them."""
    import importlib.metadata
    import re

    try:
        needs = importlib.metadata.requires("pliant") or []
    except importlib.metadata.PackageNotFoundError:
        yield "extras", "unknown, as this pliant runs from its source and is not installed"
        return
    for line in needs:
        match = re.match(r"([A-Za-z0-9_.-]+).*extra == ['\"](\w+)['\"]", line)
        if match and match[2] != "test":
            name, extra = match.groups()
            version = _version(name)
            yield (
                f"extra {extra}",
                f"{name} {version}" if version else f"{name} missing (pip install 'pliant[{extra}]')",
            )


def _step(device: str) -> Iterator[tuple[str, str]]:
    """A small beam, stepped until 0.2 s of simulated time have gone by."""
    import numpy as np

    import pliant as pl

    shape, law = pl.tet_grid((1, 0.2, 0.2), (5, 1, 1)), pl.StableNeoHookean(young=1e5)
    simulation = pl.Simulation(pl.Scene(pl.Body(shape, law, pinned=lambda X: X[:, 0] < 0.01)), device=device)
    begin = time.perf_counter()
    simulation.step()
    first = time.perf_counter() - begin
    reports = [simulation.step() for _ in range(11)]
    tip = simulation.x[:, 2].min()
    if not all(r.ok for r in reports) or not np.isfinite(tip) or not -1 < tip < -1e-3:
        raise RuntimeError(f"the tip of the beam is at {tip:g} m; {reports[-1].why}")
    each = np.mean([r.seconds["total"] for r in reports]) * 1e3
    yield "a small step", f"works on {simulation.device.name}: first {first:.2f} s, then {each:.1f} ms each"
