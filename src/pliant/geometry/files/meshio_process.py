"""Script of a process of its own that reads one file through meshio: ``FILE BYTES``, arrays as .npz on its standard output.

meshio trusts what it reads. Here it can take ``BYTES`` of memory (on Linux) and open files in the folder of ``FILE`` and
below only; whoever starts the process ends it when it takes too long.
"""

import contextlib
import io
import os
import sys
import warnings


def limited(most: int) -> None:
    """Let the process take ``most`` bytes more than it has."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # other systems do not count
        import resource

        with open("/proc/self/statm") as counts:
            now = int(counts.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (now + most, now + most))


def kept_in(folder: str) -> None:
    """Refuse to open what is outside ``folder``, but for libraries."""
    libraries = tuple({os.path.realpath(path) + os.sep for path in (*sys.path, sys.prefix, sys.base_prefix) if path})

    def check(name: object) -> None:
        path = os.path.realpath(os.fsdecode(name)) if isinstance(name, str | bytes | os.PathLike) else None
        if path is not None and not path.startswith((folder + os.sep, *libraries)):
            raise PermissionError(f"names the data file {name!r:.80}; expected one beside it or in a folder below")

    sys.addaudithook(lambda event, given: check(given[0]) if event == "open" else None)
    with contextlib.suppress(ImportError):
        import h5py

        opened = h5py.File.__init__  # HDF5 opens files itself

        def checked(self, name, *rest, **options):
            check(name)
            opened(self, name, *rest, **options)

        h5py.File.__init__ = checked


def main(file: str, most: str) -> int:
    import meshio
    import numpy as np

    printed, out = io.StringIO(), sys.stdout.buffer
    limited(int(most))
    kept_in(os.path.dirname(os.path.realpath(file)))
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            warnings.simplefilter("ignore")
            mesh = meshio.read(file)
        blocks = [block for block in mesh.cells if len(block.data)]
        top = max((block.dim for block in blocks), default=0)
        blocks = [block for block in blocks if block.dim == top > 0]
        cells = {f"cells {i}": block.data for i, block in enumerate(blocks) if isinstance(block.data, np.ndarray)}
        stream = io.BytesIO()
        np.savez(stream, points=np.asarray(mesh.points, float), kinds=[str(block.type) for block in blocks], **cells)
        out.write(stream.getbuffer())
        out.flush()
        return 0
    except MemoryError:
        return 3
    except (Exception, SystemExit) as error:  # meshio's parsers raise whatever their libraries do, print and exit
        sys.stderr.write(" ".join((printed.getvalue() or str(error) or type(error).__name__).split())[:160])
        return 2


if __name__ == "__main__":
    sys.path[:] = sys.argv[3:]  # where the process that asks finds meshio
    sys.exit(main(*sys.argv[1:3]))
