"""Energies of the positions with their derivatives: one file for each, kernels beside it."""
