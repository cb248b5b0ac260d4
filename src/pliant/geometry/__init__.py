"""Shapes: meshes, signed distances, lattices, tetrahedral meshing, inspection, files."""
