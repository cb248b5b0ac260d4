"""From gradients by quantities that follow from a law's parameters back to gradients by the parameters themselves.

Each row of a quantity follows from the parameters of its own row by formulas that are analytic, so their slopes are taken
with complex steps: f(p + iε) = f(p) + iε f′(p) to all digits, with no formula written twice.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .base import Material

EPSILON = 1e-30
Gradients = dict[str, np.ndarray]  # by name of a parameter, of its shape


def pulled_back(law: Material, quantity: Callable[[Material], np.ndarray], gradient: np.ndarray) -> Gradients:
    """Name → gradient by each parameter, of its shape, for ``gradient`` by the rows of ``quantity(law)``."""
    gradient = np.asarray(gradient, float)
    by_name = {}
    for name, value in law.parameters().items():
        value, beside = np.asarray(value, float), copy.copy(law)
        object.__setattr__(beside, name, value + 1j * EPSILON)
        slope = np.atleast_1d(np.imag(quantity(beside)) / EPSILON)
        rows = np.atleast_1d(slope * gradient)
        by_name[name] = reduced(rows.reshape(len(rows), -1).sum(axis=1), value)
    return by_name


def reduced(rows: np.ndarray, value: np.ndarray) -> np.ndarray:
    """(rows,) gradients as those of a value that stands for all rows, or for each."""
    value = np.asarray(value)
    if len(rows) == value.size and value.ndim:
        return rows
    if value.size == 1:
        return rows.sum().reshape(value.shape)
    if np.any(rows):
        raise ValueError(f"{len(rows)} rows follow from {value.size} values")
    return np.zeros(value.shape)


def summed(*parts: Gradients) -> Gradients:
    """The sum of gradients by the same or by different names."""
    total: Gradients = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total[name] + value if name in total else value
    return total


def moduli_of(law: Material) -> np.ndarray:
    """(rows, 2) μ and λ [Pa], 0 for a law without any."""
    return np.zeros((1, 2)) if law.moduli is None else np.stack(np.broadcast_arrays(*law.moduli), axis=-1)


def projective_of(law: Material) -> np.ndarray:
    """(rows,) k [Pa] of projective laws, 0 for others."""
    return np.zeros(1) if law.projective is None else law.projective
