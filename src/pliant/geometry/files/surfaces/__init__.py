"""Formats of surfaces."""
