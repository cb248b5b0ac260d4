"""Preconditioners: Jacobi, Cholesky, two-level, in the background."""
