"""Bending of sheets."""
