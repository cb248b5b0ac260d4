"""Weak boundary conditions on surfaces that run through cells (Nitsche)."""
