"""Writers of runs, one for each format."""
