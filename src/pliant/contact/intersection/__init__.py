"""Contact of bodies that intersect: curves, floods, regions."""
