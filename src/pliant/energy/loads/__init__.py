"""Loads on surfaces: pressure and wind."""
