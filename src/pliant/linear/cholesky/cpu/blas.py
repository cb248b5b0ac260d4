"""Addresses of SciPy's BLAS and LAPACK for compiled code."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import threading
from collections.abc import Iterator

import numpy as np

ROUTINES = ("dpotrf", "dtrtri", "dtrsm", "dtrmm", "dsyrk", "dgemm")  # in the order of their numbers in the snippets
PREFIXES = ("scipy_openblas", "openblas")
_lock = threading.Lock()


@functools.cache
def addresses() -> np.ndarray:
    """Addresses (6,) of ``ROUTINES``, from the tables that SciPy publishes for compiled callers."""
    from scipy.linalg import cython_blas, cython_lapack

    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    pointers = []
    for routine in ROUTINES:
        table = cython_lapack if routine in ("dpotrf", "dtrtri") else cython_blas
        capsule = table.__pyx_capi__[routine]
        pointers.append(pointer(capsule, name(capsule)))
    return np.array(pointers, np.uint64)


@functools.cache
def _controls() -> tuple | None:
    """Functions that read and set the number of threads of OpenBLAS; None where SciPy uses another library."""
    from scipy.linalg import cython_blas

    library = ctypes.CDLL(cython_blas.__file__)
    for prefix in PREFIXES:
        get = getattr(library, f"{prefix}_get_num_threads", None)
        put = getattr(library, f"{prefix}_set_num_threads", None)
        if get is not None and put is not None:
            return get, put
    return None


class _Inside:
    """The number of callers in ``one_thread_each``, and the original number of threads."""

    count, before = 0, 1


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """Inside it, BLAS calls use the calling thread only, to avoid oversubscription."""
    controls = _controls()
    if controls is None:
        yield
        return
    get, put = controls
    with _lock:
        if _Inside.count == 0:
            _Inside.before = get()
            put(1)
        _Inside.count += 1
    try:
        yield
    finally:
        with _lock:
            _Inside.count -= 1
            if _Inside.count == 0:
                put(_Inside.before)
