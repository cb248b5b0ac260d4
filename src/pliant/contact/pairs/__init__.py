"""Contact pairs: surfaces, closest points, stiffness and forces of four points."""
