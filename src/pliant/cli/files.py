"""Places where results go, looked at before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError


def writable(folder: str | os.PathLike, option: str = "--out") -> Path:
    """The folder, there or not yet, or one sentence about why nothing can be written into it."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError(f"{option} {folder} is a file; expected a folder")
    there = path.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{option} {folder} cannot be written: {there} is not a folder of yours; choose one you can write to")
    return path
