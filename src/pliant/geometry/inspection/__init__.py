"""Inspection of meshes: counts, quality and topology."""
