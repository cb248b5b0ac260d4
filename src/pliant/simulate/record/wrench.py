"""Wrench: force, torque and centre as three rows."""

from __future__ import annotations

import numpy as np

from ...arguments import checks
from ...errors import InputError, did_you_mean

ROWS = 3


def check(name: object, names: list[str], call: str) -> str:
    """Refuse a thing that is not there."""
    if not isinstance(name, str) or name not in names:
        near = did_you_mean(name, names) if isinstance(name, str) else ""
        given = ", ".join(repr(one) for one in names)
        raise InputError(f"{call}: nothing here is called {checks.shown(name)}{near}; forces act on {given or 'nothing'}")
    return name


def about(rows: np.ndarray, point: object, call: str) -> np.ndarray:
    """(…, 3) torque [N m] about a point [m], or about the centre of the thing, of rows (…, 3, 3)."""
    force, torque, centre = rows[..., 0, :], rows[..., 1, :], rows[..., 2, :]
    if point is not None:
        try:
            centre = np.broadcast_to(np.asarray(point, float), force.shape)
        except (TypeError, ValueError):
            centre = np.full(force.shape, np.nan)
        if not np.all(np.isfinite(centre)):
            raise InputError(f"{call}: about={point!r}; expected three finite numbers in metres, or None for its centre")
    return torque - np.cross(centre, force)


def shifted(wrenches: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """(frames, 3, 3) the same forces on a thing that is elsewhere: τ + s × f and c + s."""
    force, torque, centre = (wrenches[:, i] for i in range(ROWS))
    return np.stack([force, torque + np.cross(shift, force), centre + shift], axis=1)
