"""An NRRD header whose values are in another file, which lies beside it or in a folder below. Read only."""

from .nrrd import read

HOLDS = ()
__all__ = ["HOLDS", "read"]
