"""A surface inside a tetrahedral mesh whose vertices know their tets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from .mesh import TriMesh


@dataclass(frozen=True, eq=False, repr=False)
class HeldSurface(TriMesh):
    """A surface carried by a tetrahedral mesh, each vertex by a tet of its own: the two sides of a cut lie in one place."""

    holders: np.ndarray  # (n,) tets

    def __post_init__(self):
        super().__post_init__()
        holders = np.asarray(self.holders)
        if holders.shape != (len(self.vertices),) or holders.dtype.kind not in "iu":
            raise InputError(f"holders have shape {holders.shape}; expected ({len(self.vertices)},) numbers of tets")
        object.__setattr__(self, "holders", holders.astype(np.int64))
