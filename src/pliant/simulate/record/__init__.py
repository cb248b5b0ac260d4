"""Records of a simulation: runs, fields, probes, forces, contact tables."""
