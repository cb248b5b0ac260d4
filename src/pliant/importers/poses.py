"""Places and turns as files write them: 4×4 matrices from positions, roll–pitch–yaw, quaternions and axes."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import InputError


def pose(position: np.ndarray | tuple[float, ...] = (0.0, 0.0, 0.0), turn: np.ndarray | None = None) -> np.ndarray:
    """The matrix of x → turn x + position."""
    made = np.eye(4)
    made[:3, 3] = position
    if turn is not None:
        made[:3, :3] = turn
    return made


def about(axis: np.ndarray, radians: float) -> np.ndarray:
    """(3, 3) turn about an axis of any length."""
    return Rotation.from_rotvec(unit(axis, "an axis") * radians).as_matrix()


def unit(vector: np.ndarray, what: str) -> np.ndarray:
    length = float(np.linalg.norm(vector))
    if not length > 1e-12:
        raise InputError(f"{what} has no length; expected a direction")
    return vector / length


def rpy(angles: np.ndarray) -> np.ndarray:
    """(3, 3) roll about x, then pitch about y, then yaw about z, all of them axes that stand still."""
    return Rotation.from_euler("xyz", angles).as_matrix()


def quaternion(wxyz: np.ndarray) -> np.ndarray:
    """(3, 3) turn of a quaternion, its real part first, of any length."""
    return Rotation.from_quat(unit(wxyz, "a quaternion")[[1, 2, 3, 0]]).as_matrix()


def from_z(axis: np.ndarray) -> np.ndarray:
    """(3, 3) the smallest turn that takes z to an axis."""
    axis = unit(axis, "an axis")
    across = np.array([-axis[1], axis[0], 0.0])
    sine = float(np.linalg.norm(across))
    if sine < 1e-12:
        return np.eye(3) if axis[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return Rotation.from_rotvec(across / sine * np.arctan2(sine, axis[2])).as_matrix()


def moved(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 3) points taken along by a 4×4 matrix."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]
