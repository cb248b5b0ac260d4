"""Script of the sandbox process: ``JOB FILE BYTES``, answer on standard output.

The library can take ``BYTES`` of memory (on Linux), and meshio open files in the folder of ``FILE`` and below only; whoever
starts the process ends it when it takes too long.
"""

import contextlib
import io
import os
import sys
import warnings


def limited(most: int) -> None:
    """Let the process take ``most`` bytes more than it has."""
    with contextlib.suppress(ImportError, FileNotFoundError):  # other systems do not count
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
            raise PermissionError(f"names the data file {name!r:.80}; expected one in the same folder or below")

    sys.addaudithook(lambda event, given: check(given[0]) if event == "open" else None)
    with contextlib.suppress(ImportError):
        import h5py

        opened = h5py.File.__init__  # HDF5 opens files itself

        def checked(self, name, *rest, **options):
            check(name)
            opened(self, name, *rest, **options)

        h5py.File.__init__ = checked


def by_meshio(file: str) -> bytes:
    """Points, kinds and corners of the cells of the highest dimension, and names of sets."""
    import meshio
    import numpy as np

    mesh = meshio.read(file)
    blocks = [block for block in mesh.cells if len(block.data)]
    top = max((block.dim for block in blocks), default=0)
    blocks = [block for block in blocks if block.dim == top > 0]
    cells = {f"cells {i}": block.data for i, block in enumerate(blocks) if isinstance(block.data, np.ndarray)}
    names = [str(name)[:40] for name in (*mesh.point_sets, *mesh.cell_sets) if not str(name).startswith("gmsh:")]
    kinds = [str(block.type) for block in blocks]
    stream = io.BytesIO()
    np.savez(stream, points=np.asarray(mesh.points, float), kinds=kinds, names=np.array(names[:1000], str), **cells)
    return stream.getvalue()


def prims_of(file: str) -> bytes:
    """How many prims a layer of USD has, and its stage, those of instances counted each; their values are read once."""
    from pxr import Usd

    stage, own, composed = Usd.Stage.Open(file), [], 0
    stage.GetRootLayer().Traverse("/", lambda path: own.append(path) if path.IsPrimPath() else None)
    for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
        composed += 1
        for attribute in prim.GetAuthoredAttributes() if composed <= len(own) else ():
            attribute.Get()
    return b"%d %d" % (len(own), composed)


def main(job: str, file: str, most: str) -> int:
    """Write what a job finds, or why it finds nothing, and return the exit code."""
    printed, out, code = io.StringIO(), sys.stdout.buffer, 0
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            warnings.simplefilter("ignore")
            if job == "meshio":
                import meshio  # noqa: F401  # libraries are not counted

                with contextlib.suppress(ImportError):
                    import h5py  # noqa: F401
            else:
                from pxr import Usd  # noqa: F401
            limited(int(most))
            if job == "meshio":
                kept_in(os.path.dirname(os.path.realpath(file)))
            found = by_meshio(file) if job == "meshio" else prims_of(file)
    except MemoryError:
        found, code = b"", 3
    except (Exception, SystemExit) as error:  # meshio's parsers raise whatever their libraries do, print and exit
        words = printed.getvalue() or type(error).__name__
        with contextlib.suppress(UnicodeDecodeError):  # USD quotes bytes that are no text
            words = printed.getvalue() or str(error) or words
        words = " ".join(words.split())
        found, code = (words[:160] if job == "meshio" else words[-120:]).encode("utf-8", "replace"), 2
    out.write(found)
    out.flush()
    return code


if __name__ == "__main__":
    sys.path[:] = sys.argv[4:]  # where the process that asks finds libraries
    sys.exit(main(*sys.argv[1:4]))
