"""Files that appear whole or not at all, and archives of arrays, unpacked without trust.

What is written goes beside its target under a hidden name that tells its process, reaches the disk, and is then
renamed: a kill or a power cut at any moment leaves the old file or the new one. ``sweep`` clears what killed processes
left behind.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:  # the shell writes files too, and answers --help without loading NumPy
    import numpy as np

LIMIT, SHARE = 3e8, 20  # an archive may take that many bytes in memory, or so many times its size if that is more
_RATIO = 1100  # deflate cannot expand further than this


def _mark() -> str:
    """Names of temporaries begin with this: a pliant on this machine, by its process."""
    import socket

    return f".pliant-{zlib.crc32(socket.gethostname().encode()):08x}-{os.getpid()}-"


def _temporary(folder: Path, suffix: str = "") -> Path:
    return folder / f"{_mark()}{os.urandom(4).hex()}{suffix}"


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """One sentence about a file that the system will not write: no space, no right, too long a name."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}; choose another place") from None


def target(path: str | os.PathLike[str], make: bool = True) -> Path:
    """Return ``path`` as a ``Path`` a file can be written to; its folder is made where missing, or refused."""
    try:
        path = Path(os.fspath(path))
    except TypeError:
        raise InputError(f"path is {path!r}; expected a file name") from None
    if not path.name or "\0" in str(path):
        raise InputError(f"path is {str(path)!r}; expected a file name")
    with reported(path):
        if path.is_dir():
            raise InputError(f"{path} is a folder; expected a file name")
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    return path


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; some systems cannot say of a folder."""
    folder = path.is_dir()
    with contextlib.suppress(OSError) if folder else contextlib.nullcontext():
        handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _renamed(source: Path, place: Path) -> None:
    _to_disk(source)
    os.replace(source, place)


@contextmanager
def whole_file(path: str | os.PathLike[str], make: bool = True) -> Iterator[Path]:
    """Yield a temporary name beside ``path`` with the same suffix; it replaces ``path`` when all went well."""
    path = target(path, make)
    temporary = _temporary(path.parent, path.suffix)
    try:
        with reported(path):
            temporary.touch()  # a place that cannot be written is told before the work
            yield temporary
            _renamed(temporary, path)
            _to_disk(path.parent)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(folder: Path, before: Callable[[], None] | None = None) -> Iterator[Path]:
    """Yield a temporary folder within ``folder``; its files move up when all were written, after calling ``before``."""
    import shutil

    is_new = not folder.exists()
    with reported(folder):
        folder.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(folder)
        temporary.mkdir()
    try:
        with reported(folder):
            yield temporary
            files = sorted(file for file in temporary.rglob("*") if file.is_file())
            for file in files:
                _to_disk(file)
            if before is not None:
                before()
            for file in files:
                place = folder / file.relative_to(temporary)
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, place)
            _to_disk(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):  # it holds something: it stays
                folder.rmdir()


def write_bytes(path: str | os.PathLike[str], data: bytes, make: bool = True) -> Path:
    """Write ``data`` to ``path`` in one step and return the path."""
    with whole_file(path, make) as temporary:
        temporary.write_bytes(data)
    return Path(path)


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write UTF-8 ``text`` to ``path`` in one step and return the path."""
    return write_bytes(path, text.encode("utf-8"))


def sweep(folder: Path) -> None:
    """Remove what processes of this machine that are no more were writing into a folder."""
    import shutil

    pattern = re.compile(re.escape(_mark().rsplit("-", 2)[0]) + r"-(\d+)-[0-9a-f]{8}(\..*)?")
    for path in folder.iterdir() if folder.is_dir() else ():
        match = pattern.fullmatch(path.name)
        if match and not _alive(int(match[1])):
            with contextlib.suppress(OSError):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # somebody else's
        return True
    return True


