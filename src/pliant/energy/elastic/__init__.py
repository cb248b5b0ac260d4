"""Elastic energies of elements."""
