"""Numbers of a run over its frames, for studies of scene files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..simulate.run import Run


@dataclass(frozen=True)
class Most:
    """The largest of a field over the nodes in each frame."""

    field: str

    @property
    def unit(self) -> str:
        """That of the field."""
        return Run.UNITS.get(self.field, "")

    def __call__(self, run: Run) -> np.ndarray:
        return run.values(self.field).max(axis=1)


@dataclass(frozen=True)
class Height:
    """That of the lowest or the highest node in each frame."""

    highest: bool = False
    unit = "m"

    def __call__(self, run: Run) -> np.ndarray:
        heights = run.values("height")
        return heights.max(axis=1) if self.highest else heights.min(axis=1)


@dataclass(frozen=True)
class Place:
    """(frames, 3) where a point of a body is that is here at rest."""

    point: tuple[float, float, float]
    unit = "m"

    def __call__(self, run: Run) -> np.ndarray:
        return run.at([self.point], "position")[:, 0]


@dataclass(frozen=True)
class Energy:
    """One of the energies in each frame."""

    name: str
    unit = "J"

    def __call__(self, run: Run) -> np.ndarray:
        return run.energies[self.name]


MEASURES: dict[str, Callable[[Run], np.ndarray]] = {
    "lowest": Height(),
    "highest": Height(True),
    "displacement": Most("displacement"),
    "speed": Most("speed"),
    "stress": Most("stress"),
    "energy": Energy("total"),
}
