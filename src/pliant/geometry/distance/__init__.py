"""Signed distances: programs, kernels, of meshes, points and volumes."""
