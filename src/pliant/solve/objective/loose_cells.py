"""Joins of contact pairs with the sparsity pattern of all else."""

from collections.abc import Container, Sequence
from typing import Any

import numpy as np

from ...energy.base import Energy
from ...linear.matrix.block_matrix import BlockMatrix
from ...linear.matrix.sparsity_pattern import Pattern, joined_pattern

ROOM = 1  # times the entries that come and go now: room for those that come later


def cells_of(energies: Sequence[Energy], but: Container[int] = ()) -> list[np.ndarray]:
    """The cells of all energies ``but`` those of some ids."""
    cells = [energy.cells() for energy in energies if id(energy) not in but]
    return [c for c in cells if c is not None and len(c)]


class LooseCells:
    """Which ``energies`` change their cells as bodies move, and the sparsity pattern of all others, which lasts."""

    def __init__(self, energies: Sequence[Energy]):
        self.energies, self._loose = energies, set[int]()
        self.forget()

    def forget(self) -> None:
        """Drop that pattern, after a cut or a tear."""
        self.lasting: Pattern | None = None

    def pattern(self, cells: Sequence[np.ndarray]) -> tuple[Pattern | None, int]:
        """The pattern of all ``cells``, and how many entries more it is to have room for; None where none have come or gone."""
        if self.lasting is None:
            return None, 0
        joined = joined_pattern(self.lasting, cells)
        return joined, ROOM * (joined.entries - self.lasting.entries)

    def lay_out(self, matrix: BlockMatrix, before: tuple, now: tuple, kept: dict[Any, Any], positions: np.ndarray | None) -> bool:
        """Join a matrix in its own arrays, where energies have other cells: their ids and ``sparsity``, ``before`` and ``now``.
        State of linear solvers (``kept``) that depends on the entries is dropped. False where there is no room."""
        changed = {each[0] for each, known in zip(now, before, strict=True) if each != known}
        if self.lasting is None or not changed <= self._loose:
            self._loose |= changed
            self.lasting = Pattern(matrix.count, cells_of(self.energies, self._loose))
            self.lasting.alive = matrix.pattern.alive
        if not matrix.join(joined_pattern(self.lasting, cells_of(self.energies))):
            return False
        for nothing in [whose for whose, each in kept.items() if each is None]:
            del kept[nothing]
        others = [each for whose, each in kept.items() if not getattr(whose, "of_rows", False)]
        if not all(hasattr(each, "renew") and each.renew(positions, True) for each in others):
            kept.clear()
            matrix.device.forget()  # launches that hold its arrays
        return True
