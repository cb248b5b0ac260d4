"""Shapes: meshes, grids, signed distances, filling surfaces with tetrahedra, files."""
