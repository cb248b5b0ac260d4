"""Elements of regular lattices."""
