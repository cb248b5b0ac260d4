"""Barrier contact: energy, lagged friction, active set, prediction."""
