"""Explicit integrators, and their largest stable step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ..arguments.checks import whole
from ..runtime.vectors import Vectors
from ..solve.objective.refusals import refuse_joints, refuse_rigid, refuse_walls
from ..solve.objective.step_objective import Objective
from .base import HOLDS_JOINTS, check_step
from .rigid_scheme import refuse_flights
from .state import State

Force = Callable[[wp.array[Any], wp.array[Any], float], None]  # fills the new a with −M⁻¹ ∇E at x, with damping at v, at a time
Hold = Callable[[wp.array[Any]], None]  # puts held components of x where they are at the end of the step


@dataclass(frozen=True)
class Explicit:
    """An explicit scheme with time step ``dt`` [s].

    ``check_every`` steps, and before the first, ω_max is measured; a step too large raises and names the largest
    stable.
    """

    dt: float = 1e-4
    check_every: int = 200

    needs_acceleration = False
    order = 1
    patience = 0
    lag = 1  # how much sooner damping ends stability, beside damping at the present velocity

    def __post_init__(self):
        check_step(type(self).__name__, self.dt)
        whole(f"{type(self).__name__}(check_every)", self.check_every)

    def advance(self, state: State, vectors: Vectors, new: Sequence[wp.array[Any]], force: Force, hold: Hold) -> None:
        """Fill ``new`` = (x, v, a) from the state."""
        raise NotImplementedError(f"{type(self).__name__} needs advance(state, vectors, new, force, hold), as every Explicit has")

    def largest_step(self, squared: float, drag: float, stiffness: float) -> float:
        """2/ω [s], ω² = ``squared`` [1/s²]; less with Rayleigh damping: h² ω² + 2 lag h (drag + stiffness ω²) < 4."""
        damping = self.lag * (drag + stiffness * squared)
        if squared + damping == 0:
            return np.inf
        return float((np.sqrt(damping**2 + 4 * squared) - damping) / squared) if squared > 0 else 2 / damping

    def check(self, objective: Objective) -> None:
        """Refuse volumes that cannot change, bodies that are rigid, and contact that no step may cross."""
        refuse_flights(objective, f"{type(self).__name__}()")
        refuse_rigid(objective, f"{type(self).__name__}()")
        refuse_walls(objective, f"{type(self).__name__}()")
        refuse_joints(objective, f"{type(self).__name__}()", HOLDS_JOINTS)


@dataclass(frozen=True)
class SymplecticEuler(Explicit):
    """v⁺ = v + h M⁻¹ f(x), x⁺ = x + h v⁺ (Eq 3.23–3.24): keeps energy on average while h < 2/ω_max.

    ``check_every`` steps, and before the first, ω_max is measured; a step too large raises and names the largest
    stable.
    """

    def advance(self, state: State, vectors: Vectors, new: Sequence[wp.array[Any]], force: Force, hold: Hold) -> None:
        x, v, a = new
        force(state.x, state.v, state.t)
        vectors.move(state.v, self.dt, a, v)
        vectors.advance(state.x, self.dt, v, x)
        hold(x)


@dataclass(frozen=True)
class CentralDifferences(Explicit):
    """(x⁺ − 2x + x₋)/h² = M⁻¹ f(x) (Eq 2.6.6), as x⁺ = x + h v + h²/2 a, v⁺ = v + h/2 (a + a⁺): second order.

    Keeps energy on average while h < 2/ω_max; damping acts at the velocity v + h a. ``check_every`` steps, and before
    the first, ω_max is measured; a step too large raises and names the largest stable.
    """

    needs_acceleration = True
    order = 2
    lag = 2

    def advance(self, state: State, vectors: Vectors, new: Sequence[wp.array[Any]], force: Force, hold: Hold) -> None:
        h, (x, v, a) = self.dt, new
        vectors.advance(state.x, h, state.v, x)
        vectors.advance(x, 0.5 * h * h, state.a, x)
        hold(x)
        vectors.move(state.v, h, state.a, v)
        force(x, v, state.t + h)
        vectors.move(state.v, 0.5 * h, state.a, v)
        vectors.move(v, 0.5 * h, a, v)


def squared_frequency(objective: Objective, state: State, inverse_mass: np.ndarray, iterations: int = 60) -> float:
    """ω_max² of M⁻¹K [1/s²] by power iteration on a seeded start, which may fall short of it, so ω is raised by 1 %."""
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
            return 0.0
    return 1.02 * abs(largest)
