"""A scalar C++ gradient to be measured against, built where a compiler is at hand."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("reference.cpp")
LAWS = {"StableNeoHookean": 0, "FixedCorotated": 1}


@functools.cache
def reference_gradient_ms(law: str, precision: str) -> float | None:
    """Best time [ms] of one gradient of 101,400 tets on one thread, or None where there is no C++ compiler."""
    compiler = shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")
    if compiler is None or law not in LAWS:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "reference"
        real = "float" if precision == "f32" else "double"
        command = [compiler, "-O3", "-march=native", "-std=c++17", f"-DREAL={real}", str(SOURCE), "-o", str(program)]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        done = subprocess.run([str(program), str(LAWS[law])], capture_output=True, text=True, check=True, timeout=120)
    return float(done.stdout.split()[0])
