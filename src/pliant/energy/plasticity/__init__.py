"""Plastic flow of elements."""
