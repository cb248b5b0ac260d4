"""Files that are read and places where results go, looked at before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import InputError, did_you_mean

RESULTS = (".html", ".htm", ".png", ".npz", ".toml", ".glb", ".usd", ".webm", ".mp4")


def existing(name: str | os.PathLike, expected: str) -> Path:
    """The file, or one sentence that says what was ``expected`` and which file or example may have been meant."""
    path = Path(name)
    if path.is_dir():
        raise InputError(f"{name} is a folder; expected {expected}")
    if path.exists():
        return path
    from .examples import found

    example = next((e for e in found() if path.name in (e, e.removeprefix("scenes/"))), None)
    if example is not None:
        raise InputError(f"there is no file {name}; the example of that name is run by: pliant examples {example}")
    near = did_you_mean(path.name, [f.name for f in path.parent.iterdir()] if path.parent.is_dir() else [])
    raise InputError(f"there is no file {name}{near}; expected {expected}")


def writable(folder: str | os.PathLike, option: str = "--out") -> Path:
    """The folder, there or not yet, or one sentence about why nothing can be written into it."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError(f"{option} {folder} is a file; expected a folder")
    if not path.exists() and path.suffix.lower() in RESULTS:
        raise InputError(f"{option} {folder} looks like a file; expected a folder, into which all results go")
    there = path.absolute()
    while not there.exists():
        there = there.parent
    if not there.is_dir():
        raise InputError(f"{option} {folder} cannot be made: {there} is a file; expected a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{option} {folder} cannot be written: you may not write into {there}; choose another with --out")
    return path
