"""Symbolic factorisation: ordering, fronts, fill-in."""
