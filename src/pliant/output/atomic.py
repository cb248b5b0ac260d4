"""Files that appear whole or not at all: write beside the target, then rename."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"cannot write {str(path)!r}: {why}; choose a folder you can write to") from None


def target(path: str | os.PathLike) -> Path:
    """Return ``path`` as a ``Path`` a file can be written to, its folder made where missing."""
    try:
        path = Path(os.fspath(path))
    except TypeError:
        raise InputError(f"path is {path!r}; expected a file name") from None
    if not path.name or "\0" in str(path):
        raise InputError(f"path is {str(path)!r}; expected a file name")
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; expected a file name")
    with _reporting(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def whole_file(path: str | os.PathLike) -> Iterator[Path]:
    """Yield a temporary name beside ``path`` with the same suffix; it replaces ``path`` when all went well."""
    path = target(path)
    with _reporting(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        # mkstemp makes files for the owner alone; a result is for everyone the umask allows
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
    temporary = Path(name)
    try:
        with _reporting(path):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``folder``; its files move into ``folder`` when all were written."""
    with _reporting(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        with _reporting(folder):
            yield temporary
            folder.mkdir(parents=True, exist_ok=True)
            for file in sorted(temporary.rglob("*")):
                if file.is_file():
                    place = folder / file.relative_to(temporary)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(file, place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_bytes(path: str | os.PathLike, data: bytes) -> Path:
    """Write ``data`` to ``path`` in one step and return the path."""
    with whole_file(path) as temporary:
        temporary.write_bytes(data)
    return Path(path)


def write_text(path: str | os.PathLike, text: str) -> Path:
    """Write UTF-8 ``text`` to ``path`` in one step and return the path."""
    return write_bytes(path, text.encode("utf-8"))
