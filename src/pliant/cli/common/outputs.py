"""Results of a run: each tried before it, each written by itself after it, the run's own numbers first.

One result that cannot be written is named at the end and costs no other; where the run itself was not among those that
could be written, it is kept as a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...arguments.atomic_files import sweep
from ...arguments.progress import status
from ...errors import InputError, PliantError
from .paths import writable

if TYPE_CHECKING:
    from ...simulate.record.run import Run


class Output(NamedTuple):
    """One result: its kind, its file, and what writes it there."""

    kind: str
    path: Path
    write: Callable[[Run], object]


class Written(NamedTuple):
    """The files that there are now, and a sentence about each that there is not."""

    files: list[Path]
    faults: list[str]

    @property
    def error(self) -> PliantError:
        count = "" if len(self.faults) == 1 else f"{len(self.faults)} results failed: "
        return PliantError(count + "; ".join(self.faults))


def check(outputs: list[Output]) -> None:
    """Refuse places that cannot be written, before anything is computed, and clear what killed runs left there."""
    for output in outputs:
        if output.path.is_dir() and output.path.suffix:
            raise InputError(f"{output.kind}: {output.path} is a folder; expected a file name")
        writable(output.path.parent, f"{output.kind}: the folder")
        sweep(output.path.parent)


def write(run: Run, outputs: list[Output], stem: str, folder: Path) -> Written:
    """Write each result by itself; where one fails and the run was not exported, keep it as ``STEM.rescued.npz``."""
    files: list[Path] = []
    faults: list[str] = []
    for output in sorted(outputs, key=lambda o: o.path.suffix.lower() != ".npz"):
        fault = _tried(output, run)
        if fault is None:
            files.append(output.path)
        else:
            faults.append(f"{output.kind}: {fault}")
    whole = any(o.kind == "export" and o.path.suffix.lower() == ".npz" and o.path in files for o in outputs)
    if faults and not whole:
        import tempfile

        for place in (folder, Path(tempfile.gettempdir())):
            kept = Output("rescue", place / f"{stem}.rescued.npz", lambda run, place=place: _export(run, place, stem))
            if _tried(kept, run) is None:
                files.append(kept.path)
                faults.append(f"the run itself is kept in {kept.path}")
                break
        else:
            faults.append("nor could the run itself be kept")
    order = {output.path: i for i, output in enumerate(outputs)}
    return Written(sorted(files, key=lambda f: order.get(f, len(order))), faults)


def _export(run: Run, place: Path, stem: str) -> None:
    from ...output.export import export

    export(run, place / f"{stem}.rescued.npz")


def _tried(output: Output, run: Run) -> str | None:
    """Write one result, or say why it cannot be: whatever happens to it, the others are still to come."""
    try:
        with status(f"writing {output.path}"):
            output.write(run)
    except PliantError as error:
        return str(error)
    except OSError as error:
        return f"{output.path} cannot be written: {error.strerror or error}"
    except MemoryError:
        return f"{output.path} needs more memory than there is"
    except Exception as error:
        return f"unexpected {type(error).__name__}: {' '.join(str(error).split())[:200]}; a fault of pliant"
    return None
