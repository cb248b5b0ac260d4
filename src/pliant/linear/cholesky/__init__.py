"""Sparse Cholesky factorisation A = L Lᵀ for fixed patterns.

    analysis = analyse(matrix, positions=X)              # once for a pattern: order, tree of fronts, maps
    factor = factorise(analysis, matrix, "f32")          # once for the values
    x = factor.solve(b)                                  # (n,) or (n, k); solve_device for arrays on a device
    factor.refactor(values)                              # new values
    factor.update(rows, cols, added)                     # a few new values: fronts up to the root only
    factor.solve_partial(nodes, values, wanted)          # few rows in, few rows out: paths of the tree only

Modules, in the order of data flow: ``pattern`` (input) → ``embedding``, ``ordering`` (nested dissection),
``satellites`` (nodes with few neighbours) → ``symbolic`` (fronts). On the CPU → ``schedule`` (threads) → ``numeric`` with
``numeric_native`` and ``blas`` (dense fronts) → ``layout`` (tiles) → ``solve`` with ``solve_kernels`` and
``solve_native``. On a GPU → ``fronts`` (levels and tiles) → ``front_numeric`` with ``front_kernels`` and ``front_native``
→ ``level_solve`` with ``levels`` and ``level_kernels``. Both → ``factor``.
"""

from .factor import Factor, factorise
from .symbolic.symbolic_factor import Analysis, analyse

__all__ = ["Analysis", "Factor", "analyse", "factorise"]
