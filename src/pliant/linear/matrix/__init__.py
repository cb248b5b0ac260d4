"""Matrices, their sparsity pattern and assembly, and the systems that solvers get."""
