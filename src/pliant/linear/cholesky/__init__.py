"""Sparse Cholesky: nested dissection, dense fronts through BLAS, and solves on CPU threads or a GPU."""

from .factor import Factor, factorise
from .symbolic import Analysis, analyse

__all__ = ["Analysis", "Factor", "analyse", "factorise"]
