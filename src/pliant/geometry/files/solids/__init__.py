"""Formats of solid meshes."""
