"""Alignment of observations with the scene: rigid motion and clock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...simulate.simulation import Simulation
from .observation import Observation, Own

PLACING = ("rotation", "shift")  # of the observations, in the scene
TINY_PART = 5e-3  # of the size of a body: least size of an observed part
UNITS = {1e3: "millimetres", 1e2: "centimetres", 39.37: "inches"}  # units per metre


@dataclass(frozen=True, eq=False, kw_only=True)
class Placed(Observation):
    """Part of observations in space: p was seen where the scene has R p + ``shift``, R turning about ``rotation`` by its length.

    ``sigma`` is the standard deviation of the measurements, None if unknown, ``delay`` [s] is added to
    their times. Free parameters are (None, "observation 0.shift"), "….rotation" and "….delay", the number being its place in the
    list.
    """

    sigma: float | None = None
    delay: float = 0.0
    rotation: Vector = (0.0, 0.0, 0.0)  # [rad]
    shift: Vector = (0.0, 0.0, 0.0)  # [m]

    def _check_placed(self) -> None:
        what = type(self).__name__
        if self.sigma is not None:
            checks.positive(f"{what}(sigma=…)", self.sigma)
        checks.number(f"{what}(delay=…)", self.delay, expected="a finite number of seconds")
        if hasattr(self, "body"):
            checks.whole(f"{what}(body=…)", self.body, 0)
        object.__setattr__(self, "rotation", checks.vector(f"{what}(rotation=…)", self.rotation, "radians"))
        object.__setattr__(self, "shift", checks.vector(f"{what}(shift=…)", self.shift, "metres"))

    @property
    def own(self) -> Own:
        """Its free parameters, at their current values."""
        return {"delay": np.array(float(self.delay)), "rotation": self.rotation, "shift": self.shift}


def turning(rotation: np.ndarray) -> np.ndarray:
    """(3, 3) R of a rotation vector."""
    return Rotation.from_rotvec(rotation).as_matrix()


def placed(points: np.ndarray, own: Own) -> np.ndarray:
    """(n, 3) R p + shift."""
    return points @ turning(own["rotation"]).T + own["shift"]


def by_placing(points: np.ndarray, own: Own, by_point: np.ndarray) -> dict[str, np.ndarray]:
    """(m, 3) derivatives by rotation and shift, for those (m, 3) by each of as many placed points.

    d(R p) = −R [p]× J dω, with J the right Jacobian of the rotation vector ω.
    """
    w = np.asarray(own["rotation"])
    turned = by_point @ turning(w)  # (m, 3) yᵀR
    about = -np.cross(turned, points) @ _right_jacobian(w)  # yᵀR [p]× = (yᵀR × p)ᵀ
    return {"rotation": about, "shift": by_point}


def _right_jacobian(w: np.ndarray) -> np.ndarray:
    angle, cross = np.linalg.norm(w), np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-4:
        return np.eye(3) - cross / 2 + cross @ cross / 6
    return np.eye(3) - (1 - np.cos(angle)) / angle**2 * cross + (angle - np.sin(angle)) / angle**3 * (cross @ cross)


def aligned(seen: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ``rotation`` and ``shift`` that map points (m, 3) ``seen`` closest to their places ``at`` in the scene.

    Least squares over at least three points that are not on a line, those with NaN left out.
    """
    seen, at = checks.floats(seen), checks.floats(at)
    if seen.ndim != 2 or seen.shape != at.shape or seen.shape[1] != 3:
        raise InputError(f"aligned(seen of shape {seen.shape}, at of shape {at.shape}): expected two of (points, 3)")
    there = np.isfinite(seen).all(axis=1) & np.isfinite(at).all(axis=1)
    a, b = seen[there], at[there]
    if len(a) < 3 or np.linalg.matrix_rank(a - a.mean(axis=0), tol=1e-9) < 2:
        raise InputError(f"aligned: {len(a)} points that were seen; expected three or more that are not on a line")
    turn, _ = Rotation.align_vectors(b - b.mean(axis=0), a - a.mean(axis=0))
    return turn.as_rotvec(), b.mean(axis=0) - turn.apply(a.mean(axis=0))


def check_units(what: str, points: np.ndarray, sim: Simulation, rows: slice) -> None:
    """Refuse points (n, 3) that are very much larger or smaller than the body they are to lie on, or very far from it."""
    rest = sim.world.rest[rows]
    middle, size = rest.mean(axis=0), np.linalg.norm(np.ptp(rest, axis=0))
    spread = np.linalg.norm(np.ptp(points, axis=0)) if len(points) > 2 else 0.0
    ratio = spread / size
    if ratio > 8:
        unit = min(UNITS.items(), key=lambda item: abs(np.log(ratio / item[0])))
        guess = f": are these {unit[1]}? Then multiply by {1 / unit[0]:.4g}" if 0.2 < ratio / unit[0] < 5 else ""
        raise InputError(f"{what} extends over {spread:.3g} m and the body over {size:.3g} m{guess}; expected metres")
    if 0 < ratio < TINY_PART:
        raise InputError(
            f"{what} extends over {spread:.3g} m and the body over {size:.3g} m: is the body in millimetres? Expected metres "
            "for both"
        )
    away = np.linalg.norm(points.mean(axis=0) - middle)
    if away > 10 * size:
        raise InputError(
            f"{what} is {away:.3g} m away from a body of {size:.3g} m; expected points near it: give rotation= and shift= "
            "that place them in the scene (aligned finds them for markers), in metres"
        )
