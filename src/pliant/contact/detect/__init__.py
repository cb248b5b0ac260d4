"""Contact detection: broad phase, point–face, edge–edge, continuous collision (CCD)."""
