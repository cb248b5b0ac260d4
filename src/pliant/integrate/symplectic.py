"""Symplectic Euler: explicit, cheap per step, stable only below a step that it names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..solve.objective import Objective
from ..vectors import Vectors
from .base import State, check_step


@dataclass(frozen=True)
class SymplecticEuler:
    """v⁺ = v + h M⁻¹ f(x), x⁺ = x + h v⁺ (Eq 3.23–3.24): keeps energy on average while h < 2/ω_max.

    ``check_every`` steps, and before the first, ω_max is measured; a step too large raises and names the largest stable.
    """

    dt: float = 1e-4
    check_every: int = 200

    needs_acceleration = False
    order = 1

    def __post_init__(self):
        check_step("SymplecticEuler", self.dt)
        if not isinstance(self.check_every, int) or self.check_every < 1:
            raise InputError(
                f"SymplecticEuler(check_every={self.check_every!r}): expected a whole number of at least 1"
            )


def largest_stable_step(objective: Objective, state: State, inverse_mass: np.ndarray, iterations: int = 60) -> float:
    """2/ω_max [s] of M⁻¹K at the state, by power iteration on a seeded start (a lower bound on ω_max, raised by 2 %)."""
    vectors: Vectors = objective.vectors
    device = objective.device
    random = np.random.default_rng(0).standard_normal((vectors.count, 3))
    root = np.sqrt(inverse_mass)[:, None]
    d, out = vectors.new(), vectors.new()
    largest = 0.0
    for _ in range(iterations):
        random /= np.linalg.norm(random)
        d.assign((root * random).astype(device.types.numpy))
        objective.tangent(state.x, d, out, project=False)
        product = root * out.numpy().astype(float)
        largest = float(np.sum(random * product))
        random = product
        if not np.any(random):
            return np.inf
    return 2 / np.sqrt(1.02 * abs(largest)) if largest != 0 else np.inf
