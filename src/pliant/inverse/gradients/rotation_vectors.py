"""Rotations as vectors along their axis, as long as their angle [rad]."""

from __future__ import annotations

import numpy as np

SMALL = 1e-4  # angle below which series have all digits


def crossed(w: np.ndarray) -> np.ndarray:
    """(3, 3) matrix of w × ."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def turned(w: np.ndarray) -> np.ndarray:
    """(3, 3) matrix of the rotation (Rodrigues)."""
    angle, K = float(np.linalg.norm(w)), crossed(w)
    if angle < SMALL:
        return np.eye(3) + (1 - angle**2 / 6) * K + (0.5 - angle**2 / 24) * K @ K
    return np.eye(3) + np.sin(angle) / angle * K + (1 - np.cos(angle)) / angle**2 * K @ K


def turning(w: np.ndarray) -> np.ndarray:
    """(3, 3) the left Jacobian of the rotation vector w: exp(w + δ) = exp(turning(w) δ) exp(w)."""
    angle, K = float(np.linalg.norm(w)), crossed(w)
    if angle < SMALL:
        return np.eye(3) + (0.5 - angle**2 / 24) * K + (1 / 6 - angle**2 / 120) * K @ K
    return np.eye(3) + (1 - np.cos(angle)) / angle**2 * K + (angle - np.sin(angle)) / angle**3 * K @ K
