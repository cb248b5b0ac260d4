"""Cuts of lattice bodies: cells, their parts and the surface that they carry."""
