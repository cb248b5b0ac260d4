"""Newton's method on positions and pressures."""
