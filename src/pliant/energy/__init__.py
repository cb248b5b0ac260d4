"""Energies of the positions with their gradients and tangents."""
