"""Cuts and tears of a running simulation."""
