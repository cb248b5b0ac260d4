"""NRRD header (.nhdr) with its data in another file."""

from .nrrd import read

HOLDS = ()
__all__ = ["HOLDS", "read"]
