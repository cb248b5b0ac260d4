"""Tetrahedra that fill or bound a solid, and its isosurface."""
