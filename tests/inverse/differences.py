"""Derivatives of residuals beside central differences."""

import numpy as np

from pliant.inverse import BoundObservation


def check(seen: BoundObservation, x: np.ndarray, frame: int = 0, own: dict | None = None, step: float = 1e-6, seed: int = 1):
    """Along random ways of all nodes and of each parameter of the observation's own, to 1e-6 of the largest."""
    own = dict(seen.parameters) | (own or {})
    residual = seen.at(frame, x, own)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        way = rng.normal(size=x.shape)
        r = [seen.at(frame, x + sign * step * way, own).r for sign in (1, -1)]
        along = residual.by_x @ way.ravel()
        agree(along, (r[0] - r[1]) / (2 * step))
        y = rng.normal(size=len(residual.r))
        assert np.isclose(y @ along, (residual.by_x.T @ y) @ way.ravel(), rtol=1e-9)
        beside = residual.by_x @ np.column_stack([way.ravel(), -2 * way.ravel()])  # several ways at once
        assert np.allclose(beside, np.column_stack([along, -2 * along]))
    for name in residual.by_own:
        way = rng.normal(size=np.shape(own[name]))
        r = [seen.at(frame, x, own | {name: own[name] + sign * step * way}).r for sign in (1, -1)]
        agree(residual.by_own[name].reshape(len(r[0]), -1) @ way.ravel(), (r[0] - r[1]) / (2 * step))
    return residual


def agree(exact: np.ndarray, difference: np.ndarray) -> None:
    scale = np.abs(difference).max()
    assert scale > 0
    assert np.abs(exact - difference).max() <= 1e-6 * scale, (np.abs(exact - difference).max(), scale)
