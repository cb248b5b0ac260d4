"""Lattices: cut cells and their integrals, hexahedra, distances carried along."""
