"""Solvers with one constant matrix: quasi-Newton and projective dynamics."""