def scratch_folder() -> Path:
    """A folder for this user and process alone, among the temporaries; those that killed processes left are cleared."""
    import tempfile

    place = Path(tempfile.gettempdir())
    sweep(place)
    folder = _temporary(place)
    with reported(folder):
        folder.mkdir(mode=0o700)
    return folder


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    """A NumPy archive of some arrays, not compressed."""
    import numpy as np

    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    return stream.getvalue()


class Archive:
    """The arrays of a NumPy archive, unpacked one by one; what is wrong is a ValueError with a sentence.

    ``claim(size, what)`` is asked before memory is taken, and may refuse.
    """

    def __init__(self, data: bytes, claim: Callable[[int, str], None]):
        import zipfile

        try:
            self.zip = zipfile.ZipFile(io.BytesIO(data))
            self.names = {name.removesuffix(".npy"): name for name in self.zip.namelist()}
        except Exception as error:  # zipfile raises many kinds on a damaged directory
            raise ValueError(f"is not a whole .npz archive ({why(error)})") from None
        self.size, self.claim = len(data), claim

    def array(self, name: str) -> np.ndarray:
        """One array, whose header may not promise more than the archive holds."""
        import zipfile

        try:
            info = self.zip.getinfo(self.names[name])
        except KeyError:
            raise ValueError(f"has no array {name!r}") from None
        if info.file_size > _RATIO * self.size:
            raise ValueError(f"array {name!r} claims {info.file_size} bytes, more than the file can hold")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"array {name!r} is packed in a way that NumPy does not use")
        self.claim(info.file_size, f"unpacking array {name!r}")
        try:
            raw = self.zip.read(info)
        except Exception as error:  # zipfile and zlib raise many kinds on damaged data
            raise ValueError(f"array {name!r} is damaged ({why(error)})") from None
        return array_in(raw, f"array {name!r}")


def array_in(raw: bytes, what: str) -> np.ndarray:
    """The array in the bytes of an NPY file, which must be as many as its header says."""
    import numpy as np

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a damaged header is Python text with odd escapes
            stream = io.BytesIO(raw)
            major, _ = np.lib.format.read_magic(stream)
            header = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
            shape, fortran, dtype = header(stream)
    except Exception as error:  # NumPy raises many kinds on damaged data
        raise ValueError(f"{what} is damaged ({why(error)})") from None
    count, known = math.prod(shape), dtype.kind in "biufU" and dtype.itemsize > 0
    if not known or any(n < 0 for n in shape) or count * dtype.itemsize != len(raw) - stream.tell():
        raise ValueError(f"{what} does not match its header (shape {shape}, type {dtype})")
    return np.frombuffer(raw, dtype, count, stream.tell()).reshape(shape, order="F" if fortran else "C")


class Budget:
    """Bytes that the contents of files may take in memory: ``limit``, or 20 times their ``size`` if that is more."""

    def __init__(self, size: int, limit: float = LIMIT):
        self.size, self.most, self.claimed = size, max(limit, SHARE * size), 0

    def claim(self, size: int, what: str) -> None:
        """Ask for bytes before they are taken; a ValueError refuses them."""
        self.claimed += size
        if self.claimed > self.most:
            raise ValueError(f"{what} takes more than {self.most / 1e6:.0f} MB, from {self.size / 1e6:.3g} MB in files")


def unpacked(path: Path, expected: str, limit: float = LIMIT) -> dict[str, np.ndarray]:
    """Every array of an archive that takes at most ``limit`` bytes in memory, or 20 times its size if that is more."""
    try:
        if not path.is_file():
            raise InputError(f"there is no file {path}; expected {expected}")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        archive = Archive(data, Budget(len(data), limit).claim)
        return {name: archive.array(name) for name in archive.names}
    except ValueError as error:
        raise InputError(f"{path}: {error}; expected {expected}") from None


def why(error: Exception) -> str:
    """The words of an error in one short line."""
    return " ".join(str(error).split())[:80] or type(error).__name__
