"""Ways to look inside: a plane through things, and rays through their signed distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, floats
from ..geometry.advection import Advection


@dataclass(frozen=True)
class Slice:
    """A plane seen face on: through the signed distance of bodies, a field inside them, a solid or a volume.

    ``normal`` points to the eye; ``point`` [m] lies on the plane, None for the middle of what is shown. ``colour`` names a field
    of a run, None for its distance. ``contour`` draws the surface, ``cells`` the edges of the elements that the plane cuts. A
    distance is carried along by ``advection``.
    """

    normal: Sequence[float] = (0.0, -1.0, 0.0)
    point: Sequence[float] | None = None
    colour: str | None = None
    contour: bool = True
    cells: bool = False
    advection: Advection | None = None

    def __post_init__(self):
        normal = floats(self.normal)
        if normal.shape != (3,) or not np.all(np.isfinite(normal)) or not np.linalg.norm(normal) > 0:
            raise InputError(f"Slice(normal={self.normal!r}): expected a direction, three finite numbers that are not all 0")
        if self.point is not None and (floats(self.point).shape != (3,) or not np.all(np.isfinite(floats(self.point)))):
            raise InputError(f"Slice(point={self.point!r}): expected three finite numbers in metres, or None")
        if self.colour is not None and not isinstance(self.colour, str):
            raise InputError(f"Slice(colour={self.colour!r}): expected the name of a field, or None for the distance")
        _check_advection("Slice", self.advection)

    @property
    def axes(self) -> np.ndarray:
        """(3, 3) rows: right, up and towards the eye; up is z as far as possible, else y."""
        out = floats(self.normal) / np.linalg.norm(floats(self.normal))
        up = np.array([0.0, 0.0, 1.0] if abs(out[2]) < 0.99 else [0.0, 1.0, 0.0])
        right = np.cross(up, out)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(out, right), out])


@dataclass(frozen=True)
class RayCast:
    """Rays that march through the signed distance by its own value until they meet the surface; the normal is its gradient.

    ``spacing`` [m] and ``advection`` are those of ``Run.sdf``. A volume's surface is where its values pass ``level``, or around
    ``label``.
    """

    spacing: float | None = None
    advection: Advection | None = None
    level: float | None = None
    label: int | None = None

    def __post_init__(self):
        if self.spacing is not None and not (isinstance(self.spacing, int | float) and 0 < self.spacing < np.inf):
            raise InputError(f"RayCast(spacing={self.spacing!r}): expected a positive number of metres, or None")
        _check_advection("RayCast", self.advection)


def _check_advection(name: str, advection: Advection | None) -> None:
    if advection is not None and not isinstance(advection, Advection):
        raise InputError(f"{name}(advection={advection!r}): expected DirectForward(), Shepard() or SemiLagrange()")
