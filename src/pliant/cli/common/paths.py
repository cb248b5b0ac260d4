"""Files to read and places for results, checked before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import InputError, did_you_mean

RESULTS = (".html", ".htm", ".png", ".npz", ".toml", ".glb", ".usd", ".webm", ".mp4")


def existing(name: str | os.PathLike[str], expected: str, folder: bool = False) -> Path:
    """The file, or one sentence that says what was ``expected`` and which file or example may have been meant.

    With ``folder`` it may be one, of the slices of a scan.
    """
    path = Path(name)
    if path.is_dir() and not (folder and _holds_slices(path)):
        raise InputError(f"{name} is a folder; expected {expected}")
    if path.exists():
        return path
    from ..examples import all_examples

    example = next((e for e in all_examples() if path.name in (e, e.removeprefix("scenes/"))), None)
    if example is not None:
        raise InputError(f"there is no file {name}; the example of that name is run by: pliant examples {example}")
    near = did_you_mean(path.name, [f.name for f in path.parent.iterdir()] if path.parent.is_dir() else [])
    raise InputError(f"there is no file {name}{near}; expected {expected}")


def _holds_slices(folder: Path) -> bool:
    from ...geometry.files.volumes.dicom import candidates

    return bool(candidates(folder))


def writable(folder: str | os.PathLike[str], option: str = "--out") -> Path:
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
    probe = there / f".pliant-{os.getpid()}-probe"
    try:
        probe.touch()  # rights alone do not say it: a disk may be read-only, and some folders are none of a disk
        probe.unlink()
    except OSError as error:
        raise InputError(
            f"{option} {folder} cannot be written: you may not write into {there} ({error.strerror}); choose another with --out"
        ) from None
    return path


def inside(folder: str | os.PathLike[str], name: str) -> Path:
    """A file inside a folder; a name that leads out of it (``..``, an absolute path, a link) is refused."""
    path, refused = Path(folder) / name, "expected a file in that folder (--out chooses the one of results)"
    if Path(name).is_absolute() or Path(name).drive or ".." in Path(name).parts:
        raise InputError(f"{name!r} leads out of {folder}; {refused}")
    try:
        real = Path(folder).resolve()
        # some formats put files into a folder of the same name as well
        kept = all(place.resolve().is_relative_to(real) for place in (path, path.with_suffix("")))
    except (OSError, ValueError, RuntimeError):  # a name too long, with a NUL, or links in a circle
        raise InputError(f"{name!r} is no name for a file; {refused}") from None
    if not kept:
        raise InputError(f"{name!r} leads through a link out of {folder}; {refused}")
    return path
