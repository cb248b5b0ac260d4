"""Numbers of a run over its frames, for studies of scene files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..simulate.record.run import Run


@dataclass(frozen=True)
class Extreme:
    """The largest value of a field over the nodes in each frame, or the smallest."""

    field: str
    least: bool = False

    @property
    def unit(self) -> str:
        """That of the field."""
        return Run.UNITS.get(self.field, "")

    def __call__(self, run: Run) -> np.ndarray:
        values = run.values(self.field)
        return values.min(axis=1) if self.least else values.max(axis=1)


@dataclass(frozen=True)
class Place:
    """(frames, 3) where a point of a body is that is here at rest."""

    point: tuple[float, float, float]
    unit = "m"

    def __call__(self, run: Run) -> np.ndarray:
        return run.at([self.point], "position")[:, 0]


def energy(run: Run) -> np.ndarray:
    """All energies together in each frame."""
    return run.energies["total"]


energy.unit = "J"  # type: ignore[attr-defined]
MEASURES = {
    "lowest": Extreme("height", True), "highest": Extreme("height"), "displacement": Extreme("displacement"),
    "speed": Extreme("speed"), "stress": Extreme("stress"), "energy": energy,
}  # fmt: skip
