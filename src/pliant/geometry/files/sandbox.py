"""Sandbox: a bounded process for libraries that trust what they read."""

from __future__ import annotations

import os
import subprocess
import sys

from . import sandbox_process
from .source import SHARE, Source

PATIENCE, PACE = 30.0, 1e-5  # [s] that any file may take, and [s] more for each byte
QUIET = {"OPENBLAS_NUM_THREADS": "1", "PXR_WORK_THREAD_LIMIT": "1"}  # threads take memory of their own


def apart(source: Source, library: str) -> bytes:
    """What the job of a library finds in a file: ``meshio`` its arrays, ``USD`` the number of its prims."""
    size, most = len(source.data), int(min(max(source.limit, SHARE * len(source.data)), 2**62))
    patience = PATIENCE + PACE * size
    given = [library, str(source.path.absolute()), str(most)]
    try:
        done = subprocess.run(
            [sys.executable, "-I", sandbox_process.__file__, *given, *filter(None, sys.path)],
            capture_output=True,
            timeout=patience,
            env=os.environ | QUIET,
        )
    except subprocess.TimeoutExpired:
        raise source.error(f"{library} did not end within {patience:.0f} s; expected a whole file, or fewer references") from None
    except OSError as error:
        raise source.error(
            f"no process can be started to read it with {library} ({error.strerror or error}); expected {sys.executable!r}"
        ) from None
    if done.returncode == 2:
        raise source.error(f"{library} could not read it ({done.stdout.decode('utf-8', 'replace')})")
    if done.returncode:  # out of memory, which C++ ends with a signal
        raise source.error(
            f"{library} takes more than the limit of {most / 1e6:.0f} MB for {size / 1e6:.3g} MB, or failed; if you trust it, "
            f"read(path, limit={10 * most:.1g})"
        )
    return done.stdout
