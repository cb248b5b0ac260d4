"""Keyframes: numbers and motions as tables over time.

Between two times values change evenly, before the first and after the last they stay. As tables they can be written
in scene files and are kept in checkpoints, which functions of one's own are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arguments import checks
from ..arguments.typing_fields import Vector
from ..errors import InputError


def _times(owner: str, times: object) -> np.ndarray:
    found = checks.floats(times)
    if found.ndim != 1 or not len(found) or not np.all(np.isfinite(found)) or not np.all(np.diff(found) > 0):
        raise checks.refusal(f"{owner}(times=…)", times, "increasing times [s]")
    return found


def _rows(owner: str, name: str, given: object, times: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    found = checks.floats(given)
    if found.shape != (len(times), *shape) or not np.all(np.isfinite(found)):
        what = "numbers" if not shape else "vectors of three numbers"
        raise checks.refusal(f"{owner}({name}=…)", given, f"{len(times)} {what}, one for each time")
    return found


@dataclass(frozen=True, eq=False)
class Table:
    """A number that changes over time, such as the course of a load or the activation of a muscle.

    ``times`` [s] grow, ``values`` has a number for each of them.
    """

    times: Vector
    values: Vector

    def __post_init__(self):
        times = _times("Table", self.times)
        object.__setattr__(self, "values", _rows("Table", "values", self.values, times, ()))
        object.__setattr__(self, "times", times)

    def __call__(self, time: float) -> float:
        """The number at a time [s]."""
        return float(np.interp(time, self.times, self.values))

    def __repr__(self) -> str:
        return f"Table({len(self.times)} values from {self.times[0]:g} to {self.times[-1]:g} s)"


@dataclass(frozen=True, eq=False)
class Keyframes:
    """A rigid motion for ``Hold(where, motion)`` and ``Obstacle(shape, motion)``: shifts, and turns about a line.

    ``times`` [s] grow; ``offsets`` (k, 3) [m] and ``turns`` (k) [degrees] have a row for each of them. Turns are about the
    ``axis`` through the point ``about`` [m].
    """

    times: Vector
    offsets: Sequence[Vector] | np.ndarray | None = None
    turns: Vector | None = None
    axis: Vector = (0.0, 0.0, 1.0)
    about: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self):
        times = _times("Keyframes", self.times)
        if self.offsets is None and self.turns is None:
            raise InputError("Keyframes(times): nothing moves; expected offsets, turns or both")
        offsets = np.zeros((len(times), 3)) if self.offsets is None else self.offsets
        turns = np.zeros(len(times)) if self.turns is None else self.turns
        object.__setattr__(self, "offsets", _rows("Keyframes", "offsets", offsets, times, (3,)))
        object.__setattr__(self, "turns", _rows("Keyframes", "turns", turns, times, ()))
        object.__setattr__(self, "axis", tuple(map(float, checks.direction("Keyframes(axis=…)", self.axis))))
        object.__setattr__(self, "about", tuple(map(float, checks.vector("Keyframes(about=…)", self.about))))
        object.__setattr__(self, "times", times)

    def pose(self, time: float) -> np.ndarray:
        """The 4×4 matrix of the motion at a time [s]: x → about + R (x − about) + offset."""
        from scipy.spatial.transform import Rotation

        degrees = np.interp(time, self.times, self.turns)
        pose, about = np.eye(4), np.array(self.about)
        pose[:3, :3] = Rotation.from_rotvec(np.deg2rad(degrees) * np.array(self.axis)).as_matrix()
        shift = np.array([np.interp(time, self.times, self.offsets[:, i]) for i in range(3)])
        pose[:3, 3] = about + shift - pose[:3, :3] @ about
        return pose

    def __call__(self, first: float | np.ndarray, time: float | None = None) -> np.ndarray:
        """Of a time alone the pose, as obstacles ask for it; of points (n, 3) [m] and a time, where they are then."""
        if time is None:
            return self.pose(float(first))
        pose = self.pose(float(time))
        return np.asarray(first) @ pose[:3, :3].T + pose[:3, 3]

    def __repr__(self) -> str:
        return f"Keyframes({len(self.times)} from {self.times[0]:g} to {self.times[-1]:g} s)"
