"""Damping energies."""
