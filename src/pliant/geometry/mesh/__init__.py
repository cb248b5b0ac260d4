"""Meshes: points, cells, groups, looks, primitives."""
