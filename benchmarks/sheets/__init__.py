"""Bending of sheets against Kirchhoff's theory of plates, on four kinds of mesh: ``python -m benchmarks.sheets``."""
