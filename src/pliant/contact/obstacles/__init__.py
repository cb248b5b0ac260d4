"""Barrier and faces against rigid obstacles."""
