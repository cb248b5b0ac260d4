"""Pages of recorded runs."""
