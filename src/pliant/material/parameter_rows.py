"""Rows of parameters of several materials of one law, one below the other, for bodies that share a launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..runtime.device import Types
from .base import Material
from .functions import Functions


@dataclass(frozen=True, kw_only=True, eq=False)
class Stacked(Material):
    """Materials of one key as one table; made where bodies are merged, not by hand."""

    materials: tuple[Material, ...] = ()

    PARAMETERS: ClassVar = {}

    @property
    def terms(self) -> tuple[Material, ...]:
        return self.materials[0].terms

    @property
    def name(self) -> str:
        return self.materials[0].name

    @property
    def key(self) -> str:
        return self.materials[0].key

    @property
    def isotropic(self) -> bool:
        return self.materials[0].isotropic

    @property
    def rotation_invariant(self) -> bool:
        return self.materials[0].rotation_invariant

    @property
    def inversion_safe(self) -> bool:
        return self.materials[0].inversion_safe

    @property
    def barrier(self) -> bool:
        return any(material.barrier for material in self.materials)

    @property
    def projective(self) -> np.ndarray | None:
        if self.materials[0].projective is None:
            return None
        return np.concatenate([np.broadcast_to(m.projective, len(m.table())) for m in self.materials])

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray] | None:
        if self.materials[0].moduli is None:
            return None
        parts = [[np.broadcast_to(a, len(m.table())) for a in m.moduli] for m in self.materials]
        return tuple(np.concatenate(column) for column in zip(*parts))

    @property
    def starts(self) -> np.ndarray:
        """Row of the first parameters of each material."""
        return np.cumsum([0, *(len(material.table()) for material in self.materials)])

    def split(self, gradient: np.ndarray) -> list[np.ndarray]:
        """The rows of each material."""
        return np.split(gradient, self.starts[1:-1])

    def table(self) -> np.ndarray:
        return np.vstack([material.table() for material in self.materials])

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        return self.materials[0].functions(t, dimension)
