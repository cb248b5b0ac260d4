"""Factors of assembled matrices: of blocks, of scalars, bordered, corotational, across cuts."""
