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


def largest_stable_step(
    objective: Objective,
    state: State,
    inverse_mass: np.ndarray,
    drag: float = 0.0,
    stiffness: float = 0.0,
    iterations: int = 60,
) -> float:
    """Largest stable step [s] at the state: 2/ω_max of M⁻¹K, less with Rayleigh damping ``drag`` [1/s], ``stiffness`` [s].

    ω_max by power iteration on a seeded start, which may fall short of it, so it is raised by 1 %.
    """
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
    # h² ω² + 2 h (drag + stiffness ω²) < 4
    squared = 1.02 * abs(largest)
    damping = drag + stiffness * squared
    if squared + damping == 0:
        return np.inf
    return float((np.sqrt(damping**2 + 4 * squared) - damping) / squared) if squared > 0 else 2 / damping
