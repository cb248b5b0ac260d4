"""Surface fields: values at vertices, and their scale."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ...errors import InputError
from ...simulate.record import nodal_fields
from ...simulate.simulation import Simulation

TWO_SIDED = ("volume ratio", "pressure")  # fields whose values lie on both sides of a neutral one
STRAIN = 1e-5  # what rounding may leave in a body at rest: a scale spans the stress of this strain at least
FORGET = 0.985  # share of its height that the top of the scale keeps from one frame to the next


def neutral_value(name: str) -> float:
    """The value of a field in a body at rest."""
    return 1.0 if name in ("stretch", "volume ratio") else 0.0


def checked_ends(ends: list[float]) -> tuple[float, float] | None:
    """Where a scale is held to begin and end; None for an empty list, which lets it go."""
    if not ends:
        return None
    if not ends[1] - ends[0] > 1e-6 * max(abs(ends[0]), abs(ends[1])):
        raise InputError(f"a scale from {ends[0]:g} to {ends[1]:g}; expected an end that is above its beginning")
    return float(ends[0]), float(ends[1])


class Surfaces:
    """All surface vertices of a simulation as one sparse product with its nodes."""

    def __init__(self, sim: Simulation):
        self.sim = sim
        sizes = [len(skin.parents) for skin in sim.skins]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        rows, columns, weights = [], [], []
        for start, skin in zip(self.first, sim.skins):
            rows.append(np.repeat(start + np.arange(len(skin.parents)), skin.parents.shape[1]))
            columns.append((skin.parents + skin.start).ravel())
            weights.append(skin.weights.ravel())
        shape = (int(self.first[-1]), sim.world.alive)
        entries = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
        self._carry = sparse.csr_matrix(entries, shape=shape).astype(np.float32)
        self.names = ["displacement", "speed", *nodal_fields.names(sim.world)]

    def positions(self) -> np.ndarray:
        """(s, 3) float32 [m]."""
        return self._carry @ np.asarray(self.sim.state.x.numpy()[: self.sim.world.alive], np.float32)

    def values(self, name: str) -> np.ndarray:
        """(s,) float32 values of a field."""
        return self.carried(self.nodal(name))

    def carried(self, nodal: np.ndarray) -> np.ndarray:
        """(s,) float32 values at the nodes carried to the surface."""
        nodal = np.asarray(nodal, np.float32)
        values = np.nan_to_num(self._carry @ nodal, nan=0.0, posinf=0.0, neginf=0.0)
        return np.maximum(values, 0.0) if nodal.size and nodal.min() >= 0 else values  # outside of elements too

    def nodal(self, name: str) -> np.ndarray:
        """(n,) values of a field at all nodes."""
        state, world = self.sim.state, self.sim.world
        if name == "displacement":
            return np.linalg.norm(state.x.numpy()[: world.alive] - world.rest, axis=1)
        if name == "speed":
            return np.linalg.norm(state.v.numpy()[: world.alive], axis=1)
        return nodal_fields.values(world, name, state.x)


def softest(sim: Simulation) -> float:
    """The least shear modulus [Pa] of its bodies; 0 where no law has one."""
    laws = [law.moduli for part in sim.world.layout.parts for law in part.material.terms]
    return min((float(np.min(moduli[0])) for moduli in laws if moduli is not None), default=0.0)


class Range:
    """The values that the colour scale spans: it widens at once and narrows slowly, or is ``held`` where it is.

    ``size`` [m] is that of the scene, ``modulus`` [Pa] that of its softest body: what is nothing beside them takes no colour.
    """

    def __init__(self, name: str, size: float, modulus: float = 0.0):
        neutral, stress = neutral_value(name), max(STRAIN * modulus, 1e-6)
        known = {"displacement": 1e-3 * size, "speed": 1e-2 * size, "stress": stress, "pressure": stress}
        least = known.get(name, 1e-2 if neutral else 1e-6)
        self.neutral, self.least, self.signed = neutral, least, name in TWO_SIDED
        self.span = 0.0
        self.held: tuple[float, float] | None = None

    def fit(self, values: np.ndarray) -> tuple[float, float]:
        """Take in the values of a frame and return the ends of the scale."""
        if self.held is not None:
            return self.held
        away = np.abs(values - self.neutral) if self.signed else values - self.neutral
        # a hand pulls at few vertices: the topmost 2 % take the end of the scale
        last = len(away) - 1 - len(away) // 50
        top = float(np.partition(away, last)[last])
        self.span = max(top, FORGET * self.span, self.least)
        return (self.neutral - self.span if self.signed else self.neutral), self.neutral + self.span
