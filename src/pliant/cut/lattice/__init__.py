"""Lattice cuts: cells, their parts and the surface carried."""
